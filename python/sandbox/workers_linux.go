package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python/wire"
)

// maxSource bounds a candidate's source in bytes: far more than any model writes.
const maxSource = 1 << 20

// modules are imported once, in the zygote. Most candidates import no other modules, so loading a
// candidate usually reads no file. SciPy is not in the list: it makes every fork slower, and few
// candidates import it.
var modules = []string{
	"numpy", "numpy.linalg", "numpy.random",
	"bisect", "cmath", "collections", "copy", "dataclasses", "enum", "fractions", "functools",
	"heapq", "itertools", "math", "operator", "random", "re", "statistics", "string", "time",
	"typing",
}

// Workers make candidates callable, at most Config.Workers concurrently, each in its own process.
// They are safe for concurrent use.
type Workers struct {
	server *forkServer
	report Report
	slots  chan struct{}
	cpus   *cpus
	see    func(bench.Target) (ended func()) // nil: unwatched
}

var _ bench.Loader = (*Workers)(nil)

// Open starts workers. All processes are killed when ctx ends; Close also waits for them.
func Open(ctx context.Context, cfg Config) (*Workers, error) {
	s, err := openForkServer(ctx, cfg, modules)
	if err != nil {
		return nil, err
	}
	p := &Workers{server: s, report: s.report(), slots: make(chan struct{}, max(cfg.Workers, 1)),
		cpus: &cpus{}}
	if warning := p.report.warning(); warning != "" && cfg.Log != nil {
		if _, err := io.WriteString(cfg.Log, warning); err != nil {
			s.close()
			return nil, err
		}
	}
	return p, nil
}

// Report describes the confinement of the candidates.
func (p *Workers) Report() Report { return p.report }

// Close ends all processes and waits for them. Calls to targets in use fail.
func (p *Workers) Close() error {
	p.server.close()
	return nil
}

// Watched returns workers that share these processes and call see for each candidate that they
// start, before the candidate runs. They call the function that see returned before the candidate
// ends. If see is nil, nothing is called.
func (p *Workers) Watched(see func(bench.Target) (ended func())) *Workers {
	w := *p
	w.see = see
	return &w
}

// Load implements bench.Loader.
func (p *Workers) Load(
	ctx context.Context, source, prelude, name string, limits bench.Limits,
) (_ bench.Target, err error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() {
		if err != nil {
			<-p.slots
		}
	}()
	if len(source) > maxSource {
		return nil, bench.Faultf(bench.Syntax, "source of more than %d bytes", maxSource)
	}
	limits = p.server.inherited.within(limits)
	// The kernel gets twice the limit, because it counts whole ticks: a program that shares its CPU
	// with other programs is charged for what they use between two ticks, too. The clock's time is
	// exact.
	seconds := 2*uint64(math.Ceil(limits.CPU.Seconds())) + 1
	process, err := p.server.spawn(ctx, limits, seconds, prelude)
	if err != nil {
		return nil, err
	}
	t := &Target{workers: p, process: process, limit: limits.CPU, ended: func() {}}
	if p.see != nil {
		t.ended = p.see(t)
	}
	r, err := process.load(ctx, source, name)
	if err == nil && r.kind != kindReady {
		err = forged()
	}
	if err != nil {
		t.ended()
		p.server.end(process)
		return nil, err
	}
	return t, nil
}

func (p *process) load(ctx context.Context, source, name string) (reply, error) {
	return p.ask(ctx, kindLoad, 0, func(b []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		return append(append(b, name...), source...)
	})
}

// A Target is a loaded candidate. It implements bench.Target.
type Target struct {
	workers *Workers
	process *process // nil once closed
	fault   error    // the error that ended it
	uploads int
	limit   time.Duration // limit of CPU time
	cpu     time.Duration // CPU time used, once it is closed
	ended   func()        // what see returned; called before the process ends
	pin     *pin          // nil: on any CPU
	yield   time.Time
}

var _ bench.Looper = (*Target)(nil)

