package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	pymethod "github.com/pacebench/pacebench/python/method"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite/status"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// A Planned run is a run to make: a method or a baseline, on a task with a seed.
type Planned struct {
	Task     *bench.Task
	Method   bench.Method // nil for a baseline or a trained policy
	Baseline *baselines.Baseline
	Header   record.Header
	Model    *choice // nil if Method is nil
	// Several means that the command has runs of several models, so the name must include the
	// model.
	Several bool
	Tests   []string // test splits for the best program
	Base    *Planned // the run whose beginning this run shares; may be nil
	over    bool     // the run has ended; guarded by the queue that gives out the run
	err     error    // the error that ended the run, or nil; guarded by the same queue
}

func (p *Planned) Name() string {
	m := p.Header.Method
	if settings := settingsName(p.Header); settings != "" {
		m += "@" + settings
	}
	if p.Baseline != nil {
		return fmt.Sprintf("%s/%s", p.Header.Task, m)
	}
	if p.Several {
		m += "/" + p.Model.label
	}
	return fmt.Sprintf("%s/%s/%d", p.Header.Task, m, p.Header.Seed)
}

// Plan returns the description of the run for the display.
func (p *Planned) Plan() status.Plan {
	plan := status.Plan{
		Name: p.Name(), Kind: p.Header.Task, Budget: p.Header.Budget, Unit: p.Header.Unit,
		Value: p.Task.Goal.Value,
		Tests: p.Baseline == nil && (len(p.Tests) > 0 || p.Task.Rescore != nil),
	}
	if m, ok := p.Method.(*pymethod.Method); ok {
		plan.Waited = m.Waited
	}
	return plan
}

// taskSettings are the settings that choose between the tasks NAME and NAME@SETTING.
var taskSettings = []struct{ key, usual, other, missing string }{
	{"renderer", "native", "stock", "has no pictures to draw"},
	{"idle-cost", "0", "1", "has no idle cost"},
	{"texts", "own", "source", "has only its own texts"},
}

// SetTask takes the settings of the task out of sets. It returns the task that these settings
// choose, and the remaining settings, which are for the method. In the name of a task, texts=source
// comes last.
func SetTask(t *bench.Task, sets []string) (*bench.Task, []string, error) {
	for _, c := range taskSettings {
		mine := func(s string) bool { return strings.HasPrefix(s, c.key+"=") }
		i := slices.IndexFunc(sets, mine)
		if i < 0 {
			continue
		}
		chosen, usual, other := sets[i], c.key+"="+c.usual, c.key+"="+c.other
		base, named, _ := strings.Cut(t.Name, "@")
		settings := slices.DeleteFunc(strings.Split(named, ","), func(s string) bool {
			return s == "" || s == other
		})
		without := strings.TrimSuffix(base+"@"+strings.Join(settings, ","), "@")
		end := len(settings)
		if slices.Contains(settings, tasks.SourceTexts) {
			end--
		}
		with := base + "@" + strings.Join(slices.Insert(settings, end, other), ",")
		if _, ok := tasks.Lookup(with); !ok {
			return nil, nil, Usagef("--set %s: task %s %s", chosen, t.Name, c.missing)
		}
		name, ok := map[string]string{usual: without, other: with}[chosen]
		if !ok {
			return nil, nil, Usagef("--set %s: want %s, the default, or %s", chosen, usual, other)
		}
		t, _ = tasks.Lookup(name)
		sets = slices.Delete(slices.Clone(sets), i, i+1)
		if slices.ContainsFunc(sets, mine) {
			return nil, nil, Usagef("--set %s: %s is set twice", chosen, c.key)
		}
	}
	return t, sets, nil
}

// TaskSettings returns the values of --set for a task, the default first.
func TaskSettings(t *bench.Task) (all []string) {
	for _, c := range taskSettings {
		if _, _, err := SetTask(t, []string{c.key + "=" + c.usual}); err == nil {
			all = append(all, c.key+"="+c.usual+"|"+c.other)
		}
	}
	return all
}

// MethodNames returns the names of all methods and of the baselines of a task.
func MethodNames(task string) []string {
	names := Map(methods.All(), bench.Method.Name)
	for _, r := range baselines.All("") {
		if r.Task == task {
			names = append(names, r.Name)
		}
	}
	return names
}

