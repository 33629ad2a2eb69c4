package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
)

// suiteFlags are those of the cells that a suite runs.
func suiteFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		seedsFlag(), evalsFlag(1000), cellsFlag(), pairedFlag(),
		&cli.BoolFlag{Name: "retry", Usage: "try cells again that failed before"},
	}, shareFlags(), cellFlags(), modelFlags(), machineFlags())
}

func (c *console) suiteCommand() *cli.Command {
	return command(cli.Command{
		Name: "suite",
		Usage: "run many cells: a table of the paper, or a TOML file of one's own; " +
			"finished cells are skipped",
		ArgsUsage: "NAME|FILE",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "show the cells and what they would cost; " +
				"ask, evaluate and write nothing"},
			&cli.BoolFlag{Name: "list", Usage: "print the names of the cells, one a line, " +
				"for a scheduler; do nothing else"},
			&cli.BoolFlag{Name: "about", Hidden: true,
				Usage: "show the cells of the suite: what suite NAME --help means"},
		}, suiteFlags()),
		BashComplete: completeNames(suiteNames),
	}, 1, 1, func(cc *cli.Context) error {
		if cc.Bool("about") {
			return c.aboutSuite(cc, cc.Args().First())
		}
		s, err := findSuite(cc.Args().First())
		if err != nil {
			return err
		}
		if cc.Bool("list") {
			return c.listCells(cc, s)
		}
		if cc.Bool("dry-run") {
			return c.dryRun(cc, s)
		}
		done, err := c.runSuite(cc, s)
		for _, f := range done {
			printCell(c.out, f)
		}
		c.tellAbsent(cc, done)
		if err != nil {
			return err
		}
		if len(done) > 0 {
			fmt.Fprintf(c.notes(cc), "pacebench: next: pacebench report %s\n", cc.String("out"))
		}
		return unscored(done)
	})
}

// tellAbsent names the rows that the tables of these cells will lack: a suite trains no policy.
func (c *console) tellAbsent(cc *cli.Context, done []finished) {
	for _, l := range labels().Methods {
		if l.Absent == "" {
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(l.Tasks), func(task string) bool {
			runs := below(filepath.Join(cc.String("out"), task, l.Name), "*")
			wanted := slices.ContainsFunc(done, func(f finished) bool {
				return f.cell.Task.Name == task
			})
			return !wanted || len(runs) > 0
		})
		if len(missing) > 0 {
			fmt.Fprintf(c.notes(cc), "pacebench: %s on %s: %s\n",
				l.Title, strings.Join(missing, ", "), l.Absent)
		}
	}
}

// aboutSuite shows what is in a suite.
func (c *console) aboutSuite(cc *cli.Context, name string) error {
	s, err := findSuite(name)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	for _, g := range s.Group {
		var variants, models []string
		for _, set := range g.variants() {
			variants = append(variants, cmp.Or(strings.Join(set, " "), "-"))
		}
		for _, p := range s.pairs(g, cc) {
			if p.eap != "" {
				p.model += " (EAPs: " + p.eap + ")"
			}
			models = append(models, p.model)
		}
		if s.Models == nil && g.Models == nil && g.Model == "" && !cc.IsSet("model") {
			models = []string{"--model"}
		}
		fmt.Fprintf(c.out, "\n%s\n", strings.Join(g.Tasks, ", "))
		fmt.Fprintln(c.out, "  methods   "+strings.Join(g.Methods, ", "))
		if !slices.Equal(variants, []string{"-"}) {
			fmt.Fprintln(c.out, "  variants  "+strings.Join(variants, "\n            "))
		}
		fmt.Fprintln(c.out, "  models    "+strings.Join(models, "\n            "))
	}
	fmt.Fprintln(c.out, "\nEvery method in every variant runs on every task above it "+
		"with every model, once for each seed.\n"+
		"--dry-run shows what that costs; pacebench suite --help lists the flags.")
	return nil
}

// suiteCells spells a suite out with the command's flags.
func (c *console) suiteCells(cc *cli.Context, s *suite) ([]*cell, error) {
	o, err := c.openModels(cc, s.Profiles)
	if err != nil {
		return nil, err
	}
	cells, err := spell(cc, s, o)
	if err == nil {
		o.countOld(cells, cc.String("out"))
	}
	return cells, err
}

// spell spells a suite out with the command's flags and models.
func spell(cc *cli.Context, s *suite, o *opener) ([]*cell, error) {
	seeds, err := parseSeeds(cc.String("seeds"))
	if err != nil {
		return nil, err
	}
	usual, cmd := extent{seeds, cc.Int("evals")}, extent{}
	if cc.IsSet("seeds") {
		cmd.seeds = usual.seeds
	}
	if cc.IsSet("evals") {
		cmd.evals = usual.evals
	}
	own := cellOptions{deepaco: cc.String("deepaco"), timeScale: cc.Float64("time-scale")}
	if s.TimeScale != 0 && !cc.IsSet("time-scale") {
		own.timeScale = s.TimeScale
	}
	cells, err := s.cells(cmd, usual, own,
		func(g group) ([]*choice, error) { return s.choices(g, o) })
	if err != nil {
		return nil, err
	}
	tests := testsOf(cc, s)
	for _, cl := range cells {
		if _, err := testSplits(cl.Task, tests); err != nil {
			return nil, err
		}
	}
	if cc.IsSet("paired") && cc.Bool("paired") || !cc.IsSet("paired") && s.Paired {
		pairCells(cells)
	}
	return cells, nil
}

// testsOf are the test splits of a suite; what the command line says goes first.
func testsOf(cc *cli.Context, s *suite) string {
	if s.Test != "" && !cc.IsSet("test") {
		return s.Test
	}
	return cc.String("test")
}

// runSuite runs a suite's cells with the command's flags.
func (c *console) runSuite(cc *cli.Context, s *suite) ([]finished, error) {
	all, err := c.suiteCells(cc, s)
	if err != nil {
		return nil, err
	}
	cells, err := chosen(cc, all)
	if err == nil && len(cells) == 0 {
		fmt.Fprintln(c.notes(cc), "pacebench: no cell is in this part")
	}
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	w, err := c.backendOf(cc, cells)
	if err != nil {
		return nil, err
	}
	atOnce := cc.Int("cells")
	if atOnce == 0 {
		atOnce = cc.Int("jobs")
	}
	// Commands without the flag are about the cells that they name.
	w.retry = cc.Bool("retry") || cc.Command.Name != "suite"
	w.patient = true
	writePlan(cc.String("out"), s, all)
	done, err := c.runCells(cc.Context, w, cells, cc.String("out"), testsOf(cc, s), atOnce)
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
