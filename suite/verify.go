package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite/status"
	"github.com/pacebench/pacebench/tasks/baselines"
	"github.com/pacebench/pacebench/tasks/baselines/ppo"
	"golang.org/x/sync/errgroup"
)

var errNotScored = errors.New("verify neither asks a model nor evaluates a program")

// A refuser is a model and an evaluator that must not be called.
type refuser struct{}

func (refuser) Name() string { return "none" }
func (refuser) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, errNotScored
}

func (refuser) Evaluate(context.Context, program.Program) (out bench.Evaluated, err error) {
	return out, errNotScored
}

// ErrUnseen means that programs exceed time limits here, but did not in the run. The run is neither
// confirmed nor contradicted.
var ErrUnseen = errors.New("undecided")

// ErrNoBest means that a run has no program that could be evaluated again.
var ErrNoBest = errors.New("no program that --best can evaluate again")

// ErrNoReplay means that a baseline has no journal. Only --rescore can verify it.
var ErrNoReplay = errors.New("a baseline has no journal to replay")

// A Verifier holds the options of verify.
type Verifier struct {
	Options
	Recheck bool // evaluate all programs again
	Best    bool // only evaluate the best program again on the training split
	Tune    bool // with Recheck: also evaluate all trials of the run's tuning again
	Record  bool // write verified.json
	Out     io.Writer
	// Name returns the name of a run's directory for messages. It differs from the directory if the
	// run is from a bundle. Argument returns the argument that named the run.
	Name, Argument func(dir string) string
}

const HintVerify = "RUN is a directory with a journal.jsonl, " +
	"such as runs/<task>/<method>/<model>/<seed>; DIR contains several runs"

// Run verifies one run. With o.Record, it writes verified.json if it has repeated all evaluations
// of a finished run that is not from a bundle.
func (o Verifier) Run(ctx context.Context, dir string) error {
	l, err := record.Load(dir)
	switch {
	case errors.Is(err, record.ErrTorn):
		err = hint.Add(err, "repeat the run's command to write it again")
	case err != nil && hint.Of(err) == "" && errors.Is(err, fs.ErrNotExist):
		err = hint.Add(Usage(err), HintVerify)
	}
	if err != nil {
		return err
	}
	before, err := l.Fingerprint()
	if err != nil {
		return err
	}
	seen, err := o.loaded(ctx, l)
	if err == nil {
		if _, _, err = (Declarations{}).Of(dir, l.Header); err != nil {
			err = hint.Add(fmt.Errorf("%s: %w", dir, err), hint.Of(err))
		}
	}
	if err != nil || seen == nil || o.Name(dir) != dir || l.Result == nil || !o.Record {
		return err
	}
	after, err := l.Fingerprint()
	if err != nil {
		return err
	}
	if !maps.Equal(before, after) {
		return fmt.Errorf("%s: its files changed while they were verified", dir)
	}
	seen.Files, seen.Splits = after, testsOf(l)
	if err := l.WriteVerified(*seen); err != nil {
		fmt.Fprintf(o.Log, "pacebench: warning: %s: verified, but not recorded: %v\n",
			dir, err)
	}
	return nil
}

// loaded verifies a loaded run. It returns the verification to record, or nil if the run was only
// replayed.
func (o Verifier) loaded(ctx context.Context, l *record.Loaded) (
	_ *record.Verification, err error) {
	baseline := !l.Journal && IsBaseline(l.Header)
	if !l.Journal && !baseline {
		return nil, l.CheckResult() // a search without its journal
	}
	if o.Best && (l.Header.Family == record.Trained || !baseline && l.Result == nil) {
		return nil, fmt.Errorf("%s: %w", o.Name(l.Dir), ErrNoBest)
	}
	if baseline && !o.Recheck && !o.Best {
		return nil, hint.Add(fmt.Errorf("%s: %w", o.Name(l.Dir), ErrNoReplay),
			"--rescore computes it again")
	}
	if baseline {
		return o.baseline(ctx, l)
	}
	if o.Options, err = ChooseLock(o.Options, l); err != nil {
		return nil, err
	}
	lacks, err := o.foreign(l, o.Argument(l.Dir))
	if err != nil {
		return nil, err
	}
	if len(lacks) > 0 && lacks[0].what == "task" {
		return nil, o.codeless(l, lacks)
	}
	task, err := o.taskOf(l)
	if err != nil {
		return nil, err
	}
	if l.Header.Family == record.Trained {
		return o.policy(ctx, l, task)
	}
	var seen *record.Verification
	err = WithBackend(ctx, o.Options, func(w *Backend) (err error) {
		if o.Best {
			return o.best(ctx, w, task, l)
		}
		seen, err = o.search(ctx, w, task, l, lacks)
		return err
	}, task)
	return seen, err
}

