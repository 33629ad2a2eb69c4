package pace

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
)

// Request shortens the scripts.
type Request = llm.Request

func TestInitialisation(t *testing.T) {
	s := &script{eaps: 2, answer: func(i int, op string, _ Request) (string, bool) {
		switch {
		case op == I1 && i == 1:
			return methodtest.Answer("a crash", "raise ValueError  # raises"), true
		case op == I1 && i == 2:
			return "no code", true
		}
		return "", false
	}}
	model := s.model()
	l := methodtest.Run(t, small(), model, 12)
	want := []string{I1, I1, I1, I1, I1, I1, E1, P1, P2, P3, P4, E2, P1, P2, P3}
	// 4 valid of 6 replies: a crash costs an evaluation, a reply without code a repair.
	golden.Same(t, "operators", want, methodtest.Operators(model))
	if r := l.Summarize(); r.Evaluations != 12 || r.Faults[bench.Raised] != 1 {
		t.Errorf("%d evaluations, faults %v", r.Evaluations, r.Faults)
	}
	if admitted := methodtest.Notes[Admission](t, l, "admission"); len(admitted) < 2 ||
		admitted[0].Origin != E1 || admitted[1].EAP != 1 {
		t.Errorf("admissions %+v, want two from E1 first", admitted)
	}
}

// TestOperatorsWaitForACaller checks that only P1 and P3 are used until an algorithm calls an EAP.
func TestOperatorsWaitForACaller(t *testing.T) {
	p1 := 0
	s := &script{eaps: 4, answer: func(i int, op string, r Request) (string, bool) {
		if op != P1 {
			return "", false
		}
		p1++
		score := -5.0 - float64(p1) // worse than all: it does not stay
		if p1 == 4 {
			score = 5
		}
		return calling(i, score, asked(r.User[0].Text)...), true
	}}
	l := methodtest.Run(t, small(), s.model(), 4+9)
	golden.Same(t, "operators", []string{P1, P3, P1, P3, P1, P3, P1, P2, P3}, planned(t, l))
	for i, p := range methodtest.Notes[Population](t, l, "population") {
		for _, m := range p.Members {
			if i < 10 && len(m.Calls) > 0 {
				t.Errorf("population %d: algorithm %d calls %v", i+1, m.Algorithm, m.Calls)
			}
		}
	}
}

func TestAnOffspringThatBreaksItsContractIsDropped(t *testing.T) {
	s := &script{
		eaps:   2,
		answer: func(i int, op string, _ Request) (string, bool) { return calling(i, 9), op == P1 },
	}
	model, m := s.model(), small()
	m.Operators = []string{P1}
	l := benchtest.Run(t, m, benchtest.Config{
		Model: model, Budget: 5, Requests: 40, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
	})
	r := l.Summarize()
	if r.Evaluations != 4 || r.Asked < 40 || r.Stopped != "requests" {
		t.Errorf("%d evaluations, %d requests, stopped by %s; want 4 by I1, 40, requests",
			r.Evaluations, r.Asked, r.Stopped)
	}
	if trials := methodtest.Notes[Trial](t, l, "trial"); len(trials) > 0 {
		t.Errorf("trials %+v of offspring that were never evaluated", trials)
	}
	for _, rec := range l.Records {
		if rec.Step == nil || len(rec.Step.Requests) == 0 ||
			rec.Step.Requests[0].Request.Purpose != "algorithm/P1" {
			continue
		}
		if n := len(rec.Step.Requests); n != 3 {
			t.Errorf("step %d: %d attempts, want k = 3", rec.Step.Number, n)
		}
		first := rec.Step.Requests[0].Request.User[0].Text
		for i, q := range rec.Step.Requests[1:] {
			text := q.Request.User[0].Text
			if !strings.HasPrefix(text, first) ||
				!strings.Contains(text, rec.Step.Requests[i].Reply.Text) ||
				!strings.Contains(text, "It was refused: ") {
				t.Errorf("step %d: attempt %d is not a repair of the first:\n%s",
					rec.Step.Number, i+2, text)
			}
			if q.Request.Purpose != "algorithm/P1" {
				t.Errorf("a repair has the purpose %s", q.Request.Purpose)
			}
		}
	}
	attempts := methodtest.Notes[Attempt](t, l, "attempt")
	if last := attempts[len(attempts)-1]; last.Attempt != 3 ||
		!strings.Contains(last.Refused, "`e") {
		t.Errorf("last attempt %+v, want the third, refused for an EAP", last)
	}
}

func TestCredit(t *testing.T) {
	tests := []struct {
		name   string
		reply  func(i int, eaps []string) string
		reward int
	}{
		{"raises", func(i int, eaps []string) string {
			return strings.Replace(calling(i, 0, eaps...), "# score 0", "# raises", 1)
		}, 0},
		{"ties its parent", func(i int, eaps []string) string { return calling(i, 1, eaps...) }, 0},
		{"improves on its parent, and is not a new best",
			func(i int, eaps []string) string { return calling(i, 1.5, eaps...) }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := small()
			m.Population = 2
			s := &script{eaps: 1, answer: func(i int, op string, r Request) (string, bool) {
				switch {
				case op == I1 && i == 0:
					return methodtest.Scored(i, 1), true
				case op == I1:
					return methodtest.Scored(i, 2), true // the best
				case op == P1:
					return tt.reply(i, asked(r.User[0].Text)), true
				}
				return "", false
			}}
			var trial *Trial
			for seed := range uint64(50) { // until the parent scores 1
				l := benchtest.Run(t, m, benchtest.Config{
					Model: s.model(), Budget: 3, Seed: seed + 1, Analyzer: programtest.Analyzer(t),
					Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
				})
				if n := l.Summarize().Evaluations; n != 3 {
					t.Fatalf("%d evaluations, want 3", n)
				}
				if trials := methodtest.Notes[Trial](t, l, "trial"); len(trials) == 1 &&
					trials[0].Parent == 1 {
					trial = &trials[0]
					break
				}
				s.depth = 0
			}
			want := &Trial{
				Operator: P1, Name: "e0", Parent: 1, Child: 3,
				Reward: tt.reward, Alpha: 1 + float64(tt.reward), Beta: 2 - float64(tt.reward),
			}
			golden.Same(t, "trial", want, trial)
		})
	}
}
