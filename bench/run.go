package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/internal/plain"
)

// ErrConfig means that a method's configuration is wrong.
var ErrConfig = errors.New("wrong configuration")

// An Evaluator scores programs on the training split. Implementations are safe for concurrent use.
// TaskEvaluator is the real one, benchtest.Evaluator the fake.
type Evaluator interface {
	Evaluate(ctx context.Context, p program.Program) (Evaluated, error)
}

// A Run is a method on a problem with a seed, kept in a directory.
type Run struct {
	Header      Header
	Method      Method
	Problem     Problem
	Model       llm.Model
	Evaluator   Evaluator
	Analyzer    program.Analyzer
	Prices      llm.Prices     // written to run.json; they change no result
	Environment any            // what the machine offered, for run.json; it changes no result
	Progress    func(Progress) // when not nil, called after every commit, on the run's goroutine
	// Lock holds the directory; it stays the caller's. nil: Execute takes one, until it returns.
	Lock *journal.Lock
	// Base is the run whose beginning this one shares, when Header.Paired names it. Execute needs
	// it; Verify compares with it when it is there.
	Base *record.Loaded
}

// Progress is where a run stands.
type Progress struct {
	Evaluations, Budget int
	Requests            int
	Replayed            bool     // the step was answered from the journal
	Best                *float64 // score, larger is better; nil while no program has one
	Tokens              int
}

