package status

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// A Plan describes a run before it begins.
type Plan struct {
	Name   string
	Kind   string // runs of one kind (mostly: one task) take about the same time
	Budget int    // counted in Unit; 0: no search
	Unit   string // of Budget, if no model is asked: "resets", "programs"; empty: evaluations
	Tests  bool   // more work follows the search
	Value  func(score float64) float64
	// Waited returns the share of the steps' time in which answers waited for their turn. It is nil
	// if answers never wait.
	Waited func() float64
}

// A Line is one run on the display.
type Line struct {
	Plan
	b *Board

	begun, searched, ended time.Time // zero: not yet
	progress               bench.Progress
	computed               int // evaluations that were computed, not replayed
	tenth                  int // the last tenth of the budget that a line of text reported
	doing                  string
	requests               map[uint64]*request // in flight or queued, by call
	retried                int                 // attempts that failed
	candidates             []*candidate        // running now, the oldest first
	stages                 []*stage
}

// A request is a call of the model that is queued or in flight.
type request struct {
	since  time.Time
	sent   bool      // has left the queue
	until  time.Time // end of the wait before the next attempt
	reason string    // reason for the wait
}

// A candidate is a running program.
type candidate struct {
	bench.Target
	since time.Time
}

// A commit counts evaluations that were computed, not replayed.
type commit struct {
	at time.Time
	n  int
}

// A stage is work after the search: the re-evaluation, the validation or a test split.
type stage struct {
	name        string
	done, total int
	begun, last time.Time // last: end of the latest instance
}

// Add adds a run to the board. The display shows the run from Begin to End.
func (b *Board) Add(p Plan) *Line {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.Name = printable(p.Name)
	l := &Line{Plan: p, b: b, requests: map[uint64]*request{}}
	b.lines = append(b.lines, l)
	return l
}

// Begin shows the run.
func (l *Line) Begin() { l.change(func(now time.Time) { l.begun = now }) }

// Wait hides the run until it begins again, because another process works on it.
func (l *Line) Wait() {
	l.change(func(time.Time) {
		l.begun, l.searched, l.stages = time.Time{}, time.Time{}, nil
		clear(l.requests)
	})
}

// End hides the run and counts it as ended. If the board has several runs, End prints a message
// about a successful run.
func (l *Line) End(err error) {
	l.change(func(now time.Time) { l.ended = now })
	if err == nil && !l.begun.IsZero() && len(l.b.lines) > 1 && l.b.shown {
		text := "done after " + Seconds(l.ended.Sub(l.begun))
		if l.progress.Best != nil {
			text += ", best " + l.best()
		}
		l.Say(text)
	}
}

// Say prints a message about the run above the display.
func (l *Line) Say(text string) { l.b.Say("%s: %s", l.Name, text) }

// Doing sets the text for a run that has no requests or evaluations to count.
func (l *Line) Doing(what string) { l.change(func(time.Time) { l.doing = printable(what) }) }

func (l *Line) change(f func(now time.Time)) {
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	f(time.Now())
}

// Progress records the progress of the search. Without a terminal, it prints a line of text after
// every tenth of the budget.
func (l *Line) Progress(p bench.Progress) {
	l.change(func(now time.Time) {
		if n := p.Evaluations - l.progress.Evaluations; !p.Replayed {
			l.computed += n
			l.b.recent = append(l.b.recent, commit{now, n})
		}
		l.progress = p
		if t := 10 * p.Evaluations / max(1, p.Budget); t > l.tenth {
			l.tenth = t
			if l.b.screen == nil && l.b.shown {
				text := l.charged()
				if l.Unit == "" {
					text += fmt.Sprintf(", %d requests", p.Requests)
				}
				if l.Unit == "" || p.Best != nil {
					text += ", best " + l.best()
				}
				l.b.print(fmt.Sprintf("%s: %s; %s", l.Name, text, l.b.text(now)))
			}
		}
	})
}

