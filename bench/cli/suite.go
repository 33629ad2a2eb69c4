package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
)

func (c *console) suiteCommand() *cli.Command {
	return command(cli.Command{
		Name:      "suite",
		Usage:     "run many cells: a table of the paper, or a TOML file of one's own; finished cells are skipped",
		ArgsUsage: "NAME|FILE",
		Flags: slices.Concat([]cli.Flag{
			seedsFlag(), evalsFlag(1000), cellsFlag(),
			&cli.BoolFlag{Name: "about", Hidden: true, Usage: "show the cells of the suite: what suite NAME --help means"},
		}, cellFlags(), modelFlags(), machineFlags()),
		BashComplete: completeNames(suiteNames),
	}, 1, 1, func(cc *cli.Context) error {
		if cc.Bool("about") {
			return c.aboutSuite(cc.Args().First())
		}
		seeds, err := parseSeeds(cc.String("seeds"))
		if err != nil {
			return err
		}
		s, err := findSuite(cc.Args().First())
		if err != nil {
			return err
		}
		done, err := c.runSuite(cc, s, seeds, cc.Int("evals"))
		if err != nil {
			return err
		}
		for _, f := range done {
			printCell(c.out, f)
		}
		fmt.Fprintf(c.notes(cc), "pacebench: next: pacebench report %s\n", cc.String("out"))
		return unscored(done)
	})
}

// aboutSuite shows what is in a suite.
func (c *console) aboutSuite(name string) error {
	s, err := findSuite(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %s\n\n", s.Name, s.About)
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TASKS\tMETHODS\tMODELS\tSETTINGS")
	for _, g := range s.Group {
		models := cmp.Or(g.Model, strings.Join(s.Models, ", "), "--model")
		if g.EAPModel != "" {
			models += " (EAPs: " + g.EAPModel + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", strings.Join(g.Tasks, ", "), strings.Join(g.Methods, ", "), models, strings.Join(g.Set, " "))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.out, "\nEvery method runs on every task of its line, once for each seed. pacebench suite --help lists the flags.")
	return nil
}

// suiteCells spells a suite out with the command's flags.
func (c *console) suiteCells(cc *cli.Context, s *suite, seeds []uint64, evals int) ([]*cell, error) {
	o, err := c.openModels(cc, s.Profiles)
	if err != nil {
		return nil, err
	}
	if s.Evals > 0 && !cc.IsSet("evals") {
		evals = s.Evals
	}
	if s.Seeds != nil && !cc.IsSet("seeds") {
		seeds = s.Seeds
	}
	cells, err := s.cells(seeds, cellOptions{evals: evals, deepaco: cc.String("deepaco")}, func(g group) ([]*choice, error) { return s.choices(g, o) })
	if err != nil {
		return nil, err
	}
	o.countOld(cells, cc.String("out"))
	return cells, nil
}

// runSuite runs a suite's cells with the command's flags.
func (c *console) runSuite(cc *cli.Context, s *suite, seeds []uint64, evals int) ([]finished, error) {
	cells, err := c.suiteCells(cc, s, seeds, evals)
	if err != nil {
		return nil, err
	}
	tests := cc.String("test")
	if s.Test != "" && !cc.IsSet("test") {
		tests = s.Test
	}
	for _, cl := range cells {
		if _, err := testSplits(cl.Task, tests); err != nil {
			return nil, err
		}
	}
	var needed []*bench.Task
	for _, cl := range cells {
		needed = append(needed, cl.Task)
	}
	w, err := c.openBackend(cc.Context, cc, needed...)
	if err != nil {
		return nil, err
	}
	atOnce := cc.Int("cells")
	if atOnce == 0 {
		atOnce = cc.Int("jobs")
	}
	done, err := c.runCells(cc.Context, w, cells, cc.String("out"), tests, atOnce)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return done, err
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
			return nil, bench.Hint(usagef("--seeds %s: %q is not a whole number or a range", text, part),
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
