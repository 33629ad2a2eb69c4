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
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/py/wire"
)

// Frames have a head of eight bytes, little-endian, and a body; host.py has the same constants.
//
//	uint32 bytes of the body | uint8 kind | uint8 number of values | uint16 zero
const (
	kindSetup  = 1 // JSON: modules, main
	kindRun    = 2 // JSON: function, job
	kindAnswer = 3 // values
	kindAbort  = 4

	kindReady  = 16
	kindAsk    = 17 // values
	kindDone   = 18 // values
	kindFailed = 19 // text
)

// mostReply bounds a reply, as a guard against nonsense: a picture has 100 kB. Ours.
const mostReply = 256 << 20

// pipeSize is asked for; a user who has many pipes gets less.
const pipeSize = 1 << 20

// A process is a Python that has imported a scorer. One goroutine uses it at a time. As in the
// sandbox, reading and writing are plain system calls: they take a fraction of the time that the
// runtime's poller does. What could block for ever is ended by killing the process.
type process struct {
	scorer   digest
	main     string
	cmd      *exec.Cmd
	output   *tail
	log      io.Writer
	patience patience
	requests int // descriptors
	replies  int
	out, in  []byte // buffers, kept from question to question
	runs     int
	broken   bool // it cannot be used again

	gone   chan struct{}  // closed when it has ended
	waiter sync.WaitGroup // the goroutine that started it

	// question counts up when a question is asked and when it is answered: odd is asked.
	question atomic.Uint64

	mu     sync.Mutex // guards the following
	reaped bool
	cause  error           // why it was killed by Go
	done   <-chan struct{} // of the context of the present question
	timer  *time.Timer     // nil when stopped
	seen   uint64          // the question when the timer last looked
	ticks  int             // for how long
}

// environment is all that a process finds in its environment: what makes scores the same
// everywhere, and no key.
func environment(cache string) []string {
	env := []string{
		"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TZ=UTC", "PATH=/usr/bin:/bin", "PYTHONHASHSEED=0",
		"PYTHONUTF8=1", "PYTHONUNBUFFERED=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
		"MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1", "SDL_VIDEODRIVER=dummy",
		"SDL_AUDIODRIVER=dummy", "PYGAME_HIDE_SUPPORT_PROMPT=1", "MPLBACKEND=Agg",
	}
	if cache == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, "pacebench")
		} else {
			cache = os.TempDir() // a user without a home
		}
	}
	env = append(env, "HOME="+cache, "MPLCONFIGDIR="+filepath.Join(cache, "matplotlib"))
	// Where compilers are chosen by modules, an interpreter may find its own library no other way.
	if libs := os.Getenv("LD_LIBRARY_PATH"); libs != "" {
		env = append(env, "LD_LIBRARY_PATH="+libs)
	}
	return env
}

