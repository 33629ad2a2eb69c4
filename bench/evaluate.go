package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// An Evaluator scores programs on the training split. Implementations are safe for concurrent use.
// TaskEvaluator is the real implementation, benchtest.Evaluator the fake.
type Evaluator interface {
	Evaluate(ctx context.Context, p program.Program) (Evaluated, error)
}

// Evaluated is an outcome and its cost in time.
type Evaluated struct {
	Outcome
	Spent Spent
}

// Spent is the time that an evaluation used.
type Spent struct {
	Busy time.Duration // time in which workers were busy
	CPU  time.Duration // CPU time of candidates, of scorers, and of the threads that called them
	// Share is the largest fraction of its CPU limit that a process of the candidate used, or would
	// have used: see shareOfLimit.
	Share float64
}

// A TaskEvaluator scores programs on a task. Its Evaluate method uses the training split.
type TaskEvaluator struct {
	Task     *Task
	Loader   Loader
	Hosts    Hosts // for a task with a Scorer
	Evidence bool  // collect evidence of behaviour on the training split; see Observer
	// TimeScale multiplies the task's time limits (Header.Factor); zero means 1.
	TimeScale float64
}

var _ Evaluator = (*TaskEvaluator)(nil)

// Evaluate scores p on the training split, and adds evidence of its behaviour if e.Evidence is set.
func (e *TaskEvaluator) Evaluate(ctx context.Context, p program.Program) (o Evaluated, err error) {
	d := e.begin(e.Task.Splits[0], p)
	d.traced = e.Evidence && e.Task.Evidence != nil
	if o.Outcome, err = d.run(ctx); err != nil {
		return Evaluated{}, err
	}
	o.Spent = d.spent
	if d.traced && o.Fault == nil {
		var shown []Blob
		shown, err = d.evidence(ctx)
		o.Evidence = append(o.Evidence, shown...)
		if fault := faultOf(err); fault != nil && ctx.Err() == nil {
			o.Outcome, err = sanitize(Outcome{Fault: fault}), nil // the answer cannot be shown
		}
	}
	return o, err
}

// Score scores a program on one split. A failing instance fails the whole evaluation, because a
// partial score would not be comparable.
func (e *TaskEvaluator) Score(
	ctx context.Context, split string, p program.Program) (Outcome, error) {
	sp, err := e.split(split)
	if err != nil {
		return Outcome{}, err
	}
	return e.begin(sp, p).run(ctx)
}

// Test scores a program on one split as Score does. On a test split of a task that is Isolated and
// not Whole, it continues after a failing instance, whose value is then the value reached before
// the failure.
func (e *TaskEvaluator) Test(
	ctx context.Context, split string, p program.Program) (*record.SplitOutcome, error) {
	o, _, err := e.test(ctx, split, p)
	return o, err
}

func (e *TaskEvaluator) test(ctx context.Context, split string, p program.Program) (
	*record.SplitOutcome, Spent, error) {
	sp, err := e.split(split)
	if err != nil {
		return nil, Spent{}, err
	}
	d := e.begin(sp, p)
	likeTraining := split == e.Task.Splits[0].Name || split == record.Val
	d.partial = e.Task.Isolated && !e.Task.Whole && !likeTraining
	o, err := d.run(ctx)
	if err != nil {
		return nil, Spent{}, err
	}
	return record.NewSplitOutcome(o.Values, o.Fault, d.failed), d.spent, nil
}

// Film scores a program on one instance, sends pictures to film, and returns the value. After a
// fault, it returns the value reached before the fault and sends no more pictures.
func (e *TaskEvaluator) Film(ctx context.Context, split string, instance int, p program.Program,
	film Film) (value float64, fault *Fault, err error) {
	sp, err := e.split(split)
	if err != nil {
		return 0, nil, err
	}
	d := e.begin(sp, p)
	d.partial = true
	d.score = func(ctx context.Context, in Instance, f Target) (Measure, error) {
		in.Film = &film
		return e.Task.Score(ctx, in, f)
	}
	parts, err := d.once(ctx, instance, instance+1) // no retry: pictures cannot be taken back
	if err != nil {
		return 0, nil, err
	}
	return parts[0].Value, parts[0].fault, nil
}

func (e *TaskEvaluator) split(name string) (Split, error) {
	sp, ok := e.Task.Split(name)
	if !ok {
		return sp, fmt.Errorf("task %s has no split %q", e.Task.Name, name)
	}
	return sp, nil
}

// A part is the result of one instance.
type part struct {
	Measure
	fault *Fault
}

