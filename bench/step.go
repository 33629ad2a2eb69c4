package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// A Step is a job's handle on the run: one unit of work, journalled as a whole. Only one goroutine
// may use it at a time.
type Step struct {
	e       *engine
	reserve int          // evaluations reserved
	old     *record.Step // the journal's record of this step, or nil
	base    *record.Step // the step's record in Conditions.Base; nil after the runs diverge
	record  record.Step
	draws   *rand.Rand
	rand    *rand.Rand
	timing  record.Timing
}

func (e *engine) newStep(reserve int) *Step {
	st := &Step{e: e, reserve: reserve, old: e.old[e.steps], base: e.base[e.steps]}
	st.record.Number = e.steps
	e.steps++
	e.reserved += reserve
	return st
}

// Number returns the index of the step in the run, from 0, in the order of proposal.
func (st *Step) Number() int { return st.record.Number }

// Rand returns the step's own random stream.
func (st *Step) Rand() *rand.Rand {
	if st.rand == nil {
		st.rand = stream(st.e.Header.Seed, "step/"+strconv.Itoa(st.Number()))
	}
	return st.rand
}

// Note adds a note to the step's record, e.g. the verdict on one reply.
func (st *Step) Note(n note.Note) { st.record.Notes = append(st.record.Notes, noteRecord(n)) }

// Analyze returns CPython's analysis of a source. It costs no budget and is not journalled.
func (st *Step) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	return st.e.Analyzer.Analyze(ctx, source)
}

// Ask sends a request and returns the reply. The engine sets Request.Draw, 31 bits from the
// method's own stream for the step, so that equal prompts get different, reproducible answers. If
// the journal contains the step, the journal answers; if a paired run still follows its base, the
// base answers. Ask returns ErrDiverged if the journal's request differs from r.
func (st *Step) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if st.draws == nil {
		st.draws = stream(st.e.Header.Seed, st.e.Header.Draws(st.Number()))
	}
	r.Draw = uint64(st.draws.Uint32() >> 1)
	i := len(st.record.Requests)
	if most := max(st.e.Header.Requests, stepRequests); i == most {
		return llm.Reply{}, hint.Add(fmt.Errorf("the step makes more than %d requests", most),
			"end the step earlier: the limit on requests is checked only between steps")
	}
	if st.old != nil {
		if i >= len(st.old.Requests) {
			return llm.Reply{}, fmt.Errorf("request %d (%s) is not in the journal: %w",
				i+1, r.Purpose, ErrDiverged)
		}
		if err := sameRequest(st.old.Requests[i].Request, r); err != nil {
			return llm.Reply{}, fmt.Errorf("request %d (%s): %w", i+1, r.Purpose, err)
		}
		st.record.Requests = append(st.record.Requests, st.old.Requests[i])
		return st.old.Requests[i].Reply, nil
	}
	if st.e.replayOnly {
		return llm.Reply{}, ErrIncomplete
	}
	if reply, ok := st.share(r); ok {
		shared := record.Request{Request: r, Reply: reply, Shared: true}
		st.record.Requests = append(st.record.Requests, shared)
		return reply, st.keepImages(r)
	}
	start := time.Now()
	reply, err := st.e.Model.Complete(ctx, r)
	if err != nil {
		return llm.Reply{}, err
	}
	st.timing.AskMS = append(st.timing.AskMS, milliseconds(time.Since(start)))
	// JSON would replace invalid bytes, and a replay would then differ from the run.
	reply.Text = strings.ToValidUTF8(reply.Text, "\uFFFD")
	if err := st.keepImages(r); err != nil {
		return llm.Reply{}, err
	}
	st.record.Requests = append(st.record.Requests, record.Request{Request: r, Reply: reply})
	return reply, nil
}

// share returns the base's answer to a request; ok is false if the runs have diverged.
func (st *Step) share(r llm.Request) (reply llm.Reply, ok bool) {
	i := len(st.record.Requests)
	if st.base == nil || i >= len(st.base.Requests) {
		return reply, false
	}
	old, role := st.base.Requests[i], r.Purpose.Role()
	if sameRequest(old.Request, r) != nil ||
		st.e.Base.Header.Model(role) != st.e.Header.Model(role) {
		st.base = nil
		return reply, false
	}
	return old.Reply, true
}

