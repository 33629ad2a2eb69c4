package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/status"
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
		o := c.options(cc)
		s, err := findSuite(cc.Args().First())
		switch {
		case err != nil:
			return err
		case cc.Bool("about"):
			c.aboutSuite(o, s)
			return nil
		case cc.Bool("list"):
			return c.listCells(o, s)
		case cc.Bool("dry-run"):
			return c.dryRun(o, s)
		}
		done, err := c.runSuite(cc.Context, o, s)
		for _, f := range done {
			printCell(c.out, f)
		}
		tellAbsent(o, done)
		if err != nil {
			return err
		}
		if len(done) > 0 {
			fmt.Fprintf(o.Notes, "pacebench: next: pacebench report %s\n", o.Out)
		}
		return unscored(done)
	})
}

// tellAbsent names the rows that the tables of these cells will lack: a suite trains no policy.
func tellAbsent(o options, done []finished) {
	for _, l := range labels().Methods {
		if l.Absent == "" {
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(l.Tasks), func(task string) bool {
			runs := below(filepath.Join(o.Out, task, l.Name), "*")
			wanted := slices.ContainsFunc(done, func(f finished) bool {
				return f.cell.Task.Name == task
			})
			return !wanted || len(runs) > 0
		})
		if len(missing) > 0 {
			fmt.Fprintf(o.Notes, "pacebench: %s on %s: %s\n",
				l.Title, strings.Join(missing, ", "), l.Absent)
		}
	}
}

// aboutSuite shows what is in a suite.
func (c *console) aboutSuite(o options, s *suite) {
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	for _, g := range s.Group {
		var variants, models []string
		for _, set := range g.variants() {
			variants = append(variants, cmp.Or(strings.Join(set, " "), "-"))
		}
		for _, p := range s.pairs(g, o) {
			if p.eap != "" {
				p.model += " (EAPs: " + p.eap + ")"
			}
			models = append(models, p.model)
		}
		if s.Models == nil && g.Models == nil && g.Model == "" && !o.Given["model"] {
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
}

// runSuite runs a suite's cells with the command's flags.
func (c *console) runSuite(ctx context.Context, o options, s *suite) ([]finished, error) {
	all, err := s.spell(o)
	if err != nil {
		return nil, err
	}
	cells, err := chosen(o, all)
	if err == nil && len(cells) == 0 {
		fmt.Fprintln(o.Notes, "pacebench: no cell is in this part")
	}
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	w, err := backendOf(ctx, o, cells)
	if err != nil {
		return nil, err
	}
	w.patient = true
	writePlan(o.Out, s, all)
	board := status.Open(c.screen, status.Config{Quiet: o.Quiet, AtOnce: o.atOnce()})
	done, err := w.runCells(ctx, board, cells, o.Out, s.tests(o), o.atOnce())
	board.Close()
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return done, err
}
