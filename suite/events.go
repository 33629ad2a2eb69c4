package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"syscall"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
)

// Events tells another program where runs stand: one line of JSON for each run at first, after each
// of its commits, and at its end. It is safe for concurrent use. Of a nil Events nothing is read.
type Events struct {
	fd int

	mu   sync.Mutex // guards all below
	file *os.File
	stop context.CancelCauseFunc // ends the runs when nobody reads any more
}

// An event is such a line. What a finished run of an earlier command does not say is left out.
type event struct {
	Run         string   `json:"run"` // its directory
	Name        string   `json:"name"`
	Evaluations int      `json:"evaluations"`
	Budget      int      `json:"budget"`
	Requests    int      `json:"requests"`
	Tokens      int      `json:"tokens,omitempty"`
	USD         float64  `json:"usd,omitempty"`
	Failed      int      `json:"failed,omitempty"`
	Refused     int      `json:"refused,omitempty"`
	Replayed    bool     `json:"replayed,omitempty"`
	Best        *float64 `json:"best"`  // score, larger is better
	Value       *float64 `json:"value"` // the same in the task's unit
	Finished    bool     `json:"finished,omitempty"`
}

// OpenEvents are events to a descriptor that this process was given, 0: none. Processes that it
// starts do not get it.
func OpenEvents(fd int) (*Events, error) {
	if fd == 0 {
		return nil, nil
	}
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil || fd < 3 || s.Mode&syscall.S_IFMT == 0 {
		return nil, hint.Add(Usagef("--events %d: no file or pipe is open there", fd),
			"it is for programs that start this one, with a descriptor above 2")
	}
	syscall.CloseOnExec(fd)
	return &Events{fd: fd, file: os.NewFile(uintptr(fd), "events")}, nil
}

// within is ctx until nobody reads the events any more.
func (e *Events) within(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	if e != nil {
		e.stop = stop
	}
	return ctx, stop
}

func (e *Events) tell(p *Planned, out string, about event) {
	if e == nil {
		return
	}
	about.Run, about.Name, about.Budget = RunDir(out, p.Header), p.Name(), p.Header.Budget
	if about.Best != nil {
		value := p.Task.Goal.Value(*about.Best)
		about.Value = &value
	}
	line, err := json.Marshal(about)
	if err != nil {
		panic("suite: an event does not encode: " + err.Error())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.file.Write(append(line, '\n')); err != nil {
		e.stop(hint.Add(fmt.Errorf("--events %d: %w", e.fd, err),
			"the same command goes on where it ended"))
	}
}

// progress tells of a commit.
func (e *Events) progress(p *Planned, out string, now bench.Progress) {
	e.tell(p, out, event{
		Evaluations: now.Evaluations, Requests: now.Requests, Tokens: now.Tokens, USD: now.Cost,
		Failed: now.Failed, Refused: now.Refused, Replayed: now.Replayed, Best: now.Best,
	})
}

// finished tells of a run's end.
func (e *Events) finished(p *Planned, out string, r *record.Result) {
	about := event{Evaluations: r.Evaluations, Requests: r.Asked, Finished: true}
	if r.Best != nil {
		about.Best = &r.Best.Score
	}
	e.tell(p, out, about)
}
