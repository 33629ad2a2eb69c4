package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite/status"
)

// replicatesOf is the number of fresh replicates of each training instance of a noisy task. With 30
// replicates, as at the end of a run on TSP-ACO, the evaluations of 60 parts would take longer than
// a search of 1000 evaluations.
const replicatesOf = 3

type Explaining struct {
	Options
	Split string // further splits, separated by commas; empty: validation, cheapest test
	Top   int    // number of parts that are measured on these splits
	Most  int    // largest number of parts
	Pairs bool   // also measure the interactions of the largest parts
	// Credit also measures the EAPs of the last population of a PACE run.
	Credit bool
	Into   string // output directory instead of the run's; optional
}

// An Explanation holds the effects of a program's parts.
type Explanation struct {
	*explain.Explained
	Task   *bench.Task
	Source string
}

// Run explains the best program of a finished run, or continues an explanation.
func (o Explaining) Run(ctx context.Context, dir string) (*Explanation, error) {
	l, task, err := o.searched(dir,
		"explain takes runs that have a best.py, or a program with --task")
	if err != nil {
		return nil, err
	}
	return o.explain(ctx, task, placeOf(l, o.Into), dir, l, program.Program{})
}

// Program explains a program for a task. It keeps the measurements only if Into is set.
func (o Explaining) Program(ctx context.Context, task *bench.Task, name, source string) (
	*Explanation, error) {
	return o.explain(ctx, task, o.Into, name, nil, program.Program{Source: source})
}