// start starts a process, which has no modules yet.
func start(python string, s *bench.Scorer, cfg Config) (*process, error) {
	request, reply := [2]int{-1, -1}, [2]int{-1, -1}
	if err := unix.Pipe2(request[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	if err := unix.Pipe2(reply[:], unix.O_CLOEXEC); err != nil {
		unix.Close(request[0])
		unix.Close(request[1])
		return nil, fmt.Errorf("pipe: %w", err)
	}
	for _, fd := range []int{request[1], reply[1]} {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, pipeSize)
	}
	theirs := []*os.File{
		os.NewFile(uintptr(request[0]), "requests"), os.NewFile(uintptr(reply[1]), "replies"),
	}
	h := &process{
		main: s.Main, output: new(tail), log: cfg.Log, patience: cfg.patience,
		requests: request[1], replies: reply[0], in: make([]byte, 64<<10),
		gone: make(chan struct{}),
	}
	h.cmd = exec.Command(python, "-P", "-s", "-B", "-c", Module)
	h.cmd.Env, h.cmd.Dir, h.cmd.ExtraFiles = environment(cfg.Cache), "/", theirs
	h.cmd.Stdout, h.cmd.Stderr = h.output, h.output
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	h.cmd.WaitDelay = endGrace
	err := h.launch()
	theirs[0].Close()
	theirs[1].Close()
	if err != nil {
		unix.Close(h.requests)
		unix.Close(h.replies)
		return nil, fmt.Errorf("start the scorer %s: %w", s.Main, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(h.patience.tick, h.look)
	return h, nil
}

// launch starts the process on a thread that is kept until it ends: the kernel ties the
// parent-death signal to a thread, not to a process.
func (h *process) launch() error {
	started := make(chan error, 1)
	h.waiter.Go(func() {
		runtime.LockOSThread()
		defer close(h.gone)
		err := h.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		for { // until it has ended, and still has its number
			err := unix.Waitid(unix.P_PID, h.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
			if err != unix.EINTR {
				break
			}
		}
		h.mu.Lock()
		h.signal() // what it started ends with it
		h.reaped = true
		h.mu.Unlock()
		_ = h.cmd.Wait() // how it ended is in its state
	})
	return <-started
}

// signal ends the process and all that it started. It is called with mu.
func (h *process) signal() {
	if !h.reaped {
		_ = unix.Kill(-h.cmd.Process.Pid, unix.SIGKILL) // an error says that all have ended already
	}
}

// kill ends the process for a reason, and does not wait.
func (h *process) kill(cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cause == nil {
		h.cause = cause
	}
	h.signal()
}

// Move lets the process run on these CPUs alone, where the machine allows it: the sandbox keeps it
// where the candidate is that it asks.
func (h *process) Move(to *unix.CPUSet) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.reaped {
		_ = unix.SchedSetaffinity(h.cmd.Process.Pid, to) // it changes time only
	}
}

// CPU is the CPU time that the process has used so far; 0 once it has ended.
func (h *process) CPU() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reaped {
		return 0
	}
	// The clock of a process, see clock_getcpuclockid(3).
	var t unix.Timespec
	if unix.ClockGettime(int32(^h.cmd.Process.Pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// ended reports whether the process has ended.
func (h *process) ended() bool {
	select {
	case <-h.gone:
		return true
	default:
		return false
	}
}

// close ends the process, waits for it and frees what belongs to it. Only who uses it may call it.
func (h *process) close() {
	h.kill(errClosed)
	h.waiter.Wait()
	h.mu.Lock()
	h.timer.Stop()
	h.timer = nil
	h.mu.Unlock()
	unix.Close(h.requests)
	unix.Close(h.replies)
}

// look is the clock: it ends a process that takes too long for one question, in ticks that this
// process really saw, so that a machine that stops costs nothing. Questions themselves pay for no
// timer.
func (h *process) look() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer == nil {
		return
	}
	h.timer.Reset(h.patience.tick)
	now := h.question.Load()
	if now != h.seen || now%2 == 0 {
		h.seen, h.ticks = now, 0
		return
	}
	h.ticks++
	limit := h.patience.stall
	select {
	case <-h.done:
		limit = h.patience.leave
	default:
	}
	if h.ticks >= limit && h.cause == nil {
		h.cause = fmt.Errorf("no answer for %v", time.Duration(limit)*h.patience.tick)
		h.signal()
	}
}

// setup has the process import its modules.
func (h *process) setup(ctx context.Context, s *bench.Scorer) error {
	h.watch(ctx)
	r, err := h.exchange(kindSetup, 0, func(b []byte) []byte {
		return appendJSON(b, map[string]any{"modules": s.Modules, "main": s.Main})
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && r.kind != kindReady:
		return h.nonsense()
	}
	return err
}

// watch makes ctx the one whose end the clock looks at.
func (h *process) watch(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = ctx.Done()
}

// Run implements bench.Host.
func (h *process) Run(
	ctx context.Context, function string, job any,
	ask func(ctx context.Context, list []bench.Value) ([]bench.Value, error),
) ([]bench.Value, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if h.broken {
		return nil, h.fail("an earlier run failed")
	}
	h.watch(ctx)
	h.runs++
	list, err := h.run(ctx, function, job, ask)
	if h.broken && ctx.Err() != nil {
		return nil, context.Cause(ctx) // it may have been ended because of it
	}
	return list, err
}

func (h *process) run(
	ctx context.Context, function string, job any,
	ask func(ctx context.Context, list []bench.Value) ([]bench.Value, error),
) ([]bench.Value, error) {
	r, err := h.exchange(kindRun, 0, func(b []byte) []byte {
		return appendJSON(b, map[string]any{"function": function, "job": job})
	})
	for err == nil {
		list, broken := wire.Decode(r.body, r.count)
		switch {
		case broken != nil || r.kind != kindAsk && r.kind != kindDone:
			return nil, h.nonsense()
		case r.kind == kindDone:
			return list, nil
		}
		answer, refused := h.ask(ctx, ask, list)
		if refused != nil {
			r, err := h.exchange(kindAbort, 0, func(b []byte) []byte { return b })
			if err == nil && r.kind != kindReady {
				_ = h.nonsense() // it is not used again
			}
			return nil, refused
		}
		r, err = h.exchange(kindAnswer, len(answer), func(b []byte) []byte {
			return wire.Append(b, answer)
		})
	}
	return nil, err
}

// ask has Go answer. A process whose answer never comes, because ask panics, is in mid-run.
func (h *process) ask(ctx context.Context,
	ask func(ctx context.Context, list []bench.Value) ([]bench.Value, error), list []bench.Value,
) ([]bench.Value, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case ask == nil:
		return nil, fmt.Errorf("the scorer %s asks where nothing is asked", h.main)
	}
	h.broken = true
	answer, err := ask(ctx, list)
	h.broken = false
	return answer, err
}

// A reply is a frame of the process; its body is valid until the next one.
type reply struct {
	kind  byte
	count int
	body  []byte
}

// exchange sends one frame, whose body is appended by body, and returns the reply to it. After an
// error the process cannot be used.
func (h *process) exchange(kind byte, count int, body func([]byte) []byte) (r reply, err error) {
	h.out = seal(body(head(h.out)), kind, count)
	h.question.Add(1)
	err = wire.WriteFrame(h.requests, h.out)
	var frame []byte
	if err == nil {
		frame, err = wire.ReadFrame(h.replies, &h.in, bodySize)
	}
	h.question.Add(1)
	if err != nil {
		return r, h.autopsy(err)
	}
	r = reply{frame[4], int(frame[5]), frame[wire.HeadSize:]}
	if r.kind == kindFailed {
		return r, h.fail(string(r.body))
	}
	return r, nil
}

// bodySize reads a reply's length.
func bodySize(head []byte) (int, error) {
	size := binary.LittleEndian.Uint32(head)
	if size > mostReply {
		return 0, wire.ErrFrame
	}
	return int(size), nil
}

// endGrace is how long a process that closed its pipe may take to end by itself, and how long its
// last words are waited for. Ours.
const endGrace = 5 * time.Second

// autopsy says why a process answered nothing.
func (h *process) autopsy(err error) error {
	if errors.Is(err, wire.ErrFrame) {
		return h.nonsense()
	}
	select {
	case <-h.gone:
	case <-time.After(endGrace):
		h.kill(errors.New("its process closed its pipe"))
	}
	h.waiter.Wait()
	h.mu.Lock()
	cause := h.cause
	h.mu.Unlock()
	switch {
	case cause == errClosed:
		h.broken = true
		return errClosed
	case cause != nil:
		return h.fail(cause.Error())
	}
	text := "its process ended: " + h.cmd.ProcessState.String()
	if line := h.output.lastLine(); line != "" {
		text += "; it printed " + line
	}
	return h.fail(text)
}

func (h *process) nonsense() error { return h.fail(wire.ErrFrame.Error()) }

// fail ends the process and returns the error of a broken world.
func (h *process) fail(text string) error {
	h.broken = true
	h.kill(errClosed)
	h.waiter.Wait() // its last words are here
	if h.log != nil {
		_, _ = h.log.Write(h.output.take()) // nothing depends on it
	}
	return hint.Add(fmt.Errorf("%w: %s: %s", bench.ErrScorer, h.main, oneLine(text)),
		"doctor checks its packages; the same command goes on where this one ended")
}

func appendJSON(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("host: a job does not encode: " + err.Error())
	}
	return append(b, text...)
}
