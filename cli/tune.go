package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/suite"
)

func (c *console) tuneCommand() *cli.Command {
	files := &fileNames{}
	return command(cli.Command{
		Name:        "tune",
		Usage:       "tune the constants of runs' best programs, to see how much they matter",
		Description: "pacebench tune runs/tsp-construct/pace/offline/1",
		ArgsUsage:   "RUN ...",
		Flags: slices.Concat([]cli.Flag{
			files.taskFlag(),
			intFlag("evals", 0, 0, 1_000_000, "evaluations of CMA-ES, and as many random draws; "+
				"0: 200, or 60 for simulations"),
			intFlag("at", 250, 0, math.MaxInt32,
				"also tune the best program after this many evaluations; 0: no"),
			decimalUint{&cli.Uint64Flag{Name: "seed", Value: 1,
				Usage: "seed of CMA-ES and of the random draws"}},
			&cli.StringFlag{Name: "test", Value: "all",
				Usage: "test splits for the tuned program: all, none, or names " +
					"separated by commas"},
			&cli.StringFlag{Name: "out",
				Usage: "directory for the results, instead of the runs' own"},
		}, machineFlags()),
	}, 1, -1, func(cc *cli.Context) error {
		o, err := c.optionsWith(cc, files)
		if err != nil {
			return err
		}
		t := suite.Tuning{
			Options: o, Evals: cc.Int("evals"), At: cc.Int("at"),
			Seed: cc.Uint64("seed"), Into: cc.String("out"),
		}
		for _, dir := range cc.Args().Slice() {
			done, err := t.Run(cc.Context, dir)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(dir)
			if done == nil {
				fmt.Fprintf(c.out, "%s: no constants\n", name)
				continue
			}
			fmt.Fprintf(c.out, "%s: %s, training %.9f, tuned %.9f, by random draws %.9f\n", name,
				counted(done.Knobs, "constant"), done.Best, done.Tuned, done.Control)
		}
		return nil
	})
}
