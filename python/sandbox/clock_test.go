//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

func TestCharge(t *testing.T) {
	const ms = time.Millisecond
	type l = look
	for _, c := range []struct {
		name        string
		asked       time.Duration
		before, now look
		want        time.Duration
	}{
		{"asked half of the time", 50 * ms, l{state: 'S'}, l{state: 'S'}, 50 * ms},
		{"the tick came late", 40 * time.Second, l{state: 'S'}, l{state: 'S'}, 100 * ms},
		{"running", 100 * ms, l{state: 'R'}, l{state: 'R', cpu: 90 * ms, waited: 10 * ms}, 90 * ms},
		{"stopped", 100 * ms, l{state: 'S'}, l{state: 'T'}, 0},
		{"traced", 100 * ms, l{state: 'S'}, l{state: 't'}, 0},
		{"frozen, or waiting for a disk", 100 * ms, l{state: 'S'}, l{state: 'D'}, 0},
		{"waiting for a CPU", 100 * ms, l{state: 'R', cpu: 5 * ms}, l{state: 'R', cpu: 5 * ms}, 0},
		{"has waited long for a CPU", 100 * ms, l{state: 'R'},
			l{state: 'R', cpu: ms, waited: 300 * ms}, -200 * ms},
		{"nothing can be seen", 100 * ms, l{}, l{}, 100 * ms},
	} {
		if got := charge(100*ms, c.asked, c.before, c.now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// clocked are candidates whose outcome must be the same however often the machine stops.
var clocked = []struct {
	source string
	limits bench.Limits
	want   string
}{
	{"def f():\n    begin = time.process_time()\n" +
		"    while time.process_time() < begin + 0.4:\n        pass\n    return 1\n", ample, "1"},
	{"def f():\n    time.sleep(0.3)\n    return 2\n", ample, "2"},
	{"def f():\n    os._exit(3)\n", ample, "crashed: exited with status 3"},
	{"while time.process_time() < 0.2:\n    pass\ndef f():\n    return 5\n", ample, "5"},
	{"def f():\n    time.sleep(1000)\n", shortLimits, "timeout: time limit exceeded"},
	{"def f():\n    while True:\n        pass\n", shortLimits, "timeout: time limit exceeded"},
	{"def f():\n    os.closerange(0, 10)\n    time.sleep(1000)\n", ample,
		"crashed: closed its connection"},
}

// ample is several times as long as candidates need if they end by themselves. It is shorter than
// the time for which they are stopped, or wait for a CPU that they share with four other processes.
var ample = bench.Limits{Wall: 2500 * time.Millisecond, CPU: 10 * time.Second, Memory: 256 << 20}

// TestClockedRun is a run in a separate process, which other tests disturb. It prints a line when
// it begins.
func TestClockedRun(t *testing.T) {
	if os.Getenv("PACEBENCH_CLOCKED") == "" {
		t.Skip("the tests of clocks start it")
	}
	p := openPool(t, Config{Workers: 1})
	fmt.Println("begin")
	for _, c := range clocked {
		v, fault := evaluate(t, p, "import os, time\n"+c.source, c.limits)
		got := fmt.Sprint(v)
		if fault != nil {
			got = fault.Error()
		}
		if got != c.want {
			t.Errorf("%s\n%s, want %s", c.source, got, c.want)
		}
	}
}

// A clockedProcess is TestClockedRun in a process.
type clockedProcess struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	out  []byte        // its output, once it has ended
	err  error
}

// startClocked starts a clockedProcess, wrapped in other commands, and waits until it begins.
func startClocked(t *testing.T, wrap ...string) *clockedProcess {
	t.Helper()
	exe, err := os.Executable()
	must.Do(t, err)
	args := append(wrap, exe, "-test.run=^TestClockedRun$")
	c := &clockedProcess{
		cmd: exec.CommandContext(t.Context(), args[0], args[1:]...), done: make(chan struct{}),
	}
	c.cmd.Env = append(os.Environ(), "PACEBENCH_CLOCKED=1", "PACEBENCH_TEST_PYTHON="+testPython(t))
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := c.cmd.StdoutPipe()
	must.Do(t, err)
	if err := c.cmd.Start(); err != nil {
		t.Skip(err)
	}
	said := bufio.NewReader(out)
	for line := ""; line != "begin\n"; {
		line, err = said.ReadString('\n')
		must.Do(t, err)
	}
	go func() {
		defer close(c.done)
		c.out, _ = io.ReadAll(said)
		c.err = c.cmd.Wait()
	}()
	return c
}

// tree lists the process and its descendants, which have their own sessions.
func (c *clockedProcess) tree() []int {
	return append([]int{c.cmd.Process.Pid}, descendants(c.cmd.Process.Pid)...)
}

// check waits for the end of the process, and reports a failure.
func (c *clockedProcess) check(t *testing.T) {
	t.Helper()
	if <-c.done; c.err != nil {
		t.Errorf("%v\n%s", c.err, c.out)
	}
}

// disturb has the process stopped again and again, each time at another moment and for longer than
// any wall limit of its candidates. The moments do not change the outcomes.
func (c *clockedProcess) disturb(stop, cont func()) {
	length, moments := 3*time.Second, 2
	if os.Getenv("PACEBENCH_LONG") != "" {
		length, moments = 40*time.Second, 4
	}
	for i := range moments {
		wait := time.Duration(50+150*i) * time.Millisecond
		select {
		case <-c.done:
			return
		case <-time.After(wait):
		}
		stop()
		time.Sleep(length)
		cont()
	}
}

func signalAll(pids []int, signal unix.Signal) {
	for _, pid := range pids {
		_ = unix.Kill(pid, signal) // it may have ended
	}
}

// TestStopped stops a whole run; or only its harness, as Ctrl-Z in a terminal does, because
// candidates have their own sessions; or only the candidates.
func TestStopped(t *testing.T) {
	for name, some := range map[string]func(tree []int) []int{
		"all":        func(tree []int) []int { return tree },
		"harness":    func(tree []int) []int { return tree[:1] },
		"candidates": func(tree []int) []int { return tree[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClocked(t)
			var stopped []int
			c.disturb(func() {
				stopped = some(c.tree())
				signalAll(stopped, unix.SIGSTOP)
			}, func() { signalAll(stopped, unix.SIGCONT) })
			c.check(t)
		})
	}
}

// TestFrozenGroup freezes the control group of a whole run, as docker pause does.
func TestFrozenGroup(t *testing.T) {
	t.Parallel()
	file, write := controlGroup(t, "freezer/freezer.state", "cgroup.freeze")
	frozen, thawed := "1", "0"
	if file == "freezer.state" {
		frozen, thawed = "FROZEN", "THAWED"
	}
	c := startClocked(t)
	for _, pid := range c.tree() {
		write("cgroup.procs", strconv.Itoa(pid))
	}
	c.disturb(func() { write(file, frozen) }, func() { write(file, thawed) })
	c.check(t)
}

// TestBusyCore has a run share one CPU with four processes that compute.
func TestBusyCore(t *testing.T) {
	t.Parallel()
	var one unix.CPUSet
	one.Set(0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 4 {
		busy := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		must.Do(t, busy.Start())
		defer func() { cancel(); _ = busy.Wait() }()
		if err := unix.SchedSetaffinity(busy.Process.Pid, &one); err != nil {
			t.Skip(err)
		}
	}
	startClocked(t, "taskset", "-c", "0").check(t)
}

// TestKernelClock: when the kernel's coarse clock ends a program before the exact clock does, that
// is the program's timeout and not a failure of the machine.
func TestKernelClock(t *testing.T) {
	workers := openPool(t, Config{Workers: 1})
	limits := workers.server.inherited.within(bench.Limits{CPU: time.Minute})
	p, err := workers.server.spawn(t.Context(), limits, 2, "")
	must.Do(t, err)
	defer workers.server.end(p)
	_, err = p.load(t.Context(), "while True:\n    pass\n", "f")
	if fault, _ := errors.AsType[*bench.Fault](err); fault == nil || fault.Kind != bench.Timeout {
		t.Errorf("got %v, want a timeout", err)
	}
}
