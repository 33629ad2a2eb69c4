package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// A reach is the set of runs that an error affects.
type reach int

const (
	reachesOne   reach = iota // only this run; the other runs continue
	reachesModel              // all runs of the same model: an invalid key, a server that is down
	reachesAll                // all runs: Ctrl-C, a full disk
)

func reachOf(err error) reach {
	for _, all := range []error{
		context.Canceled, context.DeadlineExceeded, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS,
	} {
		if errors.Is(err, all) {
			return reachesAll
		}
	}
	// A refused request or an unreadable answer affects one run, because other runs make other
	// requests.
	if e, ok := errors.AsType[*llm.Error](err); ok &&
		e.Kind != llm.KindRequest && e.Kind != llm.KindBody {
		return reachesModel
	}
	return reachesOne
}

// refused reports whether an error means that a run cannot be made at all, because of its directory
// or its configuration. RunAll reports such an error only at the end.
func refused(err error) bool {
	return errors.Is(err, record.ErrForeign) || errors.Is(err, bench.ErrConfig)
}

// remembered reports whether remember writes the error to FailedFile.
func remembered(err error) bool {
	for _, foreign := range []error{
		record.ErrForeign, bench.ErrConfig, bench.ErrDiverged, record.ErrDiffers, journal.ErrLocked,
		journal.ErrLost, journal.ErrCorrupt, journal.ErrChanged, journal.ErrLease,
		plain.ErrNotPlain, plain.ErrShared, plain.ErrNotDir, plain.ErrTooLarge,
	} {
		if errors.Is(err, foreign) {
			return false
		}
	}
	return err != nil && reachOf(err) == reachesOne
}

// errSkipped is the error of a run that did not begin.
var errSkipped = errors.New("not begun")

// A failures collects the errors of a command's runs. It is safe for concurrent use.
type failures struct {
	runs  []*Planned
	retry bool // the command can be repeated with --retry

	mu      sync.Mutex
	errs    []error          // by run; guarded by mu
	skipped []error          // by run: the error of another run that would end this run too
	closed  map[string]error // by label of the model: the error that ended its runs
}

func newFailures(runs []*Planned) *failures {
	return &failures{
		runs: runs, errs: make([]error, len(runs)), skipped: make([]error, len(runs)),
		closed: map[string]error{},
	}
}

// skip reports whether run i must not begin, because an error of its model would end it too.
func (f *failures) skip(i int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.runs[i].Model; m != nil {
		f.skipped[i] = f.closed[m.label]
	}
	return f.skipped[i] != nil
}

// others reports whether some searches use a different model than run i. These searches, and
// baselines, continue when the model of run i fails.
func (f *failures) others(i int) bool {
	return slices.ContainsFunc(f.runs, func(p *Planned) bool {
		return p.Model != nil && f.runs[i].Model != nil &&
			p.Model.label != f.runs[i].Model.label
	})
}

// add records the error that ended run i, and returns the error's reach. isNew is false if an error
// of the same model already ended another run.
func (f *failures) add(i int, err error) (r reach, isNew bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r = reachOf(err)
	if m := f.runs[i].Model; m != nil && r == reachesModel {
		if before := f.closed[m.label]; before != nil {
			f.skipped[i] = before
			return r, false
		}
		f.closed[m.label] = err
	}
	f.errs[i] = err
	return r, true
}

// err combines all errors. The error of a single failed run keeps its text. If several runs failed,
// err counts them, and lines has one line for each failed run.
func (f *failures) err() (lines []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var first error
	failed, skipped, final := 0, 0, 0 // final: failures that only --retry tries again
	for i, p := range f.runs {
		switch err := f.errs[i]; {
		case err != nil:
			failed++
			first = cmp.Or(first, err)
			_, before := errors.AsType[*failure](err)
			if before || remembered(err) && p.Baseline == nil {
				final++
			}
			text := err.Error()
			if !strings.HasPrefix(text, p.Name()+": ") {
				text = p.Name() + ": " + text
			}
			lines = append(lines, text)
		case f.skipped[i] != nil:
			skipped++
		}
	}
	advice, retry := hint.Of(first), ""
	if final > 0 && f.retry {
		retry = "--retry tries failed runs again"
	}
	if failed <= 1 && skipped == 0 {
		if advice == "" && failed == 1 && len(f.runs) > 1 {
			advice = "the other runs continued"
		}
		return nil, hint.Add(first, both(advice, retry))
	}
	if failed == 1 { // one line is enough
		err := fmt.Errorf("%w; %s", first, unfinished(skipped))
		return nil, hint.Add(err, both(advice, retry))
	}
	text := fmt.Sprintf("%d of %d runs failed", failed, len(f.runs))
	if skipped > 0 {
		text += "; " + unfinished(skipped)
	}
	if advice == "" && (final < failed || skipped > 0 || !f.retry) {
		advice = "run the same command again to continue the unfinished runs"
	}
	return lines, hint.Add(errors.New(text), both(advice, retry))
}

// both joins two pieces of advice, which may be empty.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// unfinished describes n skipped runs. Some of them may have begun.
func unfinished(n int) string {
	if n == 1 {
		return "1 more run is not finished, because it would fail in the same way"
	}
	return fmt.Sprintf("%d more runs are not finished, because they would fail in the same way", n)
}
