package shipped

import (
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/program"
)

// TestOfflinePrograms checks the embedded model's programs when it starts only from the task's own
// programs: at least six in ten have a score, and three in ten on circle26, because most of its
// changes let circles overlap. A search soon has more: 72 of EoH's first 100.
func TestOfflinePrograms(t *testing.T) {
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	const draws = 10
	for _, task := range All() {
		t.Run(task.Name, func(t *testing.T) {
			e := tasktest.Control(t, task)
			task.Splits[0].Limits.CPU = 5 * time.Second // some programs loop without end
			m := offline.New([]*bench.Task{task}, offline.StatedRates())
			prompt := task.Description + "\n\nThe Python function to design:\n\n" +
				task.Template.Header() + "\n    \"\"\"Choose.\"\"\"\n\nAnswer with the code only."
			scored, scores := 0, map[float64]bool{}
			for draw := range uint64(draws) {
				reply, err := m.Complete(t.Context(),
					llm.Request{User: llm.Text(prompt), Temperature: 1, Draw: draw})
				must.Do(t, err)
				_, code, _ := strings.Cut(reply.Text, "```python\n")
				code, _, _ = strings.Cut(code, "```")
				code = strings.Join(task.Imports, "\n") + "\n" + code
				o, err := e.Evaluate(t.Context(), program.Program{Source: code})
				must.Do(t, err)
				if o.OK() {
					scored++
					scores[o.Score] = true
				}
			}
			least := draws * 6 / 10
			if task.Name == "circle26" {
				least = draws * 3 / 10
			}
			t.Logf("%d of %d scored, %d scores", scored, draws, len(scores))
			if scored < least || len(scores) < 3 {
				t.Errorf("%d of %d programs have a score, %d scores", scored, draws, len(scores))
			}
		})
	}
}