func (o Verifier) baseline(ctx context.Context, l *record.Loaded) (
	_ *record.Verification, err error) {
	task, err := o.taskOf(l)
	if err != nil {
		return nil, err
	}
	b, ok := baselines.Lookup(task.Name, l.Header.Method, o.DeepACO)
	if !ok {
		return nil, fmt.Errorf("%s: %s has no baseline %q", l.Dir, task.Name, l.Header.Method)
	}
	if o.Best && b.Program == "" {
		return nil, fmt.Errorf("%s: %w", o.Name(l.Dir), ErrNoBest)
	}
	w, seen := &Backend{}, &record.Verification{Environment: Machine(o.Options)}
	if b.Program != "" {
		if o.Options, err = ChooseLock(o.Options, l); err != nil {
			return nil, err
		}
		if w, err = OpenBackend(ctx, o.Options, task); err != nil {
			return nil, err
		}
		defer func() { err = cmp.Or(err, w.Close()) }()
		seen.Environment = w.Sandbox(task).Environment(nil)
		if _, err := w.scoresAs(l, task); err != nil {
			return nil, err
		}
	}
	p := &Planned{Task: task, Baseline: &b, Header: l.Header, Tests: testsOf(l)}
	was := *l.Result
	if o.Best {
		p.Tests, was.Tests = nil, map[string]*record.SplitOutcome{}
	}
	line, end := o.Line(status.Plan{Name: "computing again", Kind: task.Name})
	now, err := w.computeBaseline(ctx, p, nil, line)
	end()
	if err != nil {
		return nil, err
	}
	if d := record.Difference(&was, now); d != "" {
		return nil, fmt.Errorf("%s: result.json %s", l.Dir, d)
	}
	if o.Best {
		fmt.Fprintf(o.Out, "%s: best-exact: training computed again\n", o.Name(l.Dir))
		return nil, nil
	}
	fmt.Fprintf(o.Out, "%s: re-evaluate-exact: training and %s computed again\n",
		o.Name(l.Dir), Counted(len(now.Tests), "test split"))
	return seen, nil
}

const (
	hintMaker = "use the version of pacebench that made the run, or restore the run from a copy"
	hintFiles = "restore the version of the file that the run used"
)

// taskOf returns the task of a run. Its files, version and data must agree with the run's header.
func (o Options) taskOf(l *record.Loaded) (*bench.Task, error) {
	task, err := o.TaskOfRun(l.Header.Task)
	switch {
	case err != nil && o.Files.trusts(l.Header.Files):
		if task, err = o.Files.taskCopy(l); err != nil {
			return nil, err
		}
	case err != nil && pytask.OfRun(l.Header.Task) != "": // not a usage error
		return nil, hint.Add(fmt.Errorf("%s: the run's task cannot be loaded: %v", l.Dir, err),
			hint.Of(err))
	case err != nil && l.Header.Files != nil:
		return nil, hint.Add(fmt.Errorf("%s: the run's task %q is in Python, and the command does "+
			"not name its file", l.Dir, l.Header.Task), "name it with --task FILE.py")
	case err != nil: // not a usage error
		return nil, hint.Add(fmt.Errorf(
			"%s: the run's task is %q, which this pacebench does not have",
			l.Dir, l.Header.Task), hintMaker)
	}
	if d := record.FilesDifference("task", l.Header.Files, task.Files); d != "" {
		return nil, hint.Add(fmt.Errorf("%s: %s", l.Dir, d), hintFiles)
	}
	if task.Version != l.Header.Version {
		return nil, fmt.Errorf("%s: scored by version %s of %s, but this pacebench has version %s",
			l.Dir, l.Header.Version, task.Name, task.Version)
	}
	for _, s := range task.Splits {
		if was := l.Header.Data[s.Name]; was != task.Digest(s.Name) {
			return nil, fmt.Errorf(
				"%s: the run's instances of %s differ from the instances of this pacebench",
				l.Dir, s.Name)
		}
	}
	return task, nil
}

