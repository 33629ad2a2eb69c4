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
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/baselines"
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/status"
	"github.com/pacebench/pacebench/bench/suite"
	"github.com/pacebench/pacebench/methods"
)

var errNotScored = errors.New("verify neither asks a model nor evaluates a program")

// refuser is a model and an evaluator that must not be needed.
type refuser struct{}

func (refuser) Name() string { return "none" }
func (refuser) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, errNotScored
}

func (refuser) Evaluate(context.Context, program.Program) (record.Outcome, error) {
	return record.Outcome{}, errNotScored
}

func (c *console) verifyCommand() *cli.Command {
	return command(cli.Command{
		Name: "verify",
		Usage: "replay finished runs from their journals; with --rescore evaluate their " +
			"programs, tests and re-evaluations again",
		ArgsUsage: "RUN|DIR|BUNDLE ...",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "rescore",
				Usage: "evaluate every program again and compare all values"},
			timeScaleFlag("with --rescore: factor on the limits of time of programs that met " +
				"none in the run, from 1 to 100"),
			&cli.BoolFlag{Name: "no-record",
				Usage: "do not write verified.json beside a run that --rescore verified"},
			deepacoFlag(),
		}, machineFlags()),
	}, 1, -1, func(cc *cli.Context) error {
		unpacked, err := os.MkdirTemp("", "pacebench-bundle-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(unpacked)
		var all []verifiable
		for i, arg := range cc.Args().Slice() {
			place := filepath.Join(unpacked, strconv.Itoa(i))
			found, warnings, err := verifiables(cc.Context, arg, place)
			if err != nil {
				return err
			}
			for _, w := range warnings {
				fmt.Fprintln(c.err, "pacebench: warning:", w)
			}
			all = append(all, found...)
		}
		all = distinct(all)
		check := verifying{
			Options: c.options(cc), rescore: cc.Bool("rescore"), record: !cc.Bool("no-record"),
		}
		if len(all) == 1 {
			return c.verifyRun(cc.Context, check, all[0])
		}
		failed, left, unseen := 0, 0, 0
		for _, v := range all {
			err := c.verifyRun(cc.Context, check, v)
			switch {
			case cc.Context.Err() != nil:
				return cc.Context.Err()
			case errors.Is(err, errNoReplay):
				fmt.Fprintln(c.out, err)
				left++
			case errors.Is(err, errUnseen):
				printError(c.err, err)
				unseen++
			case err != nil:
				printError(c.err, err)
				failed++
			}
		}
		fmt.Fprintf(c.out, "%d of %s verified\n",
			len(all)-failed-left-unseen, counted(len(all), "run"))
		if unseen > 0 {
			fmt.Fprintf(c.out, "%s undecided, for limits of time alone\n", counted(unseen, "run"))
		}
		if left == len(all) {
			return hint.Add(errors.New("nothing to replay: all are baselines"),
				"--rescore computes them again")
		}
		if failed+unseen > 0 {
			return fmt.Errorf("%s not verified", counted(failed+unseen, "run"))
		}
		return nil
	})
}

// errUnseen means that programs meet limits of time here, and did not in the run: nothing
// contradicts it, and it is not verified.
var errUnseen = errors.New("undecided")

// errNoReplay means that a row has no journal; only --rescore can verify it.
var errNoReplay = errors.New("a baseline, without a journal to replay")

// A verifying is what the command says of each run.
type verifying struct {
	suite.Options
	rescore bool
	record  bool // write verified.json
}

// A verifiable is a run on its way through verify.
type verifiable struct {
	dir   string
	shown string // in place of dir, for a run that was unpacked from a bundle; empty: dir itself
}

// verifiables are the runs that an argument names: a run, a directory of runs, or a bundle, which
// is unpacked into the new directory tmp.
func verifiables(ctx context.Context, arg, tmp string) (
	out []verifiable, warnings []results.Warning, err error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, nil, hint.Add(usage(err), hintVerify)
	}
	var dirs []string
	if info.IsDir() {
		if dirs, warnings, err = results.Cells(arg); err == nil && len(dirs) == 0 {
			err = hint.Add(usagef("%s: no run found here", arg), hintVerify)
		}
	} else {
		if err := os.Mkdir(tmp, 0o700); err != nil {
			return nil, nil, err
		}
		dirs, err = openBundle(ctx, arg, tmp)
		err = hint.Add(err,
			"BUNDLE is a file that pacebench bundle wrote; a run is named by its directory")
	}
	for _, dir := range dirs {
		v := verifiable{dir: dir}
		if !info.IsDir() {
			rel, _ := filepath.Rel(tmp, dir)
			v.shown = arg + ":" + filepath.ToSlash(rel)
		}
		out = append(out, v)
	}
	return out, warnings, err
}

