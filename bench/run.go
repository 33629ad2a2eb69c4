package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// ErrConfig means that the configuration of a run or of its method is wrong.
var ErrConfig = errors.New("wrong configuration")

// A Run is a method on a problem with a seed. Its files are in a directory.
type Run struct {
	Conditions
	Method      Method
	Environment any // properties of the machine, for run.json; they change no result
	// Lock is the caller's lock on the directory. If it is nil, Execute locks the directory until
	// it returns.
	Lock *journal.Lock
	// Sources are the contents of the files of a task and a method in Python. They are copied into
	// the run's directory.
	Sources [][]byte
}

// Execute makes the run in dir, which it creates if necessary, or continues the journal in dir. An
// existing run with a smaller budget grows: its journal becomes the beginning of the new run.
// Execute holds an exclusive lock on dir. When Execute returns no error, dir contains run.json,
// journal.jsonl, timing.jsonl and, if a program has a score, best.py. After a temporary error, the
// same call continues the run.
func (r *Run) Execute(ctx context.Context, dir string) (*record.Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if r.Header.Paired != "" && r.Base == nil {
		return nil, fmt.Errorf("%s: %w: the base of this paired run is missing", dir, ErrConfig)
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
	} else { // keep the smaller run until the new one has more lines
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

// execute implements Execute in a directory that is already locked. It calls begin before the first
// new line, so that the files of d are open.
func (r *Run) execute(
	ctx context.Context, dir string, d *Directory, begin func() error,
) (*record.Result, error) {
	e, err := newEngine(r.Conditions, dir, d.Lines)
	if err != nil {
		return nil, err
	}
	e.prices = d.prices
	for _, n := range slices.Sorted(maps.Keys(e.old)) { // check all before the first request
		if err := record.CheckBlobs(dir, e.old[n]); err != nil {
			return nil, err
		}
	}
	e.begin = sync.OnceValue(func() error {
		err := begin()
		e.out, e.timing = d.Journal, d.Timing
		for _, text := range r.Sources {
			err = cmp.Or(err, e.keepBlob(fmt.Sprintf("%x", sha256.Sum256(text)), text))
		}
		return err
	})
	if err := r.runMethod(ctx, e); err != nil {
		return nil, err
	}
	if err := e.begin(); err != nil { // even if the run adds nothing
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

// Verify replays the finished run in dir. It makes no request, evaluates no program and writes no
// file. It returns ErrDiverged, ErrIncomplete or ErrForeign if this method and header do not
// produce the journal.
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

// replay runs the method on old lines only. The engine is nil if the lines cannot be read or differ
// from the base.
func (r *Run) replay(ctx context.Context, dir string, lines [][]byte) (*engine, error) {
	e, err := newEngine(r.Conditions, dir, lines)
	if err != nil {
		return nil, err
	}
	e.replayOnly = true
	return e, r.runMethod(ctx, e)
}

// runMethod runs the method from the start and checks that it used all lines of the old journal.
func (r *Run) runMethod(ctx context.Context, e *engine) error {
	err := r.Method.Run(ctx, &Search{e: e})
	if err == nil {
		err = e.failed
	}
	if err == nil && len(e.lines) > 0 {
		err = fmt.Errorf("the method ended, but the journal has more steps: %w",
			divergence(e.lines[0], []byte("(the run is over)")))
	}
	if errors.Is(err, ErrDiverged) {
		advice := "pacebench, its prompts or its Python changed since the run began, or the " +
			"journal was edited: use the version that made the run, restore the run from a " +
			"copy, or begin again with another --out"
		if e.Header.MethodFile != nil { // the digests agree, so the files are unchanged
			advice = "run pacebench check-method to see whether the method is deterministic; " +
				"if it is, " + advice
		}
		return hint.Add(fmt.Errorf("%s: %w", e.dir, err), advice)
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
		return fmt.Errorf("%w: %s is not the run with which this run is paired",
			ErrConfig, r.Base.Dir)
	}
	if c, ok := r.Method.(Checker); ok {
		if err := c.Check(); err != nil {
			return fmt.Errorf("%s: %w: %w", r.Method.Name(), ErrConfig, err)
		}
	}
	return nil
}

// A run grows if its directory contains the same run with a smaller budget. Up to the moment at
// which the smaller budget first mattered, the larger budget gives the same lines after the header.
// Those lines are kept. A search keeps several proposals in flight, so the smaller run may have
// ended with a few steps that the larger run makes differently. Those steps are removed and made
// again, and no other request or evaluation is repeated. The smaller run stays unchanged until the
// first new step can be written.
