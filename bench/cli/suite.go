package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

func (c *console) suiteCommand() *cli.Command {
	return command(cli.Command{
		Name:      "suite",
		Usage:     "run many cells: a table of the paper, or a TOML file of one's own; finished cells are skipped",
		ArgsUsage: "NAME|FILE",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "seeds", Value: "1,2,3", Usage: "seeds, joined by commas"},
			&cli.IntFlag{Name: "evals", Value: 1000, Usage: "budget of each cell"},
			&cli.IntFlag{Name: "cells", Usage: "cells under way at once; 0: as many as --jobs"},
		}, cellFlags(), modelFlags(), machineFlags()),
	}, 1, 1, func(cc *cli.Context) error {
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
		fmt.Fprintf(c.err, "pacebench: next: pacebench report %s\n", cc.String("out"))
		return nil
	})
}

// runSuite runs a suite's cells with the command's flags.
func (c *console) runSuite(cc *cli.Context, s *suite, seeds []uint64, evals int) ([]finished, error) {
	model, models, err := c.openModel(cc)
	if err != nil {
		return nil, err
	}
	if s.Evals > 0 && !cc.IsSet("evals") {
		evals = s.Evals
	}
	cells, err := s.cells(seeds, cellOptions{evals, models, cc.String("deepaco")})
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
	w, err := c.openWorld(cc.Context, cc)
	if err != nil {
		return nil, err
	}
	atOnce := cc.Int("cells")
	if atOnce < 1 {
		atOnce = cc.Int("jobs")
	}
	done, err := c.runCells(cc.Context, w, cells, model, cc.String("out"), tests, atOnce)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return done, err
}

func parseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return nil, usagef("--seeds %s: %q is not a whole number", text, part)
		}
		if slices.Contains(seeds, n) {
			return nil, usagef("--seeds %s: %d stands there twice", text, n)
		}
		seeds = append(seeds, n)
	}
	return seeds, nil
}