// Call implements bench.Target.
func (t *Target) Call(ctx context.Context, args ...bench.Value) (bench.Value, error) {
	if len(args) == 1 {
		if p, ok := args[0].(bench.Packed); ok {
			return t.apply(ctx, p)
		}
	}
	r, err := t.ask(ctx, kindCall, kindValue, args)
	if err != nil {
		return nil, err
	}
	return r.value, nil
}

// apply is Call for a task in Python.
func (t *Target) apply(ctx context.Context, p bench.Packed) (bench.Value, error) {
	if err := wire.Check(p, t.uploads); err != nil {
		return nil, fmt.Errorf("%w: arguments of a call: %w", bench.ErrScorer, err)
	}
	r, err := t.exchange(ctx, kindApply, kindValue, 0, func(b []byte) []byte {
		return append(b, p...)
	})
	if err != nil {
		return nil, err
	}
	switch r.value.(type) {
	case bench.Packed, bench.Other:
		return r.value, nil
	}
	t.fault = forged()
	return nil, t.fault
}

// Loop implements bench.Looper.
func (t *Target) Loop(ctx context.Context, args ...bench.Value) ([]int64, bench.Value, error) {
	r, err := t.ask(ctx, kindLoop, kindAnswers, args)
	return r.first, r.value, err
}

// Upload implements bench.Target.
func (t *Target) Upload(ctx context.Context, a bench.Array) (bench.Handle, error) {
	r, err := t.ask(ctx, kindUpload, kindHandle, []bench.Value{a})
	if err != nil {
		return 0, err
	}
	if r.value != bench.Handle(t.uploads) {
		t.fault = forged()
		return 0, t.fault
	}
	t.uploads++
	return bench.Handle(t.uploads - 1), nil
}

func (t *Target) ask(ctx context.Context, kind, want byte, args []bench.Value) (reply, error) {
	for _, arg := range args {
		if h, ok := arg.(bench.Handle); ok && (h < 0 || int(h) >= t.uploads) {
			panic(fmt.Sprintf("sandbox: handle %d of %d", h, t.uploads))
		}
	}
	r, err := t.exchange(ctx, kind, want, len(args), func(b []byte) []byte {
		return wire.Append(b, args)
	})
	if _, ok := r.value.(bench.Packed); ok { // nothing asked for it
		t.fault = forged()
		return reply{}, t.fault
	}
	return r, err
}

// exchange sends a message with count values, and accepts only an answer of the kind want.
func (t *Target) exchange(
	ctx context.Context, kind, want byte, count int, body func([]byte) []byte,
) (reply, error) {
	if t.fault != nil {
		return reply{}, t.fault
	}
	if t.process == nil {
		panic("sandbox: a closed target is called")
	}
	t.pause()
	r, err := t.process.ask(ctx, kind, count, body)
	if err == nil && r.kind != want {
		err = forged()
	}
	if err != nil {
		t.fault = err
	}
	return r, err
}

// yieldEvery is well below the 10 ms after which Go's scheduler takes the processor from a
// goroutine that has not called the scheduler.
const yieldEvery = 4 * time.Millisecond

// pause calls the scheduler between two questions now and then. A goroutine that only asks and
// waits never does, so the runtime's monitor would wake up every 20 µs to take its processor away:
// one such goroutine for each core costs a third more context switches and a fifth of the
// throughput.
func (t *Target) pause() {
	now := time.Now()
	if p := t.pin; p != nil {
		p.asked++
		if now.After(p.changes) && p.turn() {
			t.pin = nil
		}
	}
	if now.After(t.yield) {
		runtime.Gosched()
		t.yield = time.Now().Add(yieldEvery)
	}
}

// CPU returns the CPU time that the candidate has used so far.
func (t *Target) CPU() time.Duration {
	if t.process != nil {
		return t.process.child.cpuTime()
	}
	return t.cpu
}

// Limit returns the candidate's limit of CPU time.
func (t *Target) Limit() time.Duration { return t.limit }

// Close implements bench.Target.
func (t *Target) Close() error {
	if t.process == nil {
		return nil
	}
	t.ended()
	t.workers.server.end(t.process)
	t.cpu = t.process.child.cpu
	t.process = nil
	if t.fault == nil {
		t.fault = errors.New("sandbox: the target is closed")
	}
	<-t.workers.slots
	return nil
}
