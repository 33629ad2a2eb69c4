package suite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

// TestOnePurseForAllProcesses: processes on one directory of runs share a limit. At most one answer
// exceeds it, and the spending and the reservations of a killed process count.
func TestOnePurseForAllProcesses(t *testing.T) {
	const processes, calls, price, limit = 4, 8, 0.3, 3.0
	out, asked := t.TempDir(), atomic.Int64{}
	model := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
		asked.Add(1)
		return llm.Reply{Text: "x", Usage: llm.Usage{Completion: 500}}, nil
	}}
	killed := ledgerOf(out)
	must.Do(t, killed.Keep(llm.Account{USD: 0.5, Held: 0.25}))
	var work sync.WaitGroup
	var ended atomic.Int64
	for range processes {
		purse := &llm.Purse{Max: limit, Patience: time.Second}
		must.Do(t, purse.Share(ledgerOf(out), 0))
		m := purse.Guard(model, &llm.Price{In: 0, Out: 600}) // what a request reserves
		for range calls {
			work.Go(func() {
				for {
					_, err := m.Complete(t.Context(), llm.Request{MaxTokens: 500})
					var e *llm.Error
					if errors.As(err, &e) && e.Kind == llm.KindQuota {
						ended.Add(1)
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	work.Wait()
	spent := 0.5 + price*float64(asked.Load())
	if spent < limit-0.25 || spent > limit+price || ended.Load() != processes*calls {
		t.Errorf("%d asked: %g USD with a limit of %g", asked.Load(), spent, limit)
	}
	// A process that begins later makes no request. Costs in journals count even without an
	// account.
	for known, want := range map[float64]float64{0: spent, 100: 100} {
		const limit = 1
		purse := &llm.Purse{Max: limit}
		must.Do(t, purse.Share(ledgerOf(out), known))
		if got := purse.Spent(); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%g USD, want %g", got, want)
		}
		if _, err := purse.Guard(model, &llm.Price{In: 1}).Complete(t.Context(),
			llm.Request{}); err == nil {
			t.Error("a spent purse pays")
		}
	}
	bad := filepath.Join(out, ".limits", "usd", "bad.json")
	must.Write(t, bad, `{"usd":-1}`)
	if err := new(llm.Purse).Share(ledgerOf(out), 0); err == nil ||
		!strings.Contains(err.Error(), "bad.json: not an account") {
		t.Errorf("an account that is none: %v", err)
	}
}

// TestClosedAccounts: a closed purse still knows its spending, and can be used again.
func TestClosedAccounts(t *testing.T) {
	out := t.TempDir()
	model := llm.NewScripted(func(llm.Request) string { return "x" })
	purse := &llm.Purse{Max: 100}
	must.Do(t, purse.Share(ledgerOf(out), 0))
	for round := 1; round <= 3; round++ {
		m := purse.Guard(model, &llm.Price{In: 1e6, Out: 1e6})
		if _, err := m.Complete(t.Context(), llm.Request{MaxTokens: 500}); err != nil {
			t.Fatal(err)
		}
		spent := purse.Spent()
		purse.Close()
		other := &llm.Purse{}
		if err := other.Share(ledgerOf(out), 0); err != nil || spent == 0 ||
			other.Spent() != spent || purse.Spent() != spent {
			t.Errorf("round %d: %g, closed %g, another %g: %v", round, spent, purse.Spent(),
				other.Spent(), err)
		}
	}
}
