package suite

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
)

// Plan lists the runs of a suite with the command's flags. The cost of these runs in earlier
// commands counts toward --max-usd.
func (s *Suite) Plan(o Options) ([]*Planned, error) {
	for _, g := range s.Group {
		if err := o.Files.Load(g.Tasks...); err != nil { // the embedded model must know the tasks
			return nil, err
		}
	}
	models, err := OpenModels(o, s)
	if err != nil {
		return nil, err
	}
	runs, err := s.planWith(models)
	if err == nil {
		err = models.sharePurse(runs)
	}
	return runs, err
}

// planWith lists the runs of a suite with the command's models. Flags that the user gives override
// the suite, and the suite overrides the defaults of flags. A baseline has no seed and no model, so
// it is listed once.
func (s *Suite) planWith(o *opener) (runs []*Planned, err error) {
	usual, err := parseSeeds(o.Seeds)
	if err != nil {
		return nil, err
	}
	own := o.Options
	if s.TimeScale != 0 && !o.Given["time-scale"] {
		own.TimeScale = s.TimeScale
	}
	seen, labels := map[string]*Planned{}, map[string]bool{} // by directory; by label of the model
	add := func(model *choice, task, method string, set []string, seed uint64, test string) error {
		p, err := newPlanned(own, model, task, method, set, seed)
		if err == nil {
			err = p.SetTests(test)
		}
		if err != nil {
			return fmt.Errorf("suite %s: %w", s.Name, err)
		}
		if p.Baseline != nil {
			p.Header.Seed = 1
		} else {
			labels[p.Model.label] = true
		}
		key := RunDir("", p.Header)
		old := seen[key]
		switch {
		case old == nil:
			seen[key], runs = p, append(runs, p)
		case p.Model != nil && old.Model.label != p.Model.label:
			return hint.Add(
				Usagef("suite %s: %s and %s are both %s, so their runs would share a directory",
					s.Name, old.Model.label, p.Model.label, p.Header.Models[""]),
				"the directory of a run is named after the model and its settings, "+
					"not after the server; use a different --out for each")
		case old.Header.Budget != p.Header.Budget:
			advice := "list it once, with the larger budget: " +
				"the run with fewer evaluations is the beginning of the other run"
			if bench.Scheduled(p.Method) {
				advice = "make a suite for each budget, and use a different --out for each"
			}
			return hint.Add(Usagef("suite %s: %s appears with %d and with %d evaluations, "+
				"and both runs would share a directory",
				s.Name, p.Name(), old.Header.Budget, p.Header.Budget), advice)
		default: // test the run on the splits of both groups
			old.Tests = slices.DeleteFunc(SplitNames(old.Task), func(split string) bool {
				return !slices.Contains(old.Tests, split) && !slices.Contains(p.Tests, split)
			})
		}
		return nil
	}
	for i, g := range s.Group {
		if len(g.Tasks) == 0 || len(g.Methods) == 0 {
			return nil, Usagef("%s: runs %d: tasks and methods must not be empty", s.Name, i+1)
		}
		var models []*choice
		for _, p := range s.Pairs(g, o.Options) {
			ch, err := o.Choose(p.Model, p.Eap)
			if err != nil {
				return nil, fmt.Errorf("suite %s: %w", s.Name, err)
			}
			models = append(models, ch)
		}
		seeds := usual
		if !o.Given["seeds"] && (g.Seeds != nil || s.Seeds != nil) {
			seeds = s.Seeds
			if g.Seeds != nil {
				seeds = g.Seeds
			}
		}
		if !o.Given["evals"] {
			own.Evals = *cmp.Or(g.Evals, s.Evals, &o.Evals)
		}
		all := everything(g, func(name string) (*bench.Task, bool) {
			t, err := o.LookupTask(name)
			return t, err == nil
		})
		test := s.Tests(g, o.Options)
		for _, model := range models {
			for _, task := range g.Tasks {
				for _, method := range all {
					for _, set := range g.Sets() {
						for _, seed := range seeds {
							if err := add(model, task, method, set, seed, test); err != nil {
								return nil, err
							}
						}
					}
				}
			}
		}
	}
	for _, p := range runs {
		p.Several = len(labels) > 1
	}
	if o.Given["paired"] && o.Paired || !o.Given["paired"] && s.Paired {
		pairRuns(runs)
	}
	return runs, nil
}