// distinct drops runs that were named twice.
func distinct(all []verifiable) []verifiable {
	var dirs []string
	for _, v := range all {
		dirs = append(dirs, v.dir)
	}
	dirs = results.Distinct(dirs)
	return slices.DeleteFunc(all, func(v verifiable) bool {
		if len(dirs) > 0 && dirs[0] == v.dir {
			dirs = dirs[1:]
			return false
		}
		return true
	})
}

const hintVerify = "RUN is a directory with a journal.jsonl, " +
	"results/<task>/<method>/<model>/<seed>; DIR one of several runs"

// name is how messages call the run.
func (v verifiable) name() string { return cmp.Or(v.shown, v.dir) }

// beside is how messages call another run of the same tree.
func (v verifiable) beside(dir string) string {
	if rel, err := filepath.Rel(v.dir, dir); err == nil && v.shown != "" {
		return path.Join(v.shown, filepath.ToSlash(rel))
	}
	return dir
}

// rename puts the run's name in the place of its directory.
func (v verifiable) rename(err error) error {
	if err == nil || v.shown == "" {
		return err
	}
	return hint.Add(&renamed{err, v}, hint.Of(err))
}

type renamed struct {
	error
	v verifiable
}

func (r *renamed) Error() string { return strings.ReplaceAll(r.error.Error(), r.v.dir, r.v.shown) }
func (r *renamed) Unwrap() error { return r.error }

// verifyRun verifies one run and records it beside the run.
func (c *console) verifyRun(ctx context.Context, o verifying, v verifiable) error {
	l, err := record.Load(v.dir)
	switch {
	case errors.Is(err, record.ErrTorn):
		err = hint.Add(err, "the run's command, repeated, writes it anew")
	case err != nil && hint.Of(err) == "" && errors.Is(err, fs.ErrNotExist):
		err = hint.Add(usage(err), hintVerify)
	}
	if err != nil {
		return v.rename(err)
	}
	before, err := l.Fingerprint()
	if err != nil {
		return v.rename(err)
	}
	seen, err := c.verifyLoaded(ctx, o, v, l)
	if err != nil || seen == nil || v.shown != "" || l.Result == nil || !o.record {
		return v.rename(err)
	}
	after, err := l.Fingerprint()
	if err != nil {
		return err
	}
	if !maps.Equal(before, after) {
		return fmt.Errorf("%s: its files changed while they were verified", v.dir)
	}
	seen.Files, seen.Splits = after, slices.Sorted(maps.Keys(l.Result.Tests))
	if err := l.WriteVerified(*seen); err != nil {
		fmt.Fprintf(c.err, "pacebench: warning: %s: verified, and it cannot be recorded: %v\n",
			v.dir, err)
	}
	return nil
}

// verifyLoaded returns what is to be recorded, or nil where the run was replayed only.
func (c *console) verifyLoaded(ctx context.Context, o verifying, v verifiable, l *record.Loaded) (
	_ *record.Verification, err error) {
	baseline := !l.Journal && suite.IsRow(l.Header)
	if !l.Journal && !baseline {
		return nil, l.CheckResult() // a search without its journal
	}
	if baseline && !o.rescore {
		return nil, hint.Add(fmt.Errorf("%s: %w", v.name(), errNoReplay),
			"--rescore computes it again")
	}
	if baseline {
		return c.verifyRow(ctx, o.Options, v, l)
	}
	if o.Options, err = chooseLock(o.Options, l); err != nil {
		return nil, err
	}
	if l.Header.Family == record.Learned {
		return c.verifyPolicy(ctx, o.Options, v, l)
	}
	task, err := taskOf(l)
	if err != nil {
		return nil, err
	}
	w, err := suite.OpenBackend(ctx, o.Options, task)
	if err != nil {
		return nil, err
	}
	seen, err := c.verify(ctx, o, w, task, v, l)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return seen, err
}