// Located adds the directory of a run to an error that does not name it. An error in a file is not
// a usage error.
func Located(dir string, err error) error {
	advice := cmp.Or(hint.Of(err), "restore the run from a copy, or run it again")
	if errors.Is(err, bench.ErrIncomplete) {
		advice = "if the run was only stopped, repeat its command to finish it; " +
			"otherwise restore it from a copy"
	}
	if errors.Is(err, bench.ErrConfig) {
		err = errors.New(err.Error())
	}
	if !strings.Contains(err.Error(), dir) {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return hint.Add(err, advice)
}

// recordedOf returns the values in result.json for a check against a task. The task may be nil.
func recordedOf(task *bench.Task, l *record.Loaded) record.Recorded {
	r := record.Recorded{Result: l.Result}
	if task == nil {
		return r
	}
	r.Instances = map[string]int{}
	for _, s := range task.Splits[1:] {
		r.Instances[s.Name] = s.Instances
	}
	if v := task.Val; v != nil {
		r.Instances[v.Name], r.Data = v.Instances, task.Digest(v.Name)
	}
	return r
}

// checkRecorded checks everything in the record that can be derived without the code of a method or
// a task. If task is nil, it does not check the instances.
func checkRecorded(task *bench.Task, l *record.Loaded) error {
	sign, instances, files := 0.0, 0, l.CheckFiles
	if task != nil {
		sign, instances = task.Goal.Score(1), task.Splits[0].Instances
	}
	if l.Result == nil { // not finished
		files = l.CheckHeader
	}
	return cmp.Or(l.CheckAgainst(recordedOf(task, l)), files(), l.CheckSteps(sign, instances))
}

// replay replays a search and checks its whole record. It skips the replay if the method's code is
// missing.
func (o Verifier) replay(ctx context.Context, w *Backend, task *bench.Task,
	l *record.Loaded, lacks []code) error {
	if len(lacks) > 0 {
		if err := checkRecorded(task, l); err != nil {
			return err
		}
		steps, evaluations := l.Counts()
		fmt.Fprintf(o.Out, "%s: checked without its method: order, budget, digests, sums and "+
			"splits of %s and %s agree\n", o.Name(l.Dir), Counted(steps, "step"),
			Counted(evaluations, "evaluation"))
		return nil
	}
	m, err := o.methodOf(l)
	if err != nil {
		return err
	}
	if err := configure(m, l); err != nil {
		return err
	}
	base, damaged := besideBase(l)
	run := &bench.Run{Method: m, Conditions: bench.Conditions{
		Header: l.Header, Problem: task.Problem, Model: refuser{},
		Evaluator: refuser{}, Analyzer: w.Sandbox(task).Analyzer, Base: base,
	}}
	r, err := run.Verify(ctx, l.Dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, bench.ErrDiverged) && l.Header.MethodVersion != bench.VersionOf(m):
		now := l.Header
		now.MethodVersion = bench.VersionOf(m)
		return hint.Add(fmt.Errorf("%s: %s, so it is a different search",
			l.Dir, record.VersionDifference(l.Header, now)), hintMaker)
	case err != nil:
		return Located(l.Dir, err)
	}
	if err := checkRecorded(task, l); err != nil {
		return err
	}
	steps, _ := l.Counts()
	fmt.Fprintf(o.Out, "%s: replay-exact: %s, %s, %s\n", o.Name(l.Dir), Counted(steps, "step"),
		Counted(r.Asked, "request"), Counted(r.Evaluations, "evaluation"))
	if n := l.MissingPictures(); n > 0 {
		fmt.Fprintf(o.Out, "%s: %s missing; a replay needs no pictures\n", o.Name(l.Dir),
			Counted(n, "picture"))
	}
	switch n := r.SharedRequests(); {
	case n > 0 && run.Base != nil:
		fmt.Fprintf(o.Out, "%s: %s shared with %s, which has the same answers\n",
			o.Name(l.Dir), Counted(n, "request"), o.Name(run.Base.Dir))
	case n > 0 && damaged != nil:
		fmt.Fprintf(o.Out, "%s: %s shared with a run that cannot be read: %v\n",
			o.Name(l.Dir), Counted(n, "request"), damaged)
	case n > 0:
		fmt.Fprintf(o.Out, "%s: %s shared with a run that was not found in this results "+
			"directory\n",
			o.Name(l.Dir), Counted(n, "request"))
	}
	return nil
}

