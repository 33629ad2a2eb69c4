package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/baselines/ppo"
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/host"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/status"
	"github.com/pacebench/pacebench/bench/suite"
)

func rowNames() []string { return []string{ppo.Name} }

// referenceCommand trains a row that is no search.
func (c *console) referenceCommand() *cli.Command {
	sets := &settings{}
	return command(cli.Command{
		Name:      "reference",
		Usage:     "train a policy that tables compare programs with, or go on with it: ppo",
		ArgsUsage: "ROW",

		BashComplete: completeNames(rowNames),
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "control task"},
			decimalUint{&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of training"}},
			&cli.GenericFlag{Name: "set", Value: sets,
				Usage: "a setting of training as name=value; may be repeated"},
			outFlag("out", "results", "directory of all results"),
			&cli.StringFlag{Name: "test", Value: "all", Usage: "test splits for the best policy: " +
				"all, none, or names joined by commas"},
		}, policyFlags()),
	}, 1, 1, func(cc *cli.Context) error {
		if row := cc.Args().First(); row != ppo.Name {
			return hint.Add(usagef("no reference row %q", row), oneOf("rows", row, rowNames()))
		}
		if cc.String("task") == "" {
			return hint.Add(usagef("--task is missing"), "tasks: racing-car, bipedal-walker")
		}
		task, err := suite.LookupTask(cc.String("task"))
		if err != nil {
			return err
		}
		s, err := ppo.Paper(task.Name)
		if err != nil {
			return usage(err)
		}
		h := suite.HeaderOf(task)
		s.Seed = cc.Uint64("seed")
		if h.Variant, err = suite.Apply(s, sets.list); err != nil {
			return err
		}
		if err := s.Check(); err != nil {
			return err
		}
		if h, err = s.Head(h); err != nil {
			return err
		}
		splits, err := suite.SplitsOf(task, cc.String("test"))
		if err != nil {
			return err
		}
		return c.train(cc.Context, c.options(cc), task, s, h, splits)
	})
}

// policyFlags are the machineFlags that concern policies, which are trusted.
func policyFlags() []cli.Flag {
	concerned := []string{"jobs", "lock", "python", "quiet"}
	return slices.DeleteFunc(machineFlags(), func(f cli.Flag) bool {
		return !slices.Contains(concerned, f.Names()[0])
	})
}

func (c *console) train(ctx context.Context, o suite.Options, task *bench.Task, s *ppo.Settings,
	h record.Header, splits []string) (err error) {
	run, err := openPolicies(ctx, o, task, s, &h)
	if err != nil {
		return err
	}
	defer run.close()
	cl := &suite.Cell{Task: task, Header: h}
	board := status.Open(c.screen, status.Config{Quiet: o.Quiet})
	line := board.Add(status.Plan{
		Name: cl.Name(), Kind: task.Name, Budget: h.Budget, Unit: h.Unit, Value: cl.Value,
		Tests: len(splits) > 0,
	})
	dir := suite.CellDir(o.Out, h)
	if err := suite.Inside(o.Out, dir); err != nil {
		return err
	}
	line.Begin()
	run.Header, run.Tests, run.Progress, run.Say = h, splits, line.Progress, line.Say
	result, err := run.Execute(ctx, dir)
	line.End(err)
	board.Close()
	if errors.Is(err, ppo.ErrRefused) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	printCell(c.out, suite.Finished{Cell: cl, Dir: dir, Result: result})
	return nil
}

// policies is a run with the processes that it needs.
type policies struct {
	*ppo.Run
	pools []*host.Pool
}

func (p *policies) close() {
	for _, pool := range p.pools {
		pool.Close() // which has no error to tell: its processes are killed
	}
}

// maker is the processor's maker, behind a comma; empty where it is unknown. torch's libraries
// choose their kernels by it, too, and an episode turns on the last bits of its actions.
func maker() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if m := makerLine.FindSubmatch(info); err == nil && m != nil {
		return ", " + string(m[1])
	}
	return ""
}

var makerLine = regexp.MustCompile(`(?m)^(?:vendor_id|CPU implementer)\s*: (\S+)$`)

// openPolicies finds the Python that trains and plays policies, which it never installs, and says
// so in the header. One pool plays policies and one has the task's scorer: with one for both, each
// could wait for the other.
func openPolicies(ctx context.Context, o suite.Options, task *bench.Task, s *ppo.Settings,
	h *record.Header) (*policies, error) {
	env, err := python.Installed(ctx, python.Options{
		Python: o.Python, Lock: o.Lock, Extra: ppo.Packages, Log: o.Notes,
	})
	if err != nil {
		return nil, usage(err)
	}
	cache, err := python.CacheDir()
	if err != nil {
		return nil, err
	}
	h.Python, h.NumPy, h.SciPy, h.Lock = env.Version, env.NumPy, env.SciPy, env.Lock
	h.Packages, h.Machine = maps.Clone(env.Extras), env.Machine+maker()
	p := &policies{}
	for range 2 {
		p.pools = append(p.pools, host.Open(ctx, host.Config{
			Python:  func(context.Context, string) (string, error) { return env.Python, nil },
			Workers: o.Jobs, Cache: filepath.Join(cache, "host"), Log: o.Log,
		}))
	}
	p.Run = &ppo.Run{
		Settings: s, Task: task, Python: env.Python, Versions: env.Extras,
		Hosts: p.pools[0], Players: p.pools[1],
		Environment: suite.Machine(o).With(env),
	}
	return p, nil
}

// verifyPolicy holds a learned run's files against its journal and plays its stored policies again.
func (c *console) verifyPolicy(ctx context.Context, o suite.Options, v verifiable,
	l *record.Loaded) (*record.Verification, error) {
	task, err := taskOf(l)
	if err != nil {
		return nil, err
	}
	if l.Result != nil {
		if err := cmp.Or(l.CheckResult(), l.CheckFiles()); err != nil {
			return nil, err
		}
	}
	s := &ppo.Settings{}
	d := json.NewDecoder(bytes.NewReader(l.Header.Config))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: configuration in its header: %w", l.Dir, err)
	}
	s.Seed = l.Header.Seed
	var here record.Header
	run, err := openPolicies(ctx, o, task, s, &here)
	if err != nil {
		return nil, err
	}
	defer run.close()
	if err := samePackages(here, l.Header, l.Dir); err != nil {
		return nil, err
	}
	n, err := run.Rescore(ctx, l)
	if err != nil {
		return nil, err
	}
	splits := 0
	if l.Result != nil && l.Result.Best != nil {
		e, err := run.Evaluator(l)
		if err != nil {
			return nil, err
		}
		if splits, _, err = e.CheckTests(ctx, l, 1); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(c.out, "%s: re-evaluate-exact: %d policies, the best one on %d test splits; "+
		"training is not repeated\n", v.name(), n, splits)
	return &record.Verification{Programs: n, Environment: run.Environment}, nil
}
