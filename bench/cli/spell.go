package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench/hint"
)

// spell spells a suite out with the command's flags. What earlier commands spent on its cells
// counts for --max-usd.
func (s *suite) spell(o options) ([]*cell, error) {
	models, err := openModels(o, s)
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
func (s *suite) spellWith(o *opener) ([]*cell, error) {
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
		func(g group) ([]*choice, error) { return s.choices(g, o) })
	if err != nil {
		return nil, err
	}
	tests := s.tests(o.options)
	for _, cl := range cells {
		if _, err := testSplits(cl.Task, tests); err != nil {
			return nil, err
		}
	}
	if o.Given["paired"] && o.Paired || !o.Given["paired"] && s.Paired {
		pairCells(cells)
	}
	return cells, nil
}

// tests are the test splits of a suite; what the command line says goes first.
func (s *suite) tests(o options) string {
	if s.Test != "" && !o.Given["test"] {
		return s.Test
	}
	return o.Test
}

// maxSeeds bounds a list of seeds: a slip such as 1-1000000 should not make a million cells.
const maxSeeds = 1000

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
				usagef("--seeds %s: %q is not a whole number or a range", text, part),
				"write seeds as in 1,2,3 or 1-10")
		case last < first:
			return nil, usagef("--seeds %s: the range %s ends before it begins", text, part)
		case last-first >= maxSeeds || len(seeds)+int(last-first) >= maxSeeds:
			return nil, usagef("--seeds %s: more than %d seeds", text, maxSeeds)
		}
		for i := range last - first + 1 {
			if slices.Contains(seeds, first+i) {
				return nil, usagef("--seeds %s: %d is there twice", text, first+i)
			}
			seeds = append(seeds, first+i)
		}
	}
	return seeds, nil
}
