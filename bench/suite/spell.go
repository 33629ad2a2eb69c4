package suite

import (
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

// spellWith spells a suite out with the command's flags and models.
func (s *Suite) spellWith(o *opener) ([]*Cell, error) {
	seeds, err := parseSeeds(o.Seeds)
	if err != nil {
		return nil, err
	}
	usual, cmd := extent{seeds, o.Evals}, extent{}
	if o.Given["seeds"] {
		cmd.seeds = usual.seeds
	}
	if o.Given["evals"] {
		cmd.evals = usual.evals
	}
	own := cellOptions{deepaco: o.DeepACO, timeScale: o.TimeScale}
	if s.TimeScale != 0 && !o.Given["time-scale"] {
		own.timeScale = s.TimeScale
	}
	cells, err := s.cells(cmd, usual, own,
		func(g Group) ([]*choice, error) { return s.choices(g, o) })
	if err != nil {
		return nil, err
	}
	tests := s.Tests(o.Options)
	for _, cl := range cells {
		if _, err := SplitsOf(cl.Task, tests); err != nil {
			return nil, err
		}
	}
	if o.Given["paired"] && o.Paired || !o.Given["paired"] && s.Paired {
		pairCells(cells)
	}
	return cells, nil
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
	cl, err := newCell(task, method, sets, seed,
		cellOptions{o.Evals, model, o.DeepACO, o.TimeScale})
	if err != nil {
		return nil, err
	}
	if cl.Model != nil && cl.Model != model {
		return nil, hint.Add(
			Usagef("--eap-model %s: %s asks for no EAPs", o.EAPModel, cl.Method.Name()),
			"leave it out; only --model answers")
	}
	if _, err := SplitsOf(cl.Task, o.Test); err != nil {
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
