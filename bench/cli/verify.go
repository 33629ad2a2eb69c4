package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/status"
	"github.com/pacebench/pacebench/methods"
)

var errNotScored = errors.New("verify neither asks a model nor evaluates a program")

// refuser is a model and an evaluator that must not be needed.
type refuser struct{}

func (refuser) Name() string { return "none" }
func (refuser) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, errNotScored
}

func (refuser) Evaluate(context.Context, program.Program) (bench.Outcome, error) {
	return bench.Outcome{}, errNotScored
}

func (c *console) verifyCommand() *cli.Command {
	return command(cli.Command{
		Name:      "verify",
		Usage:     "replay a finished run from its journal; with --rescore evaluate its programs again",
		ArgsUsage: "RUN",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "rescore", Usage: "evaluate every program again and compare all values"},
		}, machineFlags()),
	}, 1, 1, func(cc *cli.Context) error {
		dir := cc.Args().First()
		l, err := bench.Load(dir)
		switch {
		case errors.Is(err, bench.ErrTorn):
			return bench.Hint(err, "the run's command, repeated, writes it anew")
		case bench.HintOf(err) != "":
			return err
		case errors.Is(err, fs.ErrNotExist):
			return bench.Hint(usageError{err}, hintRun)
		case err != nil:
			return err
		case !l.Journal && l.Header.Models[""] == "none":
			return bench.Hint(fmt.Errorf("%s: a baseline, without a journal to replay", dir),
				"the command that computed it, with another --out, computes it again; regress compares both")
		}
		if err := chooseLock(cc, l); err != nil {
			return err
		}
		if l.Header.Family == bench.Learned {
			return c.verifyPolicy(cc, l)
		}
		task, err := taskOf(l)
		if err != nil {
			return err
		}
		w, err := c.openBackend(cc.Context, cc, task)
		if err != nil {
			return err
		}
		err = c.verify(cc, w, task, l)
		if cerr := w.Close(); err == nil {
			err = cerr
		}
		return err
	})
}

// taskOf is the task of a run, which must be the one that scored it.
func taskOf(l *bench.Loaded) (*bench.Task, error) {
	task, err := lookupTask(l.Header.Task)
	if err != nil {
		return nil, err
	}
	if task.Version != l.Header.Version {
		return nil, fmt.Errorf("%s: scored by version %s of %s, this program has version %s", l.Dir, l.Header.Version, task.Name, task.Version)
	}
	for _, s := range task.Splits {
		if was := l.Header.Data[s.Name]; was != task.Digest(s.Name) {
			return nil, fmt.Errorf("%s: the header names other instances of %s than this program has", l.Dir, s.Name)
		}
	}
	return task, nil
}

func (c *console) verify(cc *cli.Context, w *backend, task *bench.Task, l *bench.Loaded) error {
	m, err := methods.New(l.Header.Method)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(l.Header.Config))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return fmt.Errorf("%s: configuration in its header: %w", l.Dir, err)
	}
	run := &bench.Run{
		Header: l.Header, Method: m, Problem: task.Problem, Model: refuser{}, Evaluator: refuser{}, Analyzer: w.place(task).analyzer,
	}
	r, err := run.Verify(cc.Context, l.Dir)
	if err != nil {
		return err
	}
	if l.Result != nil {
		if err := cmp.Or(l.CheckResult(), l.CheckFiles()); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "%s: replay-exact: %d steps, %d requests, %d evaluations\n", l.Dir, steps(l), r.Asked, r.Evaluations)
	if !cc.Bool("rescore") {
		return nil
	}
	here := bench.Header{}
	w.scoredHere(&here, task)
	if err := samePackages(here, l.Header, l.Dir); err != nil {
		return err
	}
	board := status.Open(c.screen, status.Config{Quiet: w.quiet})
	line := board.Add(status.Plan{Name: "evaluating again", Kind: task.Name, Budget: evaluations(l)})
	line.Begin()
	n, err := rescoreAll(cc.Context, w, task, l, func(n int) {
		line.Progress(bench.Progress{Evaluations: n, Budget: evaluations(l)})
	})
	splits := 0
	if err == nil && l.Result != nil {
		watched := line.Testing(task, slices.Sorted(maps.Keys(l.Result.Tests)))
		splits, err = l.CheckTests(cc.Context, w.evaluator(watched))
	}
	board.Close()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: re-evaluate-exact: %d programs", l.Dir, n)
	if splits > 0 {
		fmt.Fprintf(c.out, ", the best one on %d test splits", splits)
	}
	if l.Result != nil && l.Result.Rescored != nil {
		fmt.Fprintf(c.out, ", %d on fresh replicates", len(l.Result.Rescored.Programs))
	}
	fmt.Fprintln(c.out)
	return nil
}