// explain measures a program, and keeps the measurements in a directory if into is not empty. l is
// the program's run, or nil.
func (o Explaining) explain(ctx context.Context, task *bench.Task, into, name string,
	l *record.Loaded, p program.Program) (out *Explanation, err error) {
	err = WithBackend(ctx, o.Options, func(w *Backend) (err error) {
		x, err := newExplainer(w, task, l, p)
		if err != nil {
			return err
		}
		if err := x.plan(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if into != "" {
			if x.log, err = keep(into, record.ExplainFile, x.Plan); err != nil {
				return err
			}
			defer func() { err = x.log.end(err) }()
			if _, x.known, _, err = explain.Known(x.log.path); err != nil {
				return err
			}
		}
		board := o.Board(0)
		x.line = board.Add(status.Plan{
			Name: name, Kind: task.Name, Unit: "programs", Budget: x.Programs(),
		})
		x.line.Begin()
		e, err := explain.Measure(x.Plan, func(jobs []explain.Job) ([]explain.Measurement, error) {
			return x.measure(ctx, o.Jobs, jobs)
		})
		board.Close()
		if err == nil && len(x.known) > 0 {
			err = hint.Add(errors.New(record.ExplainFile+
				" has more measurements than this explanation needs"),
				"remove "+record.ExplainFile+" to begin again")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out = &Explanation{e, task, x.p.Source}
		return nil
	}, task)
	return out, err
}

type explainer struct {
	w       *Backend
	task    *bench.Task
	e       *bench.TaskEvaluator
	l       *record.Loaded // nil if the program is from a file
	p       program.Program
	at      int // the program's evaluation
	callers []string
	explain.Plan
	log   *kept // nil if nothing is kept
	known []explain.Measurement
	line  *status.Line
	done  int
}

func newExplainer(w *Backend, task *bench.Task, l *record.Loaded, p program.Program) (
	*explainer, error) {
	x := &explainer{w: w, task: task, l: l, p: p, e: w.Evaluator(task, 1, nil)}
	if l != nil {
		if _, err := w.scoresAs(l, task); err != nil {
			return nil, err
		}
		best := l.Winner(l.Programs())
		x.p, x.at = best.Program, best.Evaluation
		x.e.TimeScale = l.Header.Factor()
	}
	return x, nil
}

// plan divides the program into parts and chooses the splits.
func (x *explainer) plan(ctx context.Context, o Explaining) error {
	t := x.task
	parts, err := x.w.Sandbox(t).Analyzer.Parts(ctx, x.p.Source, t.Template.Name, o.Most)
	switch {
	case err != nil:
		return err
	case parts.Syntax != nil:
		return fmt.Errorf("line %d: %s", parts.Syntax.Line, parts.Syntax.Message)
	}
	x.Plan = explain.Plan{
		Format: record.FormatVersion, Evaluation: x.at, Program: x.p.ID(), Task: t.Name,
		Version: t.Version, Splits: []string{t.Splits[0].Name}, Data: map[string]string{},
		Maximized: t.Goal == bench.Maximize, Default: t.Default() != "", Top: o.Top,
		Most: o.Most, Pairs: o.Pairs, Parts: parts,
	}
	if x.l != nil {
		x.Journal = x.l.Digest
	}
	names := SplitNames(t)[1:]
	chosen := strings.Split(o.Split, ",")
	if o.Split == "" {
		chosen = cheapestOf(t)
	}
	for i, name := range chosen {
		switch {
		case !slices.Contains(names, name) && name != t.Splits[0].Name:
			return hint.Add(Usagef("--split %s: %s has no split %q", o.Split, t.Name, name),
				DidYouMean(name, names)+"use some of "+strings.Join(SplitNames(t), ","))
		case slices.Contains(chosen[:i], name):
			return Usagef("--split %s: %s appears twice", o.Split, name)
		case name != t.Splits[0].Name: // training is always measured, named or not
			x.Splits = append(x.Splits, name)
		}
	}
	for _, name := range x.Splits {
		x.Data[name] = t.Digest(name)
	}
	if o.Credit && x.l != nil {
		return x.addCallers(ctx)
	}
	return nil
}

// cheapestOf returns the validation split and the test split that takes the least time.
func cheapestOf(t *bench.Task) (splits []string) {
	if t.Val != nil {
		splits = append(splits, record.Val)
	}
	if len(t.Splits) > 1 {
		splits = append(splits, slices.MinFunc(t.Splits[1:], func(a, b bench.Split) int {
			return cmp.Compare(testCost(t, a.Name), testCost(t, b.Name))
		}).Name)
	}
	return splits
}

// addCallers adds the programs in the last population of a PACE run that call EAPs with trials, and
// these EAPs, to the plan. Runs of other methods have no EAPs.
func (x *explainer) addCallers(ctx context.Context) error {
	d, err := results.Open(Decoders(), x.l.Dir)
	if err != nil {
		return err
	}
	eaps := map[int]results.EAP{}
	for _, e := range d.Run.EAPs {
		eaps[e.ID] = e
	}
	seen := map[int]bool{}
	for _, m := range d.Run.Members {
		p := d.Program(m.Evaluation)
		if m.Left != 0 || p == nil || p.Source == "" || seen[m.Evaluation] {
			continue
		}
		seen[m.Evaluation] = true
		found, err := x.w.Sandbox(x.task).Analyzer.Parts(
			ctx, p.Source, x.task.Template.Name, 2*explain.MaxParts)
		if err != nil {
			return err
		}
		c := explain.Caller{Evaluation: m.Evaluation}
		for _, id := range slices.Sorted(slices.Values(m.Calls)) {
			e := eaps[id]
			prim := explain.Primitive{EAP: id, Name: e.Name, Alpha: e.Alpha, Beta: e.Beta}
			for _, part := range found.Parts {
				if part.Name == e.Name && e.Trials > 0 {
					// The last knock-out replaces only the call or its operand, by a value of the
					// same shape.
					prim.Drop = append(prim.Drop, part.Ways[len(part.Ways)-1])
				}
			}
			if len(prim.Drop) > 0 {
				c.EAPs = append(c.EAPs, prim)
			}
		}
		if len(c.EAPs) > 0 && len(x.Callers) < explain.MaxParts {
			x.Callers, x.callers = append(x.Callers, c), append(x.callers, p.Source)
		}
	}
	return nil
}

// measure returns the measurements of jobs: the known ones first, then new ones. It appends the new
// ones to the log in the order of the jobs.
func (x *explainer) measure(ctx context.Context, parallel int, jobs []explain.Job) (
	[]explain.Measurement, error) {
	n := min(len(jobs), len(x.known))
	done := slices.Clone(x.known[:n])
	x.known = x.known[n:]
	if err := explain.Due(done, jobs); err != nil {
		return nil, hint.Add(err, "remove "+record.ExplainFile+" to begin again")
	}
	parallel = max(1, parallel)
	for todo := range slices.Chunk(jobs[n:], 4*parallel) { // a stop loses at most one chunk
		made := make([]explain.Measurement, len(todo))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(parallel)
		for i, job := range todo {
			g.Go(func() (err error) {
				made[i], err = x.score(ctx, job)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		done, x.done = append(done, made...), x.done+len(made)
		if x.line != nil {
			x.line.Progress(bench.Progress{
				Evaluations: x.done, Budget: max(x.done, x.Programs()),
			})
		}
		for _, m := range made {
			if x.log == nil {
				break
			}
			if err := x.log.add(m); err != nil {
				return nil, err
			}
		}
	}
	return done, nil
}

// score evaluates the program of a job. The evaluation does not count against a budget.
func (x *explainer) score(ctx context.Context, job explain.Job) (m explain.Measurement, err error) {
	m.Job = job
	source, err := x.source(job)
	if err != nil {
		return m, err
	}
	p := program.Program{Source: source}
	var o *record.SplitOutcome
	if job.Split == x.Splits[0] && x.task.Rescore != nil {
		o, err = x.e.Fresh(ctx, p, replicatesOf)
	} else {
		o, err = x.e.Test(ctx, job.Split, p)
	}
	if err != nil {
		return m, err
	}
	if m.Values = o.Values; o.Fault != nil {
		m.Values, m.Fault = nil, o.Fault.Kind
	}
	return m, nil
}

func (x *explainer) source(job explain.Job) (string, error) {
	source := x.p.Source
	var edits []program.Edit
	switch {
	case job.Default:
		return x.task.Default(), nil
	case job.Caller > 0:
		source = x.callers[job.Caller-1]
	}
	if job.Drop > 0 {
		edits = x.Callers[job.Caller-1].EAPs[job.Drop-1].Drop
	}
	for _, out := range job.Out {
		edits = append(edits, x.Parts.Parts[out[0]].Ways[out[1]])
	}
	for _, e := range edits {
		if !e.Fits(source) {
			return "", errors.New("a part to leave out is outside of the program")
		}
	}
	return program.Edited(source, edits...), nil
}

// checkExplained checks explain.jsonl, if it exists. It repeats the first measurement, which is of
// the explained program, and a sample of about a tenth of the others. The bytes of the file select
// the sample, so that a changed measurement also changes the sample.
func (o Verifier) checkExplained(
	ctx context.Context, w *Backend, task *bench.Task, l *record.Loaded,
) error {
	if e, err := explain.Read(l.Dir, l.Digest); e == nil || err != nil {
		return err
	}
	path := filepath.Join(l.Dir, record.ExplainFile)
	plan, known, random, err := explain.Known(path)
	if err != nil {
		return err
	}
	wrong := func(format string, args ...any) error {
		return hint.Add(fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...)),
			"remove it: pacebench explain writes it again")
	}
	x, err := newExplainer(w, task, l, program.Program{})
	if err != nil {
		return err
	}
	if err := x.plan(ctx, Explaining{
		Split: strings.Join(plan.Splits, ","), Top: plan.Top, Most: plan.Most, Pairs: plan.Pairs,
		Credit: len(plan.Callers) > 0,
	}); err != nil {
		return wrong("%w", err)
	}
	if d := record.Difference(plan, x.Plan); d != "" {
		return wrong("its plan %s", d)
	}
	var again []int
	var jobs []explain.Job
	for i, m := range known {
		if i == 0 || random.IntN(10) == 0 {
			again, jobs = append(again, i), append(jobs, m.Job)
		}
	}
	made, err := x.measure(ctx, o.Jobs, jobs)
	if err != nil {
		return err
	}
	late := 0
	for i, at := range again {
		was, now := known[at], made[i]
		switch timeout := record.Timeout; {
		case (was.Fault == timeout) != (now.Fault == timeout):
			late++
		case was.Fault != now.Fault || !slices.Equal(was.Values, now.Values):
			return wrong("line %d has %s, but a new measurement gives %s", at+2,
				said(was.Fault, "values ", was.Values), said(now.Fault, "values ", now.Values))
		}
	}
	fmt.Fprintf(o.Out, "%s: explained program: %d of %s repeated", o.Name(l.Dir), len(again),
		Counted(len(known), "measurement"))
	if late > 0 {
		fmt.Fprintf(o.Out, ", %d timed out in only one of the two attempts", late)
	}
	fmt.Fprintln(o.Out)
	return nil
}