// search replays a search. With --rescore it also repeats all evaluations.
func (o Verifier) search(ctx context.Context, w *Backend, task *bench.Task,
	l *record.Loaded, lacks []code) (*record.Verification, error) {
	if err := o.replay(ctx, w, task, l, lacks); err != nil {
		return nil, err
	}
	if l.Result == nil {
		fmt.Fprintf(o.Out, "%s: no result.json: the search is not finished, "+
			"so verified.json is not written\n", o.Name(l.Dir))
	}
	if !o.Recheck {
		return nil, o.partly(l, lacks)
	}
	_, evaluations := l.Counts()
	here, err := w.scoresAs(l, task)
	if err != nil {
		return nil, err
	}
	line, end := o.Line(status.Plan{
		Name: o.Name(l.Dir) + ": evaluating again", Kind: task.Name, Budget: evaluations,
		Unit: "programs",
	})
	evaluator := w.Evaluator(task, l.Header.Factor(), line.Candidate)
	n, late, err := recheckAll(ctx, evaluator, l, o.Options, func(n int) {
		line.Progress(bench.Progress{Evaluations: n, Budget: evaluations})
	})
	splits := 0
	if err == nil && l.Result != nil {
		evaluator.Task = line.Testing(task, testsOf(l))
		var more bench.Timeouts
		splits, more, err = evaluator.CheckTests(ctx, l, o.TimeScale)
		late.Add(more)
	}
	end()
	if err != nil {
		return nil, contradicts(err, here, w.Sandbox(task))
	}
	if late.Then > 0 {
		fmt.Fprintf(o.Out, "%s: %s exceeded a time limit in the run but not here: the run's "+
			"machine may have been slower\n",
			o.Name(l.Dir), Counted(late.Then, "evaluation"))
	}
	if late.Unseen > 0 {
		return nil, unseen(l, late, o.TimeScale)
	}
	fmt.Fprintf(o.Out, "%s: re-evaluate-exact: %s", o.Name(l.Dir), Counted(n, "program"))
	if splits > 0 {
		fmt.Fprintf(o.Out, ", the best one on %s", Counted(splits, "test split"))
	}
	if l.Result != nil && l.Result.Validation != nil {
		fmt.Fprintf(o.Out, ", %d on %s", len(l.Result.Validation.Programs), record.Val)
	}
	if l.Result != nil && l.Result.Rescored != nil {
		fmt.Fprintf(o.Out, ", %d on fresh replicates", len(l.Result.Rescored.Programs))
	}
	fmt.Fprintln(o.Out)
	if err := o.checkTuned(ctx, w, task, l); err != nil {
		return nil, err
	}
	if err := o.checkExplained(ctx, w, task, l); err != nil {
		return nil, err
	}
	if err := o.partly(l, lacks); err != nil {
		return nil, err
	}
	return &record.Verification{Programs: n, Environment: w.Sandbox(task).Environment(nil)}, nil
}

