package llm

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// A Purse counts and bounds the cost of models. It is safe for concurrent use.
type Purse struct {
	Max float64 // USD; 0: no bound
	// Patience is how long a call waits for other processes' requests while their accounts do not
	// change; 0: a minute. After that, those processes were probably killed.
	Patience time.Duration

	mu      sync.Mutex
	ledger  Ledger          // guarded by mu; nil: no other process spends
	before  float64         // guarded by mu; spending that no account contains
	own     Account         // guarded by mu
	others  Account         // guarded by mu; as last read
	priced  map[string]bool // guarded by mu; models whose price is known
	settled chan struct{}   // guarded by mu; closed when a call ends; nil: no call waits
}

// An Account has the USD that a process spent, and the expected cost of its requests in flight. If
// the process was killed, these requests still count, because they were probably billed. For the
// same reason, USD contains the expected cost of requests that were sent and gave no answer.
type Account struct {
	USD     float64 `json:"usd"`
	Held    float64 `json:"held"`
	Flight  int     `json:"flight,omitempty"`  // requests in flight
	Dearest float64 `json:"dearest,omitempty"` // USD of the most expensive answer
	Unknown string  `json:"unknown,omitempty"` // a model whose answer has no known cost
}

// Plus returns the sum of the accounts of two processes.
func (a Account) Plus(b Account) Account {
	return Account{
		a.USD + b.USD, a.Held + b.Held, a.Flight + b.Flight, max(a.Dearest, b.Dearest),
		cmp.Or(a.Unknown, b.Unknown),
	}
}

// Settled returns the account with its requests in flight counted as spent.
func (a Account) Settled() Account {
	return Account{USD: a.USD + a.Held, Dearest: a.Dearest, Unknown: a.Unknown}
}

// with adds a request that is expected to cost usd.
func (a Account) with(usd float64) Account { return a.Plus(Account{Held: usd, Flight: 1}) }

// without removes a request.
func (a Account) without(held float64) Account {
	if a.Held, a.Flight = max(0, a.Held-held), max(0, a.Flight-1); a.Flight == 0 {
		a.Held = 0 // without the rounding of the differences
	}
	return a
}

// expects returns the expected cost of the requests in flight: at least Dearest for each request.
func (a Account) expects() float64 { return max(a.Held, float64(a.Flight)*a.Dearest) }

// A Ledger holds the accounts of the processes that share a limit.
type Ledger interface {
	Keep(own Account) error
	Others() (Account, error) // the sum of the other accounts
	Close(own Account) error  // the process spends no more; another process takes over its account
}

// Share makes the processes with this ledger share the limit. known is the total spending according
// to another source, such as journals, because runs of old versions have no account.
func (p *Purse) Share(l Ledger, known float64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	others, err := l.Others()
	if err != nil {
		return err
	}
	p.ledger, p.others = l, others
	p.before = max(p.before, known-others.USD-p.own.USD)
	return nil
}

// Close tells the other processes that this one spends no more.
func (p *Purse) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ledger == nil || p.own == (Account{}) || p.ledger.Close(p.own) != nil {
		return
	}
	p.others, p.own = p.others.Plus(p.own.Settled()), Account{}
}

// Spent returns the USD that are known to be spent so far.
func (p *Purse) Spent() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent()
}

func (p *Purse) spent() float64 { return p.before + p.own.USD + p.others.USD }

// Add counts earlier spending.
func (p *Purse) Add(usd float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before += usd
}

// AddUnknown counts an earlier answer of a model whose cost is unknown.
func (p *Purse) AddUnknown(model string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.own.Unknown = model
}

// Guard counts the cost of m's answers. When Max is spent, m's calls fail with an Error of
// KindQuota. A call waits while the calls in flight are expected to spend the rest. If price is
// nil, the server must report its costs; until it has reported one, only one call asks at a time.
// If it does not report a cost, a bounded purse refuses all calls after the first answer.
func (p *Purse) Guard(m Model, price *Price) Model {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.priced == nil {
		p.priced = map[string]bool{}
	}
	p.priced[m.Name()] = p.priced[m.Name()] || price != nil
	return guarded{m, p, price}
}

type guarded struct {
	Model
	purse *Purse
	price *Price
}

func (m guarded) Complete(ctx context.Context, r Request) (Reply, error) {
	held, bounded := 0.0, m.purse.Max > 0
	if bounded {
		expected := EstimateUsage(m.Name(), r, "")
		expected.Completion = expectedCompletion
		if r.MaxTokens > 0 {
			expected.Completion = min(expectedCompletion, r.MaxTokens)
		}
		usd, _ := m.price.Cost(expected)
		var err error
		if held, err = m.purse.enter(ctx, m.Name(), usd, m.price == nil); err != nil {
			return Reply{}, err
		}
		r.call().lost = func(used *Usage) error { return m.lose(held, used) }
	}
	reply, err := m.Model.Complete(ctx, r)
	if err != nil {
		m.purse.leave(bounded, held, 0, "")
		return Reply{}, err
	}
	usd, known := m.price.Cost(reply.Usage)
	unknown := ""
	if !known {
		unknown = m.Name()
	}
	m.purse.leave(bounded, held, usd, unknown)
	return reply, nil
}

