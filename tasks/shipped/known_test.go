package shipped

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// slow are splits that take long. They run only if PACEBENCH_SLOW names them.
var slow = map[string]string{
	"obp-weibull":         "5k-100 5k-500 10k-100 10k-500",
	"tsp-construct-mcts":  "test100 test200",
	"tsp-construct-local": "test200 test500 test1000",
}

// TestKnownValues compares the tasks with testdata/known.toml. The quick tier takes the splits that
// a program marks as quick, the long tier all but the slow ones.
func TestKnownValues(t *testing.T) {
	var known map[string][]struct {
		Name, Source string
		Quick        []string
		Values       map[string]float64
	}
	if _, err := toml.DecodeFile("testdata/known.toml", &known); err != nil {
		t.Fatal(err)
	}
	for _, task := range All() {
		t.Run(task.Name, func(t *testing.T) {
			if known[task.Name] == nil {
				t.Fatal("no values are known")
			}
			e := tasktest.Control(t, task)
			for _, c := range known[task.Name] {
				if row, ok := strings.CutPrefix(c.Name, "row "); ok {
					c.Source = Rule(row)
				}
				for split, want := range c.Values {
					if !slices.Contains(c.Quick, split) && !tasktest.Long() {
						continue
					}
					if slices.Contains(strings.Fields(slow[task.Name]), split) &&
						!strings.Contains(os.Getenv("PACEBENCH_SLOW"), split) {
						continue
					}
					o := score(t, e, split, c.Source)
					if got := record.Mean(o.Values); !o.OK() || math.Abs(got-want) > 1e-9 {
						t.Errorf("%s, %s: %.12f, want %.12f, %v", c.Name, split, got, want, o.Fault)
					}
				}
			}
		})
	}
}

// score scores a program, without the task's imports; "" is the template.
func score(t *testing.T, e *bench.TaskEvaluator, split, source string) bench.Outcome {
	t.Helper()
	if source == "" {
		body := strings.ReplaceAll(e.Task.Template.Body, "\n", "\n    ")
		source = e.Task.Template.Header() + "\n    " + body + "\n"
	}
	source = strings.Join(e.Task.Imports, "\n") + "\n" + source
	o, err := e.Score(t.Context(), split, program.Program{Source: source})
	must.Do(t, err)
	return o
}