// pairRuns pairs the runs that have the same task, method, seed and model for algorithms. The first
// of these runs is the base of the others.
func pairRuns(runs []*Planned) {
	type like struct {
		task, method, model string
		seed                uint64
	}
	first := map[like]*Planned{}
	for _, p := range runs {
		if p.Baseline != nil {
			continue
		}
		k := like{p.Header.Task, p.Header.Method, p.Header.Models[""], p.Header.Seed}
		if p.Base = first[k]; p.Base == nil {
			first[k] = p
		}
	}
}

// One returns the planned runs of one method on a task with the command's flags, one run for each
// seed. A baseline has no seed, so it has one run.
func One(o Options, task, method string, sets []string) (runs []*Planned, err error) {
	if err := o.Files.Load(task); err != nil { // the embedded model must know the task
		return nil, err
	}
	seeds, err := parseSeeds(o.Seeds)
	if err != nil {
		return nil, err
	}
	models, err := OpenModels(o, nil)
	if err != nil {
		return nil, err
	}
	model, err := models.Choose(o.Model, o.EAPModel)
	if err != nil {
		return nil, err
	}
	for _, seed := range seeds {
		p, err := newPlanned(o, model, task, method, sets, seed)
		if err != nil {
			return nil, err
		}
		if p.Model != nil && p.Model != model {
			return nil, hint.Add(
				Usagef("--eap-model %s: method %s uses no EAPs", o.EAPModel, p.Method.Name()),
				"leave out --eap-model")
		}
		if err := p.SetTests(o.Test); err != nil {
			return nil, err
		}
		if runs = append(runs, p); p.Baseline != nil {
			break
		}
	}
	return runs, models.sharePurse(runs)
}

// Tests returns the test splits of a group. The command line overrides the group and the suite.
func (s *Suite) Tests(g Group, o Options) string {
	switch {
	case o.Given["test"]:
	case g.Test != nil:
		return *g.Test
	case s.Test != "":
		return s.Test
	}
	return o.Test
}

// MaxEvals bounds --evals, so that the limit on requests fits in 32 bits.
const MaxEvals = math.MaxInt32 / bench.RequestsPerEvaluation

func CheckTimeScale(name string, f float64) error {
	if !(f >= 1 && f <= record.MaxTimeScale) {
		return Usagef("%s %g: must be from 1 to %d", name, f, record.MaxTimeScale)
	}
	return nil
}

// MaxSeeds bounds a list of seeds, so that a slip such as 1-1000000 does not make a million runs.
const MaxSeeds = 1000

// parseSeeds parses seeds and ranges of seeds, separated by commas: "1,2,3", "1-10", "1-3,7".
func parseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.ParseUint(strings.TrimSpace(low), 10, 64)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseUint(strings.TrimSpace(high), 10, 64)
		}
		switch {
		case err != nil:
			return nil, hint.Add(
				Usagef("--seeds %s: %q is not a whole number or a range", text, part),
				"write seeds as in 1,2,3 or 1-10")
		case last < first:
			return nil, Usagef("--seeds %s: the range %s ends before it begins", text, part)
		case last-first >= MaxSeeds || len(seeds)+int(last-first) >= MaxSeeds:
			return nil, Usagef("--seeds %s: more than %d seeds", text, MaxSeeds)
		}
		for i := range last - first + 1 {
			if slices.Contains(seeds, first+i) {
				return nil, Usagef("--seeds %s: %d appears twice", text, first+i)
			}
			seeds = append(seeds, first+i)
		}
	}
	return seeds, nil
}
