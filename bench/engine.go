package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/note"
)

// Conditions are everything that the engine needs for a run in addition to the method.
type Conditions struct {
	Header    Header
	Problem   Problem
	Model     llm.Model
	Evaluator Evaluator
	Analyzer  program.Analyzer
	Prices    llm.Prices // current prices; run.json keeps them, and they change no score
	// MostTripped ends the run if the task fails on the answers of this many programs in a row
	// (record.Fault.Tripped); 0 means no limit. Programs in the journal do not count, so that the
	// same command can continue the run.
	MostTripped int
	Progress    func(Progress) // if not nil, called after every commit, on the run's goroutine
	// Base is the run that Header.Paired names, whose beginning this run shares. Execute requires
	// Base for a paired run; Verify compares with Base if it is set.
	Base *record.Loaded
}

// Progress is the state of a run after a commit.
type Progress struct {
	Evaluations, Budget int
	Requests            int
	Replayed            bool     // the step was answered from the journal
	Best                *float64 // score, larger is better; nil until a program has a score
	Tokens              int
	Cost                float64 // USD that the run paid, if known
	Failed              int     // programs with a fault
	Refused             int     // proposals without a program to evaluate
}

// engine is the state of one run. Only the run's goroutine writes the fields above the mutex.
//
// A journal is one deterministic sequence of lines: commits and notes happen on the run's
// goroutine, in an order that depends only on the seed and the answers. A replay therefore compares
// every line that the run produces with the next old line. After the last old line, a resumed run
// writes new lines.
type engine struct {
	Conditions
	dir        string
	prices     llm.PriceList
	replayOnly bool // never asks, never evaluates, never writes

	old     map[int]*record.Step // by step number
	base    map[int]*record.Step // of Base, by step number; nil after the runs have diverged
	lines   [][]byte             // old lines not yet matched
	pending [][]byte             // notes since the last commit; the next commit writes them
	begin   func() error         // sets out and timing, and stores Run.Sources
	out     *journal.File        // nil when replayOnly, or before begin
	timing  *os.File             // nil when replayOnly, or before begin

	steps    int           // number of proposed steps
	reserved int           // evaluations reserved by steps not yet committed
	refused  int           // committed steps that reserved evaluations and used none
	totals   record.Totals // of all committed steps and notes
	best     *Scored       // the program of totals.Best
	streams  map[string]*rand.Rand
	size     int   // bytes of all lines so far
	idle     int   // steps, streams and refused calls so far that cost nothing
	planned  bool  // the method has called Left
	tripped  int   // new programs in a row that made the task raise an error
	failed   error // an error that the next commit or the end of the run returns

	mu    sync.Mutex
	cache map[string]*cached // outcomes by source digest; guarded by mu
}

// cached is a known outcome, or an outcome in progress. Concurrent evaluations of one source run it
// once.
type cached struct {
	done chan struct{}
	out  Outcome
	err  error
}

func newEngine(c Conditions, dir string, lines [][]byte) (*engine, error) {
	e := &engine{
		Conditions: c, dir: dir, lines: lines,
		old:     map[int]*record.Step{},
		base:    stepsOf(c.Base),
		streams: map[string]*rand.Rand{},
		cache:   map[string]*cached{},
	}
	for i, line := range lines {
		rec, err := record.ParseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", filepath.Join(dir, record.JournalFile), i+2, err)
		}
		if rec.Step == nil {
			continue
		}
		e.old[rec.Step.Number] = rec.Step
		for _, ev := range rec.Step.Evaluations {
			done := make(chan struct{})
			close(done)
			e.cache[program.Program{Source: ev.Source}.ID()] = &cached{done: done, out: ev.Outcome}
		}
	}
	if err := checkShared(e.old, c.Base); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return e, nil
}

// stream returns the random generator for one purpose of one run, so that an additional draw for
// one purpose changes no other draws. NUL separates the parts, so that ("ab","c") and ("a","bc")
// differ. A test pins the bytes, because another derivation would invalidate every recorded run.
func stream(seed uint64, purpose string) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "pacebench.rand.v1\x00%d\x00%s", seed, purpose))
	return rand.New(rand.NewChaCha8(sum))
}

func (e *engine) note(n note.Note) {
	r := noteRecord(n)
	if err := e.emit(record.Line{Note: &r}, false); err != nil && e.failed == nil {
		e.failed = err // the next commit returns it
	}
}

func noteRecord(n note.Note) record.Note {
	data, err := json.Marshal(n)
	if err != nil {
		panic("bench: note " + n.Kind() + " does not encode: " + err.Error())
	}
	return record.Note{Kind: n.Kind(), Value: data}
}

// emit counts a line, and compares it with the next old line or appends it to the journal. A line
// that is not urgent is written with the next urgent line.
func (e *engine) emit(r record.Line, urgent bool) error {
	for _, i := range e.totals.Add(r, e.prices, e.Header.Models) {
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
	most := freeBytes + bytesPaid*e.paid()
	if e.size += len(line) + 1; e.size > most {
		return hint.Add(fmt.Errorf("%w: its journal exceeds %d MiB, the limit after %d requests "+
			"and evaluations", ErrEndless, most>>20, e.paid()), "keep notes and programs short")
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

func (e *engine) progress(replayed bool) Progress {
	p := Progress{
		Evaluations: e.charged(), Budget: e.Header.Budget,
		Requests: e.totals.Asked, Tokens: e.totals.Tokens().Total(), Replayed: replayed,
		Best: e.totals.BestScore(), Cost: e.totals.Paid(), Refused: e.refused,
	}
	for _, n := range e.totals.Faults {
		p.Failed += n
	}
	return p
}

// evaluate answers from the cache if an equal source was evaluated before; the evaluation is still
// charged. The cache omits the bytes of evidence, which are in blobs/ before the outcome enters the
// cache.
func (e *engine) evaluate(ctx context.Context, p program.Program) (out Evaluated, err error) {
	for {
		e.mu.Lock()
		c, ok := e.cache[p.ID()]
		if !ok {
			c = &cached{done: make(chan struct{})}
			e.cache[p.ID()] = c
			e.mu.Unlock()
			out, err := e.Evaluator.Evaluate(ctx, p)
			if err == nil {
				out.Outcome = sanitize(out.Outcome)
				err = e.keepEvidence(out.Evidence)
			}
			if err != nil { // an error is not a result: the next caller tries again
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

// keepBlob stores bytes under their digest. Evidence is stored before the line that mentions it.
func (e *engine) keepBlob(digest string, data []byte) error {
	path, err := record.BlobPath(e.dir, digest)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := plain.MkdirAll(filepath.Dir(path)); err != nil {
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

// withoutData returns an outcome as a journal contains it, without the data of its blobs.
func withoutData(o Outcome) Outcome {
	o.Evidence = slices.Clone(o.Evidence)
	for i := range o.Evidence {
		o.Evidence[i].Data = nil
	}
	return o
}

// withEvidence returns an outcome with its blobs read back. A replay shows nothing to a model and
// compares requests by digests. It reads no pictures, so that a journal can be verified without
// them.
func (e *engine) withEvidence(o Outcome) (Outcome, error) {
	o.Evidence = slices.Clone(o.Evidence)
	for i, b := range o.Evidence {
		if e.replayOnly && b.IsPicture() {
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
