package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) explainCommand() *cli.Command {
	return command(cli.Command{
		Name:        "explain",
		Usage:       "measure which parts of a program carry its score",
		Description: "pacebench explain runs/tsp-construct/pace/offline/1",
		ArgsUsage:   "RUN|BUNDLE|FILE.py ...",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task",
				Usage: "task, or its file, whose function FILE.py defines"},
			&cli.StringFlag{Name: "split",
				Usage: "splits for the parts with the largest effects on training, joined by " +
					"commas; without it the validation split and the cheapest test split"},
			intFlag("top", 12, 0, explain.MaxParts, "parts that are measured on these splits"),
			intFlag("parts", 60, 1, explain.MaxParts, "parts that are measured on training"),
			&cli.BoolFlag{Name: "pairs",
				Usage: "also measure the interactions of the five largest parts"},
			&cli.BoolFlag{Name: "credit",
				Usage: "of PACE's runs: also measure the EAPs of the last population, and " +
					"compare them with their posteriors"},
			outFlag("out", "", "directory for explain.jsonl instead of the run's own; a FILE.py "+
				"keeps none without it"),
		}, machineFlags()),
	}, 1, -1, func(cc *cli.Context) error {
		o := suite.Explaining{
			Options: c.options(cc), Split: cc.String("split"), Top: cc.Int("top"),
			Most: cc.Int("parts"), Pairs: cc.Bool("pairs"), Credit: cc.Bool("credit"),
			Into: cc.String("out"),
		}
		tmp, err := os.MkdirTemp("", "pacebench-bundle-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		for i, arg := range cc.Args().Slice() {
			if i > 0 {
				fmt.Fprintln(c.out)
			}
			if strings.HasSuffix(arg, ".py") {
				err = c.explainFile(cc, o, arg)
			} else {
				err = c.explainRuns(cc, o, arg, tmp)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *console) explainFile(cc *cli.Context, o suite.Explaining, path string) error {
	if cc.String("task") == "" {
		return hint.Add(usagef("%s: a program, and no --task", path),
			"--task names the task whose function it defines")
	}
	task, err := o.LookupTask(cc.String("task"))
	if err != nil {
		return err
	}
	source, err := readProgram(path)
	if err != nil {
		return err
	}
	e, err := o.Program(cc.Context, task, filepath.Base(path), source)
	if err != nil {
		return err
	}
	printExplained(c.out, path, e)
	return nil
}

func (c *console) explainRuns(cc *cli.Context, o suite.Explaining, arg, tmp string) error {
	if task := cc.String("task"); task != "" {
		if err := o.Files.Load(task); err != nil {
			return err
		}
	}
	place, err := os.MkdirTemp(tmp, "")
	if err != nil {
		return err
	}
	all, err := c.verifiables(cc.Context, []string{arg}, place)
	if err != nil {
		return err
	}
	for i, v := range all {
		e, err := o.Run(cc.Context, v.Dir)
		if err != nil {
			return v.Rename(err)
		}
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		printExplained(c.out, cmp.Or(v.Shown, v.Dir), e)
	}
	return nil
}

// printExplained prints a program with a margin, and then its tables.
func printExplained(w io.Writer, name string, e *suite.Explanation) {
	digits := e.Task.Label.Digits + 1
	parts := e.Plan.Parts.Parts
	fmt.Fprintf(w, "%s: %s of %s on %s\n\n", name, counted(len(parts), "part"),
		counted(e.Statements, "statement"), e.Plan.Task)
	margins := e.Margin(e.Source, digits)
	wide := 0
	for _, m := range margins {
		wide = max(wide, len([]rune(m)))
	}
	for i, line := range strings.Split(strings.TrimRight(e.Source, "\n"), "\n") {
		fmt.Fprintf(w, "%*s │ %s\n", wide, margins[i], line)
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "–"
		}
		return fmt.Sprintf("%.*f", digits, x)
	}
	for _, split := range e.Splits {
		effects := e.Effects[split]
		if effects == nil {
			fmt.Fprintf(w, "\n%s: the program has no score there\n", split)
			continue
		}
		fmt.Fprintf(w, "\n%s, effects in the score (positive: the part helps)\n", split)
		fmt.Fprintf(w, "%4s  %-10s  %10s  %21s  %7s  %8s  %s\n",
			"line", "part", "effect", "95 % interval", "p(Holm)", "visible", "what")
		for i, x := range effects {
			p := parts[i]
			switch {
			case !math.IsNaN(x.Mean):
				fmt.Fprintf(w, "%4d  %-10s  %10s  %10s %10s  %7.4f  %8s  %s\n", p.Line, p.Kind,
					number(x.Mean), number(x.Low), number(x.High), x.Holm, number(x.Visible),
					p.Text)
			case split == e.Splits[0]:
				fmt.Fprintf(w, "%4d  %-10s  %10s  %21s  %7s  %8s  %s\n", p.Line, p.Kind,
					"needed", "", "", "", p.Text)
			}
		}
		for _, p := range e.Pairs {
			if p.Split == split {
				fmt.Fprintf(w, "%4d+%d  together %s beyond their sum, %s to %s, p(Holm) %.4f\n",
					parts[p.A].Line, parts[p.B].Line, number(p.Mean), number(p.Low),
					number(p.High), p.Holm)
			}
		}
	}
	dead, all := e.Dead()
	fmt.Fprintf(w, "\n%d of %s can be deleted without a change of any value\n", dead,
		counted(all, "statement"))
	if e.Left > 0 {
		fmt.Fprintf(w, "%s left out, the smallest; --parts raises the limit\n",
			counted(e.Left, "part"))
	}
	if share, ok := e.Largest(); ok {
		fmt.Fprintf(w, "the largest part carries %.0f %% of the gain over the template's program\n",
			100*share)
	}
	for _, k := range e.Credit {
		fmt.Fprintf(w, "EAP %d %s: posterior mean %.3f, effect %s in %s, needed to run in %d\n",
			k.EAP, k.Name, k.Posterior, number(k.Effect),
			counted(k.Programs, "program"), k.Needed)
	}
	if tau, n, ok := e.Tau(); ok {
		fmt.Fprintf(w, "credit against effect: Kendall's tau %.3f over %s\n", tau,
			counted(n, "EAP"))
	}
}
