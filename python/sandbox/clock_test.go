//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

func TestCharge(t *testing.T) {
	const ms = time.Millisecond
	type l = look
	for _, c := range []struct {
		name           string
		nominal, asked time.Duration
		before, now    look
		want           time.Duration
	}{
		{"asleep", 100 * ms, 100 * ms, l{state: 'S'}, l{state: 'S'}, 100 * ms},
		{"asked half of the time", 100 * ms, 50 * ms, l{state: 'S'}, l{state: 'S'}, 50 * ms},
		{"the tick came late", 100 * ms, 40 * time.Second, l{state: 'S'}, l{state: 'S'}, 100 * ms},
		{"the clock jumped by a day", 100 * ms, 24 * time.Hour, l{state: 'S'}, l{state: 'S'},
			100 * ms},
		{"running", 100 * ms, 100 * ms, l{state: 'R'}, l{state: 'R', cpu: 90 * ms, waited: 10 * ms},
			90 * ms},
		{"stopped", 100 * ms, 100 * ms, l{state: 'S'}, l{state: 'T'}, 0},
		{"traced", 100 * ms, 100 * ms, l{state: 'S'}, l{state: 't'}, 0},
		{"frozen, or waiting for a disk", 100 * ms, 100 * ms, l{state: 'S'}, l{state: 'D'}, 0},
		{"waiting for a CPU", 100 * ms, 100 * ms, l{state: 'R', cpu: 5 * ms},
			l{state: 'R', cpu: 5 * ms}, 0},
		{"has waited long for a CPU", 100 * ms, 100 * ms, l{state: 'R'},
			l{state: 'R', cpu: ms, waited: 300 * ms}, -200 * ms},
		{"nothing can be seen", 100 * ms, 100 * ms, l{}, l{}, 100 * ms},
	} {
		if got := charge(c.nominal, c.asked, c.before, c.now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// clocked are candidates whose outcome must be the same however often the machine stops.
var clocked = []struct {
	name, source string
	limits       bench.Limits
}{
	{"computes", "def f():\n    begin = time.process_time()\n" +
		"    while time.process_time() < begin + 0.6:\n        pass\n    return 1\n", ample},
	{"sleeps", "def f():\n    time.sleep(0.3)\n    return 2\n", ample},
	{"leaves", "def f():\n    os._exit(3)\n", ample},
	{"answers", "def f():\n    return 4\n", ample},
	{"computes when imported",
		"while time.process_time() < 0.3:\n    pass\ndef f():\n    return 5\n", ample},
	{"sleeps for ever", "def f():\n    time.sleep(1000)\n", shortLimits},
	{"computes for ever", "def f():\n    while True:\n        pass\n", shortLimits},
	{"closes its connection", "def f():\n    os.closerange(0, 10)\n    time.sleep(1000)\n", ample},
}

// ample is several times what the candidates need that end by themselves, and less than the time
// for which they are stopped, or wait for a CPU that four others share.
var ample = bench.Limits{Wall: 2500 * time.Millisecond, CPU: 10 * time.Second, Memory: 256 << 20}

// TestClockedRun is a run of its own, in a process that other tests disturb: it says when it
// begins, and then each outcome.
func TestClockedRun(t *testing.T) {
	if os.Getenv("PACEBENCH_CLOCKED") == "" {
		t.Skip("the tests of clocks start it")
	}
	p := openPool(t, Config{Workers: 1})
	fmt.Println("begin")
	for _, c := range clocked {
		v, fault := evaluate(t, p, "import os, time\n"+c.source, c.limits)
		fmt.Printf("outcome %s: %v %v\n", c.name, v, fault)
	}
}

const clockedOutcomes = `outcome computes: 1 <nil>
outcome sleeps: 2 <nil>
outcome leaves: <nil> crashed: exited with status 3
outcome answers: 4 <nil>
outcome computes when imported: 5 <nil>
outcome sleeps for ever: <nil> timeout: time limit exceeded
outcome computes for ever: <nil> timeout: time limit exceeded
outcome closes its connection: <nil> crashed: closed its connection
`

// A clockedProcess is TestClockedRun in a process.
type clockedProcess struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	out  bytes.Buffer  // its outcomes, then
}

// startClocked starts one, wrapped in other commands, and waits until it begins.
func startClocked(t *testing.T, wrap ...string) *clockedProcess {
	t.Helper()
	c := &clockedProcess{done: make(chan struct{})}
	exe, err := os.Executable()
	must.Do(t, err)
	args := append(wrap, exe, "-test.run=^TestClockedRun$")
	c.cmd = exec.CommandContext(t.Context(), args[0], args[1:]...)
	c.cmd.Env = append(os.Environ(), "PACEBENCH_CLOCKED=1", "PACEBENCH_TEST_PYTHON="+testPython(t))
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, w, err := os.Pipe()
	must.Do(t, err)
	c.cmd.Stdout, c.cmd.Stderr = w, os.Stderr
	if err := c.cmd.Start(); err != nil {
		t.Skip(err)
	}
	w.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() && lines.Text() != "begin" {
	}
	go func() {
		defer close(c.done)
		defer r.Close()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "outcome ") {
				fmt.Fprintln(&c.out, lines.Text())
			}
		}
		_ = c.cmd.Wait() // its outcomes tell
	}()
	return c
}