// charged formats the used part of the budget.
func (l *Line) charged() string {
	return fmt.Sprintf("%d/%d %s",
		l.progress.Evaluations, l.Budget, cmp.Or(l.Unit, "evaluations"))
}

// best formats the best score in the task's unit.
func (l *Line) best() string {
	if l.progress.Best == nil {
		return "none yet"
	}
	v := *l.progress.Best
	if l.Value != nil {
		v = l.Value(v)
	}
	return fmt.Sprintf("%.6g", v)
}

// Model returns m with its calls shown on the run's line.
func (l *Line) Model(m llm.Model) llm.Model { return llm.Watch(m, l.see) }

func (l *Line) see(e llm.Event) {
	l.change(func(now time.Time) {
		q := l.requests[e.Call]
		if q == nil {
			q = &request{since: now}
			l.requests[e.Call] = q
		}
		q.until, q.reason = time.Time{}, ""
		switch e.Stage {
		case llm.StageSent:
			if !q.sent {
				q.sent, q.since = true, now // do not count the time in the queue
			}
		case llm.StageWaiting:
			q.until, q.reason = now.Add(e.Wait), printable(e.Reason())
			l.retried++
		case llm.StageDone:
			delete(l.requests, e.Call)
		}
	})
}

// Candidate shows a running program until ended is called. Until then the display reads its CPU
// time and its limit.
func (l *Line) Candidate(t bench.Target) (ended func()) {
	var c *candidate
	l.change(func(now time.Time) {
		c = &candidate{t, now}
		l.candidates = append(l.candidates, c)
	})
	return func() {
		l.change(func(time.Time) {
			i := slices.Index(l.candidates, c)
			l.candidates = slices.Delete(l.candidates, i, i+1)
		})
	}
}

// rescoring is the name of the stage that evaluates a noisy task's best programs again.
const rescoring = "re-evaluation"

// Testing returns a copy of t that shows each instance of the splits and of the re-evaluation on
// the run's line.
func (l *Line) Testing(t *bench.Task, splits []string) *bench.Task {
	w := *t
	var names []string
	// most returns an upper bound, because equal and failing programs are left out.
	most := func(n int) int { return min(n, max(1, l.progress.Evaluations)) }
	if t.Rescore != nil {
		again := *t.Rescore
		l.stage(rescoring, most(again.Top)*again.Replicates*t.Splits[0].Instances)
		again.Score = func(
			ctx context.Context, replicate int, in bench.Instance, f bench.Target,
		) (float64, error) {
			defer l.instance(rescoring)()
			return t.Rescore.Score(ctx, replicate, in, f)
		}
		w.Rescore = &again
	}
	for _, s := range splits {
		if sp, ok := t.Split(s); ok && s == record.Val {
			l.stage(s, most(record.Validated)*sp.Instances)
			names = append(names, s)
		} else if ok {
			l.stage(s, sp.Instances)
			names = append(names, s)
		}
	}
	w.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		if slices.Contains(names, in.Split) {
			defer l.instance(in.Split)()
		}
		return t.Score(ctx, in, f)
	}
	l.change(func(now time.Time) { l.searched = now })
	return &w
}

func (l *Line) stage(name string, total int) {
	l.change(func(time.Time) { l.stages = append(l.stages, &stage{name: name, total: total}) })
}

// instance begins one instance of a stage and returns the function that ends it.
func (l *Line) instance(name string) (end func()) {
	var s *stage
	l.change(func(now time.Time) {
		i := slices.IndexFunc(l.stages, func(s *stage) bool { return s.name == name })
		for _, before := range l.stages[:i] {
			if before.name == rescoring || before.name == record.Val {
				before.total = before.done // tests begin after this stage
			}
		}
		s = l.stages[i]
		if s.begun.IsZero() {
			s.begun = now
		}
	})
	return func() {
		l.change(func(now time.Time) {
			s.done, s.last = s.done+1, now
			s.total = max(s.total, s.done) // the program that validation chose is tested, too
			l.b.pace[l.Kind+" "+name] = now.Sub(s.begun) / time.Duration(s.done)
		})
	}
}