func (o Verifier) best(ctx context.Context, w *Backend, task *bench.Task,
	l *record.Loaded) error {
	if err := checkRecorded(task, l); err != nil {
		return err
	}
	here, err := w.scoresAs(l, task)
	if err != nil {
		return err
	}
	if l.Result.Best == nil {
		return fmt.Errorf("%s: %w", o.Name(l.Dir), ErrNoBest)
	}
	s := l.Winner(l.Programs())
	late, err := w.Evaluator(task, l.Header.Factor(), nil).Recheck(ctx, record.Evaluation{
		Evaluation: s.Evaluation, Source: s.Program.Source, Outcome: s.Outcome,
	}, o.TimeScale)
	if err != nil {
		return contradicts(fmt.Errorf("%s: step %d: %w", l.Dir, s.Step, err), here, w.Sandbox(task))
	}
	if late.Unseen > 0 {
		return unseen(l, late, o.TimeScale)
	}
	fmt.Fprintf(o.Out, "%s: best-exact: evaluation %d gives the same %s\n", o.Name(l.Dir),
		s.Evaluation, Counted(len(s.Outcome.Values), "value"))
	return nil
}

// contradicts adds the environment of both scores to an error of a repeated evaluation.
func contradicts(err error, here record.Header, p *Sandbox) error {
	if hint.Of(err) != "" {
		return err
	}
	return hint.Add(fmt.Errorf("%w (both with %q)", err, here.Class()),
		"a program that depends on the order of addresses repeats its score only with the same "+
			"build of Python at the same path, here "+p.Env.Python+
			"; a program with its own randomness never repeats it")
}

// unseen returns the error for a run in which some programs exceed a time limit only on this
// machine. The command has multiplied the limits of such programs by factor.
func unseen(l *record.Loaded, late bench.Timeouts, factor float64) error {
	advice := "this machine may be slower; --time-scale 2 doubles the time limits of such programs"
	if factor > 1 {
		advice = fmt.Sprintf("this machine may be slower; raise --time-scale above %g", factor)
	}
	return hint.Add(
		fmt.Errorf("%s: %w: %s met a time limit here but not in the run; the rest agrees",
			l.Dir, ErrUnseen, Counted(late.Unseen, "evaluation")), advice)
}

// ChooseLock makes the run's lock the default, and refuses a different lock.
func ChooseLock(o Options, l *record.Loaded) (Options, error) {
	was, now := l.Header.Lock, o.Lock
	switch {
	case !slices.Contains(pyenv.Locks(), was):
		// The run predates locks, or used an interpreter that the user chose.
	case now == "" && o.Python == "":
		o.Lock = was
	case now != "" && now != was:
		return o, hint.Add(
			Usagef("--env %s: %s was made with the environment %s", now, l.Dir, was),
			"leave out --env")
	}
	return o, nil
}

// scoresAs returns the fields of a header that describe this machine, or an error if a repeated
// evaluation of the run's programs is meaningless here.
func (w *Backend) scoresAs(l *record.Loaded, t *bench.Task) (here record.Header, err error) {
	w.ScoredHere(&here, t)
	return here, samePackages(here, l.Header, l.Dir)
}

// samePackages returns an error if different packages on this machine make a repeated evaluation
// meaningless.
func samePackages(now, was record.Header, dir string) error {
	if now.NumPy != was.NumPy || now.SciPy != was.SciPy && was.Lock != "" {
		return hint.Add(
			fmt.Errorf("%s: scored with %s, but this machine has %s",
				dir, Packages(was), Packages(now)),
			"choose an environment with --env (current has NumPy 2), "+
				"or an interpreter with --python")
	}
	for _, name := range slices.Sorted(maps.Keys(was.Packages)) {
		if v := now.Packages[name]; v != was.Packages[name] {
			return hint.Add(fmt.Errorf("%s: scored with %s %s, but this machine has %s",
				dir, name, was.Packages[name], cmp.Or(v, "none")),
				"use the version of pacebench that made the run, "+
					"or choose with --python an interpreter that has this version of the package")
		}
	}
	if d := record.ArithmeticDifference(was, now); d != "" {
		return hint.Add(fmt.Errorf("%s: %s", dir, d), record.HintArithmetic)
	}
	return nil
}