// Execute makes the run in dir, which it creates, or goes on with the journal that it finds there.
// A run with a smaller budget grows: its journal becomes the beginning of this one's. Execute holds
// an exclusive lock on dir. When it returns nil, dir holds run.json, journal.jsonl, timing.jsonl
// and, when a program has a score, best.py. After an error the same call goes on where this one
// ended.
func (r *Run) Execute(ctx context.Context, dir string) (*record.Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if r.Header.Paired != "" && r.Base == nil {
		return nil, fmt.Errorf("%s: %w: the run that it is paired with is missing", dir, ErrConfig)
	}
	d, err := r.hold(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	grown, err := r.grown(ctx, dir)
	if err != nil {
		return nil, err
	}
	begin := func() error { return nil }
	if grown == nil {
		err = r.open(dir, d)
	} else { // the smaller run stays until there is more than it has
		d.Lines = grown[1:]
		begin = func() error {
			if err := r.replace(dir, grown); err != nil {
				return err
			}
			return r.open(dir, d)
		}
	}
	if err != nil {
		return nil, err
	}
	ctx, stop := d.lock.Context(ctx)
	defer stop()
	result, err := r.execute(ctx, dir, d, begin)
	if cause := context.Cause(ctx); errors.Is(cause, journal.ErrLost) {
		return nil, cause
	}
	return result, err
}

// execute is Execute in a directory that is held; begin makes its files ready for the first new
// line.
func (r *Run) execute(
	ctx context.Context, dir string, d *Directory, begin func() error,
) (*record.Result, error) {
	e, err := r.newEngine(dir, d.Lines)
	if err != nil {
		return nil, err
	}
	for _, n := range slices.Sorted(maps.Keys(e.old)) { // all of them before the first request
		if err := record.CheckBlobs(dir, e.old[n]); err != nil {
			return nil, err
		}
	}
	e.begin = sync.OnceValue(func() error {
		err := begin()
		e.out, e.timing = d.Journal, d.Timing
		return err
	})
	if err := e.runMethod(ctx); err != nil {
		return nil, err
	}
	if err := e.begin(); err != nil { // also where there is nothing new
		return nil, err
	}
	if err := e.flush(); err != nil {
		return nil, err
	}
	if err := d.lock.Check(); err != nil {
		return nil, err
	}
	if e.best != nil {
		best := []byte(e.best.Program.Source)
		if err := journal.WriteFile(filepath.Join(dir, "best.py"), best); err != nil {
			return nil, err
		}
	}
	return record.Summary(dir)
}

// A Directory is a run's directory under its lock, with its files open at their ends.
type Directory struct {
	Lines   [][]byte // of the journal, after its header
	Journal *journal.File
	Timing  *os.File // timing.jsonl
	lock    *journal.Lock
	lent    bool // the lock is Run.Lock
}

// Open begins the run in dir, which it creates, or finds its journal there. It refuses a directory
// with another header.
func (r *Run) Open(dir string) (*Directory, error) {
	d, err := r.hold(dir)
	if err != nil {
		return nil, err
	}
	if err := r.open(dir, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// hold takes the lock of dir, which it creates.
func (r *Run) hold(dir string) (*Directory, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	d := &Directory{lock: r.Lock, lent: r.Lock != nil}
	if !d.lent {
		var err error
		if d.lock, err = Lock(dir); err != nil {
			return nil, err
		}
	}
	if !d.lock.TookOver {
		return d, nil
	}
	for _, name := range []string{record.JournalFile, record.TimingFile} {
		// The holder before, who may only stand still, keeps the old file.
		if err := journal.Renew(filepath.Join(dir, name)); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Lock takes a run's directory, which must be there; see journal.TryLock.
func Lock(dir string) (*journal.Lock, error) {
	lock, err := journal.TryLock(dir)
	if errors.Is(err, journal.ErrLocked) {
		err = hint.Add(err, "wait for it, or use another --out")
	}
	return lock, err
}

func (r *Run) open(dir string, d *Directory) error {
	path := filepath.Join(dir, record.JournalFile)
	// Read before Open: a journal that is refused is not touched, its torn tail included.
	lines, _, err := journal.Read(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return record.Damaged(err)
	}
	if len(lines) > 0 {
		if err := r.sameHeader(lines[0], dir); err != nil {
			return err
		}
	}
	if d.Journal, lines, err = journal.Open(path); err != nil {
		return err
	}
	d.Journal.Guard(d.lock)
	if len(lines) == 0 {
		line, err := json.Marshal(record.HeaderLine{Header: &r.Header})
		if err != nil {
			return err
		}
		if err := r.writeRunFile(dir, r.Prices, r.Environment); err != nil {
			return err
		}
		if err := d.Journal.Append(line); err != nil {
			return err
		}
		lines = [][]byte{line}
	} else if err := r.restoreRunFile(dir); err != nil {
		return err
	}
	d.Lines = lines[1:]
	timing := filepath.Join(dir, record.TimingFile)
	if err := journal.Unpack(timing); err != nil {
		return err
	}
	d.Timing, err = plain.Open(timing, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	return err
}

// Close closes the files and gives the lock back.
func (d *Directory) Close() {
	if d.Journal != nil {
		d.Journal.Close()
	}
	if d.Timing != nil {
		d.Timing.Close()
	}
	if !d.lent {
		d.lock.Unlock()
	}
}

// Verify replays the finished run in dir without asking, evaluating or writing anything. It returns
// ErrDiverged, ErrIncomplete or ErrForeign when the journal is not what this method and header
// give.
func (r *Run) Verify(ctx context.Context, dir string) (*record.Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	lines, _, err := journal.Read(filepath.Join(dir, record.JournalFile))
	if err != nil {
		return nil, record.Damaged(err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: the journal is empty", dir)
	}
	if err := r.sameHeader(lines[0], dir); err != nil {
		return nil, err
	}
	if _, err := r.replay(ctx, dir, lines[1:]); err != nil {
		return nil, err
	}
	return record.Summary(dir)
}

// replay runs the method on old lines alone. The engine is nil where they are no run's.
func (r *Run) replay(ctx context.Context, dir string, lines [][]byte) (*engine, error) {
	e, err := r.newEngine(dir, lines)
	if err != nil {
		return nil, err
	}
	e.replayOnly = true
	return e, e.runMethod(ctx)
}

func (r *Run) check() error {
	h := r.Header
	if h.Budget < 1 || h.Requests < 1 {
		return fmt.Errorf("%w: budget %d and requests %d must be at least 1",
			ErrConfig, h.Budget, h.Requests)
	}
	if h.TimeScale != 0 && !(h.TimeScale > 1 && h.TimeScale <= record.MaxTimeScale) {
		return fmt.Errorf("%w: time_scale %g must be above 1, and at most %d",
			ErrConfig, h.TimeScale, record.MaxTimeScale)
	}
	if r.Base != nil && r.Base.Header.Digest() != h.Paired {
		return fmt.Errorf("%w: %s is not the run that this one is paired with",
			ErrConfig, r.Base.Dir)
	}
	if c, ok := r.Method.(Checker); ok {
		if err := c.Check(); err != nil {
			return fmt.Errorf("%s: %w: %w", r.Method.Name(), ErrConfig, err)
		}
	}
	return nil
}

// sameHeader compares the journal's first line with this run's header.
func (r *Run) sameHeader(line []byte, dir string) error {
	if _, err := record.ParseHeader(line); err != nil {
		return hint.Add(fmt.Errorf("%s: %w", dir, err), "use another --out")
	}
	want, err := json.Marshal(record.HeaderLine{Header: &r.Header})
	if err != nil {
		return err
	}
	if bytes.Equal(line, want) {
		return nil
	}
	what := "its header is written differently"
	var was record.HeaderLine
	if json.Unmarshal(line, &was) == nil {
		d := record.HeaderDifference(*was.Header, r.Header)
		if grown := *was.Header; grown.Budget < r.Header.Budget { // which would be no obstacle
			grown.Budget, grown.Requests = r.Header.Budget, r.Header.Requests
			d = cmp.Or(record.HeaderDifference(grown, r.Header), d)
		}
		what = cmp.Or(d, what)
	}
	return hint.Add(fmt.Errorf("%s: %w: %s", dir, record.ErrForeign, what),
		"use another --out, or repeat the command that began the run")
}

func (r *Run) newEngine(dir string, lines [][]byte) (*engine, error) {
	e := &engine{
		run: r, dir: dir, lines: lines,
		old:     map[int]*record.Step{},
		base:    stepsOf(r.Base),
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
	if err := checkShared(e.old, r.Base); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return e, nil
}

// runMethod runs the method from the top and checks that it used up the old journal.
func (e *engine) runMethod(ctx context.Context) error {
	err := e.run.Method.Run(ctx, &Search{e})
	if err == nil {
		err = e.failed
	}
	if err == nil && len(e.lines) > 0 {
		err = fmt.Errorf("the method ended before the journal: %w",
			divergence(e.lines[0], []byte("(the run is over)")))
	}
	if errors.Is(err, ErrDiverged) {
		return hint.Add(fmt.Errorf("%s: %w", e.dir, err), "the program, its prompts or its Python "+
			"changed since the run began: use another --out")
	}
	return err
}

// lostEnvironment stands in a run.json that was written anew.
var lostEnvironment = map[string]string{
	"unknown": "run.json was lost and is written anew: of the machine on which the run began, " +
		"nothing is known but what the header says",
}

// restoreRunFile writes a missing or torn run.json of a run that has begun; one that is there must
// be this run's.
func (r *Run) restoreRunFile(dir string) error {
	f, err := record.ReadRunFile(dir)
	switch {
	case err != nil:
		return err
	case f == nil:
		return r.writeRunFile(dir, r.Prices, lostEnvironment)
	}
	return record.CheckRunFile(dir, f, r.Header)
}

func (r *Run) writeRunFile(dir string, prices llm.Prices, environment any) error {
	data, err := json.MarshalIndent(record.RunFile{
		Header: &r.Header, Prices: prices, Environment: environment,
	}, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(filepath.Join(dir, "run.json"), append(data, '\n'))
}
