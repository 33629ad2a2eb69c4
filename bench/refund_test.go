package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

// rounds evaluates in rounds of three until the budget is spent. Except for every fourth round, it
// reports that no program ran.
func rounds(refund bool) funcMethod {
	return func(ctx context.Context, s *bench.Search) error {
		for round := 0; ; round++ {
			n := 0
			for i := range 3 {
				switch _, err := bench.Do(ctx, s, evaluate(fmt.Sprintf("%d.%d", round, i))); {
				case errors.Is(err, bench.ErrSpent):
					return nil
				case err != nil:
					return err
				}
				n++
			}
			if round%4 > 0 {
				s.NothingRan(n, refund)
			}
		}
	}
}

func TestRefund(t *testing.T) {
	config := func(requests int) benchtest.Config {
		return benchtest.Config{
			Model:  llm.NewScripted(func(llm.Request) string { return "" }),
			Budget: 12, Requests: requests,
			Dir: t.TempDir(),
		}
	}
	for _, c := range []struct {
		name                          string
		refund                        bool
		requests                      int
		evaluations, barren, refunded int
	}{
		{"what is not refunded stays spent", false, 60, 12, 9, 0},
		// Rounds 0, 4, 8 and 12 count. Nine refunded rounds are between them.
		{"with refund the budget is for what ran", true, 60, 39, 27, 27},
		{"a run that never asks ends at the limit on requests", true, 20, 24, 18, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			conf := config(c.requests)
			l := benchtest.Run(t, rounds(c.refund), conf)
			r := l.Summarize()
			if r.Evaluations != c.evaluations || r.Barren != c.barren ||
				r.Refunded != c.refunded || r.Stopped != "budget" {
				t.Errorf("%d evaluations, %d barren, %d refunded, stopped by %s; "+
					"want %d, %d, %d, budget", r.Evaluations, r.Barren, r.Refunded, r.Stopped,
					c.evaluations, c.barren, c.refunded)
			}
			last := 0
			for step := range l.Steps() {
				if got := step.Evaluations[0].Evaluation; got != last+1 {
					t.Errorf("evaluation %d follows %d: numbers are given once", got, last)
				}
				last++
			}

			// A run that was cut after any line continues to the same journal.
			want := journalOf(t, conf.Dir)
			lines := bytes.SplitAfter(want, []byte("\n"))
			for _, keep := range []int{1, 7, len(lines) - 2} {
				cut := config(c.requests)
				path := filepath.Join(cut.Dir, "journal.jsonl")
				must.Write(t, path, bytes.Join(lines[:keep], nil))
				benchtest.Run(t, rounds(c.refund), cut)
				if !bytes.Equal(want, journalOf(t, cut.Dir)) {
					t.Errorf("cut after line %d, the run continues to another journal", keep)
				}
			}
		})
	}
}

func TestNoMoreIsRefundedThanWasSpent(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a round of two evaluations after only one evaluation did not panic")
		}
	}()
	benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
		_, err := bench.Do(ctx, s, evaluate("a"))
		s.NothingRan(2, true)
		return err
	}), benchtest.Config{Model: llm.NewScripted(func(llm.Request) string { return "" })})
}
