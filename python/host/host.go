// Package host runs scorers in trusted Python processes; package sandbox confines candidates.
// Workers lend processes (bench.Host) that have imported a bench.Scorer's modules. Host.Call calls
// one of the scorer's functions, which may ask Go any number of questions. Start at Workers and
// host.py.
//
// The package knows no task and no candidate: the function that a task passes to Host.Call decides
// what to ask a candidate, and what the answers mean.
package host

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python/wire"
)

//go:embed host.py
var source string

// Module is the Python side, host.py.
var Module = wire.Python(source)

// Config configures the processes.
type Config struct {
	// Python returns an interpreter that has NumPy and a scorer's packages (bench.Scorer.Packages).
	// Lend calls it before each start, from one goroutine at a time.
	Python  func(ctx context.Context, packages string) (string, error)
	Workers int // bound on the processes of all scorers together; 0 means 1
	// Cache is the home directory of the processes. Packages keep files in it, such as matplotlib's
	// list of fonts. The user's own settings are elsewhere, so they cannot change a picture. Empty:
	// pacebench in the user's cache directory.
	Cache string
	Log   io.Writer // receives what a process printed before it failed; nil: no log
	// HashSeed is the value of PYTHONHASHSEED. Scores use 0; other values find results that depend
	// on the order of hashes.
	HashSeed int

	patience patience // for tests
}

// patience has the limits on waiting for a process.
type patience struct {
	tick  time.Duration // time between two checks
	stall int           // ticks that a process may take for one reply
	leave int           // ticks for one reply if the caller's context has ended
	runs  int           // runs after which a process is replaced
}

// standard applies outside of tests. For one reply, a process resets or steps an environment, or
// draws a picture. This takes a second at most, but many seconds on an overloaded machine. A
// process whose caller no longer waits is kept if it replies within 5 s, because a start takes
// seconds. A process is replaced after 500 runs because memory leaks: 0.15 MB in each run of Racing
// Car.
var standard = patience{tick: time.Second, stall: 300, leave: 5, runs: 500}

// Workers lend trusted Python processes. They are safe for concurrent use.
type Workers struct {
	cfg   Config
	slots chan struct{}
	unsee func() bool // stops watching the context of Open

	finding sync.Mutex // held while Config.Python works
	mu      sync.Mutex
	closed  bool                  // guarded by mu, like all below
	alive   map[*process]struct{} // all processes, lent or idle
	idle    []*process            // the most recently used process is the last one
	// probes has a channel for each scorer that the workers have met. The channel holds a token for
	// the goroutine that probes the scorer, and is closed after the probe.
	probes map[digest]chan struct{}
}

// A digest names a scorer by its content, because tasks make new scorers with equal content.
type digest [sha256.Size]byte

var _ bench.Hosts = (*Workers)(nil)

var errClosed = errors.New("the pool of scorers is closed")

// Open makes workers. Processes start when they are needed. All of them are killed when ctx ends;
// Close also waits for them.
func Open(ctx context.Context, cfg Config) *Workers {
	cfg.Workers = max(cfg.Workers, 1)
	if cfg.patience == (patience{}) {
		cfg.patience = standard
	}
	p := &Workers{
		cfg: cfg, slots: make(chan struct{}, cfg.Workers),
		alive: map[*process]struct{}{}, probes: map[digest]chan struct{}{},
	}
	p.unsee = context.AfterFunc(ctx, p.kill)
	return p
}

// Close ends all processes and waits for them. Calls to lent processes fail.
func (p *Workers) Close() error {
	p.unsee()
	p.kill()
	p.mu.Lock()
	idle, alive := p.idle, slices.Collect(maps.Keys(p.alive))
	p.idle = nil
	p.mu.Unlock()
	for _, h := range idle {
		p.end(h)
	}
	for _, h := range alive {
		<-h.Gone() // a lent process is closed when it is given back
	}
	return nil
}

// kill ends all processes without waiting. The workers lend none afterwards.
func (p *Workers) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for h := range p.alive {
		h.End(errClosed)
	}
}

// Lend implements bench.Hosts.
func (p *Workers) Lend(ctx context.Context, s *bench.Scorer, use func(bench.Host) error) error {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	name := digestOf(s)
	h, err := p.take(ctx, s, name)
	if err != nil {
		return err
	}
	defer p.give(h)
	if err := p.probe(ctx, s, name, h); err != nil {
		return err
	}
	if s.Fork {
		if err := h.fork(ctx); err != nil {
			return err
		}
		defer h.join(ctx)
	}
	return use(h)
}

func digestOf(s *bench.Scorer) digest {
	text, err := json.Marshal([]any{s.Packages, s.Main, s.Modules})
	if err != nil {
		panic("host: a scorer does not encode: " + err.Error())
	}
	return sha256.Sum256(text)
}

func (p *Workers) take(ctx context.Context, s *bench.Scorer, name digest) (*process, error) {
	for {
		h, err := p.pick(name)
		switch {
		case err != nil:
			return nil, err
		case h == nil:
			return p.start(ctx, s, name)
		case h.scorer == name && !h.Ended():
			return h, nil
		}
		p.end(h) // to make room, or because it ended while it was idle
	}
}

// pick takes an idle process of the scorer with this name. If it finds no such process and has no
// room for another, it takes the process that has been idle longest.
func (p *Workers) pick(name digest) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	at := len(p.idle) - 1
	for at >= 0 && p.idle[at].scorer != name {
		at--
	}
	if at < 0 && (len(p.idle) == 0 || len(p.alive) < p.cfg.Workers) {
		return nil, nil
	}
	h := p.idle[max(at, 0)]
	p.idle = slices.Delete(p.idle, max(at, 0), max(at, 0)+1)
	return h, nil
}

func (p *Workers) start(ctx context.Context, s *bench.Scorer, name digest) (*process, error) {
	p.finding.Lock()
	python, err := p.cfg.Python(ctx, s.Packages)
	p.finding.Unlock()
	if err != nil {
		return nil, err
	}
	h, err := start(python, s, p.cfg)
	if err != nil {
		return nil, err
	}
	h.scorer = name
	p.mu.Lock()
	p.alive[h] = struct{}{}
	closed := p.closed
	p.mu.Unlock()
	if closed {
		err = errClosed
	} else {
		err = h.setup(ctx, s)
	}
	if err != nil {
		p.end(h)
		return nil, err
	}
	return h, nil
}

// probe calls the scorer's Probe before the first evaluation, and again only after an error.
func (p *Workers) probe(ctx context.Context, s *bench.Scorer, name digest, h *process) error {
	if s.Probe == nil {
		return nil
	}
	p.mu.Lock()
	turn := p.probes[name]
	if turn == nil {
		turn = make(chan struct{}, 1)
		turn <- struct{}{}
		p.probes[name] = turn
	}
	p.mu.Unlock()
	select {
	case _, mine := <-turn:
		if !mine {
			return nil // the probe has succeeded
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.Probe(ctx, h); err != nil {
		turn <- struct{}{} // the next caller tries
		return err
	}
	close(turn)
	return nil
}

func (p *Workers) give(h *process) {
	p.mu.Lock()
	keep := !p.closed && !h.broken && h.runs < p.cfg.patience.runs
	if keep {
		p.idle = append(p.idle, h)
	}
	p.mu.Unlock()
	if !keep {
		p.end(h)
	}
}

func (p *Workers) end(h *process) {
	h.close()
	p.mu.Lock()
	delete(p.alive, h)
	p.mu.Unlock()
}
