package llm

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Stage is how far a call has come.
type Stage string

// A call begins queued and ends done. In between it may be sent and waiting, several times;
// a model that needs no server goes from queued to done.
const (
	StageQueued  Stage = "queued"  // the limits hold it back
	StageSent    Stage = "sent"    // an attempt is under way
	StageWaiting Stage = "waiting" // an attempt failed; the next begins after Wait at the earliest
	StageDone    Stage = "done"    // there is a reply, or an error
)

// An Event is a call's step to another stage.
type Event struct {
	Call    uint64 // numbers the calls of one Watch, from 1
	Stage   Stage
	Attempt int           // from 1 within the call; 0: none was made
	Wait    time.Duration // of StageWaiting
	Err     error         // of StageWaiting and of StageDone; nil: the call has its reply
}

// Reason says in a few words why an attempt failed: "429 from api.openai.com". It is empty
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
	}
	return "a broken answer" + from
}

// Watch tells see what becomes of each call of m: for every call a StageQueued event first
// and a StageDone event last, Retry's in between. see is called by several goroutines
// at once, and holds the call up until it returns.
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

// A Call is a request on its way, as the decorators around a model tell each other of it. It
// belongs to the goroutine that makes the call.
type Call struct {
	see   func(Event) // nil: nobody watches
	event Event       // what was told last
	limit *limited    // whose leave each further attempt needs; nil: none
}

// call is the request's call, which begins here where there is none.
func (r *Request) call() *Call {
	if r.Call == nil {
		r.Call = &Call{}
	}
	return r.Call
}

func (c *Call) tell(s Stage, wait time.Duration, err error) {
	if c.see != nil {
		c.event.Stage, c.event.Wait, c.event.Err = s, wait, err
		c.see(c.event)
	}
}
