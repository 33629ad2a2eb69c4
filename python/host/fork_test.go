//go:build linux

package host

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// forked is a scorer that keeps state.
var forked = &bench.Scorer{Main: "forked", Fork: true, Modules: map[string]string{"forked": `
import os, signal, time
seen = 0
def count(job, ask):
    global seen
    seen += 1
    return [seen, os.getppid(), os.getpid()]
def works(job, ask):
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
def crashes(job, ask):
    os.kill(os.getpid(), signal.SIGSEGV)
def raises(job, ask):
    raise ValueError("broken")
def asks(job, ask):
    ask(1)
`}}

// The next call of Lend does not see the state that earlier runs left, and needs no new process.
func TestForkedRunsLeaveNothingBehind(t *testing.T) {
	p := open(t, Config{})
	parent := bench.Int(0)
	refusal := errors.New("enough")
	for range 3 {
		err := p.Lend(t.Context(), forked, func(h bench.Host) error {
			for want := range bench.Int(2) {
				list, err := h.Call(t.Context(), "count", nil, nil)
				if err != nil {
					return err
				}
				if list[0] != want+1 || parent != 0 && list[1] != parent || list[1] == list[2] {
					t.Errorf("run %d: %v, the first process was %d", want, list, parent)
				}
				parent = list[1].(bench.Int)
			}
			before := h.CPU()
			if _, err := h.Call(t.Context(), "works", nil, nil); err != nil {
				return err
			}
			if used := h.CPU() - before; used.Milliseconds() < 40 {
				t.Errorf("50 ms of work are %v", used)
			}
			no := func(context.Context, []bench.Value) ([]bench.Value, error) {
				return nil, refusal
			}
			_, err := h.Call(t.Context(), "asks", nil, no)
			return err
		})
		if err != refusal {
			t.Fatal(err)
		}
	}
}

// The error says how a fork failed, and the next call of Lend has a process that works.
func TestAForkThatFails(t *testing.T) {
	p := open(t, Config{})
	for function, says := range map[string]string{
		"crashes": "its process ended: signal 11", "raises": "line 15: ValueError: broken",
	} {
		err := p.Lend(t.Context(), forked, func(h bench.Host) error {
			_, err := h.Call(t.Context(), function, nil, nil)
			return err
		})
		if !errors.Is(err, bench.ErrScorer) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", function, err, says)
		}
		err = p.Lend(t.Context(), forked, func(h bench.Host) error {
			list, err := h.Call(t.Context(), "count", nil, nil)
			if err == nil && list[0] != bench.Int(1) {
				t.Errorf("%v", list)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
