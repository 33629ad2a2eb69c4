package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
)

func suiteFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		seedsFlag("1,2,3"), evalsFlag(1000), runsFlag(), pairedFlag(),
		&cli.BoolFlag{Name: "retry", Usage: "retry runs that failed before"},
	}, shareFlags(), runFlags(), modelFlags(), methodFlags())
}

func (c *console) suiteCommand() *cli.Command {
	sbatch := &settings{}
	return command(cli.Command{
		Name:        "suite",
		Usage:       "make many runs: a table of the paper, or your own TOML file",
		Description: "pacebench suite tsp-construct --seeds 1-3",
		ArgsUsage:   "NAME|FILE",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "show the runs and what they would cost; " +
				"make no request and no run"},
			&cli.BoolFlag{Name: "list", Usage: "print the names of the runs, one per line, " +
				"for a scheduler; do nothing else"},
			&cli.BoolFlag{Name: "until-separated", Usage: "add seeds until the rule in " +
				"[separate] of the file has decided on its pairs"},
			&cli.StringFlag{Name: "power", Usage: "estimate from finished runs how many " +
				"seeds would separate two rows: pace,eoh"},
			&cli.BoolFlag{Name: "about", Hidden: true,
				Usage: "show the runs of the suite, as suite NAME --help does"},
			eventsFlag(),
		}, suiteFlags(), slurmFlags(sbatch)),
		BashComplete: completeNames(suite.Names),
	}, 1, 1, func(cc *cli.Context) error {
		o := c.options(cc)
		s, err := suite.Find(cc.Args().First())
		switch {
		case err != nil:
			return err
		case cc.Bool("about"):
			c.aboutSuite(o, s)
			return nil
		case cc.Bool("list"):
			runs, _, err := suite.PlannedRuns(o, s) // needs no keys, and Python only for files
			for _, p := range runs {
				fmt.Fprintln(c.out, p.Path())
			}
			return err
		case cc.Bool("dry-run"):
			return c.dryRun(cc.Context, o, s)
		case cc.IsSet("power"):
			return c.power(o, s, cc.String("power"))
		case cc.Bool("until-separated"):
			return c.untilSeparated(cc, o, s)
		case cc.Bool("slurm"):
			return c.slurm(cc, o, s, sbatch.list)
		}
		if o.Events, err = suite.OpenEvents(cc.Int("events")); err != nil {
			return err
		}
		done, err := runSuite(cc.Context, o, s)
		for _, f := range done {
			printRun(c.out, f)
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

// untilSeparated adds seeds by the rule of a suite, and prints the last look at each pair.
func (c *console) untilSeparated(cc *cli.Context, o suite.Options, s *suite.Suite) error {
	all, err := s.UntilSeparated(cc.Context, o)
	if err != nil {
		return err
	}
	t := report.SeparateTable(labels(o.Files), all)
	return render.Print(c.out, t, c.width(render.TextWidth))
}

// power prints the number of seeds that would separate two rows of a suite.
func (c *console) power(o suite.Options, s *suite.Suite, against string) error {
	rows := strings.Split(against, ",")
	if len(rows) != 2 {
		return hint.Add(usagef("--power %s: want two rows", against), "--power pace,eoh")
	}
	planned, err := s.Plan(o)
	if err != nil {
		return err
	}
	store, err := c.read(&input{dirs: []string{o.Out}}, false)
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, p := range planned {
		own[filepath.ToSlash(suite.RunDir(o.Out, p.Header))] = true
	}
	store.Runs = slices.DeleteFunc(store.Runs, func(r *results.Run) bool {
		return !own[filepath.ToSlash(r.Dir)]
	})
	lines := report.Power(store, labels(o.Files), rows[0], rows[1])
	if len(lines) == 0 {
		return hint.Add(fmt.Errorf("%s: no task has finished runs of %s and of %s", o.Out,
			rows[0], rows[1]), "run the same suite without --power first")
	}
	for _, line := range lines {
		fmt.Fprintln(c.out, line)
	}
	return nil
}

// tellAbsent names the baselines and trained policies that will be missing in the tables of these
// runs.
func tellAbsent(o suite.Options, done []suite.Finished) {
	for _, l := range labels(nil).Methods {
		if l.Absent == "" {
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(l.Tasks), func(task string) bool {
			runs := suite.Below(filepath.Join(o.Out, task, l.Name), "*")
			wanted := slices.ContainsFunc(done, func(f suite.Finished) bool {
				return f.Task.Name == task
			})
			return !wanted || len(runs) > 0
		})
		if len(missing) > 0 {
			fmt.Fprintf(o.Notes, "pacebench: %s on %s: %s\n",
				l.Title, strings.Join(missing, ", "), l.Absent)
		}
	}
}

func (c *console) aboutSuite(o suite.Options, s *suite.Suite) {
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	for _, g := range s.Group {
		var variants, models []string
		for _, set := range g.Sets() {
			variants = append(variants, cmp.Or(strings.Join(set, " "), "-"))
		}
		for _, p := range s.Pairs(g, o) {
			if p.Eap != "" {
				p.Model += " (EAPs: " + p.Eap + ")"
			}
			models = append(models, p.Model)
		}
		if s.Models == nil && g.Models == nil && g.Model == "" && !o.Given["model"] {
			models = []string{"--model"}
		}
		fmt.Fprintf(c.out, "\n%s\n", strings.Join(g.Tasks, ", "))
		methods := render.Wrap(strings.Join(g.Methods, ", "), render.TextWidth, "            ")
		fmt.Fprint(c.out, "  methods   "+strings.TrimLeft(methods, " "))
		if !slices.Equal(variants, []string{"-"}) {
			fmt.Fprintln(c.out, "  variants  "+strings.Join(variants, "\n            "))
		}
		fmt.Fprintln(c.out, "  models    "+strings.Join(models, "\n            "))
	}
	fmt.Fprintln(c.out, "\nEvery method in every variant runs on every task above it "+
		"with every model, once for each seed.\n"+
		"--dry-run shows what that costs; pacebench suite --help lists the flags.")
}

// runSuite makes the runs of a suite with the command's flags.
func runSuite(ctx context.Context, o suite.Options, s *suite.Suite) (
	done []suite.Finished, err error) {
	all, err := s.Plan(o)
	if err != nil {
		return nil, err
	}
	runs, err := suite.Chosen(o, all)
	if err == nil && len(runs) == 0 {
		fmt.Fprintln(o.Notes, "pacebench: --shard selects none of the runs")
	}
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	o.Patient = true
	err = suite.WithBackend(ctx, o, func(w *suite.Backend) (err error) {
		suite.WritePlan(o.Out, s, all)
		done, err = w.RunAll(ctx, o, runs)
		return err
	}, suite.TasksOf(runs)...)
	return done, err
}
