package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) explainCommand() *cli.Command {
	return command(cli.Command{
		Name:        "explain",
		Usage:       "measure how much each part of a program contributes to its score",
		Description: "pacebench explain runs/tsp-construct/pace/offline/1",
		ArgsUsage:   "RUN|BUNDLE|FILE.py ...",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task",
				Usage: "task, or its file, whose function FILE.py defines; FILE.py may also be a " +
					"reference program of the task, such as printed.py of tsp-construct"},
			&cli.StringFlag{Name: "split",
				Usage: "further splits, separated by commas, for the parts with the largest " +
					"effects on training; default: the validation split and the cheapest test " +
					"split"},
			intFlag("top", 12, 0, explain.MaxParts,
				"most parts that are measured on the splits of --split"),
			intFlag("parts", 60, 1, explain.MaxParts, "most parts that are measured on training"),
			&cli.BoolFlag{Name: "pairs",
				Usage: "also measure the interactions of the five parts with the largest effects"},
			&cli.BoolFlag{Name: "credit",
				Usage: "for PACE's runs: also measure the EAPs of the last population, and " +
					"compare them with their posteriors"},
			outFlag("out", "", "directory for explain.jsonl, instead of the run's own; without "+
				"this flag, no file remains for FILE.py or a run of BUNDLE"),
		}, machineFlags()),
	}, 1, -1, func(cc *cli.Context) error {
		o := suite.Explaining{
			Options: c.options(cc), Split: cc.String("split"), Top: cc.Int("top"),
			Most: cc.Int("parts"), Pairs: cc.Bool("pairs"), Credit: cc.Bool("credit"),
			Into: cc.String("out"),
		}
		for i, arg := range cc.Args().Slice() {
			if i > 0 {
				fmt.Fprintln(c.out)
			}
			explain := c.explainRuns
			if strings.HasSuffix(arg, ".py") {
				explain = c.explainFile
			}
			if err := explain(cc, o, arg); err != nil {
				return err
			}
		}
		return nil
	})
}

// explainFile explains a program in a file, or a reference program of the task.
func (c *console) explainFile(cc *cli.Context, o suite.Explaining, path string) error {
	if cc.String("task") == "" {
		return hint.Add(usagef("%s: a program needs --task", path),
			"--task names the task whose function it defines")
	}
	task, err := o.LookupTask(cc.String("task"))
	if err != nil {
		return err
	}
	source, err := readProgram(path)
	if errors.Is(err, fs.ErrNotExist) {
		for _, r := range task.References {
			if path == r.Name+".py" {
				source, err = r.Source, nil
			}
		}
	}
	if err != nil {
		return err
	}
	e, err := o.Program(cc.Context, task, filepath.Base(path), source)
	if err != nil {
		return err
	}
	return c.printExplained(path, e)
}

func (c *console) explainRuns(cc *cli.Context, o suite.Explaining, arg string) error {
	if task := cc.String("task"); task != "" {
		if err := o.Files.Load(task); err != nil {
			return err
		}
	}
	return opened(cc.Context, []string{arg}, func(in *input) error {
		dirs, err := c.runsOf(in)
		if err != nil {
			return err
		}
		for i, dir := range dirs {
			e, err := o.Run(cc.Context, dir)
			if err != nil {
				return err
			}
			if i > 0 {
				fmt.Fprintln(c.out)
			}
			if err := c.printExplained(in.rename(dir), e); err != nil {
				return err
			}
		}
		return nil
	})
}

// printExplained prints a program with a margin, and then its tables.
func (c *console) printExplained(name string, e *suite.Explanation) error {
	w, digits := c.out, e.Task.Label.Digits+1
	fmt.Fprintf(w, "%s: %s of %s on %s\n\n", name, counted(len(e.Ways), "part"),
		counted(e.Statements, "statement"), e.Plan.Task)
	margin := suite.Map(e.Margin(e.Source), func(part int) string {
		if part < 0 {
			return ""
		}
		return e.Verdict(part, digits)
	})
	wide := 0
	for _, m := range margin {
		wide = max(wide, len(m))
	}
	for i, line := range strings.Split(strings.TrimRight(e.Source, "\n"), "\n") {
		fmt.Fprintf(w, "%*s │ %s\n", wide, margin[i], line)
	}
	for _, split := range e.Splits {
		fmt.Fprintln(w)
		if e.Effects[split] == nil {
			fmt.Fprintf(w, "%s: the program has no score on this split\n", split)
			continue
		}
		t := report.EffectsTable(e.Explained, split, digits)
		if err := render.Print(w, t, c.width(render.TextWidth)); err != nil {
			return err
		}
	}
	dead, all := e.Dead()
	fmt.Fprintf(w, "\n%d of %s can be deleted without a change of any value\n", dead,
		counted(all, "statement"))
	if e.Left > 0 {
		fmt.Fprintf(w, "%s left out (the smallest); --parts raises the limit\n",
			counted(e.Left, "part"))
	}
	switch _, share, ok := e.Significant(); {
	case ok && share > 1:
		fmt.Fprintln(w, "without the part with the largest effect, the program is worse than the "+
			"template's program")
	case ok:
		fmt.Fprintf(w, "without the part with the largest effect, the program loses %.0f %% of "+
			"its gain over the template's program\n", 100*share)
	}
	for _, k := range e.Credit {
		effect := "–"
		if k.Programs > 0 {
			effect = render.Fixed(k.Effect, digits)
		}
		fmt.Fprintf(w, "EAP %d %s: posterior mean %.3f, effect %s in %s, needed to run in %d "+
			"more\n", k.EAP, k.Name, k.Posterior, effect, counted(k.Programs, "program"), k.Needed)
	}
	if tau, n, ok := e.Tau(); ok {
		fmt.Fprintf(w, "credit against effect: Kendall's tau %.3f over %s\n", tau,
			counted(n, "EAP"))
	}
	return nil
}
