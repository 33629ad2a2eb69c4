package suite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite/status"
	"github.com/pacebench/pacebench/suite/tune"
)

// A Tuning configures the tuning of the best programs of runs.
type Tuning struct {
	Options
	Evals int // evaluations of each search; 0: 60 for an isolated task, else 200
	At    int // also tune the program that was best after this many evaluations; 0: off
	Seed  uint64
	Into  string // output directory instead of the run's; optional
}

// Run tunes the best program of a finished run, or continues a tuning. It returns nil if the
// program has no constants.
func (o Tuning) Run(ctx context.Context, dir string) (t *record.Tuned, err error) {
	l, task, err := o.searched(dir, "tune takes runs that have a best.py")
	if err != nil {
		return nil, err
	}
	how := record.Tuning{Journal: l.Digest, Seed: o.Seed, Evals: o.Evals, At: o.At}
	if how.Evals == 0 && task.Isolated {
		how.Evals = 60
	}
	how.Evals = cmp.Or(how.Evals, 200)
	splits, err := splitsOf(task, o.Test)
	if err != nil {
		return nil, err
	}
	splits = slices.DeleteFunc(splits, func(s string) bool { return s == record.Val })
	err = WithBackend(ctx, o.Options, func(w *Backend) error {
		tn, err := newTuner(ctx, w, task, l, how)
		if err != nil || len(tn.best.knobs) == 0 {
			return err
		}
		t, err = tn.run(ctx, o.Options, placeOf(l, o.Into), splits)
		return err
	}, task)
	return t, err
}

// A tunable is a program of a run with its constants.
type tunable struct {
	record.Scored
	knobs []program.Knob
}

func (t *tunable) turned(values []float64) program.Program {
	return program.Program{Source: program.Turn(t.Program.Source, t.knobs, values)}
}

func (t *tunable) values() (out []float64) {
	for _, k := range t.knobs {
		out = append(out, k.Value)
	}
	return out
}

// after returns the program with the best constants that a search tried, or the program itself if
// no trial was better.
func (t *tunable) after(search string, trials []record.Trial) (p program.Program, score float64) {
	values, score := t.values(), t.Outcome.Score
	for _, trial := range trials {
		if trial.Search == search && trial.Fault == "" && trial.Score > score {
			values, score = trial.Values, trial.Score
		}
	}
	return t.turned(values), score
}

// A tuner tunes the programs of a run, or checks a tuning.
type tuner struct {
	record.Tuning
	e     *bench.TaskEvaluator
	l     *record.Loaded
	best  *tunable
	early *tunable // nil, or a program other than best
}

func newTuner(ctx context.Context, w *Backend, task *bench.Task, l *record.Loaded,
	how record.Tuning) (*tuner, error) {
	if _, err := w.scoresAs(l, task); err != nil {
		return nil, err
	}
	programs := l.Programs()
	t := &tuner{
		Tuning: how, e: w.Evaluator(task, l.Header.Factor(), nil), l: l,
		best: &tunable{Scored: l.Winner(programs)},
	}
	early := slices.DeleteFunc(programs, func(s record.Scored) bool {
		return s.Evaluation > how.At
	})
	for _, s := range record.Leaders(early, 1) {
		if s.Evaluation != t.best.Evaluation {
			t.early = &tunable{Scored: s}
		}
	}
	for _, p := range []*tunable{t.best, t.early} {
		if p == nil {
			continue
		}
		a, err := w.Sandbox(task).Analyzer.Analyze(ctx, p.Program.Source)
		if err != nil {
			return nil, err
		}
		p.knobs = a.Knobs
		now, err := t.e.Evaluate(ctx, p.Program)
		if err != nil {
			return nil, err
		}
		if now.Fault != nil {
			return nil, fmt.Errorf("%s: evaluation %d has score %v in the journal, now it "+
				"fails: %w", l.Dir, p.Evaluation, p.Outcome.Score, now.Fault)
		}
		if now.Score != p.Outcome.Score {
			return nil, fmt.Errorf("%s: evaluation %d has score %v in the journal, %v now",
				l.Dir, p.Evaluation, p.Outcome.Score, now.Score)
		}
	}
	return t, nil
}

func (t *tuner) programs() map[string]*tunable {
	all := map[string]*tunable{record.TuneBest: t.best, record.TuneControl: t.best}
	if t.early != nil && len(t.early.knobs) > 0 {
		all[record.TuneEarly] = t.early
	}
	return all
}