// Packages returns a text such as "NumPy 1.26.4 and SciPy 1.16.3".
func Packages(h record.Header) string {
	if h.SciPy == "" {
		return "NumPy " + h.NumPy
	}
	return "NumPy " + h.NumPy + " and SciPy " + h.SciPy
}

// recheckAll evaluates every program in the journal again and compares the scores. All workers work
// concurrently. After the first difference no further evaluation begins.
func recheckAll(ctx context.Context, e *bench.TaskEvaluator, l *record.Loaded, o Options,
	progress func(done int)) (n int, late bench.Timeouts, err error) {
	type program struct {
		record.Evaluation
		step int
		late bench.Timeouts
		err  error
	}
	var all []*program
	for step := range l.Steps() {
		for _, ev := range step.Evaluations {
			all = append(all, &program{Evaluation: ev, step: step.Number})
		}
	}
	var g errgroup.Group
	g.SetLimit(max(1, o.Jobs))
	var mu sync.Mutex
	failed := false
	for _, p := range all {
		mu.Lock()
		stop := failed
		mu.Unlock()
		if stop {
			break
		}
		g.Go(func() error {
			p.late, p.err = e.Recheck(ctx, p.Evaluation, o.TimeScale)
			mu.Lock()
			defer mu.Unlock()
			failed = failed || p.err != nil
			n++
			progress(n)
			return nil
		})
	}
	_ = g.Wait() // always nil: errors are in the programs, and the earliest counts
	for _, p := range all {
		late.Add(p.late)
		if p.err != nil {
			return n, late, fmt.Errorf("%s: step %d: %w", l.Dir, p.step, p.err)
		}
	}
	return n, late, nil
}

// testsOf returns the splits, except training, on which a finished run has scores.
func testsOf(l *record.Loaded) []string { return l.Result.Splits() }

// configure applies the settings in the run's header to a method or a training.
func configure(m any, l *record.Loaded) error {
	d := json.NewDecoder(bytes.NewReader(l.Header.Config))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return fmt.Errorf("%s: configuration in its header: %w", l.Dir, hint.JSON(err))
	}
	return nil
}

// policy checks a trained run's files against its journal and plays its stored policies again.
func (o Verifier) policy(ctx context.Context, l *record.Loaded, task *bench.Task) (
	*record.Verification, error) {
	if l.Result != nil {
		if err := cmp.Or(l.CheckResult(), l.CheckFiles()); err != nil {
			return nil, err
		}
	}
	s := &ppo.Settings{}
	if err := configure(s, l); err != nil {
		return nil, err
	}
	s.Seed = l.Header.Seed
	var here record.Header
	run, err := OpenPolicies(ctx, o.Options, task, s, &here)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	if err := samePackages(here, l.Header, l.Dir); err != nil {
		return nil, err
	}
	n, err := run.Recheck(ctx, l)
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
	fmt.Fprintf(o.Out, "%s: re-evaluate-exact: %d policies, the best one on %d test splits; "+
		"training is not repeated\n", o.Name(l.Dir), n, splits)
	return &record.Verification{Programs: n, Environment: run.Environment}, nil
}

// besideBase finds the run in l's results directory with which l shares its beginning. It returns
// nil if l is not paired or the base is missing. The error says why an existing base cannot be
// read.
func besideBase(l *record.Loaded) (*record.Loaded, error) {
	if l.Header.Paired == "" {
		return nil, nil
	}
	var damaged error
	// l.Dir is <out>/<task>/<method>[@variant]/<model>/<seed>.
	for _, path := range Below(filepath.Join(l.Dir, "..", "..", ".."), "*", "*", "*", "run.json") {
		dir := filepath.Dir(path)
		file, err := record.ReadRunFile(dir)
		if err != nil || file == nil || file.Header.Digest() != l.Header.Paired {
			continue
		}
		base, err := record.LoadJournal(dir)
		if err == nil {
			return base, nil
		}
		damaged = fmt.Errorf("%s: %w", filepath.ToSlash(dir), err)
	}
	return nil, damaged
}
