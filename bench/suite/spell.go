package suite

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/record"
)

// Spell spells a suite out with the command's flags. What earlier commands spent on its cells
// counts for --max-usd.
func (s *Suite) Spell(o Options) ([]*Cell, error) {
	models, err := OpenModels(o, s)
	if err != nil {
		return nil, err
	}
	cells, err := s.spellWith(models)
	if err == nil {
		models.countOld(cells)
	}
	return cells, err
}

// spellWith spells a suite out with the command's models. What the command line gives goes before
// the suite's own, defaults of flags come last. A baseline's row has no seed and no model of its
// own and comes once.
func (s *Suite) spellWith(o *opener) (cells []*Cell, err error) {
	usual, err := parseSeeds(o.Seeds)
	if err != nil {
		return nil, err
	}
	own := o.Options
	if s.TimeScale != 0 && !o.Given["time-scale"] {
		own.TimeScale = s.TimeScale
	}
	seen, labels := map[string]*Cell{}, map[string]bool{} // by directory; of models
	add := func(model *choice, task, method string, set []string, seed uint64) error {
		c, err := newCell(own, model, task, method, set, seed)
		if err != nil {
			return fmt.Errorf("suite %s: %w", s.Name, err)
		}
		if c.Row != nil {
			c.Header.Seed = 1
		} else {
			labels[c.Model.label] = true
		}
		key := CellDir("", c.Header)
		old := seen[key]
		switch {
		case old == nil:
			seen[key], cells = c, append(cells, c)
		case c.Model != nil && old.Model.label != c.Model.label:
			return hint.Add(
				Usagef("suite %s: %s and %s both are %s, and their runs would share a directory",
					s.Name, old.Model.label, c.Model.label, c.Header.Models[""]),
				"the header knows the model and its settings only, not its server: "+
					"run them with different --out")
		case old.Header.Budget != c.Header.Budget:
			return hint.Add(Usagef("suite %s: %s is there with %d and with %d evaluations, "+
				"and both would share a directory",
				s.Name, c.Name(), old.Header.Budget, c.Header.Budget),
				"name it once, with the larger budget: a run of fewer evaluations is its beginning")
		}
		return nil
	}
	for i, g := range s.Group {
		if len(g.Tasks) == 0 || len(g.Methods) == 0 {
			return nil, Usagef("%s: cells %d: tasks and methods must not be empty", s.Name, i+1)
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
		for _, model := range models {
			for _, task := range g.Tasks {
				for _, method := range g.Methods {
					for _, set := range g.Sets() {
						for _, seed := range seeds {
							if err := add(model, task, method, set, seed); err != nil {
								return nil, err
							}
						}
					}
				}
			}
		}
	}
	tests := s.Tests(o.Options)
	for _, cl := range cells {
		cl.Several = len(labels) > 1
		if cl.Tests, err = SplitsOf(cl.Task, tests); err != nil {
			return nil, err
		}
	}
	if o.Given["paired"] && o.Paired || !o.Given["paired"] && s.Paired {
		pairCells(cells)
	}
	return cells, nil
}

// pairCells makes the first cell of each task, method, model for algorithms and seed the base of
// the others.
func pairCells(cells []*Cell) {
	type like struct {
		task, method, model string
		seed                uint64
	}
	first := map[like]*Cell{}
	for _, c := range cells {
		if c.Row != nil {
			continue
		}
		k := like{c.Header.Task, c.Header.Method, c.Header.Models[""], c.Header.Seed}
		if c.Base = first[k]; c.Base == nil {
			first[k] = c
		}
	}
}

// One is a single cell with the command's flags: a method, or a baseline's row, on a task.
func One(o Options, task, method string, sets []string, seed uint64) (*Cell, error) {
	models, err := OpenModels(o, nil)
	if err != nil {
		return nil, err
	}
	model, err := models.Choose(o.Model, o.EAPModel)
	if err != nil {
		return nil, err
	}
	cl, err := newCell(o, model, task, method, sets, seed)
	if err != nil {
		return nil, err
	}
	if cl.Model != nil && cl.Model != model {
		return nil, hint.Add(
			Usagef("--eap-model %s: %s asks for no EAPs", o.EAPModel, cl.Method.Name()),
			"leave it out; only --model answers")
	}
	if cl.Tests, err = SplitsOf(cl.Task, o.Test); err != nil {
		return nil, err
	}
	models.countOld([]*Cell{cl})
	return cl, nil
}

// Tests are the test splits of a suite; what the command line says goes first.
func (s *Suite) Tests(o Options) string {
	if s.Test != "" && !o.Given["test"] {
		return s.Test
	}
	return o.Test
}

// MaxEvals is a bound that no sensible command reaches; our choice.
const MaxEvals = math.MaxInt32 / bench.RequestsPerEvaluation

func CheckTimeScale(name string, f float64) error {
	if !(f >= 1 && f <= record.MaxTimeScale) {
		return Usagef("%s %g: must be from 1 to %d", name, f, record.MaxTimeScale)
	}
	return nil
}

// MaxSeeds bounds a list of seeds: a slip such as 1-1000000 should not make a million cells.
const MaxSeeds = 1000

// parseSeeds reads seeds and ranges of seeds joined by commas: "1,2,3", "1-10", "1-3,7".
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
				return nil, Usagef("--seeds %s: %d is there twice", text, first+i)
			}
			seeds = append(seeds, first+i)
		}
	}
	return seeds, nil
}
