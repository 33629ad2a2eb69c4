package status

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

// A Plan is what is known of a cell before it begins.
type Plan struct {
	Name   string
	Kind   string // cells of one kind, mostly a task's, take about the same time
	Budget int    // evaluations, or as Unit says; 0: no search
	Unit   string // of Budget, where nothing is asked of a model: "resets"; empty: evaluations
	Tests  bool   // more work follows the search
	Value  func(score float64) float64
}

// A Cell is one line of the display.
type Cell struct {
	Plan
	b *Board

	begun, searched, ended time.Time // zero: not yet
	progress               bench.Progress
	fresh                  int // evaluations that were worked on, not replayed
	tenth                  int // the last one that a line of text told of
	doing                  string
	requests               map[uint64]*request // in flight or queued, by call
	cost                   float64             // USD that this command paid, as far as known
	stages                 []*stage
}

// A request is a call of the model in flight.
type request struct {
	since  time.Time
	sent   bool      // not only queued
	until  time.Time // of a wait before the next attempt
	reason string    // of that wait
}

// A stage is work after the search: the re-evaluation, or a test split.
type stage struct {
	name        string
	done, total int
	begun, last time.Time // last: of the latest instance
}

// Add puts a cell on the board; it is shown once it begins.
func (b *Board) Add(p Plan) *Cell {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.Name = printable(p.Name)
	c := &Cell{Plan: p, b: b, requests: map[uint64]*request{}}
	b.cells = append(b.cells, c)
	return c
}

// Begin shows the cell.
func (c *Cell) Begin() { c.change(func(now time.Time) { c.begun = now }) }

// Wait takes the cell off the display until it begins again: another process works at it.
func (c *Cell) Wait() {
	c.change(func(time.Time) {
		c.begun, c.searched, c.stages = time.Time{}, time.Time{}, nil
		clear(c.requests)
	})
}

// End takes the cell off the display and counts it. Among several cells one that ended well says
// so.
func (c *Cell) End(err error) {
	c.change(func(now time.Time) { c.ended = now })
	if err == nil && !c.begun.IsZero() && len(c.b.cells) > 1 {
		text := "done after " + seconds(c.ended.Sub(c.begun))
		if c.progress.Best != nil {
			text += ", best " + c.best()
		}
		c.Say(text)
	}
}

// Say prints a message about the cell above the display.
func (c *Cell) Say(text string) { c.b.Say("%s: %s", c.Name, text) }

// Doing says what the cell does, where it has neither requests nor evaluations to count.
func (c *Cell) Doing(what string) { c.change(func(time.Time) { c.doing = printable(what) }) }

func (c *Cell) change(f func(now time.Time)) {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	f(time.Now())
}

// Progress notes how far the search is. Without a terminal every tenth of it gives a line of text.
func (c *Cell) Progress(p bench.Progress) {
	c.change(func(now time.Time) {
		if !p.Replayed {
			c.fresh += p.Evaluations - c.progress.Evaluations
		}
		c.progress = p
		if t := 10 * p.Evaluations / max(1, p.Budget); t > c.tenth {
			c.tenth = t
			if c.b.screen == nil && !c.b.quiet {
				text := c.charged()
				if c.Unit == "" {
					text += fmt.Sprintf(", %d requests", p.Requests)
				}
				if c.Unit == "" || p.Best != nil {
					text += ", best " + c.best()
				}
				c.b.print(fmt.Sprintf("%s: %s; %s", c.Name, text, c.b.text(now)))
			}
		}
	})
}

// charged is how much of the budget is used.
func (c *Cell) charged() string {
	return fmt.Sprintf("%d/%d %s",
		c.progress.Evaluations, c.Budget, cmp.Or(c.Unit, "evaluations"))
}

// best is the best score in the task's unit.
func (c *Cell) best() string {
	if c.progress.Best == nil {
		return "none yet"
	}
	v := *c.progress.Best
	if c.Value != nil {
		v = c.Value(v)
	}
	return fmt.Sprintf("%.6g", v)
}

// Model is m with its calls shown on the cell's line.
func (c *Cell) Model(m llm.Model) llm.Model { return llm.Watch(m, c.see) }

func (c *Cell) see(e llm.Event) {
	c.change(func(now time.Time) {
		q := c.requests[e.Call]
		if q == nil {
			q = &request{since: now}
			c.requests[e.Call] = q
		}
		q.until, q.reason = time.Time{}, ""
		switch e.Stage {
		case llm.StageSent:
			if !q.sent {
				q.sent, q.since = true, now // its time in the queue says nothing of the server
			}
		case llm.StageWaiting:
			q.until, q.reason = now.Add(e.Wait), printable(e.Reason())
		case llm.StageDone:
			delete(c.requests, e.Call)
			c.cost += e.Cost
		}
	})
}

// rescoring names the stage in which a stochastic task's best programs are evaluated afresh.
const rescoring = "re-evaluation"

// Testing is t with each instance of the splits, and of the re-evaluation, shown on the cell's
// line.
func (c *Cell) Testing(t *bench.Task, splits []string) *bench.Task {
	w := *t
	var names []string
	if t.Rescore != nil {
		again := *t.Rescore
		// At most so many: equal programs and failing ones leave some out.
		c.stage(rescoring,
			min(again.Top, max(1, c.progress.Evaluations))*again.Replicates*t.Splits[0].Instances)
		again.Score = func(ctx context.Context, replicate, i int, f bench.Target) (float64, error) {
			defer c.instance(rescoring)()
			return t.Rescore.Score(ctx, replicate, i, f)
		}
		w.Rescore = &again
	}
	for _, s := range splits {
		if sp, ok := t.Split(s); ok {
			c.stage(s, sp.Instances)
			names = append(names, s)
		}
	}
	w.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		if slices.Contains(names, in.Split) {
			defer c.instance(in.Split)()
		}
		return t.Score(ctx, in, f)
	}
	c.change(func(now time.Time) { c.searched = now })
	return &w
}

func (c *Cell) stage(name string, total int) {
	c.change(func(time.Time) { c.stages = append(c.stages, &stage{name: name, total: total}) })
}

// instance begins one instance of a stage and returns what ends it.
func (c *Cell) instance(name string) (end func()) {
	var s *stage
	c.change(func(now time.Time) {
		i := slices.IndexFunc(c.stages, func(s *stage) bool { return s.name == name })
		for _, before := range c.stages[:i] {
			if before.name == rescoring {
				before.total = before.done // tests begin when it is over
			}
		}
		s = c.stages[i]
		if s.begun.IsZero() {
			s.begun = now
		}
	})
	return func() {
		c.change(func(now time.Time) {
			s.done, s.last = s.done+1, now
			c.b.pace[c.Kind+" "+name] = now.Sub(s.begun) / time.Duration(s.done)
		})
	}
}
