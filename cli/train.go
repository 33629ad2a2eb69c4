package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks/baselines/ppo"
)

func trainable() []string { return []string{ppo.Name} }

func (c *console) trainCommand() *cli.Command {
	sets := &settings{}
	return command(cli.Command{
		Name:        "train",
		Usage:       "train a policy to compare programs with, or continue its training: ppo",
		Description: "pacebench train ppo --task bipedal-walker",
		ArgsUsage:   "POLICY",

		BashComplete: completeNames(trainable),
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "control task"},
			decimalUint{&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of training"}},
			&cli.GenericFlag{Name: "set", Value: sets,
				Usage: "a setting of training as name=value; may be repeated"},
			outFlag("out", runsDir, "directory of all runs"),
			&cli.StringFlag{Name: "test", Value: "all", Usage: "test splits for the best policy: " +
				"all, none, or names separated by commas"},
		}, policyFlags()),
	}, 1, 1, func(cc *cli.Context) error {
		if name := cc.Args().First(); name != ppo.Name {
			return hint.Add(usagef("no policy %q to train", name),
				oneOf("policies", name, trainable()))
		}
		if cc.String("task") == "" {
			return hint.Add(usagef("--task is missing"), "tasks: racing-car, bipedal-walker")
		}
		task, err := c.options(cc).LookupTask(cc.String("task"))
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
		p := &suite.Planned{Task: task, Header: h}
		if err := p.SetTests(cc.String("test")); err != nil {
			return err
		}
		return c.train(cc.Context, c.options(cc), p, s)
	})
}

// policyFlags returns the machineFlags that concern policies, which are trusted code.
func policyFlags() []cli.Flag {
	concerned := []string{"jobs", "env", "python", "quiet"}
	return slices.DeleteFunc(machineFlags(), func(f cli.Flag) bool {
		return !slices.Contains(concerned, f.Names()[0])
	})
}

func (c *console) train(
	ctx context.Context, o suite.Options, p *suite.Planned, s *ppo.Settings) error {
	run, err := suite.OpenPolicies(ctx, o, p.Task, s, &p.Header)
	if err != nil {
		return err
	}
	defer run.Close()
	board := o.Board(0)
	line := board.Add(p.Plan())
	dir := suite.RunDir(o.Out, p.Header)
	if err := suite.Inside(o.Out, dir); err != nil {
		return err
	}
	line.Begin()
	run.Header, run.Tests, run.Progress, run.Say = p.Header, p.Tests, line.Progress, line.Say
	result, err := run.Execute(ctx, dir)
	line.End(err)
	board.Close()
	if errors.Is(err, ppo.ErrRefused) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	printRun(c.out, suite.Finished{Planned: p, Dir: dir, Result: result})
	return nil
}
