package tasks

import (
	"os"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

// TestFieldTasksRefuse checks that the field tasks refuse results that break their contracts, and
// accept unusual valid results, from programs in the sandbox. B is the body of the template. The
// quick tier tests a case for all tasks ("*") on one of them, the long tier on two.
func TestFieldTasksRefuse(t *testing.T) {
	for i, c := range []struct{ task, name, result, want string }{
		{"*", "None", "None", "invalid: returned None"},
		{"*", "another shape", "(B)[:-1]", "invalid: returned an array of shape ("},
		{"*", "NaN", "(B) * np.nan", "nonfinite: entry [0"},
		{"*", "a list", "(B).tolist()", ""},
		{"*", "a matrix that overwrites its arguments", "OVER", ""},
		{"cvrp-aco", "an infinite diagonal", "(B) + np.diag([np.inf] * 51)",
			"nonfinite: entry [0, 0] is +Inf"},
		{"op-aco", "an infinite diagonal", "(B) + np.diag([np.inf] * 50)",
			"nonfinite: entry [0, 0] is +Inf"},
		{"bpp-aco", "infinity", "(B) / 0", "nonfinite: the largest entry is infinite"},
		{"bpp-aco", "zeros", "(B) * 0", "invalid: no entry is positive"},
		{"bpp-aco", "minus infinity", "np.where(np.eye(500) > 0, -np.inf, B)", ""},
		{"tsp-gls", "an infinite diagonal", "(B) + np.diag([np.inf] * 200)", ""},
	} {
		tasks := field(t, c.task)
		for j, task := range tasks {
			if one := (i - j + len(tasks)) % len(tasks); one > 0 && !tasktest.Long() || one%3 != 0 {
				continue
			}
			t.Run(task.Name+"/"+c.name, func(t *testing.T) {
				body := strings.TrimPrefix(task.Template.Body, "return ")
				lines := "    return " + strings.ReplaceAll(c.result, "B", body) + "\n"
				if c.result == "OVER" {
					over := task.Template.Params[0].Name
					lines = "    out = np.array(" + body + ")\n    " + over +
						"[:] = 0\n    return out\n"
				}
				o := score(t, task, "import numpy as np\n"+task.Template.Header()+"\n"+lines)
				switch {
				case c.want == "" && !o.OK(),
					c.want != "" && (o.OK() || !strings.HasPrefix(o.Fault.Error(), c.want)):
					t.Errorf("%+v, want fault %q", o.Fault, c.want)
				case c.result == "OVER":
					plain := score(t, task, "import numpy as np\n"+task.Template.Header()+
						"\n    "+task.Template.Body+"\n")
					if o.Score != plain.Score {
						t.Errorf("score %v, want %v as without writes", o.Score, plain.Score)
					}
				}
			})
		}
	}
}

// TestCards checks that each task has a short card with the same structure: a page of its own for a
// task of the paper or a new task, and a section of one common page for a field task.
func TestCards(t *testing.T) {
	read := func(page string) string { return string(must.Read(t, "../docs/tasks/"+page+".md")) }
	cards := read("field")
	for i, task := range All() {
		parts := []string{"Function", "Scoring", "Data", "References"}
		var card string
		// A new task begins with a page of its own.
		_, missing := os.Stat("../docs/tasks/" + task.Name + ".md")
		if i < len(Paper()) || missing == nil {
			card = read(task.Name)
			for j := range parts {
				parts[j] = "## " + parts[j]
			}
		} else {
			_, card, _ = strings.Cut(cards, "\n## "+task.Name+"\n")
			card, _, _ = strings.Cut(card, "\n## ")
			for j := range parts {
				parts[j] = "**" + parts[j]
			}
		}
		if n := strings.Count(card, "\n"); n > 60 {
			t.Errorf("the card of %s has %d lines, more than 60", task.Name, n)
		}
		for _, part := range parts {
			if !strings.Contains(card, "\n"+part) {
				t.Errorf("the card of %s has no %q", task.Name, part)
			}
		}
	}
}

// field returns the named field task, or all field tasks for "*".
func field(t *testing.T, name string) (all []*bench.Task) {
	t.Helper()
	for _, n := range []string{"cvrp-aco", "mkp-aco", "op-aco", "bpp-aco", "tsp-gls"} {
		task, ok := Lookup(n)
		if !ok {
			t.Fatalf("no task %s", n)
		}
		if name == "*" || name == n {
			all = append(all, task)
		}
	}
	return all
}

func score(t *testing.T, task *bench.Task, source string) bench.Outcome {
	t.Helper()
	o, err := (&bench.TaskEvaluator{Task: task, Loader: tasktest.Workers(t)}).Score(
		t.Context(), "train", program.Program{Source: source})
	must.Do(t, err)
	return o
}