// An evaluation scores one program on the instances of a split.
type evaluation struct {
	*TaskEvaluator
	split   Split
	program program.Program
	score   func(ctx context.Context, in Instance, f Target) (Measure, error)
	traced  bool
	partial bool // a fault ends only its instance; see Test and Film

	parts  []part                 // by instance; set by run
	failed []record.InstanceFault // of a partial evaluation

	mu    sync.Mutex
	spent Spent // guarded by mu while instances are scored
}

func (e *TaskEvaluator) begin(sp Split, p program.Program) *evaluation {
	return &evaluation{TaskEvaluator: e, split: sp, program: p, score: e.Task.Score}
}

// run scores the program on the instances and combines the results.
func (d *evaluation) run(ctx context.Context) (o Outcome, err error) {
	if d.Task.Isolated {
		d.parts, err = d.each(ctx)
	} else {
		d.parts, err = d.series(ctx, 0, d.split.Instances)
	}
	if err != nil {
		return Outcome{}, err
	}
	for i, p := range d.parts {
		if p.fault != nil && !d.partial {
			return sanitize(Outcome{Fault: p.fault}), nil
		}
		if p.fault != nil {
			d.failed = append(d.failed, record.InstanceFault{Instance: i, Fault: *p.fault})
		}
		o.Values = append(o.Values, p.Value)
		if p.Kept != nil {
			o.Evidence = append(o.Evidence, withDigest(Blob{MediaType: "text/plain", Data: p.Kept}))
		}
	}
	o.Score = d.Task.Goal.Score(record.Mean(o.Values))
	return sanitize(o), nil
}

// each scores every instance in its own process.
func (d *evaluation) each(ctx context.Context) ([]part, error) {
	results := make([]struct {
		parts []part
		err   error
	}, d.split.Instances)
	var wg sync.WaitGroup
	// The context of each instance is a child of the previous instance's context. A failure ends
	// the later instances and no earlier one, so the reported fault does not depend on speed.
	for i := range results {
		mine, next := ctx, context.CancelFunc(nil)
		ctx, next = context.WithCancel(ctx)
		defer next()
		wg.Go(func() {
			r := &results[i]
			r.parts, r.err = d.series(mine, i, i+1)
			if r.err != nil || !d.partial && r.parts[0].fault != nil {
				next()
			}
		})
	}
	wg.Wait()
	var parts []part
	for _, r := range results {
		if r.err != nil {
			return nil, r.err
		}
		parts = append(parts, r.parts...)
		if parts[len(parts)-1].fault != nil && !d.partial {
			break
		}
	}
	return parts, nil
}

// series scores the instances from first to end-1 in one process.
func (d *evaluation) series(ctx context.Context, first, end int) (parts []part, err error) {
	err = retry(ctx, func() (err error) {
		parts, err = d.once(ctx, first, end)
		if err != nil && ctx.Err() != nil {
			err = ctx.Err() // for any error: a candidate killed by Ctrl-C has not failed
		}
		return err
	})
	if fault := faultOf(err); fault != nil && ctx.Err() == nil {
		return []part{{fault: fault}}, nil
	}
	return parts, err
}

// faultOf returns the candidate's fault in an error that persists when the evaluation is repeated.
func faultOf(err error) (fault *Fault) {
	var unusable *UnusableError
	if errors.As(err, &unusable) {
		return unusable.Fault
	}
	errors.As(err, &fault)
	return fault
}

// shareOfLimit returns the fraction of its CPU limit that a closed candidate used. If the candidate
// exceeded a limit after it had finished an instance, the result assumes that the other instances
// need as much time as the finished ones.
func shareOfLimit(f Target, parts []part, instances int) float64 {
	n := len(parts)
	switch {
	case f.Limit() == 0:
		return 0
	case n == 0 || !timedOut(parts[n-1].fault):
		return float64(f.CPU()) / float64(f.Limit())
	case n == 1:
		return 0 // no instance is finished, so the share is unknown
	}
	return float64(instances) / float64(n-1)
}

// spend adds the time of a part of the evaluation.
func (d *evaluation) spend(s Spent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spent.Busy += s.Busy
	d.spent.CPU += s.CPU
	d.spent.Share = max(d.spent.Share, s.Share)
}