// Fits reports whether a method can run on a task. A method that observes programs needs a task
// that returns evidence.
func Fits(m bench.Method, t *bench.Task) bool { return t.Evidence != nil || !bench.Observes(m) }

func TaskNames() []string {
	return Map(tasks.All(), func(t *bench.Task) string { return t.Name })
}

// newPlanned plans a run. It checks everything that can be checked before the run begins.
func newPlanned(o Options, model *choice, task, method string, sets []string, seed uint64) (
	*Planned, error) {
	t, err := o.LookupTask(task)
	if err != nil {
		return nil, err
	}
	if t, sets, err = SetTask(t, sets); err != nil {
		return nil, err
	}
	p := &Planned{Task: t, Header: HeaderOf(t)}
	p.Header.Method, p.Header.Seed = method, seed
	if b, ok := baselines.Lookup(t.Name, method, o.DeepACO); ok {
		if len(sets) > 0 {
			return nil, Usagef("--set %s: %s is a baseline without settings", sets[0], method)
		}
		p.Baseline, p.Header.Config = &b, json.RawMessage("{}")
		p.Header.Models = map[string]string{"": "none"}
		return p, nil
	}
	if method == "" {
		return nil, hint.Add(Usagef("--method is missing"),
			"pacebench list methods names the methods")
	}
	if p.Method, err = o.newMethod(method); err != nil {
		if pymethod.Named(method) {
			return nil, err
		}
		var own []string
		for _, b := range baselines.All("") {
			if b.Name == method {
				own = append(own, b.Task)
			}
		}
		if own != nil {
			return nil, hint.Add(Usagef("%s is a baseline of %s, not of %s",
				method, strings.Join(own, ", "), t.Name),
				"pacebench list methods names the baselines of each task")
		}
		return nil, hint.Add(Usage(err), DidYouMean(method, MethodNames(t.Name))+
			"pacebench list methods names the methods and, for each task, its baselines")
	}
	if m, ok := p.Method.(*pymethod.Method); ok {
		p.Header.Method, p.Header.MethodFile = m.Name(), m.Program()
	}
	if !Fits(p.Method, t) {
		seen := slices.DeleteFunc(TaskNames(), func(name string) bool {
			t, _ := tasks.Lookup(name)
			return !Fits(p.Method, t)
		})
		return nil, hint.Add(Usagef("method %s does not run on task %s: the method shows the "+
			"model pictures of how programs behaved, and the task has no pictures",
			method, t.Name),
			OneOf("tasks with pictures", "", seen))
	}
	if p.Header.Variant, err = Apply(p.Method, sets); err != nil {
		return nil, err
	}
	if ch, ok := p.Method.(bench.Checker); ok {
		if err := ch.Check(); err != nil {
			return nil, Usagef("%s: %w", method, err)
		}
	}
	if bench.Observes(p.Method) && model.byRole[""].noImages {
		return nil, hint.Add(Usagef("%s: model %s does not accept images", method, model.label),
			"the profile sets images = false, and "+method+
				" shows pictures to the model; choose a model that accepts images")
	}
	if p.Header.Config, err = json.Marshal(p.Method); err != nil {
		return nil, err
	}
	p.Header.MethodVersion = bench.VersionOf(p.Method)
	if p.Model = model; model.plain != nil && !bench.Discovers(p.Method) {
		p.Model = model.plain // the method requests no EAPs
	}
	p.Header.Models = p.Model.names
	p.Header.Budget, p.Header.Requests = o.Evals, bench.RequestsOf(p.Method, o.Evals)
	if o.TimeScale != 1 {
		p.Header.TimeScale = o.TimeScale
	}
	return p, nil
}

// A Finished is a run with its directory and its result.
type Finished struct {
	*Planned
	Dir    string
	Result *record.Result
}

