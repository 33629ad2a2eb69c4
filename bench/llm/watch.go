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
	Time    time.Time
	Model   string // the model that is asked; for StageQueued the name of the whole
	Purpose Purpose
	Attempt int           // from 1 within the call; 0: none was made
	Wait    time.Duration // of StageWaiting
	Err     error         // of StageWaiting and of StageDone; nil: the call has its reply
	Usage   Usage         // of StageDone with a reply
	Cost    float64       // of StageDone: USD paid for the reply; 0 where nothing is known
}

// Reason says in a few words why an attempt failed: "429 from api.openai.com". It is empty
// without an error.
func (e Event) Reason() string {
	var err *Error
	switch {
	case e.Err == nil:
		return ""
	case !errors.As(e.Err, &err):
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
// and a StageDone event last, those of Retry in between. see is called by several goroutines
// at once, and holds the call up until it returns.
func Watch(m Model, see func(Event)) Model { return &watched{m: m, see: see} }

type watched struct {
	m     Model
	see   func(Event)
	calls atomic.Uint64
}

func (m *watched) Name() string { return m.m.Name() }

func (m *watched) Complete(ctx context.Context, r Request) (Reply, error) {
	c := r.call()
	c.see, c.event = m.see, Event{Call: m.calls.Add(1), Model: m.m.Name(), Purpose: r.Purpose}
	c.tell(StageQueued, nil)
	reply, err := m.m.Complete(ctx, r)
	c.event.Usage = reply.Usage
	c.tell(StageDone, err)
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

func (c *Call) tell(s Stage, err error) {
	if c.see == nil {
		return
	}
	c.event.Stage, c.event.Time, c.event.Err = s, time.Now(), err
	e := c.event
	if s != StageWaiting {
		e.Wait = 0
	}
	c.see(e)
}

// sent tells that an attempt begins.
func (c *Call) sent(model string, number int) {
	c.event.Model, c.event.Attempt = model, number
	c.tell(StageSent, nil)
}

// waiting tells that an attempt failed and how long the pause is.
func (c *Call) waiting(err error, pause time.Duration) {
	c.event.Wait = pause
	c.tell(StageWaiting, err)
}

// again holds a further attempt back until the limit around it allows one more request.
func (c *Call) again(ctx context.Context) error {
	if c.limit == nil {
		return nil
	}
	return c.limit.waitRequest(ctx)
}
