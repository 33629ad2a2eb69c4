package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
)

// leaseOnly is a value of asCommand for a process in which the kernel's lock protects nothing and
// heartbeats are fast.
const leaseOnly = "lease"

func obeyTest() {
	if os.Getenv(asCommand) == leaseOnly {
		journal.ForTests(100*time.Millisecond, 2*time.Second, false)
	}
}

// alone puts a command into its own process group, so that a signal reaches all its processes.
func alone(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// onHost returns a command that runs pacebench as if on another machine: it has its own host name,
// processes and network, and no lock except the lease.
func onHost(t *testing.T, host string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := process(t, args...)
	inside := append([]string{"sh", "-c", `hostname "$0" && exec "$@"`, host}, cmd.Args...)
	again := exec.Command("unshare", append([]string{
		"--uts", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
	}, inside...)...)
	again.Env = append(cmd.Env, asCommand+"="+leaseOnly)
	return alone(again)
}

// journals are the paths of the journals in a directory of runs.
func journals(t *testing.T, root string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "*", "*", "*", "*", "journal.jsonl"))
	must.Do(t, err)
	return paths
}

// sameRuns compares two results directories.
func sameRuns(t *testing.T, want, got string) {
	t.Helper()
	all := journals(t, want)
	if n := len(journals(t, got)); n == 0 || n != len(all) {
		t.Errorf("%d journals, want %d", n, len(all))
	}
	for _, path := range all {
		from := filepath.Dir(path)
		to := filepath.Join(got, strings.TrimPrefix(from, want))
		for _, name := range outcomes {
			a, _ := os.ReadFile(filepath.Join(from, name))
			b, _ := os.ReadFile(filepath.Join(to, name))
			if !bytes.Equal(a, b) {
				t.Errorf("%s differs from the one that a single process wrote in %s", name, to)
			}
		}
	}
}

// released checks that no lease is left in a directory of runs.
func released(t *testing.T, root string) {
	t.Helper()
	for _, path := range journals(t, root) {
		if h := journal.Holder(filepath.Dir(path)); h != nil {
			t.Errorf("%s is still held by %v", path, h)
		}
	}
}

// await waits until a condition is true. The wait takes minutes only if something hangs.
func await(t *testing.T, said fmt.Stringer, so func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 10 minutes:\n%s", said)
		}
	}
}

// smallSuite returns the arguments of a suite with the given numbers of runs and evaluations,
// without tests.
func smallSuite(t *testing.T, runs, evals string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.toml")
	write(t, path, "name = \"small\"\ntest = \"none\"\n[[runs]]\ntasks = [\"tsp-construct\"]\n"+
		"methods = [\"randsample\", \"greedy\"]\n")
	return []string{"suite", path, "--seeds", "1-" + runs, "--evals", evals, "--jobs", "1"}
}

// TestManyProcessesOnOneDirectory lets several commands share the runs of a suite, kills one
// command without warning while it holds a run, and checks that the journals equal the journals of
// one process.
func TestManyProcessesOnOneDirectory(t *testing.T) {
	pyenv.ForTest(t)
	args := smallSuite(t, "3", "2")
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	mustRun(t, append(args, "--out", one)...)
	run := func() (*exec.Cmd, *bytes.Buffer) {
		cmd, out := alone(process(t, append(args, "--out", many)...)), &bytes.Buffer{}
		cmd.Stdout, cmd.Stderr = out, out
		must.Do(t, cmd.Start())
		return cmd, out
	}
	doomed, doomedOut := run()
	holds := func() bool {
		runs, _ := filepath.Glob(filepath.Join(many, "*", "*", "*", "*"))
		return slices.ContainsFunc(runs, func(run string) bool {
			h := journal.Holder(run)
			return h != nil && h.PID == doomed.Process.Pid
		})
	}
	await(t, doomedOut, holds)
	stays, out := run()
	syscall.Kill(-doomed.Process.Pid, syscall.SIGKILL)
	late, lateOut := run()
	doomed.Wait()
	for cmd, out := range map[*exec.Cmd]*bytes.Buffer{stays: out, late: lateOut} {
		// Each process ends when all runs are over, and shows all runs, including the runs of the
		// other processes.
		if err := cmd.Wait(); err != nil ||
			strings.Count(out.String(), "  in  ") != len(journals(t, one))+1 {
			t.Errorf("%v\n%s", err, out)
		}
	}
	sameRuns(t, one, many)
	released(t, many)
}