// RunAll makes runs that share workers and limits on requests. It makes several runs concurrently,
// so that workers stay busy while one evaluation is slow. Results are in the order of the runs,
// without the runs that failed. The other runs continue after a failure, unless they would fail in
// the same way (reachOf).
func (w *Backend) RunAll(ctx context.Context, o Options, runs []*Planned) ([]Finished, error) {
	ctx, stop := o.Events.within(ctx)
	defer stop(nil)
	if err := w.TryTasks(ctx, o, runs); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(runs, func(p *Planned) bool {
		models := slices.Collect(maps.Values(p.Header.Models))
		return slices.Contains(models, string(llm.SpecOffline))
	}) {
		fmt.Fprintln(o.Notes, "pacebench: the model offline is a program synthesiser, not an LLM: "+
			"its numbers say nothing about LLMs")
	}
	board := o.Board(o.AtOnce())
	defer board.Close()
	lines := make([]*status.Line, len(runs))
	for i, p := range runs {
		lines[i] = board.Add(p.Plan())
		o.Events.progress(p, o.Out, bench.Progress{})
	}
	done, failed := make([]Finished, len(runs)), newFailures(runs)
	_, known := o.Given["retry"] // whether the command has this flag
	failed.retry = known && !o.Retry
	todo := newQueue(runs)
	g, gctx := errgroup.WithContext(ctx)
	for range min(max(1, o.AtOnce()), len(runs)) {
		g.Go(func() error {
			for {
				i, ok := todo.next(gctx)
				if !ok {
					return gctx.Err() // nil if no run is left
				}
				err := errSkipped
				if !failed.skip(i) {
					done[i], err = w.runOne(gctx, o, runs[i], lines[i])
				}
				if o.comesAgain(err) {
					lines[i].Wait()
					if first := todo.later(i); first || errors.Is(err, journal.ErrLost) {
						board.Say("%v; pacebench will try this run again later", err)
					}
					continue
				}
				todo.done(i, err)
				if errors.Is(err, errSkipped) {
					continue
				}
				lines[i].End(err)
				if err == nil {
					o.Events.finished(runs[i], o.Out, done[i].Result)
					continue
				}
				if gctx.Err() != nil { // the error of another run, or Ctrl-C, stopped this run
					return err
				}
				reach, isNew := failed.add(i, err)
				tell := isNew && len(runs) > 1 && !refused(err)
				switch {
				case reach == reachesAll:
					return err
				case tell && reach == reachesOne:
					board.Warn("%v; the other runs continue", err)
				case tell && failed.others(i):
					board.Warn("%v; runs that do not need this model continue", err)
				}
			}
		})
	}
	err := g.Wait()
	done = slices.DeleteFunc(done, func(f Finished) bool { return f.Result == nil })
	if err = cmp.Or(context.Cause(ctx), err); err != nil {
		return done, err
	}
	reasons, err := failed.err()
	for _, text := range reasons {
		board.Warn("failed: %s", text)
	}
	return done, err
}

func (w *Backend) runOne(ctx context.Context, o Options, p *Planned, line *status.Line) (
	f Finished, err error) {
	if p.Base != nil {
		if p.Base.err != nil {
			return f, fmt.Errorf("%s: it is paired with %s, which did not finish",
				p.Name(), p.Base.Name())
		}
		p.Header.Paired = p.Base.Header.Digest()
		p.Header.PairedVariant = p.Base.Header.Variant
	}
	if p.Baseline == nil || p.Baseline.Program != "" { // Go computes the other baselines
		w.ScoredHere(&p.Header, p.Task)
	}
	here := p.runDir(o.Out)
	dir := here.dir
	f = Finished{Planned: p, Dir: dir}
	if err := Inside(o.Out, dir); err != nil {
		return f, fmt.Errorf("%s: %w", p.Name(), err)
	}
	if p.Baseline != nil {
		f.Result, err = w.runBaseline(ctx, p, dir, line)
		return f, err
	}
	var base *record.Loaded
	if p.Base != nil {
		if base, err = record.LoadJournal(RunDir(o.Out, p.Base.Header)); err != nil {
			return f, err
		}
	}
	if f.Result, err = here.kept(p.Header, base, p.Tests); f.Result != nil || err != nil {
		return f, err
	}
	if why := here.failed(); why != nil && !o.Retry {
		return f, fmt.Errorf("%s: %w", p.Name(), why)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return f, err
	}
	lock, err := bench.Lock(dir)
	if err != nil {
		return f, fmt.Errorf("%s: %w", p.Name(), err)
	}
	defer func() { err = cmp.Or(err, lock.Unlock()) }()
	// The previous holder of the lock may have finished the run.
	if f.Result, err = here.kept(p.Header, base, p.Tests); f.Result != nil || err != nil {
		return f, err
	}
	ctx, stop := lock.Context(ctx)
	defer stop()
	f.Result, err = w.search(ctx, o, p, here, lock, base, line)
	if cause := context.Cause(ctx); errors.Is(cause, journal.ErrLost) {
		err = fmt.Errorf("%s: %w", p.Name(), cause)
	}
	return f, err
}

