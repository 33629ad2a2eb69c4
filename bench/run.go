package bench

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// ErrConfig means that a method's configuration is wrong.
var ErrConfig = errors.New("wrong configuration")

// A Run is a method on a problem with a seed, kept in a directory.
type Run struct {
	Conditions
	Method      Method
	Environment any // what the machine offered, for run.json; it changes no result
	// Lock holds the directory; it stays the caller's. nil: Execute takes one, until it returns.
	Lock *journal.Lock
	// Sources are the files of a task and of a method in Python, of which the run's directory gets
	// copies.
	Sources [][]byte
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
	d, err := hold(dir, r.Lock)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	grown, err := r.grown(ctx, dir)
	if err != nil {
		return nil, err
	}
	about := record.RunFile{
		Header: &r.Header, Environment: r.Environment,
		Prices: llm.PriceList(nil).With(r.Prices, 0, today()),
	}
	begin := func() error { return nil }
	if grown == nil {
		err = d.open(dir, about)
	} else { // the smaller run stays until there is more than it has
		d.Lines = grown[1:]
		if about.Prices, err = pricesOf(dir, about, d.Lines); err != nil {
			return nil, err
		}
		d.prices = about.Prices
		begin = func() error {
			if err := replace(dir, about, grown); err != nil {
				return err
			}
			return d.open(dir, about)
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
	e, err := newEngine(r.Conditions, dir, d.Lines)
	if err != nil {
		return nil, err
	}
	e.prices = d.prices
	for _, n := range slices.Sorted(maps.Keys(e.old)) { // all of them before the first request
		if err := record.CheckBlobs(dir, e.old[n]); err != nil {
			return nil, err
		}
	}
	e.begin = sync.OnceValue(func() error {
		err := begin()
		e.out, e.timing = d.Journal, d.Timing
		for _, text := range r.Sources {
			sum := sha256.Sum256(text)
			err = cmp.Or(err, e.keepBlob(hex.EncodeToString(sum[:]), text))
		}
		return err
	})
	if err := r.runMethod(ctx, e); err != nil {
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
	if err := sameHeader(lines[0], &r.Header, dir); err != nil {
		return nil, err
	}
	if _, err := r.replay(ctx, dir, lines[1:]); err != nil {
		return nil, err
	}
	return record.Summary(dir)
}

// replay runs the method on old lines alone. The engine is nil where they are no run's.
func (r *Run) replay(ctx context.Context, dir string, lines [][]byte) (*engine, error) {
	e, err := newEngine(r.Conditions, dir, lines)
	if err != nil {
		return nil, err
	}
	e.replayOnly = true
	return e, r.runMethod(ctx, e)
}

// runMethod runs the method from the top and checks that it used up the old journal.
func (r *Run) runMethod(ctx context.Context, e *engine) error {
	err := r.Method.Run(ctx, &Search{e: e})
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

// A run grows when its directory holds the same run with a smaller budget. What the larger budget
// would have done until the smaller one first mattered is the same to the byte, and stays. A search
// keeps several proposals in flight, so the smaller run may have ended with a few steps that the
// larger one makes otherwise: they are taken out, and nothing else is asked or evaluated again. The
// smaller run stays as it is until the first new step is there to be written.

// grown returns the journal of this run as far as the run in dir, with a smaller budget, is its
// beginning; nil where dir holds no run, this one, or one that differs in more than its budget.
func (r *Run) grown(ctx context.Context, dir string) ([][]byte, error) {
	path := filepath.Join(dir, record.JournalFile)
	lines, _, err := journal.Read(path)
	if err != nil || len(lines) == 0 {
		return nil, nil // open says what is wrong
	}
	was := r.smaller(lines[0])
	if was == nil {
		return nil, nil
	}
	kept, err := r.common(ctx, dir, *was, lines[1:])
	if err != nil {
		return nil, err
	}
	first, err := json.Marshal(record.HeaderLine{Header: &r.Header})
	return append([][]byte{first}, lines[1:1+kept]...), err
}

// smaller returns the header of a run that differs from this one in a smaller budget only, or nil.
func (r *Run) smaller(line []byte) *Header {
	was, err := record.ParseHeader(line)
	if err != nil || was.Budget >= r.Header.Budget {
		return nil
	}
	h := *was
	h.Budget, h.Requests = r.Header.Budget, r.Header.Requests
	same, err := json.Marshal(record.HeaderLine{Header: was})
	if err != nil || !bytes.Equal(same, line) {
		return nil // another version wrote it
	}
	if record.HeaderDifference(h, r.Header) != "" {
		return nil
	}
	return was
}

// common is how many lines a run with the header was has in common with this run.
func (r *Run) common(ctx context.Context, dir string, was Header, lines [][]byte) (int, error) {
	again := *r
	again.Progress = nil
	e, err := again.replay(ctx, dir, lines)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil && !errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrDiverged):
		return 0, err
	case e == nil: // its beginning is not its base's
		return 0, err
	case e.planned:
		return 0, hint.Add(fmt.Errorf("%s: %w: its budget is %d, this command says %d, "+
			"and %s cannot go on with more: its search follows its budget from the beginning",
			dir, record.ErrForeign, was.Budget, r.Header.Budget, was.Method),
			"use another --out: a run with another budget is another search")
	}
	if len(e.lines) == 0 {
		return len(lines), nil
	}
	// Where they part, the budget must be the reason, and not a program that has changed.
	again.Header = was
	if old, err := again.replay(ctx, dir, lines); err != nil &&
		(!errors.Is(err, ErrIncomplete) || len(old.lines) > 0) {
		return 0, err
	}
	return len(lines) - len(e.lines), nil
}

// replace puts another journal into dir, as a whole. Killed at any moment, the same command goes
// on: a result without its journal is not left behind, and run.json, which says the header too,
// comes before the journal.
func replace(dir string, run record.RunFile, lines [][]byte) error {
	if err := os.Remove(filepath.Join(dir, "result.json")); err != nil &&
		!errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := trimTiming(dir, lines[1:]); err != nil {
		return err
	}
	f, err := record.ReadRunFile(dir)
	if err != nil {
		return err
	}
	if f == nil {
		run.Environment = lostEnvironment
	} else {
		run.Environment, run.Began = f.Environment, f.Began
	}
	if err := writeRunFile(dir, run); err != nil {
		return err
	}
	return journal.Replace(filepath.Join(dir, record.JournalFile), lines)
}

// trimTiming leaves the times of the journal's steps.
func trimTiming(dir string, lines [][]byte) error {
	path := filepath.Join(dir, record.TimingFile)
	if err := journal.Unpack(path); err != nil {
		return err
	}
	data, err := plain.Read(path, plain.Large)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	steps := map[int]bool{}
	for _, line := range lines {
		if rec, err := record.ParseLine(line); err == nil && rec.Step != nil {
			steps[rec.Step.Number] = true
		}
	}
	kept := slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(line []byte) bool {
		var t record.Timing
		return json.Unmarshal(line, &t) != nil || !steps[t.Step]
	})
	return journal.WriteFile(path, bytes.Join(kept, nil))
}