// TestAStoppedHolderOnAnotherMachine stops a process that holds a run. Another process takes the
// run over, and the stopped process notices this when it continues.
func TestAStoppedHolderOnAnotherMachine(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	namespaces := []string{"--uts", "--net", "--pid", "--fork", "--mount-proc", "true"}
	if out, err := exec.Command("unshare", namespaces...).CombinedOutput(); err != nil {
		t.Skipf("needs the right to make namespaces: %s", bytes.TrimSpace(out))
	}
	args := smallSuite(t, "1", "40") // the process is stopped long before its end
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	mustRun(t, append(args, "--out", one)...)
	var told bytes.Buffer
	sleeper := onHost(t, "alpha", append(args, "--out", two)...)
	sleeper.Stderr = &told
	must.Do(t, sleeper.Start())
	run := filepath.Join(two, "tsp-construct", "randsample", "offline", "1")
	lines := func() int {
		data, _ := os.ReadFile(filepath.Join(run, "journal.jsonl"))
		return bytes.Count(data, []byte("\n"))
	}
	await(t, &told, func() bool { return lines() >= 4 })
	stopAll(t, sleeper.Process.Pid, syscall.SIGSTOP)
	if h := journal.Holder(run); h == nil || h.Host != "alpha" {
		t.Fatalf("after %d lines the run is held by %v", lines(), h)
	}
	if out, err := onHost(t, "beta", append(args, "--out", two)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sameRuns(t, one, two)
	stopAll(t, sleeper.Process.Pid, syscall.SIGCONT)
	err := sleeper.Wait()
	if err != nil || !strings.Contains(told.String(), journal.ErrLost.Error()) {
		t.Errorf("the woken process ends with %v and says\n%s", err, &told)
	}
	sameRuns(t, one, two)
	released(t, two)
}

// stopAll sends a signal to a process and all its descendants, in any process group.
func stopAll(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	for _, child := range children(pid) {
		stopAll(t, child, sig)
	}
	syscall.Kill(pid, sig)
}

func children(pid int) (pids []int) {
	tasks, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "children"))
	for _, path := range tasks {
		data, _ := os.ReadFile(path)
		for _, child := range strings.Fields(string(data)) {
			if n, err := strconv.Atoi(child); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

// TestShards checks that every run is in one shard, and in the same shard of a longer list.
func TestShards(t *testing.T) {
	args := smallSuite(t, "20", "2")
	list := func(extra ...string) []string {
		return strings.Fields(inProcess(t, slices.Concat(args, []string{"--list"}, extra)...))
	}
	all := list()
	if len(all) != 21 || all[0] != "tsp-construct/randsample/offline/1" {
		t.Fatalf("%d runs: %v", len(all), all)
	}
	var together []string
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		part := list("--shard", shard)
		longer := list("--shard", shard, "--seeds", "1-30")
		if slices.ContainsFunc(part, func(c string) bool {
			return !slices.Contains(longer, c)
		}) {
			t.Errorf("shard %s is another one in a longer list", shard)
		}
		if len(part) < 3 {
			t.Errorf("shard %s has %d runs of 21", shard, len(part))
		}
		together = append(together, part...)
	}
	slices.Sort(together)
	slices.Sort(all)
	if !slices.Equal(all, together) {
		t.Errorf("the shards together: %v", together)
	}
	if got := list("--run", all[3]); !slices.Equal(got, all[3:4]) {
		t.Errorf("--run %s is %v", all[3], got)
	}
}

// TestStatus shows a run of this process, and a run of a silent process on another machine.
// status-counts.txt has the other states.
func TestStatus(t *testing.T) {
	root := t.TempDir()
	dir := func(name string) string {
		return filepath.Join(root, "task", "method", "model", name)
	}
	must.Do(t, os.MkdirAll(dir("2"), 0o755))
	lock, err := journal.TryLock(dir("2"))
	must.Do(t, err)
	defer lock.Unlock()
	write(t, filepath.Join(dir("3"), "lease.4"), `{"id":"x","host":"far","pid":7,
		"since":"2026-01-01T10:00:00Z","at":"2026-01-01T10:10:00Z","beat":3,`+
		`"work":{"from":1,"done":5,"of":10}}`)
	var runs []*suite.Planned
	for seed := range uint64(3) {
		runs = append(runs, &suite.Planned{Header: record.Header{
			Task: "task", Method: "method", Seed: seed + 1, Budget: 10,
			Models: map[string]string{"": "model"},
		}})
	}
	suite.WritePlan(root, &suite.Suite{Name: "a plan"}, runs)
	out := strings.Join(strings.Fields(inProcess(t, "status", root)), " ")
	host, _ := os.Hostname()
	for _, want := range []string{
		"task/method/model/2 running 0/10 host " + host + ", process " + strconv.Itoa(os.Getpid()),
		"task/method/model/3 stale 5/10 host far, process 7, last sign of life ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

const killedRule = `
test = "none"
evals = 3

[separate]
pairs = [["bestofn", "randsample"]]
looks = [3, 4]
alpha = 0.25

[[runs]]
tasks = ["tsp-construct"]
methods = ["bestofn", "randsample"]
`

// TestKillsUntilSeparated kills suite --until-separated without warning, before its first look and
// later, and checks that its runs and decision equal an undisturbed suite's.
func TestKillsUntilSeparated(t *testing.T) {
	pyenv.ForTest(t)
	path := filepath.Join(t.TempDir(), "two.toml")
	write(t, path, killedRule)
	g := &target{args: []string{"suite", path, "--quiet", "--until-separated"}, jobs: "2"}
	whole, dir := t.TempDir(), t.TempDir()
	end := func(dir string) string {
		return mustRun(t, append(g.args, "--jobs", g.jobs, "--out", dir)...)
	}
	want := end(whole)
	ended := func() int {
		paths, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*", "*", "result.json"))
		return len(paths)
	}
	kills := 0
	for _, n := range []int{1, 3, 5} {
		if g.killWhen(t, dir, func() bool { return ended() >= n }) {
			kills++
		}
	}
	if got := end(dir); kills == 0 || got != want {
		t.Errorf("after %d kills:\n%s\nundisturbed:\n%s", kills, got, want)
	}
	sameRuns(t, whole, dir)
}
