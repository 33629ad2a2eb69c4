package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
)

// engine is the state of one run. The fields above the mutex belong to the run's goroutine.
//
// A journal is one deterministic sequence of lines: commits and notes happen on the run's
// goroutine, in an order that depends on the seed and the answers only. So replay is a cursor:
// every line that the run produces is compared with the next old line, and written once the old
// ones are used up.
type engine struct {
	run        *Run
	dir        string
	replayOnly bool // never asks, never evaluates, never writes

	old     map[int]*record.Step // by step number
	base    map[int]*record.Step // of Run.Base, by step number; nil once the runs have parted
	lines   [][]byte             // old lines not yet matched
	pending [][]byte             // notes since the last commit: written with the next one
	begin   func() error         // opens out and timing
	out     *journal.File        // nil when replayOnly, or before begin
	timing  *os.File             // likewise

	steps    int           // proposed
	reserved int           // evaluations reserved by steps not yet committed
	totals   record.Totals // committed
	best     *Scored       // the program of totals.Best
	streams  map[string]*rand.Rand
	planned  bool  // the method has read how many evaluations are left
	failed   error // an error that a broken-off stream could not hand to the method

	mu    sync.Mutex
	cache map[string]*cached // outcomes by source digest; guarded by mu
}

// cached is an outcome under way or known. A source that is evaluated twice at once is evaluated
// once.
type cached struct {
	done chan struct{}
	out  Outcome
	err  error
}

// exhausted reports whether the limit on LLM requests forbids one more step while n are in flight:
// every step in flight counts as one request, so a method with one request a step meets the limit
// exactly.
func (e *engine) exhausted(inFlight int) bool {
	return e.totals.Asked+inFlight >= e.run.Header.Requests
}

// left is the number of evaluations neither spent nor reserved.
func (e *engine) left() int { return e.run.Header.Budget - e.charged() - e.reserved }

// charged is the number of evaluations spent, without those given back to the budget.
func (e *engine) charged() int { return e.totals.Evaluations - e.totals.Refunded }

func (e *engine) newStep(reserve int) *Step {
	st := &Step{e: e, reserve: reserve, old: e.old[e.steps], base: e.base[e.steps]}
	st.record.Number = e.steps
	e.steps++
	e.reserved += reserve
	return st
}

// commit settles the step's reservation and makes its record durable.
func (e *engine) commit(st *Step) error {
	if e.failed != nil {
		return e.failed
	}
	e.reserved -= st.reserve
	spent := e.totals.Evaluations
	for i := range st.record.Evaluations {
		ev := &st.record.Evaluations[i]
		ev.Evaluation = 0
		if ev.Fault != nil && ev.Fault.Kind == Syntax {
			continue // free: Python's own parser refuses it
		}
		spent++
		ev.Evaluation = spent
	}
	if !sharedWholly(e.base[st.Number()], st.record.Requests) {
		e.base = nil
	}
	if err := e.emit(record.Line{Step: &st.record}, true); err != nil {
		return err
	}
	if st.old == nil && e.timing != nil {
		e.writeTiming(st)
	}
	delete(e.old, st.Number())
	if e.run.Progress != nil {
		e.run.Progress(e.progress(st.old != nil))
	}
	return nil
}

func (e *engine) note(n record.Note) {
	if err := e.emit(record.Line{Note: &n}, false); err != nil && e.failed == nil {
		e.failed = err // found again at the next commit
	}
}

// emit counts one line, and matches it with the old journal or appends it. A line that is not
// urgent waits for the next urgent one.
func (e *engine) emit(r record.Line, urgent bool) error {
	for _, i := range e.totals.Add(r, e.run.Prices, e.run.Header.Models) {
		best := r.Step.Scored(i)
		e.best = &best
	}
	if e.failed != nil {
		return e.failed
	}
	line, err := json.Marshal(r)
	if err != nil {
		panic("bench: record does not encode: " + err.Error())
	}
	if len(e.lines) > 0 {
		if old := e.lines[0]; !bytes.Equal(old, line) {
			return divergence(old, line)
		}
		e.lines = e.lines[1:]
		return nil
	}
	if e.replayOnly {
		return ErrIncomplete
	}
	e.pending = append(e.pending, line)
	if !urgent {
		return nil
	}
	return e.flush()
}

func (e *engine) flush() error {
	if len(e.pending) == 0 {
		return nil
	}
	if err := e.begin(); err != nil {
		return err
	}
	err := e.out.Append(e.pending...)
	e.pending = nil
	return err
}