// once scores the instances from first to end-1 in one process. If the task has a Repeat, a second
// process gets the same questions.
func (d *evaluation) once(ctx context.Context, first, end int) (parts []part, err error) {
	var repeat func(context.Context, Target) error
	parts, err = d.loaded(ctx, first, end, func(f Target) (parts []part, err error) {
		// A host is taken after the candidate's worker, never before, so that two evaluations
		// cannot wait for each other and no host waits for a candidate.
		err = d.lend(ctx, func(h Host) (err error) {
			defer f.Pin(h)()
			if h != nil {
				before := h.CPU()
				defer func() { d.spend(Spent{CPU: max(0, h.CPU()-before)}) }() // h may have ended
			}
			var fault *Fault
			for i := first; i < end && fault == nil; i++ {
				in := Instance{Split: d.split.Name, Number: i, Host: h, Traced: d.traced}
				m, err := d.score(ctx, in, f)
				if err != nil && (ctx.Err() != nil || !errors.As(err, &fault)) {
					return err
				}
				parts = append(parts, part{m, fault})
			}
			if d.Task.Repeat != nil && fault == nil {
				repeat, err = d.Task.Repeat(ctx, h, d.program.Source)
			}
			return err
		})
		return parts, err
	})
	if repeat == nil || err != nil {
		return parts, err
	}
	again, err := d.loaded(ctx, first, end, func(f Target) ([]part, error) {
		var fault *Fault
		if err := repeat(ctx, f); ctx.Err() != nil || !errors.As(err, &fault) {
			return nil, err
		}
		return []part{{fault: fault}}, nil
	})
	if len(again) > 0 {
		parts[len(parts)-1].fault = again[0].fault
	}
	return parts, err
}

// loaded calls use with the program in its own process, and adds the time that the process uses.
func (d *evaluation) loaded(
	ctx context.Context, first, end int, use func(f Target) ([]part, error),
) (parts []part, err error) {
	t := d.Task
	prelude := t.Prelude
	if t.Seeding != nil {
		prelude += t.Seeding(d.split.Name, first)
	}
	limits := d.split.Limits
	limits.Scale = d.TimeScale
	f, err := d.Loader.Load(ctx, d.program.Source, prelude, t.Template.Name, limits)
	var fault *Fault
	switch {
	case err != nil && (ctx.Err() != nil || !errors.As(err, &fault)):
		return nil, err
	case fault != nil && !d.partial:
		return []part{{fault: fault}}, nil
	case fault != nil:
		f = refused{fault: fault} // the task computes the value reached before the first call
	}
	// The time before this point is mostly a wait for a worker, and does not count.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, own := time.Now(), threadCPU()
	defer func() {
		share := shareOfLimit(f, parts, end-first)
		d.spend(Spent{time.Since(start), threadCPU() - own + f.CPU(), share})
	}()
	defer func() {
		if cerr := f.Close(); cerr != nil && err == nil {
			err = cerr
		}
	}()
	return use(f)
}

// lend calls use with a process of the task's scorer, or with nil if the task has no scorer.
func (e *TaskEvaluator) lend(ctx context.Context, use func(Host) error) error {
	switch {
	case e.Task.Scorer == nil:
		return use(nil)
	case e.Hosts == nil:
		return fmt.Errorf("task %s has a scorer in Python but no process to run it", e.Task.Name)
	}
	return e.Hosts.Lend(ctx, e.Task.Scorer, use)
}

// evidence returns the evidence of the first instance with the worst value.
func (d *evaluation) evidence(ctx context.Context) (blobs []Blob, err error) {
	worst, score := 0, d.Task.Goal.Score
	for i, p := range d.parts {
		if score(p.Value) < score(d.parts[worst].Value) {
			worst = i
		}
	}
	err = retry(ctx, func() error {
		return d.lend(ctx, func(h Host) (err error) {
			in := Instance{Split: d.split.Name, Number: worst, Host: h, Traced: true}
			blobs, err = d.Task.Evidence(ctx, in, d.parts[worst].Trace)
			return err
		})
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("evidence of instance %d of %s: %w", worst, d.split.Name, err)
	}
	for i, b := range blobs {
		blobs[i] = withDigest(b)
	}
	return blobs, nil
}

func withDigest(b Blob) Blob {
	b.Digest = fmt.Sprintf("%x", sha256.Sum256(b.Data))
	return b
}

// interruptedWaits are the pauses before an evaluation is repeated. A machine that was out of
// memory needs a moment. The durations change no result.
var interruptedWaits = []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}

// retry repeats f after interruptions by the machine, and once after a failure of a scorer, but at
// most len(interruptedWaits) times.
func retry(ctx context.Context, f func() error) error {
	failed := false
	for try := 0; ; try++ {
		err := f()
		scorer := errors.Is(err, ErrScorer)
		again := scorer && !failed || !scorer && errors.Is(err, ErrInterrupted)
		if !again || try == len(interruptedWaits) {
			return err
		}
		failed = failed || scorer
		select {
		case <-time.After(interruptedWaits[try]):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// refused is a candidate that could not be loaded. Every call returns the same fault.
type refused struct {
	Unmeasured
	fault *Fault
}

func (r refused) Call(context.Context, ...Value) (Value, error) { return nil, r.fault }
func (r refused) Upload(context.Context, Array) (Handle, error) { return 0, r.fault }
func (r refused) Close() error                                  { return nil }