func TasksOf(runs []*Planned) []*bench.Task {
	return Map(runs, func(p *Planned) *bench.Task { return p.Task })
}

// search makes the run of a method. The directory must be locked.
func (w *Backend) search(ctx context.Context, o Options, p *Planned, here runDir,
	lock *journal.Lock, base *record.Loaded, line *status.Line) (_ *record.Result, err error) {
	line.Begin()
	if l, err := record.LoadWithoutTexts(here.dir); err == nil &&
		l.Header.Budget < p.Header.Budget && p.refuses(l.Header) == "" {
		line.Say(fmt.Sprintf("grows from %d to %d evaluations", l.Header.Budget, p.Header.Budget))
	}
	model, answers := p.Model.model, filepath.Join(here.dir, AnswersDir)
	if len(p.Model.hosts) > 0 {
		if err = plain.MkdirAll(answers); err == nil {
			model, err = llm.Record(model, answers)
		}
		if err != nil && hint.Of(err) == "" && reachOf(err) == reachesOne {
			err = hint.Add(err, "remove "+answers+": its answers are then paid again")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
	}
	evaluator := w.Evaluator(p.Task, p.Header.Factor(), line.Candidate)
	evaluator.Evidence = bench.Observes(p.Method)
	tripped := 0
	if o.own(p.Task) {
		tripped = mostTripped
	}
	run := &bench.Run{
		Conditions: bench.Conditions{
			Header: p.Header, Problem: p.Task.Problem,
			Model:       warnOfRefusals(line.Model(model), line.Say),
			Analyzer:    w.Sandbox(p.Task).Analyzer,
			Evaluator:   evaluator,
			MostTripped: tripped,
			Prices:      p.Model.prices,
			Progress:    reporting(o, p, line, lock),
			Base:        base,
		},
		Method:      p.Method,
		Environment: w.Sandbox(p.Task).Environment(p.Model.hosts),
		Lock:        lock,
		Sources:     sourcesOf(p),
	}
	if err := here.forget(); err != nil {
		return nil, err
	}
	defer func() {
		if ctx.Err() == nil { // otherwise the end of ctx may have caused the error
			here.remember(err)
		}
	}()
	if _, err := run.Execute(ctx, here.dir); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	if err := os.RemoveAll(answers); err != nil {
		return nil, err
	}
	if len(p.Tests) > 0 {
		line.Say("testing its best program on " + p.testing(o, here.dir))
	}
	tester := w.Evaluator(line.Testing(p.Task, here.untested(p.Tests)), p.Header.Factor(),
		line.Candidate)
	result, err := bench.Finish(ctx, here.dir, tester, p.Tests)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return result, nil
}

// sourcesOf returns the Python files of a run's task and method.
func sourcesOf(p *Planned) (all [][]byte) {
	all = slices.Clone(p.Task.Sources)
	if m, ok := p.Method.(*pymethod.Method); ok {
		all = append(all, m.Sources()...)
	}
	return all
}

// reporting returns a function that reports progress to the display, the lease and the event log.
func reporting(o Options, p *Planned, line *status.Line, lock *journal.Lock) func(bench.Progress) {
	from := 0
	return func(now bench.Progress) {
		if now.Replayed {
			from = now.Evaluations
		}
		lock.Report(journal.Work{From: from, Done: now.Evaluations, Of: now.Budget})
		line.Progress(now)
		o.Events.progress(p, o.Out, now)
	}
}

// HeaderOf returns the part of a run's header that describes its task.
func HeaderOf(t *bench.Task) record.Header {
	h := record.Header{
		Format: record.FormatVersion, Task: t.Name, Version: t.Version, Data: map[string]string{},
	}
	for _, s := range t.Splits {
		h.Data[s.Name] = t.Digest(s.Name)
	}
	h.Files = t.Files
	return h
}
