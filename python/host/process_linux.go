package host

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
	"github.com/pacebench/pacebench/python/wire"
)

// The kinds of messages; host.py has the same constants. A tag is the number of values.
const (
	kindSetup  = 1 // JSON: modules, main
	kindRun    = 2 // JSON: function, job
	kindAnswer = 3 // values
	kindAbort  = 4
	kindFork   = 5
	kindJoin   = 6

	kindReady  = 16
	kindAsk    = 17 // values
	kindDone   = 18 // values
	kindFailed = 19 // text; its tag is failedEnded when the child ended by itself
)

// failedEnded is a tag of kindFailed.
const failedEnded = 1

// A process is a Python that has imported a scorer. One goroutine uses it at a time. Killing it
// ends every call that would block for ever.
type process struct {
	*python.Process
	scorer   digest
	main     string
	output   *python.Tail
	log      io.Writer
	patience patience
	pipe     *wire.Pipe
	runs     int
	child    int  // pid of the forked child that answers in its place; 0: none
	broken   bool // it cannot be used again
}

// environment returns all environment variables of a process: the settings that make scores the
// same everywhere, and no key.
func environment(cache string, hashSeed int) []string {
	env := append(slices.Clone(python.Environment), "PATH=/usr/bin:/bin", "PYTHONUNBUFFERED=1",
		"SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy", "PYGAME_HIDE_SUPPORT_PROMPT=1",
		"MPLBACKEND=Agg", fmt.Sprintf("PYTHONHASHSEED=%d", hashSeed))
	if cache == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, "pacebench")
		} else {
			cache = os.TempDir() // a user without a home
		}
	}
	env = append(env, "HOME="+cache, "MPLCONFIGDIR="+filepath.Join(cache, "matplotlib"))
	// Where environment modules select the compiler, an interpreter may find its own library only
	// through this variable.
	if libs := os.Getenv("LD_LIBRARY_PATH"); libs != "" {
		env = append(env, "LD_LIBRARY_PATH="+libs)
	}
	return env
}

func start(exe string, s *bench.Scorer, cfg Config) (*process, error) {
	pipe, requests, replies, err := wire.Open(most)
	if err != nil {
		return nil, err
	}
	theirs := []*os.File{
		os.NewFile(uintptr(requests), "requests"), os.NewFile(uintptr(replies), "replies"),
	}
	h := &process{
		main: s.Main, output: new(python.Tail), log: cfg.Log, patience: cfg.patience, pipe: pipe,
	}
	cmd := exec.Command(exe, append(slices.Clone(python.Flags), "-c", Module)...)
	cmd.Env, cmd.Dir, cmd.ExtraFiles = environment(cfg.Cache, cfg.HashSeed), "/", theirs
	cmd.Stdout, cmd.Stderr = h.output, h.output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = python.EndGrace
	h.Process, err = python.Start(cmd)
	theirs[0].Close()
	theirs[1].Close()
	if err != nil {
		pipe.Close()
		return nil, fmt.Errorf("start the scorer %s: %w", s.Main, err)
	}
	return h, nil
}

// close ends the process, waits for it and frees its resources. Only its user may call it.
func (h *process) close() {
	h.End(errClosed)
	<-h.Gone()
	h.pipe.Close()
}

func (h *process) setup(ctx context.Context, s *bench.Scorer) error {
	r, err := h.exchange(ctx, kindSetup, 0, asJSON(map[string]any{
		"modules": s.Modules, "main": s.Main,
	}))
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && r.Kind != kindReady:
		return h.nonsense()
	}
	return err
}

// fork lets a child of the process answer until join, so that runs leave no trace in the process.
func (h *process) fork(ctx context.Context) error {
	r, err := h.exchange(ctx, kindFork, 0, empty)
	switch {
	case err != nil:
		return err
	case r.Kind != kindReady || len(r.Body) != 8:
		return h.nonsense()
	}
	h.child = int(binary.LittleEndian.Uint64(r.Body))
	return nil
}

// join ends the child. A broken process needs no join.
func (h *process) join(ctx context.Context) {
	h.child = 0
	if !h.broken {
		h.tell(ctx, kindJoin)
	}
}

// tell sends a message to which the process only answers that it is ready.
func (h *process) tell(ctx context.Context, kind byte) {
	if r, err := h.exchange(ctx, kind, 0, empty); err == nil && r.Kind != kindReady {
		_ = h.nonsense() // the process is not used again
	}
}

// CPU returns the CPU time of the process and of its child.
func (h *process) CPU() time.Duration {
	used := h.Process.CPU()
	if h.child != 0 {
		used += python.CPUTime(h.child)
	}
	return used
}

// Move moves the process and its child.
func (h *process) Move(to *unix.CPUSet) {
	h.Process.Move(to)
	if h.child != 0 {
		_ = unix.SchedSetaffinity(h.child, to) // a failure only costs time
	}
}

// An answerer answers a scorer's question, which is a list of values.
type answerer = func(ctx context.Context, list []bench.Value) ([]bench.Value, error)

// Call implements bench.Host.
func (h *process) Call(
	ctx context.Context, function string, job any, ask answerer,
) ([]bench.Value, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if h.broken {
		return nil, h.fail(errors.New("an earlier run failed"))
	}
	h.runs++
	list, err := h.run(ctx, function, job, ask)
	if h.broken && ctx.Err() != nil {
		return nil, context.Cause(ctx) // the context may have ended the process
	}
	return list, err
}