// lose counts an attempt that the server may charge for although it gave no answer: with the usage
// that the server reported, or with the amount that the call reserved. It returns an error if no
// other attempt may follow.
func (m guarded) lose(held float64, used *Usage) error {
	usd := held
	if used != nil {
		if reported, known := m.price.Cost(*used); known {
			usd = reported
		}
	}
	p := m.purse
	p.mu.Lock()
	defer p.mu.Unlock()
	p.own.USD += usd
	_ = p.keep() // if the write fails, the next call writes, or fails
	_, err := p.read(m.Name())
	return err
}

// enter reserves money for a call that is expected to cost usd. It returns the reserved amount,
// which is at least the cost of the most expensive answer to any process so far. blind means that
// the cost of an answer is known only after it.
func (p *Purse) enter(ctx context.Context, model string, usd float64, blind bool) (
	held float64, err error) {
	var seen Account
	since := time.Now()
	for {
		p.mu.Lock()
		all, err := p.read(model)
		if err == nil && p.affords(all) && !(blind && all.Dearest == 0 && p.own.Flight > 0) {
			held = max(usd, all.Dearest)
			// Write the account before the others are read again, so that at least one of two
			// concurrent processes sees the other's account.
			p.own = p.own.with(held)
			if err = p.keep(); err == nil {
				all, err = p.read(model)
			}
			if all = all.without(held); err == nil && p.affords(all) {
				p.mu.Unlock()
				return held, nil
			}
			p.own = p.own.without(held)
			err = cmp.Or(err, p.keep())
		}
		mine := p.own.Flight > 0
		if now := p.others; now != seen || mine {
			seen, since = now, time.Now()
		}
		if err == nil && time.Since(since) > cmp.Or(p.Patience, time.Minute) {
			err = &Error{
				Kind: KindQuota, Model: model,
				Message: fmt.Sprintf("the limit of %g USD is reached: %.4f USD are spent, and "+
					"%.4f USD are reserved for requests of other processes, "+
					"which were probably killed",
					p.Max, all.USD, all.expects()),
				Advice: "raise --max-usd; " + resumeAdvice,
			}
		}
		if p.settled == nil {
			p.settled = make(chan struct{})
		}
		settled := p.settled
		p.mu.Unlock()
		if err != nil {
			return 0, err
		}
		// A random time, so that two processes do not collide repeatedly.
		select {
		case <-settled:
		case <-time.After(100*time.Millisecond + rand.N(500*time.Millisecond)):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (p *Purse) keep() error {
	if p.ledger == nil {
		return nil
	}
	return p.ledger.Keep(p.own)
}

// read reads the other accounts. It returns the sum of all accounts, or the reason why no call may
// begin.
func (p *Purse) read(model string) (all Account, err error) {
	if p.ledger != nil {
		if p.others, err = p.ledger.Others(); err != nil {
			return Account{}, err
		}
	}
	all = p.own.Plus(p.others)
	all.USD = p.spent()
	return all, p.refuse(model, all.USD)
}

// affords reports whether the limit covers the spending so far and the requests in flight.
func (p *Purse) affords(all Account) bool { return all.USD+all.expects() < p.Max }

// leave releases the money that a call reserved if it entered, and counts the cost of the call.
func (p *Purse) leave(entered bool, held, usd float64, unknown string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entered {
		p.own = p.own.without(held)
	}
	if !entered {
		unknown = "" // without a bound, nothing has to be known
	}
	p.own = p.own.Plus(Account{USD: usd, Dearest: usd, Unknown: unknown})
	if entered || usd > 0 {
		_ = p.keep() // if the write fails, the next call writes, or fails
	}
	if p.settled != nil {
		close(p.settled)
		p.settled = nil
	}
}

// refuse returns the error of a call that may not begin, because the money is spent or a cost is
// unknown.
func (p *Purse) refuse(model string, spent float64) error {
	unknown := cmp.Or(p.own.Unknown, p.others.Unknown)
	if priced, here := p.priced[unknown]; priced || !here {
		unknown = "" // its price was given later, or this command does not use the model
	}
	switch {
	case spent >= p.Max:
		return &Error{
			Kind: KindQuota, Model: model,
			Message: fmt.Sprintf("the limit of %g USD is reached: %.4f USD are spent",
				p.Max, spent),
			Advice: "raise --max-usd; " + resumeAdvice,
		}
	case unknown != "":
		return &Error{
			Kind: KindQuota, Model: unknown,
			Message: fmt.Sprintf("the limit of %g USD cannot be enforced: "+
				"the server reports no cost, and no price is known", p.Max),
			Advice: "give price_in and price_out in models.toml; " + resumeAdvice,
		}
	}
	return nil
}