// divergence says how an old line differs from the one that the run produces now.
func divergence(old, now []byte) error {
	name := func(line []byte) string {
		var r record.Line
		switch err := json.Unmarshal(line, &r); {
		case err == nil && r.Step != nil:
			return fmt.Sprintf("step %d with %d requests, %d evaluations and %d notes",
				r.Step.Number, len(r.Step.Requests), len(r.Step.Evaluations), len(r.Step.Notes))
		case err == nil && r.Note != nil:
			return fmt.Sprintf("note %s %.200s", r.Note.Kind, r.Note.Value)
		}
		return fmt.Sprintf("%.200s", line)
	}
	a, b := name(old), name(now)
	if a == b { // they part later: show where
		i := 0
		for i < min(len(old), len(now)) && old[i] == now[i] {
			i++
		}
		from := max(0, i-60)
		a, b = fmt.Sprintf("%s: …%.120s", a, old[from:]), fmt.Sprintf("%s: …%.120s", b, now[from:])
	}
	return fmt.Errorf("%w\n  journal: %s\n  now:     %s", ErrDiverged, a, b)
}

func (e *engine) stepError(st *Step, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("step %d: %w", st.Number(), err)
}

func (e *engine) progress(replayed bool) Progress {
	return Progress{
		Evaluations: e.charged(), Budget: e.run.Header.Budget,
		Requests: e.totals.Asked, Tokens: e.totals.Tokens().Total(), Replayed: replayed,
		Best: e.totals.BestScore(),
	}
}

// evaluate answers an equal source from the cache; it is charged all the same. The cache keeps no
// evidence: that lies in blobs/ before an outcome is known here.
func (e *engine) evaluate(ctx context.Context, p program.Program) (out Evaluated, err error) {
	for {
		e.mu.Lock()
		c, ok := e.cache[p.ID()]
		if !ok {
			c = &cached{done: make(chan struct{})}
			e.cache[p.ID()] = c
			e.mu.Unlock()
			out, err := e.run.Evaluator.Evaluate(ctx, p)
			if err == nil {
				out.Outcome = sanitize(out.Outcome)
				err = e.keepEvidence(out.Evidence)
			}
			if err != nil { // not a result: the next one tries again
				e.mu.Lock()
				delete(e.cache, p.ID())
				e.mu.Unlock()
			}
			c.out, c.err = withoutData(out.Outcome), err
			close(c.done)
			return out, err
		}
		e.mu.Unlock()
		select {
		case <-c.done:
			if c.err == nil {
				out.Outcome, err = e.withEvidence(c.out)
				return out, err
			}
		case <-ctx.Done():
			return Evaluated{}, ctx.Err()
		}
	}
}

// keepBlob stores bytes under their digest, before the line that mentions them.
func (e *engine) keepBlob(digest string, data []byte) error {
	path, err := record.BlobPath(e.dir, digest)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return journal.WriteFile(path, data)
}

func (e *engine) keepEvidence(evidence []Blob) error {
	for _, b := range evidence {
		if err := e.keepBlob(b.Digest, b.Data); err != nil {
			return err
		}
	}
	return nil
}

// withoutData is an outcome as a journal has it.
func withoutData(o Outcome) Outcome {
	o.Evidence = slices.Clone(o.Evidence)
	for i := range o.Evidence {
		o.Evidence[i].Data = nil
	}
	return o
}

// withEvidence is an outcome with its blobs read back. A replay shows nothing to a model, and
// requests are compared by digests: it leaves pictures unread, so that a journal can be verified
// without them.
func (e *engine) withEvidence(o Outcome) (Outcome, error) {
	o.Evidence = slices.Clone(o.Evidence)
	for i, b := range o.Evidence {
		if e.replayOnly && strings.HasPrefix(b.MediaType, "image/") {
			continue
		}
		data, err := record.ReadEvidence(e.dir, b)
		if err != nil {
			return Outcome{}, err
		}
		o.Evidence[i].Data = data
	}
	return o, nil
}

// noteShare is the share of a limit from which on it is written down; our choice.
const noteShare = 0.5

func (e *engine) writeTiming(st *Step) {
	t := st.timing
	t.Step = st.Number()
	if len(t.LimitShare) > 0 && slices.Max(t.LimitShare) < noteShare {
		t.LimitShare = nil
	}
	if line, err := json.Marshal(t); err == nil {
		_, _ = e.timing.Write(append(line, '\n')) // a lost timing is not a reason to end a run
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
