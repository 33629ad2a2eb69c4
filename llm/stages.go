package llm

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Stage is the state of a call.
type Stage string

// A call begins as queued and ends as done. In between, it may be sent and waiting several times;
// without a server, it goes directly from queued to done.
const (
	StageQueued  Stage = "queued"  // the limits delay the call
	StageSent    Stage = "sent"    // an attempt waits for its answer
	StageWaiting Stage = "waiting" // an attempt failed; the next attempt waits at least Event.Wait
	StageDone    Stage = "done"    // there is a reply, or an error
)

// An Event is the change of a call to another stage.
type Event struct {
	Call    uint64 // numbers the calls of one Watch, from 1
	Stage   Stage
	Attempt int           // from 1 within the call; 0: no attempt yet
	Wait    time.Duration // in StageWaiting: the pause before the next attempt
	Err     error         // in StageWaiting and StageDone: the failure; nil: the call has its reply
}

// Reason explains in a few words why an attempt failed: "429 from api.openai.com". It is empty
// without an error.
func (e Event) Reason() string {
	if e.Err == nil {
		return ""
	}
	err, ok := errors.AsType[*Error](e.Err)
	if !ok {
		return oneLine(e.Err.Error())
	}
	from := ""
	if err.Host != "" {
		from = " from " + err.Host
	}
	switch {
	case err.Status >= 300:
		return fmt.Sprintf("%d%s", err.Status, from)
	case err.Kind == KindTimeout:
		return "no answer in time" + from
	case err.Kind == KindConnection:
		return "no connection" + from
	case err.Kind == KindRate: // within an answer with status 200
		return "too many requests" + from
	case err.Kind == KindServer:
		return "a failure" + from
	}
	return "a broken answer" + from
}

// Watch calls see for each stage of each call of m: first with StageQueued, then with the stages of
// Retry, and last with StageDone. Several goroutines call see concurrently, and each waits until
// see returns.
func Watch(m Model, see func(Event)) Model { return &watched{Model: m, see: see} }

type watched struct {
	Model
	see   func(Event)
	calls atomic.Uint64
}

func (m *watched) Complete(ctx context.Context, r Request) (Reply, error) {
	c := r.call()
	c.see, c.event = m.see, Event{Call: m.calls.Add(1)}
	c.tell(StageQueued, 0, nil)
	reply, err := m.Model.Complete(ctx, r)
	c.tell(StageDone, 0, err)
	return reply, err
}

// A Call carries data about a request from one decorator of a model to another. It belongs to the
// goroutine that makes the call.
type Call struct {
	see   func(Event) // nil: no Watch
	event Event       // the last event
	limit *limited    // must admit each further attempt; nil: no limit
	// lost counts an attempt that the server may charge for although it gave no answer; used is
	// what the server reported, or nil. Its error forbids another attempt. nil: no purse.
	lost func(used *Usage) error
}

func (r *Request) call() *Call {
	if r.Call == nil {
		r.Call = &Call{}
	}
	return r.Call
}

// failed counts a failed attempt if the server may charge for it. After an error, no attempt may
// follow.
func (c *Call) failed(ctx context.Context, err error) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case c.lost == nil:
		return nil
	case ok && e.Billed:
		return c.lost(e.Used)
	case ctx.Err() != nil && !ok: // interrupted while the server worked
		return c.lost(nil)
	}
	return nil
}

func (c *Call) tell(s Stage, wait time.Duration, err error) {
	if c.see != nil {
		c.event.Stage, c.event.Wait, c.event.Err = s, wait, err
		c.see(c.event)
	}
}
