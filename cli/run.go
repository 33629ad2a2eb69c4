package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) runCommand() *cli.Command {
	sets := &settings{}
	return command(cli.Command{
		Name:        "run",
		Usage:       "run one method on one task, or continue the run, and test the best program",
		Description: "pacebench run --task tsp-construct --method pace --evals 200",
		ArgsUsage:   " ",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "task, or a Python file, which is trusted " +
				"code: ./my_task.py"},
			&cli.StringFlag{Name: "method", Usage: "method, or a baseline of the " +
				"task, or a Python file, which is trusted code: ./my_method.py"},
			seedsFlag("1", "seed"), evalsFlag(1000), eventsFlag(),
			&cli.GenericFlag{Name: "set", Value: sets,
				Usage: "a setting of the method or of the task as name=value (pacebench list " +
					"shows the settings); may be repeated"},
		}, runFlags(), modelFlags(), methodFlags()),
	}, 0, 0, func(cc *cli.Context) error {
		o := c.options(cc)
		o.Retry = true
		var err error
		if o.Events, err = suite.OpenEvents(cc.Int("events")); err != nil {
			return err
		}
		runs, err := suite.One(o, cc.String("task"), cc.String("method"), sets.list)
		if err != nil {
			return err
		}
		var done []suite.Finished
		err = suite.WithBackend(cc.Context, o, func(w *suite.Backend) (err error) {
			done, err = w.RunAll(cc.Context, o, runs)
			return err
		}, runs[0].Task)
		for _, f := range done {
			printRun(c.out, f)
		}
		if err != nil {
			return err
		}
		return unscored(done)
	})
}

// unscored returns an error if a search of the command found no program with a score.
func unscored(done []suite.Finished) error {
	var names []string
	for _, f := range done {
		if f.Baseline == nil && f.Result.Best == nil {
			names = append(names, f.Name())
		}
	}
	if names == nil {
		return nil
	}
	return hint.Add(fmt.Errorf("no program has a score: %s", strings.Join(names, ", ")),
		"journal.jsonl in the run's directory holds every reply and every fault")
}

func printTests(w io.Writer, tests map[string]*record.SplitOutcome) {
	for _, s := range slices.SortedFunc(maps.Keys(tests), results.NaturalOrder) {
		if t := tests[s]; t.Fault != nil {
			fmt.Fprintf(w, "  %-9s failed: %s\n", s, t.Fault)
		} else {
			fmt.Fprintf(w, "  %-9s %.9f\n", s, t.Mean)
			if partly := t.Partly(); partly != "" {
				fmt.Fprintf(w, "  %-9s %s\n", "", partly)
			}
		}
	}
}

func printRun(w io.Writer, f suite.Finished) {
	r := f.Result
	if f.Baseline != nil {
		fmt.Fprintf(w, "%s: a baseline, without a search", f.Name())
	} else if t := r.Training; t != nil {
		fmt.Fprintf(w, "%s: %d %s, %d steps", f.Name(), r.Evaluations, r.Unit, t.Steps)
	} else {
		fmt.Fprintf(w, "%s: %s, %s", f.Name(),
			counted(r.Evaluations, "evaluation"), counted(r.Asked, "request"))
	}
	tokens, estimated, usd, priced := 0, false, 0.0, len(r.Usage) > 0
	for _, p := range slices.Sorted(maps.Keys(r.Usage)) {
		t := r.Usage[p]
		tokens += t.Usage.Total()
		estimated = estimated || t.Usage.Estimated
		if t.Cost == nil {
			priced = false
			continue
		}
		usd += *t.Cost
	}
	if tokens > 0 {
		fmt.Fprintf(w, ", %d tokens", tokens)
		if estimated {
			fmt.Fprint(w, " (estimated)")
		}
	}
	if priced {
		fmt.Fprintf(w, ", %.4f USD", usd)
	}
	fmt.Fprintln(w)
	if r.Models[""] == "offline" {
		fmt.Fprintln(w, "  model     offline (a program synthesiser, not an LLM)")
	}
	if n := r.SharedRequests(); n > 0 {
		fmt.Fprintf(w, "  shared    %s, %d tokens: made and paid for once, in %s\n",
			counted(n, "request"), r.SharedTokens(), f.Base.Name())
	}
	if r.Unsafe {
		fmt.Fprintln(w, "  sandbox   UNSAFE: mechanisms were missing")
	}
	if r.Best != nil {
		at := ""
		if r.Training != nil {
			at = fmt.Sprintf(" (after %d %s)", r.Best.Evaluation, r.Unit)
		} else if r.Best.Evaluation > 0 {
			at = fmt.Sprintf(" (evaluation %d)", r.Best.Evaluation)
		}
		fmt.Fprintf(w, "  train     %.9f%s\n", r.Best.Value, at)
	} else if f.Baseline == nil {
		fmt.Fprintln(w, "  train     no program has a score")
	}
	if r.Best != nil {
		if p := r.Rescored.Program(r.Best.Evaluation); p != nil {
			fmt.Fprintf(w, "  train     %.6f re-evaluated on %d fresh replicates; "+
				"one evaluation has sd %.4f\n",
				p.Fresh, r.Rescored.Replicates, r.Rescored.Noise)
		}
	}
	printTests(w, r.Tests)
	if v := r.Validation; v != nil {
		fmt.Fprintf(w, "  %-9s %s scored\n", record.Val, counted(len(v.Programs), "program"))
		if c := r.ChosenByValidation(); c != nil {
			fmt.Fprintf(w, "  %-9s %.9f (evaluation %d, chosen by training and validation: %.9f)\n",
				record.Val, c.Val.Mean, c.Evaluation, c.Both)
		}
		printTests(w, v.Tests)
	}
	if n := faultCounts(r.Faults); n != "" {
		fmt.Fprintf(w, "  faults    %s\n", n)
	}
	// If the run cannot be read again, its result is still printed.
	unused := ""
	if s, err := suite.ReadResults(f.Dir); err == nil && len(s.Runs) == 1 {
		unused = s.Runs[0].Unused
		if refused := s.Runs[0].Refused; refused.Total() > 0 {
			fmt.Fprintf(w, "  replies   %s\n", refused)
			if 2*refused.Total() >= refused.Of {
				fmt.Fprintf(w, "  %-9s %s\n", "", refused.Cure())
			}
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "  note      %s\n", warning)
	}
	if unused != "" {
		fmt.Fprintf(w, "  note      %s\n", unused)
	}
	fmt.Fprintf(w, "  in        %s\n", f.Dir)
}