// run makes the missing trials in a directory, and writes the outcome.
func (t *tuner) run(ctx context.Context, o Options, into string, splits []string) (
	_ *record.Tuned, err error) {
	log, err := keep(into, record.TuneTrials, t.Tuning)
	if err != nil {
		return nil, err
	}
	defer func() { err = log.end(err) }()
	known, err := record.ReadTrials(log.lines, t.Tuning)
	if err != nil {
		return nil, hint.Add(fmt.Errorf("%s: %w", log.path, err), "remove the file to begin again")
	}
	if known == nil { // an existing outcome belongs to other trials
		err := os.Remove(filepath.Join(into, record.TunedFile))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	all := t.programs()
	budget := t.Evals * len(all)
	line, end := o.Line(status.Plan{
		Name: t.l.Dir, Kind: t.e.Task.Name, Budget: budget, Unit: "programs",
	})
	defer end()
	trials, err := t.search(known, func(search string, values []float64, n int) (
		trial record.Trial, err error) {
		trial, err = t.try(ctx, all[search], search, values, log)
		line.Progress(bench.Progress{Evaluations: n, Budget: budget})
		return trial, err
	})
	if errors.Is(err, errDue) {
		err = hint.Add(fmt.Errorf("%s:%w", log.path, err),
			"the file may come from a machine with another processor: remove it to begin again")
	}
	if err != nil {
		return nil, err
	}
	out, p, err := t.sum(ctx, trials, splits)
	if err != nil {
		return nil, err
	}
	return out, out.Write(into, p.Source)
}

// errDue means that a trial differs from the trial that its search makes at this point.
var errDue = errors.New("the search now tries different values")

// search makes the trials of all searches. It begins with the known trials. try makes the n-th
// trial.
func (t *tuner) search(known []record.Trial,
	try func(search string, values []float64, n int) (record.Trial, error),
) (trials []record.Trial, err error) {
	all := t.programs()
	for _, search := range []string{record.TuneBest, record.TuneControl, record.TuneEarly} {
		p := all[search]
		if p == nil {
			continue
		}
		score := func(values []float64) (float64, bool, error) {
			var trial record.Trial
			if n := len(trials); n < len(known) {
				trial = known[n]
				if trial.Search != search || !slices.Equal(trial.Values, values) {
					return 0, false, fmt.Errorf("%d: %w", n+2, errDue)
				}
			} else if trial, err = try(search, values, n+1); err != nil {
				return 0, false, err
			}
			trials = append(trials, trial)
			return trial.Score, trial.Fault == "", nil
		}
		if search == record.TuneControl {
			err = tune.Draw(score, p.values(), t.Evals, t.stream(p, search))
		} else {
			err = tune.Search(score, p.values(), p.Outcome.Score, t.Evals, t.stream(p, search))
		}
		if err != nil {
			return nil, err
		}
	}
	return trials, nil
}

// try evaluates a program with other constants and appends the trial to the log.
func (t *tuner) try(ctx context.Context, p *tunable, search string, values []float64,
	log *kept) (trial record.Trial, err error) {
	now, err := t.e.Evaluate(ctx, p.turned(values))
	if err != nil {
		return trial, err
	}
	trial = record.Trial{Search: search, Values: values}
	if now.Fault != nil {
		trial.Fault = now.Fault.Kind
	} else {
		trial.Score = now.Score
	}
	return trial, log.add(trial)
}

// stream returns the source of random numbers for a search.
func (t *tuner) stream(p *tunable, search string) rand.Source {
	return rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "pacebench.tune.v1\x00%s\x00%d\x00%s",
		p.Program.ID(), t.Seed, search)))
}

// sum returns the outcome of trials, with tests on splits, and the tuned program.
func (t *tuner) sum(ctx context.Context, trials []record.Trial, splits []string) (
	*record.Tuned, program.Program, error) {
	value := t.e.Task.Goal.Value
	tuned, score := t.best.after(record.TuneBest, trials)
	_, control := t.best.after(record.TuneControl, trials)
	out := &record.Tuned{
		Format: record.FormatVersion, Tuning: t.Tuning, Evaluation: t.best.Evaluation,
		Program: tuned.ID(), Knobs: len(t.best.knobs), Best: value(t.best.Outcome.Score),
		Tuned: value(score), Control: value(control), Tests: map[string]*record.SplitOutcome{},
	}
	if t.early != nil {
		_, score := t.early.after(record.TuneEarly, trials)
		out.Early = &record.Early{
			Evaluation: t.early.Evaluation, Best: value(t.early.Outcome.Score), Tuned: value(score),
		}
	}
	if source := t.e.Task.Default(); source != "" {
		first, err := t.e.Evaluate(ctx, program.Program{Source: source})
		if err != nil {
			return nil, tuned, err
		}
		if first.Fault == nil {
			out.Default = value(first.Score)
		}
	}
	for _, split := range splits {
		var err error
		if out.Tests[split], err = t.e.Test(ctx, split, tuned); err != nil {
			return nil, tuned, err
		}
	}
	return out, tuned, nil
}