func (h *process) run(
	ctx context.Context, function string, job any, ask answerer,
) ([]bench.Value, error) {
	r, err := h.exchange(ctx, kindRun, 0, asJSON(map[string]any{"function": function, "job": job}))
	for err == nil {
		list, broken := decode(r)
		switch {
		case broken != nil || r.Kind != kindAsk && r.Kind != kindDone:
			return nil, h.nonsense()
		case r.Kind == kindDone:
			return list, nil
		}
		answer, refused := h.ask(ctx, ask, list)
		if refused != nil {
			h.tell(ctx, kindAbort)
			return nil, refused
		}
		r, err = h.exchange(ctx, kindAnswer, len(answer), func(b []byte) []byte {
			return wire.Append(b, answer)
		})
	}
	return nil, err
}

// ask answers a question of the scorer. Meanwhile the process counts as broken, because a panic of
// the answerer would leave it in the middle of a run.
func (h *process) ask(
	ctx context.Context, ask answerer, list []bench.Value,
) ([]bench.Value, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case ask == nil:
		return nil, fmt.Errorf("the scorer %s calls a candidate, but this job has no candidate",
			h.main)
	}
	h.broken = true
	answer, err := ask(ctx, list)
	h.broken = false
	return answer, err
}

// exchange sends one message and returns the reply, which is valid until the next exchange; body
// appends the message's body. It ends a process that takes too long. After an error the process is
// unusable.
func (h *process) exchange(
	ctx context.Context, kind byte, count int, body func([]byte) []byte,
) (r wire.Message, err error) {
	h.pipe.Compose(kind, count, 0, body)
	stop := python.Watch(h.patience.tick, func(ticks int) bool {
		limit := h.patience.stall
		if ctx.Err() != nil {
			limit = h.patience.leave
		}
		if ticks >= limit {
			h.End(&endedError{fmt.Sprintf(
				"no answer for %v", time.Duration(limit)*h.patience.tick)})
		}
		return ticks >= limit
	})
	r, err = h.pipe.Ask()
	stop()
	switch {
	case err != nil:
		return r, h.autopsy(err)
	case r.Kind == kindFailed && r.Tag == failedEnded:
		return r, h.fail(&endedError{string(r.Body)})
	case r.Kind == kindFailed:
		return r, h.fail(errors.New(string(r.Body)))
	}
	return r, nil
}

// An endedError describes how a process ended, or says that it did not answer in time.
type endedError struct{ text string }

func (e *endedError) Error() string { return e.text }

// mostText is the largest number of bytes that an error quotes from a process: enough for the end
// of a traceback.
const mostText = 500

func (h *process) autopsy(err error) error {
	if errors.Is(err, wire.ErrMessage) {
		return h.nonsense()
	}
	switch cause := h.Autopsy(errors.New("its process closed its pipe")); {
	case cause == errClosed:
		h.broken = true
		return errClosed
	case cause != nil:
		return h.fail(cause)
	}
	text := "its process ended: " + h.State()
	if line := h.output.LastLine(); line != "" {
		text += "; it printed " + line
	}
	return h.fail(errors.New(text))
}

func (h *process) nonsense() error { return h.fail(wire.ErrMessage) }

// fail ends the process and returns a bench.ErrScorer or bench.ErrScorerEnded with the reason.
func (h *process) fail(why error) error {
	h.broken = true
	h.End(errClosed)
	<-h.Gone() // its last output is then stored
	if h.log != nil {
		_, _ = h.log.Write(h.output.Take()) // a failed write changes nothing
	}
	kind := bench.ErrScorer
	if _, ended := why.(*endedError); ended {
		kind = bench.ErrScorerEnded
	}
	text := python.Shorten(python.OneLine(why.Error(), ' '), mostText)
	return hint.Add(fmt.Errorf("%w: %s: %s", kind, h.main, text),
		"pacebench doctor checks the packages of the scorer; "+
			"repeat the command to continue the run")
}

// asJSON returns a function that appends v as JSON to a message.
func asJSON(v any) func([]byte) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("host: a job does not encode: " + err.Error())
	}
	return func(b []byte) []byte { return append(b, text...) }
}

func empty(b []byte) []byte { return b }

// Serve answers the questions of a Python process that this package did not start, until the
// process closes its end. The process imports Module under the name "host", and calls
// host.Host().ask with descriptors 3 and 4, the other ends of requests and replies. An error of
// answer ends both sides.
func Serve(requests, replies int, answer func([]bench.Value) ([]bench.Value, error)) error {
	pipe := wire.NewPipe(requests, replies, most)
	for {
		question, err := pipe.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var list []bench.Value
		if err == nil {
			list, err = decode(question)
		}
		if err == nil && question.Kind != kindAsk {
			err = wire.ErrMessage
		}
		if err != nil {
			return fmt.Errorf("a question: %w", err)
		}
		kind := byte(kindAnswer)
		list, refused := answer(list)
		if refused != nil {
			kind, list = kindAbort, nil
		}
		pipe.Compose(kind, len(list), 0, func(b []byte) []byte { return wire.Append(b, list) })
		if err := pipe.Send(); err != nil || refused != nil {
			return errors.Join(refused, err)
		}
	}
}

// most bounds the body of a reply as a guard against nonsense: a picture has 100 kB.
func most(wire.Message) int { return 256 << 20 }

func decode(f wire.Message) ([]bench.Value, error) {
	count := min(int(f.Tag), len(f.Body))
	return wire.Decode(make([]bench.Value, 0, count), f.Body[:count], f.Body[count:])
}
