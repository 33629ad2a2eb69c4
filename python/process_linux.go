package python

import (
	"cmp"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	pyenv "github.com/pacebench/pacebench/python/env"
)

// Flags isolate a Python process from its directory and from the user's packages, and keep it from
// writing bytecode. The flag -I would also make it ignore PYTHONHASHSEED.
var Flags = []string{"-P", "-s", "-B"}

// Environment has the variables that all Python processes get. A process inherits a variable of
// this process only if its starter names the variable, because variables may contain keys.
var Environment = append([]string{
	"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TZ=UTC", "PYTHONUTF8=1",
	"PYTHONHASHSEED=0", // sets of strings have one order in every process
}, pyenv.Arithmetic...)

// A Process is a running program with its process group. The program ends when this process ends.
type Process struct {
	Pid int
	cmd *exec.Cmd

	gone chan struct{} // closed when the process has ended

	mu     sync.Mutex
	reaped bool  // guarded by mu
	cause  error // guarded by mu; the reason that the first call of End gave
}

// Start starts a process, which must lead its own process group, from a thread that lives until the
// process ends: the kernel ties the parent-death signal to a thread, not to a process.
func Start(cmd *exec.Cmd) (*Process, error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	p := &Process{cmd: cmd, gone: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer close(p.gone)
		err := cmd.Start()
		if err == nil {
			p.Pid = cmd.Process.Pid
		}
		started <- err
		if err != nil {
			return
		}
		for { // until it has ended; it is not reaped, so its pid stays valid
			err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
			if err != unix.EINTR {
				break
			}
		}
		p.Kill() // its process group ends with it
		p.mu.Lock()
		p.reaped = true
		p.mu.Unlock()
		_ = cmd.Wait() // State says how the process ended
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Watch calls look after every tick, with the number of ticks so far, until look returns true or
// stop is called. No tick passes while this process is stopped.
func Watch(tick time.Duration, look func(ticks int) (enough bool)) (stop func()) {
	var mu sync.Mutex // guards the following
	var ticks int
	var stopped bool
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(tick, func() {
		mu.Lock()
		defer mu.Unlock()
		if ticks++; !stopped && !look(ticks) {
			timer.Reset(tick)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		timer.Stop()
	}
}

// Kill ends the process and its process group, and does not wait.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		_ = unix.Kill(-p.Pid, unix.SIGKILL) // an error means that all have ended
	}
}

// EndGrace is how long a process may take to end after it closed its pipe, and how long to wait for
// its last output. Ending takes milliseconds, and on a busy machine perhaps a second.
const EndGrace = 5 * time.Second

// End kills the process for a reason, and does not wait.
func (p *Process) End(cause error) {
	p.mu.Lock()
	p.cause = cmp.Or(p.cause, cause)
	p.mu.Unlock()
	p.Kill()
}

// Autopsy waits for the end of a process that did not answer. It returns the reason given to End,
// or nil if the process ended by itself. A process that continues without its pipe is killed, with
// closed as the reason.
func (p *Process) Autopsy(closed error) error {
	select {
	case <-p.gone:
	case <-time.After(EndGrace):
		p.End(closed)
	}
	<-p.gone
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// Gone is closed when the process has ended and its last output is stored.
func (p *Process) Gone() <-chan struct{} { return p.gone }

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// State describes how the process ended, once it is gone.
func (p *Process) State() string { return p.cmd.ProcessState.String() }

// Move restricts the process to the given CPUs, if the machine allows it: the sandbox keeps a
// scorer on the CPU of its candidate.
func (p *Process) Move(to *unix.CPUSet) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		_ = unix.SchedSetaffinity(p.Pid, to) // a failure only costs time
	}
}

// CPU returns the CPU time that the process has used so far; 0 once it has ended.
func (p *Process) CPU() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return 0
	}
	return CPUTime(p.Pid)
}

// CPUTime returns the CPU time that a running process has used so far; 0 if it is unknown.
func CPUTime(pid int) time.Duration {
	// The clock of a process, see clock_getcpuclockid(3): complement of the pid, then
	// CPUCLOCK_SCHED.
	var t unix.Timespec
	if unix.ClockGettime(int32(^pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
