package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// The states of a run, in the order in which status lists them.
const (
	StateRunning = "running"
	StateStale   = "stale"
	stateFailed  = "failed"
	stateWaiting = "waiting"
	StateDone    = "done"
)

var States = []string{StateRunning, StateStale, stateFailed, stateWaiting, StateDone}

// A RunStatus describes the progress of a run in a results directory.
type RunStatus struct {
	Run          string // directory below the results directory
	State        string
	Evaluations  int
	Budget       int // 0: the run is not a search
	Note         string
	PerSecond    float64 // evaluations per second of the process that works on the run
	PerSecondSet bool
}

// ReadStatus lists the runs of a results directory and the planned runs of its suites. It locks
// nothing and writes nothing.
func ReadStatus(root string) (all []*RunStatus, warnings []results.Warning, err error) {
	dirs, warnings, err := results.RunDirs(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, hint.Add(Usage(err), HintResults)
	}
	if err != nil {
		return nil, nil, Usage(err)
	}
	byRun := map[string]*RunStatus{}
	add := func(name string) *RunStatus {
		if byRun[name] == nil {
			byRun[name] = &RunStatus{Run: name}
		}
		return byRun[name]
	}
	for _, dir := range dirs {
		if name, err := filepath.Rel(root, dir); err == nil {
			add(filepath.ToSlash(name))
		}
	}
	plans, err := readPlans(root)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range plans {
		for _, r := range p.Runs {
			if filepath.IsLocal(filepath.FromSlash(r.Run)) {
				s := add(r.Run)
				s.Budget = max(s.Budget, r.Budget)
			}
		}
	}
	if len(byRun) == 0 {
		return nil, nil, hint.Add(Usagef("%s: no run found here", root), HintResults)
	}
	for _, s := range byRun {
		s.look(runDir{filepath.Join(root, filepath.FromSlash(s.Run))})
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *RunStatus) int {
		return cmp.Or(cmp.Compare(slices.Index(States, a.State), slices.Index(States, b.State)),
			cmp.Compare(a.Run, b.Run))
	})
	return all, warnings, nil
}

func (s *RunStatus) look(here runDir) {
	if r := here.result(); r != nil {
		s.Evaluations = r.Evaluations
		if r.Header.Budget >= s.Budget {
			s.Budget, s.State = r.Header.Budget, StateDone
		}
	}
	if h := journal.Holder(here.dir); h != nil {
		s.State, s.Note = StateRunning, h.String()
		if w := h.Work; w != nil {
			s.Evaluations, s.Budget = w.Done, max(s.Budget, w.Of)
			if took := h.At.Sub(h.Since).Seconds(); took > 0 {
				s.PerSecond, s.PerSecondSet = float64(w.Done-w.From)/took, true
			}
		}
		if !h.Stale() {
			return
		}
		s.State = StateStale // counted then reads the journal, which may be newer than the lease
		s.Note += ", last sign of life " + ago(time.Since(h.At))
	} else if s.State == StateDone {
		return
	} else {
		s.State = stateWaiting
		if why := here.failed(); why != nil {
			s.State, s.Note = stateFailed, why.Reason
		}
	}
	if budget, evaluations, err := here.counted(); err == nil {
		s.Budget, s.Evaluations = max(s.Budget, budget), evaluations
	} else if !errors.Is(err, os.ErrNotExist) && s.Note == "" {
		s.Note = err.Error()
	}
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s ago", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min ago", d.Minutes())
	}
	return fmt.Sprintf("%.0f h ago", d.Hours())
}

const HintResults = "DIR is a directory of runs, as written by run, suite or demo, " +
	"or the directory of one run"

// Below lists the files below root whose path relative to root matches the pattern. Characters such
// as * have no special meaning in root.
func Below(root string, pattern ...string) []string {
	names, _ := fs.Glob(os.DirFS(root), path.Join(pattern...)) // the pattern is valid
	for i, name := range names {
		names[i] = filepath.Join(root, filepath.FromSlash(name))
	}
	return names
}
