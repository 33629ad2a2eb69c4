package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
)

// poolsDir is the default directory of pools, apart from ordinary runs.
const poolsDir = "pools"

// checkRuns is the number of runs that check a pool.
const checkRuns = 5

func (c *console) poolCommand() *cli.Command {
	sets := &settings{}
	return command(cli.Command{
		Name:        "pool",
		Usage:       "make many runs of a control, to compare a few seeds of other methods with it",
		Description: "pacebench pool --task tsp-construct --method randsample --runs 30",
		ArgsUsage:   " ",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "task of the pool"},
			&cli.StringFlag{Name: "method", Value: "randsample",
				Usage: "the control: randsample, bestofn, or any other method"},
			&cli.GenericFlag{Name: "set", Value: sets,
				Usage: "a setting of the control as name=value; may be repeated"},
			intFlag("runs", 30, results.MinPool, results.CheckSeed-results.PoolSeed,
				"runs in the pool; a larger number later extends it"),
			evalsFlag(1000),
			outFlag("out", poolsDir, "directory of pools"),
			&cli.StringFlag{Name: "check", Usage: fmt.Sprintf("make %d new runs for each pool "+
				"in this directory, and report whether the model still gives the same results",
				checkRuns)},
			&cli.BoolFlag{Name: "dry-run", Usage: "show the runs and what they would cost; " +
				"make no request and no run"},
			&cli.BoolFlag{Name: "retry", Usage: "retry runs that failed before"},
			testFlag("none"),
			deepacoFlag(), timeScaleFlag(timeScaleUsage),
		}, modelFlags(), methodFlags()),
	}, 0, 0, func(cc *cli.Context) error {
		o := c.options(cc)
		o.Runs, o.Seeds = 0, "1" // the suite has its own seeds
		if dir := cc.String("check"); dir != "" {
			return c.checkPools(cc.Context, o, dir, cc.Bool("dry-run"))
		}
		if cc.String("task") == "" {
			return hint.Add(usagef("pool: no --task"), "pacebench list tasks shows the tasks")
		}
		s := poolSuite(cc.String("task"), cc.String("method"), sets.list, results.PoolSeed,
			cc.Int("runs"))
		if cc.Bool("dry-run") {
			return c.dryRun(cc.Context, o, s)
		}
		done, err := runSuite(cc.Context, o, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s of %s on %s in %s\n", counted(len(done), "run"),
			cc.String("method"), cc.String("task"), filepath.ToSlash(o.Out))
		fmt.Fprintf(o.Notes, "pacebench: next: pacebench report --pool %s %s\n", o.Out, runsDir)
		return nil
	})
}

// poolSuite returns a suite with the given number of runs of a control, with seeds from seed. It
// has no tests unless --test names some.
func poolSuite(task, method string, set []string, seed uint64, runs int) *suite.Suite {
	g := suite.Group{Tasks: []string{task}, Methods: []string{method}, Set: set}
	for i := range runs {
		g.Seeds = append(g.Seeds, seed+uint64(i))
	}
	return &suite.Suite{Name: "pool", About: "a pool of control runs", Test: "none",
		Group: []suite.Group{g}}
}

func (c *console) readPools(in *input) ([]*results.Pool, error) {
	if len(in.dirs) == 0 {
		return nil, nil
	}
	store, err := c.read(in, false)
	if err != nil {
		return nil, err
	}
	return store.Pools()
}

// checkPools makes fresh runs for every pool of a directory, and reports whether they differ from
// the pool.
func (c *console) checkPools(ctx context.Context, o suite.Options, dir string, dry bool) error {
	pools, err := c.readPools(&input{dirs: []string{dir}})
	if err != nil {
		return err
	}
	for _, p := range pools {
		own, h := o, p.Runs[0].Header
		own.Out, own.Evals = dir, h.Budget
		if h.Factor() != 1 || h.Models["eap"] != "" || len(h.Files) > 0 || h.MethodFile != nil {
			return fmt.Errorf("%s, %s: its runs have other time limits, a model for EAPs, or code "+
				"in Python, which --check cannot repeat", p.Task, p.Row())
		}
		if !o.Given["model"] {
			own.Model = h.Models[""]
		}
		if !o.Given["env"] && h.Lock != "none" {
			own.Lock = h.Lock
		}
		var set []string
		for part := range strings.SplitSeq(h.Variant, ",") {
			switch last := len(set) - 1; {
			case strings.Contains(part, "="):
				set = append(set, part)
			case last >= 0: // a further item of a list
				set[last] += "," + part
			}
		}
		s := poolSuite(h.Task, h.Method, set, results.CheckSeed, checkRuns)
		if dry {
			err = c.dryRun(ctx, own, s)
		} else {
			_, err = runSuite(ctx, own, s)
		}
		if err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	if pools, err = c.readPools(&input{dirs: []string{dir}}); err != nil {
		return err
	}
	for _, p := range pools {
		fmt.Fprintf(c.out, "%s: %s\n", p.Task, labels(nil).Drift(p))
	}
	return nil
}
