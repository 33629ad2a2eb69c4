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

// TestOnePurseForAllProcesses: processes that use the same results directory share a limit. At most
// one answer exceeds it, and the spending and the reservations of a killed process count.
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
		m := purse.Guard(model, &llm.Price{In: 0, Out: 600}) // a request reserves 0.3 USD
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
		t.Errorf("an invalid account: %v", err)
	}
}

// TestDearAnswersOfOthers: for each request, a process reserves the cost of the most expensive
// answer to any process, also after that process has ended.
func TestDearAnswersOfOthers(t *testing.T) {
	for _, ended := range []bool{false, true} {
		out := t.TempDir()
		started, release := make(chan bool, 3), make(chan bool)
		model := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
			started <- true
			<-release
			return llm.Reply{Text: "x", Usage: llm.Usage{Completion: 1000}}, nil
		}}
		price := &llm.Price{Out: 1000} // one USD an answer, a tenth of it reserved
		purse := func() (*llm.Purse, llm.Model) {
			p := &llm.Purse{Max: 3}
			must.Do(t, p.Share(ledgerOf(out), 0))
			return p, p.Guard(model, price)
		}
		ask := func(m llm.Model) error {
			_, err := m.Complete(t.Context(), llm.Request{MaxTokens: 100})
			return err
		}
		first, m := purse()
		var work, waiting sync.WaitGroup
		work.Go(func() { must.Do(t, ask(m)) })
		<-started
		release <- true
		work.Wait()
		if ended {
			first.Close()
		}
		second, m := purse()
		var refused atomic.Int64
		for range 3 {
			waiting.Go(func() {
				var e *llm.Error
				if err := ask(m); errors.As(err, &e) && e.Kind == llm.KindQuota {
					refused.Add(1)
				}
			})
		}
		<-started
		<-started
		close(release)
		waiting.Wait()
		if refused.Load() != 1 || second.Spent() != 3 {
			t.Errorf("ended %v: %d requests refused, %g USD spent with a limit of 3", ended,
				refused.Load(), second.Spent())
		}
	}
}

// TestUnknownCostsStay: an answer of unknown cost ends later commands before they ask, until its
// model has a price.
func TestUnknownCostsStay(t *testing.T) {
	out, asked := t.TempDir(), 0
	model := llm.NewScripted(func(llm.Request) string { asked++; return "x" })
	for _, c := range []struct {
		most  float64
		price *llm.Price
		asked int
	}{{0, nil, 1}, {1, nil, 2}, {1, nil, 2}, {1, &llm.Price{Out: 1}, 3}} {
		purse := &llm.Purse{Max: c.most}
		must.Do(t, purse.Share(ledgerOf(out), 0))
		_, _ = purse.Guard(model, c.price).Complete(t.Context(), llm.Request{})
		purse.Close()
		if asked != c.asked {
			t.Errorf("price %v: asked %d times, want %d", c.price, asked, c.asked)
		}
	}
}

// TestReservationsEnd: sums and differences of reservations leave no rest.
func TestReservationsEnd(t *testing.T) {
	out := t.TempDir()
	release := make(chan bool)
	var asked sync.WaitGroup
	asked.Add(3)
	model := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
		asked.Done()
		<-release
		return llm.Reply{}, nil
	}}
	purse := &llm.Purse{Max: 1}
	must.Do(t, purse.Share(ledgerOf(out), 0))
	m := purse.Guard(model, &llm.Price{Out: 24.6}) // 0.0123 USD for 500 tokens
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() { _, _ = m.Complete(t.Context(), llm.Request{MaxTokens: 500}) })
	}
	asked.Wait()
	close(release)
	work.Wait()
	others, err := ledgerOf(out).Others()
	must.Do(t, err)
	if others.Held != 0 {
		t.Errorf("%g USD are still reserved", others.Held)
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
