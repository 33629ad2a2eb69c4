package offline

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// TestVocabularies checks that each vocabulary has the parts for composing, and that its code reads
// only outputs, parameters, builtins and names that it has defined before.
func TestVocabularies(t *testing.T) {
	for _, task := range tasks.All() {
		if task.Vocabulary == nil {
			continue
		}
		v := know(task)
		known := strings.Fields(`np cv2 abs bool enumerate float int len max min range zip`)
		for _, q := range v.target.Params {
			known = append(known, q.Name)
		}
		r := rand.New(rand.NewPCG(1, 2))
		check := func(what string, own []string, codes ...string) {
			for _, code := range codes {
				var bound []string
				for _, s := range pytext.Statements(strings.Trim(fill(r, code), "+±")) {
					bound = append(bound, s.Binds...)
					for _, n := range s.Reads {
						if !slices.Contains(slices.Concat(known, own, bound), n) {
							t.Errorf("%s: %s: nothing defines %s in %s", task.Name, what, n, code)
						}
					}
				}
			}
		}
		phrases := func(what string, list []bench.Phrase) {
			for _, p := range list {
				if p.Says == "" || p.Code == "" {
					t.Errorf("%s: %s: %+v has no comment or no code", task.Name, what, p)
				}
				check(what, nil, p.Code)
			}
		}
		if v.Subject == "" || len(v.Outputs) == 0 || len(v.Closings) == 0 || len(v.Shapes) == 0 {
			t.Fatalf("%s: Subject, Outputs, Closings and Shapes are needed", task.Name)
		}
		for _, p := range v.Define {
			phrases("Define", []bench.Phrase{p})
			known = append(known, pytext.NewStatement(fill(r, p.Code)).Binds...)
		}
		for _, o := range v.Outputs {
			phrases("Main", o.Main)
			phrases("Terms", o.Terms)
			check("Forms and Weights", []string{"X"}, slices.Concat(o.Forms, o.Weights)...)
			known = append(known, o.Name)
		}
		phrases("Shifts", v.Shifts)
		phrases("Closings", v.Closings)
		for _, s := range v.Shapes {
			phrases("Exprs", s.Exprs)
			check("Shapes", []string{"X"}, append(s.Terms, s.Neutral, s.Wrap)...)
		}
		if v.Shapes[0].Wrap == "" {
			t.Errorf("%s: the first shape has no Wrap", task.Name)
		}
		for _, f := range v.Spare {
			check("Spare", nil, f)
		}
		functions, _ := pytext.Functions(v.Helpers)
		if len(functions) != strings.Count("\n"+v.Helpers, "\ndef ") {
			t.Errorf("%s: Helpers holds more than functions", task.Name)
		}
	}
}

// TestTaskWithoutVocabulary checks that answers about a function without a vocabulary have the
// requested form and the required calls.
func TestTaskWithoutVocabulary(t *testing.T) {
	m := New(nil, Perfect())
	for name, text := range examples() {
		p := read(text)
		for draw := range uint64(20) {
			reply := ask(t, m, text, draw)
			functions, _ := pytext.Functions(codeOf(reply))
			if p.answer == answerText || p.answer == answerSentence {
				if len(functions) > 0 || reply == "" {
					t.Fatalf("%s: want a text:\n%s", name, reply)
				}
				continue
			}
			if len(functions) == 0 {
				t.Fatalf("%s: no function in\n%s", name, reply)
			}
			for _, n := range p.contract.must {
				if !pytext.Calls(reply, n) {
					t.Errorf("%s: %s is not called in\n%s", name, n, reply)
				}
			}
		}
	}
}