// chooseLock makes the run's lock the default, and refuses another one.
func chooseLock(cc *cli.Context, l *bench.Loaded) error {
	was, now := l.Header.Lock, cc.String("lock")
	switch {
	case !slices.Contains(python.Locks(), was):
		return nil // made before there were locks, or with an interpreter of the user's choice
	case now == "" && cc.String("python") == "":
		return cc.Set("lock", was)
	case now != "" && now != was:
		return bench.Hint(usagef("--lock %s: %s was made with lock %s", now, l.Dir, was), "leave --lock out")
	}
	return nil
}

// samePackages says why programs that were scored with other packages cannot be scored again here.
func samePackages(now, was bench.Header, dir string) error {
	if now.NumPy != was.NumPy || now.SciPy != was.SciPy && was.Lock != "" {
		return bench.Hint(fmt.Errorf("%s: scored with %s, here is %s", dir, packages(was), packages(now)),
			"choose packages with --lock (current has NumPy 2) or --python")
	}
	if now.Machine != was.Machine {
		return bench.Hint(fmt.Errorf("%s: scored on %s, this is %s", dir, was.Machine, now.Machine),
			"simulations differ from one class of processors or C library to another: use such a machine")
	}
	for _, name := range slices.Sorted(maps.Keys(was.Packages)) {
		if v := now.Packages[name]; v != was.Packages[name] {
			return bench.Hint(fmt.Errorf("%s: scored with %s %s, here is %s", dir, name, was.Packages[name], cmp.Or(v, "none")),
				"use the version of pacebench that made the run, or an interpreter that has it with --python")
		}
	}
	return nil
}

// packages is "NumPy 1.26.4 and SciPy 1.16.3".
func packages(h bench.Header) string {
	if h.SciPy == "" {
		return "NumPy " + h.NumPy
	}
	return "NumPy " + h.NumPy + " and SciPy " + h.SciPy
}

func steps(l *bench.Loaded) (n int) {
	for _, r := range l.Records {
		if r.Step != nil {
			n++
		}
	}
	return n
}

func evaluations(l *bench.Loaded) (n int) {
	for _, r := range l.Records {
		if r.Step != nil {
			n += len(r.Step.Evaluations)
		}
	}
	return n
}

// rescoreAll evaluates every journalled program again, --jobs at a time, and compares values and
// kinds of fault.
func rescoreAll(ctx context.Context, w *backend, task *bench.Task, l *bench.Loaded, told func(done int)) (int, error) {
	type job struct {
		old  bench.EvaluationRecord
		step int
		now  chan error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := w.evaluator(task)
	jobs := make(chan job, 64) // bounds the goroutines; the pool bounds the processes
	go func() {
		defer close(jobs)
		for _, r := range l.Records {
			if r.Step == nil {
				continue
			}
			for _, ev := range r.Step.Evaluations {
				j := job{ev, r.Step.Number, make(chan error, 1)}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
				go func() { j.now <- compare(ctx, e, j.old) }()
			}
		}
	}()
	n := 0
	var first error
	for j := range jobs { // in order; all are awaited
		if err := <-j.now; err != nil && first == nil {
			first = fmt.Errorf("%s: step %d: %w", l.Dir, j.step, err)
			cancel()
		}
		n++
		told(n)
	}
	return n, first
}

func compare(ctx context.Context, e bench.Evaluator, old bench.EvaluationRecord) error {
	now, err := e.Evaluate(ctx, program.Program{Source: old.Source})
	if err != nil {
		return err
	}
	if (old.Fault == nil) != (now.Fault == nil) || old.Fault != nil && old.Fault.Kind != now.Fault.Kind {
		return fmt.Errorf("evaluation %d: the journal says %v, now it is %v", old.Evaluation, old.Fault, now.Fault)
	}
	if old.Score != now.Score || !slices.Equal(old.Values, now.Values) {
		return fmt.Errorf("evaluation %d: score %v in the journal, %v now", old.Evaluation, old.Score, now.Score)
	}
	return nil
}