// keepImages stores the images of a request before the line that names them is written.
func (st *Step) keepImages(r llm.Request) error {
	for _, p := range r.User {
		if p.Image == nil {
			continue
		}
		if err := st.e.keepBlob(p.Image.Digest, p.Image.Data); err != nil {
			return err
		}
	}
	return nil
}

// Evaluate scores a program on the training split. A step evaluates at most as many programs as it
// has reserved: one in Stream and Do, none in Consult. Another evaluation is a programming error
// and panics. If the journal contains the step, the journal answers.
func (st *Step) Evaluate(ctx context.Context, p program.Program) (Outcome, error) {
	i := len(st.record.Evaluations)
	if i >= st.reserve {
		panic(fmt.Sprintf("bench: step %d evaluates more than it reserved (%d)",
			st.Number(), st.reserve))
	}
	p.Source = strings.ToValidUTF8(p.Source, "\uFFFD")
	if st.old != nil {
		if i >= len(st.old.Evaluations) {
			return Outcome{}, fmt.Errorf("evaluation %d is not in the journal: %w",
				i+1, ErrDiverged)
		}
		old := st.old.Evaluations[i]
		if old.Source != p.Source {
			return Outcome{}, fmt.Errorf("evaluation %d: %w\n%s",
				i+1, ErrDiverged, diff(old.Source, p.Source))
		}
		st.record.Evaluations = append(st.record.Evaluations, old)
		return st.e.withEvidence(old.Outcome)
	}
	if st.e.replayOnly {
		return Outcome{}, ErrIncomplete
	}
	start := time.Now()
	out, err := st.e.evaluate(ctx, p)
	if err != nil {
		return Outcome{}, err
	}
	t := &st.timing
	t.EvaluateMS = append(t.EvaluateMS, milliseconds(time.Since(start)))
	t.WorkerMS = append(t.WorkerMS, milliseconds(out.Spent.Busy))
	t.CPUMS = append(t.CPUMS, milliseconds(out.Spent.CPU))
	t.LimitShare = append(t.LimitShare, math.Round(1000*out.Spent.Share)/1000)
	st.record.Evaluations = append(st.record.Evaluations,
		record.Evaluation{Source: p.Source, Outcome: out.Outcome})
	return out.Outcome, nil
}

// commit settles the step's reservation and makes its record durable.
func (e *engine) commit(st *Step) error {
	if e.failed != nil {
		return e.failed
	}
	e.reserved -= st.reserve
	if st.reserve > 0 && len(st.record.Evaluations) == 0 {
		e.refused++
	}
	spent := e.totals.Evaluations
	for i := range st.record.Evaluations {
		spent = st.record.Evaluations[i].Charge(spent)
	}
	if len(st.record.Requests) == 0 && spent == e.totals.Evaluations {
		if err := e.atNoCost(); err != nil {
			return err
		}
	}
	if !sharedWholly(e.base[st.Number()], st.record.Requests) {
		e.base = nil
	}
	if err := e.emit(record.Line{Step: &st.record}, true); err != nil {
		return err
	}
	if st.old == nil && e.timing != nil {
		e.writeTiming(st)
	}
	delete(e.old, st.Number())
	if e.Progress != nil {
		e.Progress(e.progress(st.old != nil))
	}
	if st.old == nil {
		return e.countTripped(st.record.Evaluations)
	}
	return nil
}

func stepError(st *Step, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("step %d: %w", st.Number(), err)
}

// noteShare is the smallest Spent.Share for which timing.jsonl records the shares of a step.
const noteShare = 0.5

func (e *engine) writeTiming(st *Step) {
	t := st.timing
	t.Step = st.Number()
	if len(t.LimitShare) > 0 && slices.Max(t.LimitShare) < noteShare {
		t.LimitShare = nil
	}
	if line, err := json.Marshal(t); err == nil {
		_, _ = e.timing.Write(append(line, '\n')) // a lost timing must not end a run
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
