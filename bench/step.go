package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
)

var (
	// ErrDiverged means that a journal was written by another method, another prompt or another
	// stream of random numbers than the ones that replay it. Nothing is overwritten.
	ErrDiverged = errors.New("the journal does not match this method")
	// ErrIncomplete means that a replay reached the end of its journal before the method's end.
	ErrIncomplete = errors.New("the journal ends before the run does")
)

// A Step is a job's handle on the world: one unit of the run, journalled as a whole. One
// goroutine uses it at a time.
type Step struct {
	e       *engine
	reserve int          // evaluations reserved
	old     *record.Step // what the journal holds for this step, or nil
	base    *record.Step // what Run.Base did in this step, until they part; or nil
	record  record.Step
	draws   *rand.Rand
	rand    *rand.Rand
	timing  record.Timing
}

// Number is the step's place in the run, from 0, in the order proposed.
func (st *Step) Number() int { return st.record.Number }

// Rand is the step's own stream.
func (st *Step) Rand() *rand.Rand {
	if st.rand == nil {
		st.rand = stream(st.e.run.Header.Seed, "step/"+strconv.Itoa(st.Number()))
	}
	return st.rand
}

// Note adds a remark to the step's record, e.g. the verdict on one structural attempt.
func (st *Step) Note(n note.Note) { st.record.Notes = append(st.record.Notes, noteRecord(n)) }

// Analyze says what CPython sees in a source. It costs no budget and is not journalled.
func (st *Step) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	return st.e.run.Analyzer.Analyze(ctx, source)
}

// Ask sends a request. The engine sets Request.Draw, 31 bits from the method's own stream for the
// step, so that equal prompts get different, reproducible answers. A step that the journal holds is
// answered from it, and one that the base of a paired run began alike is answered from there.
func (st *Step) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if st.draws == nil {
		st.draws = stream(st.e.run.Header.Seed, st.e.run.Header.Draws(st.Number()))
	}
	r.Draw = uint64(st.draws.Uint32() >> 1)
	i := len(st.record.Requests)
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
	reply, err := st.e.run.Model.Complete(ctx, r)
	if err != nil {
		return llm.Reply{}, err
	}
	st.timing.AskMS = append(st.timing.AskMS, milliseconds(time.Since(start)))
	// JSON would replace it too, and the replay would differ.
	reply.Text = strings.ToValidUTF8(reply.Text, "\uFFFD")
	if err := st.keepImages(r); err != nil {
		return llm.Reply{}, err
	}
	st.record.Requests = append(st.record.Requests, record.Request{Request: r, Reply: reply})
	return reply, nil
}

// keepImages stores the images of a request before the line that names them.
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

// Evaluate scores a program on the training split. A step evaluates at most what it reserved (one
// in Stream and Do, none in Consult); more is a programmer's mistake and panics. A step that the
// journal holds is answered from it.
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

// sanitize makes an outcome fit for JSON and for comparison: a score that is not finite is a fault.
func sanitize(o Outcome) Outcome {
	finite := !math.IsNaN(o.Score) && !math.IsInf(o.Score, 0)
	for _, v := range o.Values {
		finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	if o.Fault == nil && !finite {
		o.Fault = Faultf(NonFinite, "the score is not a finite number")
	}
	if o.Fault != nil {
		fault := *o.Fault
		fault.Detail = strings.ToValidUTF8(fault.Detail, "\uFFFD")
		return Outcome{Fault: &fault, Evidence: o.Evidence}
	}
	return o
}

// sameRequest compares what the journal holds with what the method asks now, as the journal writes
// it: of an image the digest.
func sameRequest(old, now llm.Request) error {
	was, err := json.Marshal(old)
	if err != nil {
		return err
	}
	is, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if bytes.Equal(was, is) {
		return nil
	}
	if old.Purpose != now.Purpose {
		return fmt.Errorf("the journal has a request for %s here: %w", old.Purpose, ErrDiverged)
	}
	if was, is := requestText(old), requestText(now); was != is {
		return fmt.Errorf("the prompt differs: %w\n%s", ErrDiverged, diff(was, is))
	}
	return fmt.Errorf("%w\n%s", ErrDiverged, diff(string(was), string(is)))
}

func requestText(r llm.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, p := range r.User {
		b.WriteString(p.Text)
		if p.Image != nil {
			b.WriteString("[image " + p.Image.Digest + "]")
		}
	}
	return b.String()
}

// diff shows the first line at which two texts differ.
func diff(old, now string) string {
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(a) && i >= len(b):
			return ""
		case i >= len(a):
			return fmt.Sprintf("line %d\n  journal: (ends)\n  now:     %s", i+1, b[i])
		case i >= len(b):
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     (ends)", i+1, a[i])
		case a[i] != b[i]:
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     %s", i+1, a[i], b[i])
		}
	}
}
