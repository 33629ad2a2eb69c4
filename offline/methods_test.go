package offline_test

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/methods/eoh"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/tasks"
)

// TestAnswersFitTheMethods runs methods on a model without mistakes. The methods must accept the
// replies, including PACE's contracts, and the programs must run on made-up instances. The quick
// tier runs one program in ten.
func TestAnswersFitTheMethods(t *testing.T) {
	an := programtest.Analyzer(t)
	e := offline.NewEvaluator(t)
	m := offline.New(tasks.All(), offline.Rates{offline.Repaired: 1})
	for _, task := range tasks.Paper() {
		for _, method := range methods.All() {
			if task.Name != "tsp-construct" && method.Name() != "pace" {
				continue
			}
			t.Run(task.Name+"/"+method.Name(), func(t *testing.T) {
				l := benchtest.Run(t, method, benchtest.Config{
					Problem: task.Problem, Model: m, Budget: 50, Analyzer: an})
				asked, refused := 0, 0
				reply := func(operator, why string) {
					if asked++; why != "" {
						refused++
						t.Logf("%s: %s", operator, why)
					}
				}
				for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
					reply(o.Operator, o.Refused)
				}
				for _, a := range methodtest.Notes[note.Attempt](t, l, "attempt") {
					reply(a.Operator, a.Refused)
				}
				if r := l.Summarize(); asked == 0 { // random sampling has no notes
					asked, refused = r.Asked, r.Asked-r.Evaluations
				}
				if 20*refused > asked {
					t.Errorf("%d of %d replies are refused, want at most 5 %%", refused, asked)
				}
				bad, ran := 0, 0
				for i, p := range l.Programs() {
					if i%10 > 0 && (!benchtest.Long() || i%2 > 0) {
						continue
					}
					ran++
					if _, fault := e.Score(p.Program.Source); fault != "" {
						bad++
						t.Logf("%d: %s\n%s", i, fault, p.Program.Source)
					}
				}
				if 50*bad > ran {
					t.Errorf("%d of %d programs fail, want at most 2 %%", bad, ran)
				}
			})
		}
	}
}

// TestSearchImproves runs EoH on a model with mistakes. The best tour length must be clearly below
// the 6.824 of nearest neighbour.
func TestSearchImproves(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	e, m := offline.NewEvaluator(t), eoh.New()
	m.Window = 1
	l := benchtest.Run(t, m, benchtest.Config{
		Problem: tasks.Paper()[3].Problem, Model: offline.New(tasks.All(), offline.StatedRates()),
		Budget: 100, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: func(source string) bench.Outcome {
			length, fault := e.Score(source)
			if fault != "" {
				return bench.Outcome{Fault: bench.Faultf(bench.Raised, "%s", fault)}
			}
			return bench.Outcome{Score: -length, Values: []float64{length}}
		}},
	})
	if best := l.Summarize().Best; best == nil || best.Score < -6.75 {
		t.Errorf("best of 100 is %+v, want clearly below 6.824", best)
	}
}
