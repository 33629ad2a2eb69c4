package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
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

// onHost is pacebench as on another machine: it has its own host name, processes and network, and
// no lock except the lease.
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

// journals are the journals below a directory, by their paths there.
func journals(t *testing.T, root string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "journal.jsonl" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			all[name], err = os.ReadFile(path)
		}
		return err
	})
	must.Do(t, err)
	return all
}

// sameJournals compares two results directories, and wants no lease to remain in the second.
func sameJournals(t *testing.T, want, got string) {
	t.Helper()
	a, b := journals(t, want), journals(t, got)
	if len(a) == 0 || len(a) != len(b) {
		t.Errorf("%d journals, want %d", len(b), len(a))
	}
	for name, content := range a {
		if !bytes.Equal(content, b[name]) {
			t.Errorf("%s differs from the one that a single process wrote", name)
		}
		dir := filepath.Join(got, filepath.Dir(name))
		if r, err := record.ReadResult(dir); err != nil || r == nil {
			t.Errorf("%s has no result: %v", name, err)
		}
		if h := journal.Holder(dir); h != nil {
			t.Errorf("%s is still held by %v", name, h)
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

// smallSuite is a suite with so many runs of so many evaluations, without tests.
func smallSuite(t *testing.T, runs, evals string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.toml")
	write(t, path, "name = \"small\"\ntest = \"none\"\n[[runs]]\ntasks = [\"tsp-construct\"]\n"+
		"methods = [\"randsample\", \"greedy\"]\n")
	return []string{"suite", path, "--seeds", "1-" + runs, "--evals", evals, "--jobs", "1"}
}

// TestManyProcessesOnOneDirectory lets several commands share the runs of a suite, kills one
// without warning while it holds a run, and wants the journals of one process.
func TestManyProcessesOnOneDirectory(t *testing.T) {
	pyenv.ForTest(t)
	args := smallSuite(t, "3", "2")
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	if out, err := process(t, append(args, "--out", one)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
		// Each process ends when all runs are over, and shows all of them, including the runs of
		// others.
		if err := cmd.Wait(); err != nil ||
			strings.Count(out.String(), "  in  ") != len(journals(t, one))+1 {
			t.Errorf("%v\n%s", err, out)
		}
	}
	sameJournals(t, one, many)
}

// TestAStoppedHolderOnAnotherMachine stops the holder of a run. Its run is taken over, and the
// holder notices this when it wakes up.
func TestAStoppedHolderOnAnotherMachine(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	namespaces := []string{"--uts", "--net", "--pid", "--fork", "--mount-proc", "true"}
	if out, err := exec.Command("unshare", namespaces...).CombinedOutput(); err != nil {
		t.Skipf("needs the right to make namespaces: %s", bytes.TrimSpace(out))
	}
	args := smallSuite(t, "1", "40") // it is stopped long before its end
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	if out, err := process(t, append(args, "--out", one)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
	sameJournals(t, one, two)
	stopAll(t, sleeper.Process.Pid, syscall.SIGCONT)
	err := sleeper.Wait()
	if err != nil || !strings.Contains(told.String(), journal.ErrLost.Error()) {
		t.Errorf("the woken process ends with %v and says\n%s", err, &told)
	}
	sameJournals(t, one, two)
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
		all := append(slices.Concat(args, []string{"--list"}), extra...)
		out, err := process(t, all...).Output()
		must.Do(t, err)
		return strings.Fields(string(out))
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

// TestStatus shows runs in every state. It reads only files.
func TestStatus(t *testing.T) {
	root := t.TempDir()
	dir := func(name string) string {
		path := filepath.Join(root, "task", "method", "model", name)
		must.Do(t, os.MkdirAll(path, 0o755))
		return path
	}
	write(t, filepath.Join(dir("1"), "result.json"), `{"budget":10,"evaluations":10}`)
	lock, err := journal.TryLock(dir("2"))
	must.Do(t, err)
	defer lock.Unlock()
	write(t, filepath.Join(dir("3"), "lease.4"), `{"id":"x","host":"far","pid":7,
		"since":"2026-01-01T10:00:00Z","at":"2026-01-01T10:10:00Z","beat":3,`+
		`"work":{"from":1,"done":5,"of":10}}`)
	write(t, filepath.Join(dir("4"), suite.FailedFile), `{"error":"the server said no"}`)
	var runs []*suite.Planned
	for seed := range uint64(5) {
		runs = append(runs, &suite.Planned{Header: record.Header{
			Task: "task", Method: "method", Seed: seed + 1, Budget: 10,
			Models: map[string]string{"": "model"},
		}})
	}
	suite.WritePlan(root, &suite.Suite{Name: "a plan"}, runs)
	out, err := process(t, "status", root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	host, _ := os.Hostname()
	for _, want := range []string{
		"task/method/model/2 running 0/10 host " + host + ", process " + strconv.Itoa(os.Getpid()),
		"task/method/model/3 stale 5/10 host far, process 7, last sign of life ",
		"task/method/model/4 failed 0/10 the server said no",
		"task/method/model/5 waiting 0/10",
		"1 run done 10/10",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestOneLimitForAllProcesses counts the requests of several processes, and lets their key run dry.
func TestOneLimitForAllProcesses(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it; llm has the same in one process")
	}
	pyenv.ForTest(t)
	var mu sync.Mutex
	var times []time.Time
	told := make(chan struct{}) // closed once a process has ended, which has told the others
	server := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		times = append(times, time.Now())
		n := len(times)
		if n == 10 {
			server.Next(llmtest.Quota())
		}
		mu.Unlock()
		if n > 10 {
			<-told
		}
		server.ServeHTTP(w, r)
	}))
	defer front.Close()
	const limit, processes = 60, 3
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	args := append(smallSuite(t, "3", "8"),
		"--model", "openai:offline", "--base-url", front.URL+"/v1")
	command := func(extra ...string) *exec.Cmd {
		cmd := process(t, append(slices.Clone(args), extra...)...)
		cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret)
		return cmd
	}
	tell := sync.OnceFunc(func() { close(told) })
	defer tell()
	together := func() (outs []string, failed int) {
		var said [processes]bytes.Buffer
		ended := make(chan error, processes)
		for i := range processes {
			cmd := command("--rpm", strconv.Itoa(limit), "--out", many)
			cmd.Stderr = &said[i]
			must.Do(t, cmd.Start())
			go func() { ended <- cmd.Wait() }()
		}
		for i := range processes {
			if <-ended != nil {
				failed++
			}
			if i == 0 {
				tell()
			}
		}
		for i := range said {
			outs = append(outs, said[i].String())
		}
		return outs, failed
	}
	outs, failed := together()
	if failed != processes {
		t.Errorf("without a quota %d of %d processes failed", failed, processes)
	}
	for _, out := range outs {
		if n := strings.Count(out, "pacebench: error: "); n != 1 ||
			strings.Count(out, "quota or credit is exhausted") != 1 {
			t.Errorf("not one line about the quota:\n%s", out)
		}
	}
	spent := len(times)
	if spent < 10 || spent > 20 { // 24 are all
		t.Errorf("%d requests; the tenth used the quota up", spent)
	}
	if outs, failed = together(); failed > 0 {
		t.Errorf("the same commands on the next day: %d failed\n%s", failed, outs)
	}
	// Requests travel, so some arrive closer together than they started, but not all of them.
	rest := times[spent:]
	least := time.Duration(len(rest)-1) * time.Minute / limit
	if span := rest[len(rest)-1].Sub(rest[0]); len(rest) < 8 || span < least*2/3 {
		t.Errorf("%d requests within %v, want %v", len(rest), span, least)
	}
	if out, err := command("--out", one).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sameJournals(t, one, many)
	grepSecret(t, dir)
}