// verifyRow computes a baseline's row again.
func (c *console) verifyRow(ctx context.Context, o suite.Options, v verifiable, l *record.Loaded) (
	_ *record.Verification, err error) {
	task, err := taskOf(l)
	if err != nil {
		return nil, err
	}
	row, ok := baselines.Lookup(task.Name, l.Header.Method, o.DeepACO)
	if !ok {
		return nil, fmt.Errorf("%s: %s has no baseline %q", l.Dir, task.Name, l.Header.Method)
	}
	w, seen := &suite.Backend{}, &record.Verification{Environment: suite.Machine(o)}
	if row.Program != "" {
		if o, err = chooseLock(o, l); err != nil {
			return nil, err
		}
		if w, err = suite.OpenBackend(ctx, o, task); err != nil {
			return nil, err
		}
		defer func() { err = cmp.Or(err, w.Close()) }()
		seen.Environment = w.Place(task).Environment(nil)
	}
	cl := &suite.Cell{Task: task, Row: &row, Header: l.Header}
	board := status.Open(c.screen, status.Config{Quiet: o.Quiet})
	line := board.Add(status.Plan{Name: "computing again", Kind: task.Name})
	line.Begin()
	now, err := w.ComputeRow(ctx, cl, nil, slices.Sorted(maps.Keys(l.Result.Tests)), line)
	board.Close()
	if err != nil {
		return nil, err
	}
	if d := record.Difference(l.Result, now); d != "" {
		return nil, fmt.Errorf("%s: result.json %s", l.Dir, d)
	}
	fmt.Fprintf(c.out, "%s: re-evaluate-exact: training and %s computed again\n",
		v.name(), counted(len(now.Tests), "test split"))
	return seen, nil
}

const hintMaker = "use the version of pacebench that made the run, or restore it from a copy"

// taskOf is the task of a run, which must be the one that scored it.
func taskOf(l *record.Loaded) (*bench.Task, error) {
	task, err := suite.LookupTask(l.Header.Task)
	if err != nil { // not the command's fault
		return nil, hint.Add(fmt.Errorf("%s: its header names task %q, which this program lacks",
			l.Dir, l.Header.Task), hintMaker)
	}
	if task.Version != l.Header.Version {
		return nil, fmt.Errorf("%s: scored by version %s of %s, this program has version %s",
			l.Dir, l.Header.Version, task.Name, task.Version)
	}
	for _, s := range task.Splits {
		if was := l.Header.Data[s.Name]; was != task.Digest(s.Name) {
			return nil, fmt.Errorf(
				"%s: the header names other instances of %s than this program has", l.Dir, s.Name)
		}
	}
	return task, nil
}

