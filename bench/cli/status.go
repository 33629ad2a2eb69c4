package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/internal/plain"
)

// states of a cell, in the order of their lines.
const (
	stateRunning = "running"
	stateStale   = "stale"
	stateFailed  = "failed"
	stateWaiting = "waiting"
	stateDone    = "done"
)

var states = []string{stateRunning, stateStale, stateFailed, stateWaiting, stateDone}

// A standing is how far a cell of a results directory is.
type standing struct {
	cell         string // directory below the results directory
	state        string
	evaluations  int
	budget       int // 0: no search
	holder       *journal.Lease
	note         string
	perSecond    float64 // evaluations of the process that works at it
	perSecondSet bool
}

func (c *console) statusCommand() *cli.Command {
	return command(cli.Command{
		Name: "status",
		Usage: "show which cells of a results directory are done, running (and where), " +
			"waiting or failed",
		ArgsUsage: "DIR",
	}, 1, 1, func(cc *cli.Context) error {
		all, warnings, err := standings(cc.Args().First())
		if err != nil {
			return err
		}
		for _, w := range warnings {
			fmt.Fprintln(c.err, "pacebench: warning:", w)
		}
		return c.printStandings(all)
	})
}

// standings are the cells of a results directory: those that are there, and those that a suite has
// planned. Nothing is locked or written.
func standings(root string) (all []*standing, warnings []results.Warning, err error) {
	dirs, warnings, err := results.Cells(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, hint.Add(usageError{err}, hintResults)
	}
	if err != nil {
		return nil, nil, usageError{err}
	}
	byCell := map[string]*standing{}
	add := func(name string) *standing {
		if byCell[name] == nil {
			byCell[name] = &standing{cell: name}
		}
		return byCell[name]
	}
	for _, dir := range dirs {
		if name, err := filepath.Rel(root, dir); err == nil {
			add(filepath.ToSlash(name))
		}
	}
	for _, path := range below(root, plansDir, "*.json") {
		var p plan
		data, err := plain.Read(path, maxFile)
		if err == nil {
			err = json.Unmarshal(data, &p)
		}
		if err != nil {
			return nil, nil, hint.Add(fmt.Errorf("%s: %w", path, err),
				"remove it: suite writes it anew")
		}
		for _, pc := range p.Cells {
			if filepath.IsLocal(filepath.FromSlash(pc.Cell)) {
				s := add(pc.Cell)
				s.budget = max(s.budget, pc.Budget)
			}
		}
	}
	if len(byCell) == 0 {
		return nil, nil, hint.Add(usagef("%s: no run found here", root), hintResults)
	}
	for _, s := range byCell {
		s.look(filepath.Join(root, filepath.FromSlash(s.cell)))
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *standing) int {
		return cmp.Or(cmp.Compare(slices.Index(states, a.state), slices.Index(states, b.state)),
			cmp.Compare(a.cell, b.cell))
	})
	return all, warnings, nil
}

// look reads how far the cell in dir is.
func (s *standing) look(dir string) {
	if r, err := record.ReadResult(dir); err == nil && r != nil {
		s.evaluations = r.Evaluations
		if r.Header.Budget >= s.budget {
			s.budget, s.state = r.Header.Budget, stateDone
		}
	}
	if s.holder = journal.Holder(dir); s.holder != nil {
		// The journal has what came after its last sign of life.
		if s.work(); s.state == stateStale {
			s.count(dir)
		}
		return
	}
	if s.state == stateDone {
		return
	}
	s.state = stateWaiting
	if why := failedBefore(dir); why != nil {
		s.state, s.note = stateFailed, why.Reason
	}
	s.count(dir)
}

// count reads in the journal of the cell how far it is.
func (s *standing) count(dir string) {
	if l, err := record.LoadWithoutTexts(dir); err == nil {
		s.budget = max(s.budget, l.Header.Budget)
		s.evaluations = l.Summarize().Evaluations
	} else if !errors.Is(err, os.ErrNotExist) && s.note == "" {
		s.note = err.Error()
	}
}

// work is what the lease of a cell says.
func (s *standing) work() {
	h := s.holder
	s.state, s.note = stateRunning, h.String()
	if w := h.Work; w != nil {
		s.evaluations, s.budget = w.Done, max(s.budget, w.Of)
		if took := h.At.Sub(h.Since).Seconds(); took > 0 {
			s.perSecond, s.perSecondSet = float64(w.Done-w.From)/took, true
		}
	}
	if h.Stale() {
		s.state = stateStale
		s.note += ", last sign of life " + ago(time.Since(h.At))
	}
}

// ago is a span of time for people.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s ago", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min ago", d.Minutes())
	}
	return fmt.Sprintf("%.0f h ago", d.Hours())
}

func (c *console) printStandings(all []*standing) error {
	cells, evaluations, budgets := map[string]int{}, map[string]int{}, map[string]int{}
	left, rate, paced := 0, 0.0, 0
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CELL\tSTATE\tEVALUATIONS\t")
	for _, s := range all {
		cells[s.state]++
		evaluations[s.state] += s.evaluations
		budgets[s.state] += s.budget
		if s.state == stateRunning && s.perSecondSet {
			rate, paced = rate+s.perSecond, paced+1
		}
		if s.state != stateDone {
			left += max(0, s.budget-s.evaluations)
			fmt.Fprintf(w, "%s\t%s\t%d/%d\t%s\n", s.cell, s.state, s.evaluations, s.budget, s.note)
		}
	}
	if cells[stateDone] < len(all) {
		fmt.Fprintln(w, "\t\t\t")
	}
	for _, state := range states {
		if cells[state] > 0 {
			fmt.Fprintf(w, "%s\t%s\t%d/%d\t\n",
				counted(cells[state], "cell"), state, evaluations[state], budgets[state])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if rate > 0 && left > 0 {
		eta := time.Duration(float64(left) / rate * float64(time.Second))
		fmt.Fprintf(c.out, "\n%.1f evaluations a minute on %d cells; "+
			"at this pace the other %d take %s\n",
			60*rate, paced, left, max(eta.Round(time.Minute), time.Minute))
	}
	if cells[stateStale] > 0 {
		fmt.Fprintln(c.out, "\nstale: its process is dead, or seems so by the clocks of "+
			"two machines; the next command takes it over")
	}
	return nil
}
