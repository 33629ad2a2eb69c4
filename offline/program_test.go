package offline

import (
	"os"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// TestProgramsRunOrFailAsTheySay calls new programs for the paper's tasks on artificial instances,
// pictures and states. Programs without a mistake must run.
func TestProgramsRunOrFailAsTheySay(t *testing.T) {
	e := NewEvaluator(t)
	draws := uint64(10)
	if os.Getenv("PACEBENCH_LONG") != "" {
		draws = 60
	}
	for _, task := range tasks.Paper() {
		prompt := blocks(task.Description, "The Python function to design:\n\n"+
			task.Template.Header()+"\n"+pytext.Indent(`"""`+task.Template.Doc+"\n"+`"""`),
			closingProgram)
		for slip, fault := range map[Quirk]string{
			Repaired: "", Raises: "raised", Invalid: "invalid",
		} {
			rates := Perfect()
			rates[slip] = 1
			m := New(tasks.All(), rates)
			for draw := range draws {
				code := strings.Join(task.Imports, "\n") + "\n" + codeOf(ask(t, m, prompt, draw))
				_, got := e.Score(code)
				if kind, _, _ := strings.Cut(got, ":"); kind != fault {
					t.Errorf("%s, draw %d: fault %q, want %q in\n%s", task.Name, draw, got, fault,
						code)
				}
			}
		}
	}
}