// located puts the directory of a run before an error that does not name it. What is wrong in a
// file is no wrong command.
func located(dir string, err error) error {
	advice := cmp.Or(hint.Of(err), "restore the run from a copy, or make it anew")
	if errors.Is(err, bench.ErrIncomplete) {
		advice = "where the run was only stopped, its command, repeated, finishes it; " +
			"else restore it from a copy"
	}
	if errors.Is(err, bench.ErrConfig) {
		err = errors.New(err.Error())
	}
	if !strings.Contains(err.Error(), dir) {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return hint.Add(err, advice)
}

// checkScores holds each score in a journal against the values that it is the mean of.
func checkScores(task *bench.Task, l *record.Loaded) error {
	for _, s := range l.Programs() {
		mean := record.Mean(s.Outcome.Values)
		if task.Goal == bench.Minimize {
			mean = -mean
		}
		if s.Outcome.Score != mean || len(s.Outcome.Values) != task.Splits[0].Instances {
			return hint.Add(
				fmt.Errorf("%s: evaluation %d has score %v, and %d values that make it %v",
					l.Dir, s.Evaluation, s.Outcome.Score, len(s.Outcome.Values), mean),
				"restore the run from a copy")
		}
	}
	return nil
}

// checkSplits holds the tests in result.json against the splits of the task.
func checkSplits(task *bench.Task, l *record.Loaded) error {
	if l.Result == nil {
		return nil
	}
	wrong := func(format string, args ...any) error {
		return hint.Add(fmt.Errorf("%s: result.json: %s", l.Dir, fmt.Sprintf(format, args...)),
			"restore the run from a copy")
	}
	for _, name := range slices.Sorted(maps.Keys(l.Result.Tests)) {
		i := slices.IndexFunc(task.Splits[1:], func(s bench.Split) bool { return s.Name == name })
		o := l.Result.Tests[name]
		switch {
		case i < 0:
			return wrong("%s has no test split %q", task.Name, name)
		case o.Fault == nil && len(o.Values) != task.Splits[i+1].Instances:
			return wrong("%s on %s has %s instead of %d", name, task.Name,
				counted(len(o.Values), "value"), task.Splits[i+1].Instances)
		}
	}
	return nil
}

// verify replays a search, and with --rescore evaluates again all that it evaluated.
func (c *console) verify(ctx context.Context, o verifying, w *suite.Backend, task *bench.Task,
	v verifiable, l *record.Loaded) (*record.Verification, error) {
	m, err := methods.New(l.Header.Method)
	if err != nil {
		return nil, hint.Add(
			fmt.Errorf("%s: its header names method %q, which this program lacks",
				l.Dir, l.Header.Method), hintMaker)
	}
	d := json.NewDecoder(bytes.NewReader(l.Header.Config))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("%s: configuration in its header: %w", l.Dir, err)
	}
	base, damaged := suite.BesideBase(l)
	run := &bench.Run{
		Header: l.Header, Method: m, Problem: task.Problem, Model: refuser{},
		Evaluator: refuser{}, Analyzer: w.Place(task).Analyzer, Base: base,
	}
	r, err := run.Verify(ctx, l.Dir)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, located(l.Dir, err)
	}
	if l.Result != nil {
		err = cmp.Or(l.CheckResult(), l.CheckFiles())
	} else {
		err = l.CheckHeader()
	}
	if err := cmp.Or(err, checkScores(task, l), checkSplits(task, l)); err != nil {
		return nil, err
	}
	fmt.Fprintf(c.out, "%s: replay-exact: %s, %s, %s\n", v.name(), counted(steps(l), "step"),
		counted(r.Asked, "request"), counted(r.Evaluations, "evaluation"))
	if l.Result == nil {
		fmt.Fprintf(c.out, "%s: it has no result.json: its search is not finished, "+
			"and nothing is recorded\n", v.name())
	}
	switch n := r.SharedRequests(); {
	case n > 0 && run.Base != nil:
		fmt.Fprintf(c.out, "%s: %s shared with %s, which has the same answers\n",
			v.name(), counted(n, "request"), v.beside(run.Base.Dir))
	case n > 0 && damaged != nil:
		fmt.Fprintf(c.out, "%s: %s shared with a run that cannot be read: %v\n",
			v.name(), counted(n, "request"), damaged)
	case n > 0:
		fmt.Fprintf(c.out, "%s: %s shared with a run that is not beside it\n",
			v.name(), counted(n, "request"))
	}
	if !o.rescore {
		return nil, nil
	}
	here := record.Header{}
	w.ScoredHere(&here, task)
	if err := samePackages(here, l.Header, l.Dir); err != nil {
		return nil, err
	}
	board := status.Open(c.screen, status.Config{Quiet: o.Quiet})
	line := board.Add(status.Plan{
		Name: v.name() + ": evaluating again", Kind: task.Name, Budget: evaluations(l),
		Unit: "programs",
	})
	line.Begin()
	evaluator := w.Evaluator(task, l.Header.Factor())
	n, late, err := rescoreAll(ctx, evaluator, l, o.TimeScale, func(n int) {
		line.Progress(bench.Progress{Evaluations: n, Budget: evaluations(l)})
	})
	splits := 0
	if err == nil && l.Result != nil {
		evaluator.Task = line.Testing(task, slices.Sorted(maps.Keys(l.Result.Tests)))
		var more bench.Timeouts
		splits, more, err = evaluator.CheckTests(ctx, l, o.TimeScale)
		late.Add(more)
	}
	board.Close()
	if err != nil && hint.Of(err) == "" {
		err = hint.Add(err, "a program that depends on the order of addresses has its score "+
			"with the same build of Python at the same place, here "+w.Place(task).Env.Python+
			"; one with randomness of its own has none")
	}
	if err != nil {
		return nil, err
	}
	if l.Result != nil && l.Result.Rescored == nil && task.Rescore != nil &&
		n > 0 && l.Result.Best != nil {
		return nil, fmt.Errorf("%s: result.json has no re-evaluation, which a run on %s ends with",
			l.Dir, task.Name)
	}
	if late.Then > 0 {
		fmt.Fprintf(c.out, "%s: %s met a limit of time in the run alone: its machine was slower\n",
			v.name(), counted(late.Then, "evaluation"))
	}
	if late.Unseen > 0 {
		return nil, hint.Add(
			fmt.Errorf("%s: %w: %s met a limit of time here, and not in the run; the rest agrees",
				l.Dir, errUnseen, counted(late.Unseen, "evaluation")),
			"this machine may be slower: --time-scale 2 gives such programs twice as long")
	}
	fmt.Fprintf(c.out, "%s: re-evaluate-exact: %s", v.name(), counted(n, "program"))
	if splits > 0 {
		fmt.Fprintf(c.out, ", the best one on %s", counted(splits, "test split"))
	}
	if l.Result != nil && l.Result.Rescored != nil {
		fmt.Fprintf(c.out, ", %d on fresh replicates", len(l.Result.Rescored.Programs))
	}
	fmt.Fprintln(c.out)
	return &record.Verification{Programs: n, Environment: w.Place(task).Environment(nil)}, nil
}

