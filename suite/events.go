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

// Events reports the progress of runs to another program. It writes one line of JSON for each run
// when the command begins, after each commit of the run, and when the run has succeeded. It is safe
// for concurrent use. A nil Events writes nothing.
type Events struct {
	fd int

	mu   sync.Mutex // guards all fields below
	file *os.File
	stop context.CancelCauseFunc // ends the runs after a failed write to file
}

// An event is one line. The last line of a run omits the fields for tokens, costs and failures.
type event struct {
	Run         string   `json:"run"` // the run's directory
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
	Value       *float64 `json:"value"` // the best score in the task's unit
	Finished    bool     `json:"finished,omitempty"`
}

// OpenEvents writes events to a descriptor that this process inherited. Descriptor 0 means no
// events. Child processes do not inherit the descriptor.
func OpenEvents(fd int) (*Events, error) {
	if fd == 0 {
		return nil, nil
	}
	var s syscall.Stat_t
	fault := ""
	if fd < 3 {
		fault = "the descriptor must be above 2"
	} else if err := syscall.Fstat(fd, &s); err != nil || s.Mode&syscall.S_IFMT == 0 {
		fault = "no file or pipe is open there"
	}
	if fault != "" {
		return nil, hint.Add(Usagef("--events %d: %s", fd, fault),
			"--events is for programs that start pacebench with an open descriptor above 2")
	}
	syscall.CloseOnExec(fd)
	return &Events{fd: fd, file: os.NewFile(uintptr(fd), "events")}, nil
}

// within returns a context that ends with ctx, or when an event cannot be written because the
// reader has closed its end.
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
			"run the same command again to continue"))
	}
}

// progress reports the beginning of the command, or a commit of the run.
func (e *Events) progress(p *Planned, out string, now bench.Progress) {
	e.tell(p, out, event{
		Evaluations: now.Evaluations, Requests: now.Requests, Tokens: now.Tokens, USD: now.Cost,
		Failed: now.Failed, Refused: now.Refused, Replayed: now.Replayed, Best: now.Best,
	})
}

// finished reports that a run has succeeded.
func (e *Events) finished(p *Planned, out string, r *record.Result) {
	about := event{Evaluations: r.Evaluations, Requests: r.Asked, Finished: true}
	if r.Best != nil {
		about.Best = &r.Best.Score
	}
	e.tell(p, out, about)
}