// checkTuned checks tuned.json, if it exists, against its trials, and scores the tuned program
// again. With Tune it repeats every trial.
func (o Verifier) checkTuned(
	ctx context.Context, w *Backend, task *bench.Task, l *record.Loaded,
) error {
	was, err := record.ReadTuned(l.Dir)
	if err != nil || was == nil {
		return err
	}
	const advice = "restore it from a copy, or remove " + record.TunedFile +
		": pacebench tune writes it again"
	wrong := func(file, format string, args ...any) error {
		return hint.Add(fmt.Errorf("%s: %w", filepath.Join(l.Dir, file),
			fmt.Errorf(format, args...)), advice)
	}
	if was.Journal != l.Digest {
		return wrong(record.TunedFile, "it belongs to another journal")
	}
	if was.Evals < 1 {
		return wrong(record.TunedFile, "evals is %d, want at least 1", was.Evals)
	}
	lines, _, err := journal.Read(filepath.Join(l.Dir, record.TuneTrials))
	if err != nil {
		return hint.Add(err, advice)
	}
	trials, err := record.ReadTrials(lines, was.Tuning)
	if err != nil {
		return wrong(record.TuneTrials, "%w", err)
	}
	if len(trials) == 0 {
		return wrong(record.TuneTrials, "it has no trials of the tuning in %s", record.TunedFile)
	}
	t, err := newTuner(ctx, w, task, l, was.Tuning)
	if err != nil {
		return err
	}
	all := t.programs()
	for i, trial := range trials {
		if p := all[trial.Search]; p == nil || len(trial.Values) != len(p.knobs) {
			return wrong(record.TuneTrials, "line %d belongs to no search", i+2)
		}
	}
	now, p, err := t.sum(ctx, trials, slices.Sorted(maps.Keys(was.Tests)))
	if err != nil {
		return err
	}
	source, err := plain.Read(filepath.Join(l.Dir, record.TunedSource), plain.Small)
	if err != nil {
		return err
	}
	if string(source) != p.Source {
		return wrong(record.TunedSource, "it is not the best program of %s", record.TuneTrials)
	}
	if d := record.Difference(was, now); d != "" {
		return wrong(record.TunedFile, "it %s", d)
	}
	again := []int{}
	for i, trial := range trials {
		if o.Tune || p == all[trial.Search].turned(trial.Values) {
			again = append(again, i)
		}
	}
	line, end := o.Line(status.Plan{
		Name: o.Name(l.Dir) + ": tuning again", Kind: task.Name, Budget: len(again),
		Unit: "programs",
	})
	var done, late atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Jobs))
	for _, i := range again {
		g.Go(func() error {
			trial := trials[i]
			now, err := t.e.Evaluate(ctx, all[trial.Search].turned(trial.Values))
			if err != nil {
				return err
			}
			var kind record.FaultKind
			if now.Fault != nil {
				kind, now.Score = now.Fault.Kind, 0
			}
			switch timeout := record.Timeout; {
			case (kind == timeout) != (trial.Fault == timeout):
				late.Add(1)
			case kind != trial.Fault || now.Score != trial.Score:
				return wrong(record.TuneTrials,
					"line %d has %s, but a new evaluation gives %s", i+2,
					said(trial.Fault, "score ", trial.Score), said(kind, "score ", now.Score))
			}
			line.Progress(bench.Progress{Evaluations: int(done.Add(1)), Budget: len(again)})
			return nil
		})
	}
	err = g.Wait()
	end()
	if err != nil {
		return err
	}
	if o.Tune { // repeat the searches, which depend only on the scores
		missing := func(search string, _ []float64, n int) (t record.Trial, _ error) {
			return t, fmt.Errorf("%d: trial %d, of search %s, is missing", n+1, n, search)
		}
		made, err := t.search(trials, missing)
		if err != nil {
			return wrong(record.TuneTrials, "line %w", err)
		}
		if n := len(made); n < len(trials) {
			return wrong(record.TuneTrials, "line %d comes after the end of the searches", n+2)
		}
	}
	fmt.Fprintf(o.Out, "%s: tuned program: %s scored again", o.Name(l.Dir),
		Counted(len(again), "trial"))
	if n := late.Load(); n > 0 {
		fmt.Fprintf(o.Out, ", %d timed out in only one of the two attempts", n)
	}
	fmt.Fprintln(o.Out)
	return nil
}

// said returns the fault, or the values after their name if there is no fault.
func said(fault record.FaultKind, name string, values any) string {
	if fault != "" {
		return string(fault)
	}
	return fmt.Sprint(name, values)
}