// chooseLock makes the run's lock the default, and refuses another one.
func chooseLock(o suite.Options, l *record.Loaded) (suite.Options, error) {
	was, now := l.Header.Lock, o.Lock
	switch {
	case !slices.Contains(python.Locks(), was):
		// Made before there were locks, or with an interpreter of the user's choice.
	case now == "" && o.Python == "":
		o.Lock = was
	case now != "" && now != was:
		return o, hint.Add(usagef("--lock %s: %s was made with lock %s", now, l.Dir, was),
			"leave --lock out")
	}
	return o, nil
}

// samePackages says why programs that were scored with other packages cannot be scored again here.
func samePackages(now, was record.Header, dir string) error {
	if now.NumPy != was.NumPy || now.SciPy != was.SciPy && was.Lock != "" {
		return hint.Add(
			fmt.Errorf("%s: scored with %s, here is %s", dir, packages(was), packages(now)),
			"choose packages with --lock (current has NumPy 2) or --python")
	}
	if now.Machine != was.Machine &&
		!strings.HasPrefix(now.Machine, was.Machine+", ") { // no maker yet
		return hint.Add(fmt.Errorf("%s: scored on %s, this is %s", dir, was.Machine, now.Machine),
			"simulations differ from one class of processors or C library to another: "+
				"use such a machine")
	}
	for _, name := range slices.Sorted(maps.Keys(was.Packages)) {
		if v := now.Packages[name]; v != was.Packages[name] {
			return hint.Add(fmt.Errorf("%s: scored with %s %s, here is %s",
				dir, name, was.Packages[name], cmp.Or(v, "none")),
				"use the version of pacebench that made the run, "+
					"or an interpreter that has it with --python")
		}
	}
	return nil
}

// packages is "NumPy 1.26.4 and SciPy 1.16.3".
func packages(h record.Header) string {
	if h.SciPy == "" {
		return "NumPy " + h.NumPy
	}
	return "NumPy " + h.NumPy + " and SciPy " + h.SciPy
}

func steps(l *record.Loaded) (n int) {
	for _, r := range l.Records {
		if r.Step != nil {
			n++
		}
	}
	return n
}

func evaluations(l *record.Loaded) (n int) {
	for _, r := range l.Records {
		if r.Step != nil {
			n += len(r.Step.Evaluations)
		}
	}
	return n
}

// rescoreAll evaluates every journalled program again, as many at a time as there are workers, and
// compares.
func rescoreAll(ctx context.Context, e *bench.TaskEvaluator, l *record.Loaded, more float64,
	told func(done int)) (n int, late bench.Timeouts, first error) {
	type job struct {
		step int
		late bench.Timeouts
		err  error
		done chan struct{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := make(chan *job, 64) // bounds the goroutines; the pool bounds the processes
	go func() {
		defer close(jobs)
		for _, r := range l.Records {
			if r.Step == nil {
				continue
			}
			for _, ev := range r.Step.Evaluations {
				j := &job{step: r.Step.Number, done: make(chan struct{})}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
				go func() {
					defer close(j.done)
					j.late, j.err = e.Recheck(ctx, ev, more)
				}()
			}
		}
	}()
	for j := range jobs { // in order; all are awaited
		<-j.done
		if j.err != nil && first == nil {
			first = fmt.Errorf("%s: step %d: %w", l.Dir, j.step, j.err)
			cancel()
		}
		late.Add(j.late)
		n++
		told(n)
	}
	return n, late, first
}