// tree lists the process and all below it, which live in sessions of their own.
func (c *clockedProcess) tree() []int {
	return append([]int{c.cmd.Process.Pid}, descendants(c.cmd.Process.Pid)...)
}

// check waits for the end and compares the outcomes.
func (c *clockedProcess) check(t *testing.T) {
	t.Helper()
	<-c.done
	if got := c.out.String(); got != clockedOutcomes {
		t.Errorf("the outcomes are\n%swant\n%s", got, clockedOutcomes)
	}
}

// disturb has the process stopped again and again, each time at another moment and for longer than
// any limit of its candidates. Which moment that is changes nothing in the outcomes.
func (c *clockedProcess) disturb(stop, cont func()) {
	length, moments := 4*time.Second, 2
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

func TestClockedUndisturbed(t *testing.T) {
	t.Parallel()
	startClocked(t).check(t)
}

func TestStoppedHarness(t *testing.T) {
	t.Parallel()
	c := startClocked(t)
	pid := []int{c.cmd.Process.Pid}
	c.disturb(func() { signalAll(pid, unix.SIGSTOP) }, func() { signalAll(pid, unix.SIGCONT) })
	c.check(t)
}

func TestStoppedTree(t *testing.T) {
	t.Parallel()
	c := startClocked(t)
	var stopped []int
	c.disturb(func() {
		stopped = c.tree()
		signalAll(stopped, unix.SIGSTOP)
	}, func() { signalAll(stopped, unix.SIGCONT) })
	c.check(t)
}

// TestStoppedCandidates is a tree whose harness goes on alone.
func TestStoppedCandidates(t *testing.T) {
	t.Parallel()
	c := startClocked(t)
	var stopped []int
	c.disturb(func() {
		stopped = c.tree()[1:]
		signalAll(stopped, unix.SIGSTOP)
	}, func() { signalAll(stopped, unix.SIGCONT) })
	c.check(t)
}

// TestFrozenGroup freezes the control group that a whole run lives in, as docker pause does.
func TestFrozenGroup(t *testing.T) {
	t.Parallel()
	dir, file, frozen, thawed := "/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED"
	if _, err := os.Stat(dir); err != nil {
		dir, file, frozen, thawed = "/sys/fs/cgroup", "cgroup.freeze", "1", "0"
	}
	group := filepath.Join(dir, fmt.Sprintf("pacebench-test-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skip("no control group can be made: ", err)
	}
	defer os.Remove(group)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(group, name), []byte(text), 0); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(group, file)); err != nil {
		t.Skip("it cannot be frozen: ", err)
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

// TestSuspendedByTerminal types Ctrl-Z at a shell with job control and then continues the job, or
// nothing where this test itself was stopped for so long that the job has ended.
func TestSuspendedByTerminal(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	must.Do(t, err)
	outcomes := filepath.Join(t.TempDir(), "out")
	job := fmt.Sprintf("%s -test.run='^TestClockedRun$' > %s; "+
		"echo stopped; sleep 4; fg > /dev/null || true", exe, outcomes)
	cmd := exec.CommandContext(t.Context(), "bash", "-mc", job)
	cmd.Env = append(os.Environ(), "PACEBENCH_CLOCKED=1", "PACEBENCH_TEST_PYTHON="+testPython(t))
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skip("no terminal, or no bash: ", err)
	}
	defer tty.Close()
	for begun := false; !begun; time.Sleep(20 * time.Millisecond) {
		b, _ := os.ReadFile(outcomes)
		begun = bytes.Contains(b, []byte("begin"))
	}
	time.Sleep(100 * time.Millisecond)
	_, _ = tty.WriteString("\x1a") // the shell may have ended
	screen, _ := io.ReadAll(tty)   // ends with an error, when the shell does
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(screen), "stopped") {
		t.Errorf("nothing was stopped: %q", screen)
	}
	b := must.Read(t, outcomes)
	var got string
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "outcome ") {
			got += line
		}
	}
	if got != clockedOutcomes {
		t.Errorf("the outcomes are\n%swant\n%s", got, clockedOutcomes)
	}
}

// TestKernelClock: when the kernel's coarse clock ends a program before the exact one does, that is
// the program's timeout and not a failure of the machine.
func TestKernelClock(t *testing.T) {
	pool := openPool(t, Config{Workers: 1})
	limits := pool.server.inherited.within(bench.Limits{CPU: time.Minute})
	p, err := pool.server.spawn(t.Context(), limits, 2, "")
	must.Do(t, err)
	defer pool.server.end(p)
	_, err = p.load(t.Context(), "while True:\n    pass\n", "f")
	if fault, _ := errors.AsType[*bench.Fault](err); fault == nil || fault.Kind != bench.Timeout {
		t.Errorf("got %v, want a timeout", err)
	}
}
