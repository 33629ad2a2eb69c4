package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/suite/status"
)

// scored is the output of score --json for one split.
type scored struct {
	Task   string                 `json:"task"`
	Split  string                 `json:"split"`
	Score  *float64               `json:"score"` // larger is better; null with a fault
	Mean   *float64               `json:"mean"`  // of values, in the task's unit; null with a fault
	Values []float64              `json:"values"`
	Fault  *record.Fault          `json:"fault"`
	Failed []record.InstanceFault `json:"failed,omitempty"` // instances on which the program failed
}

// maxProgram bounds a program file; the same bound applies to a model's replies.
const maxProgram = 256 << 10

func (c *console) scoreCommand() *cli.Command {
	sets := &settings{}
	return command(cli.Command{
		Name:        "score",
		Usage:       "score a program as the evaluator does",
		Description: "pacebench score best.py --task tsp-construct --split test50",
		ArgsUsage:   "FILE.py",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task",
				Usage: "task, or its file, whose function the program defines"},
			&cli.StringFlag{Name: "split", Value: "train", Usage: "splits, separated by commas"},
			&cli.GenericFlag{Name: "set", Value: sets, Usage: "a setting of the task as " +
				"name=value (pacebench list tasks shows the settings); may be repeated"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object for each split"},
			timeScaleFlag("factor on all time limits, from 1 to 100"),
		}, machineFlags()),
	}, 1, 1, func(cc *cli.Context) error {
		task, err := c.options(cc).LookupTask(cc.String("task"))
		if err != nil {
			return err
		}
		task, rest, err := suite.SetTask(task, sets.list)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usagef("--set %s: score accepts only the settings of a task: renderer, "+
				"idle-cost and texts", rest[0])
		}
		splits := strings.Split(cc.String("split"), ",")
		for i, s := range splits {
			if slices.Contains(splits[:i], s) {
				return usagef("--split %s: %s appears twice", cc.String("split"), s)
			}
			if _, ok := task.Split(s); !ok {
				return hint.Add(
					usagef("--split %s: %s has no split %q", cc.String("split"), task.Name, s),
					oneOf("splits", s, suite.SplitNames(task)))
			}
		}
		path := cc.Args().First()
		source, err := readProgram(path)
		if err != nil {
			return hint.Add(err,
				"FILE.py is a program, such as best.py in the directory of a run")
		}
		o, p := c.options(cc), program.Program{Source: source}
		return suite.WithBackend(cc.Context, o, func(w *suite.Backend) error {
			line, end := o.Line(
				status.Plan{Name: filepath.Base(path), Kind: task.Name, Tests: true})
			evaluator := w.Evaluator(line.Testing(task, splits), o.TimeScale, line.Candidate)
			outcomes := make([]*record.SplitOutcome, len(splits))
			g, ctx := errgroup.WithContext(cc.Context)
			for i, split := range splits { // concurrently: the workers bound the running programs
				g.Go(func() (err error) {
					outcomes[i], err = evaluator.Test(ctx, split, p)
					return err
				})
			}
			err := g.Wait()
			end()
			if err == nil {
				err = c.printScores(task, path, splits, outcomes, cc.Bool("json"))
			}
			return err
		}, task)
	})
}

// printScores prints the score on each split, as text or as JSON.
func (c *console) printScores(task *bench.Task, path string, splits []string,
	outcomes []*record.SplitOutcome, asJSON bool) error {
	var faults, lost []string // lost: the program failed in every episode
	for i, split := range splits {
		o := outcomes[i]
		r := scored{Task: task.Name, Split: split, Values: o.Values, Fault: o.Fault,
			Failed: o.Failed}
		if o.Fault == nil {
			score := task.Goal.Score(o.Mean)
			r.Score, r.Mean = &score, &o.Mean
			if n := len(o.Failed); n > 0 && n == len(o.Values) {
				lost = append(lost, split)
			}
		} else {
			faults = append(faults, fmt.Sprintf("%s: %s", split, o.Fault))
		}
		switch {
		case asJSON:
			if err := json.NewEncoder(c.out).Encode(r); err != nil {
				return err
			}
		case o.Fault != nil:
			fmt.Fprintf(c.out, "%s %s: no score: %s\n", task.Name, split, o.Fault)
		default:
			fmt.Fprintf(c.out, "%s %s: %.9f (mean of %d; %s)\n",
				task.Name, split, *r.Mean, len(o.Values), task.Goal)
			if partly := o.Partly(); partly != "" {
				fmt.Fprintf(c.out, "%s %s: %s\n", task.Name, split, partly)
			}
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s has no score on %s", path, strings.Join(faults, "; "))
	}
	if len(lost) > 0 {
		return fmt.Errorf("%s failed in every episode of %s", path, strings.Join(lost, ", "))
	}
	return nil
}
