package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/methods/eoh"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
)

// TestFaults breaks runs in every known way, and prints a row "fault | tried | held" for each.
// scripts/test-long makes one table of the rows. PACEBENCH_SEED repeats a failure.
func TestFaults(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("PACEBENCH_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("PACEBENCH_SEED=%d\n", seed)
	random := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }
	rows := &faultTable{}
	defer rows.print()
	t.Run("kills", func(t *testing.T) { // each method, on a task that depends on the seed
		for i, m := range methods.All() {
			if bench.Observes(m) { // the method does not run on these tasks
				continue
			}
			for k, task := range []string{"tsp-construct", "tsp-aco@iterations=2"} {
				if (uint64(i+k)+seed)%2 == 0 {
					continue
				}
				t.Run(task+"/"+m.Name(), func(t *testing.T) {
					t.Parallel()
					kills(t, random(uint64(2*i+k)), rows, task, m.Name())
				})
			}
		}
	})
	t.Run("endpoint", func(t *testing.T) { badEndpoint(t, random(100), rows) })
	t.Run("disk", func(t *testing.T) { fullDisk(t, random(200), rows) })
	t.Run("bits", func(t *testing.T) { flippedBits(t, random(300), rows) })
}

// faultNames are the rows of the table, in order.
var faultNames = []string{
	"kill -9 in start and replay", "kill -9 in search",
	"kill -9 in testing", "kill -9 in re-evaluation",
	"endpoint: a fault in each of 1000 requests, 27 kinds",
	"a limit on the size of files (ulimit -f)", "a full disk",
	"a flipped bit in a finished journal", "a flipped bit in a finished journal, by verify",
	"a flipped bit in result.json, by verify --rescore", "a flipped bit in best.py",
	"a flipped bit in an unfinished journal, by run",
	"hostile files of a run, 6 kinds", "hostile bundles",
}

// A faultTable counts the faults that were tried and that did no harm.
type faultTable struct {
	mu   sync.Mutex
	rows map[string][2]int // guarded by mu; tried, held
}

func (f *faultTable) add(name string, tried, held int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(faultNames, name) {
		panic("cli: faultNames lacks " + name)
	}
	if f.rows == nil {
		f.rows = map[string][2]int{}
	}
	old := f.rows[name]
	f.rows[name] = [2]int{old[0] + tried, old[1] + held}
}

func (f *faultTable) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range faultNames {
		if f.rows[name][0] == 0 { // another test tries this fault
			continue
		}
		fmt.Printf("faults: %-58s | %5d | %5d\n", name, f.rows[name][0], f.rows[name][1])
	}
}

var (
	attackTest = regexp.MustCompile(`(?m)^func (TestAttacks\w*)\(`)
	asNobody   = regexp.MustCompile(`-test\.run=\^\(([^)]*)\)`)
)

// TestTriedTable checks that the table of docs/sandbox.md, which the long tier writes, has a row
// for each group of faults and attacks in the tests, and no other row.
func TestTriedTable(t *testing.T) {
	want := append(slices.Clone(faultNames),
		"attacks: forged frames", "stopped, busy, limited and killed processes")
	for _, path := range []string{"../python/sandbox/attacks_test.go", "../tasks/attacks_test.go"} {
		source := must.Read(t, filepath.FromSlash(path))
		for _, m := range attackTest.FindAllSubmatch(source, -1) {
			// TestAttacksAsOrdinaryUser runs the other tests as nobody.
			if name := string(m[1]); name != "TestAttacksAsOrdinaryUser" {
				want = append(want, "attacks: "+name)
			}
		}
		for _, m := range asNobody.FindAllSubmatch(source, -1) {
			for name := range strings.SplitSeq(string(m[1]), "|") {
				if strings.HasPrefix(name, "TestAttacks") {
					want = append(want, "attacks: as nobody: "+name)
				}
			}
		}
	}
	page := must.Read(t, filepath.Join("..", "docs", "sandbox.md"))
	_, table, _ := strings.Cut(string(page), "<!-- tried: ")
	table, _, found := strings.Cut(table, "<!-- end of tried -->")
	if !found {
		t.Fatal("docs/sandbox.md has no place for the table")
	}
	var got []string
	for _, line := range strings.Split(table, "\n") {
		row := strings.Split(line, " | ")
		if len(row) == 3 && row[0] != "| what" && row[0] != "| ---" {
			got = append(got, strings.TrimPrefix(row[0], "| "))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	golden.Same(t, "the table (bash scripts/test-long --update writes it anew)", want, got)
}

// A target is a run to break, with its undisturbed outcome.
type target struct {
	args []string // of the command, without --out and --jobs
	jobs string
	want map[string][]byte
	rest time.Duration // from the end of the search to the end of the command, with two workers
}

// outcomes are the files that must not depend on faults.
var outcomes = []string{"journal.jsonl", "best.py", "result.json"}

// undisturbed makes the run once, with one worker. The run to break has two.
func undisturbed(t *testing.T, args ...string) *target {
	t.Helper()
	g := &target{args: append([]string{"run", "--quiet"}, args...), jobs: "1"}
	dir := t.TempDir()
	cmd, out := g.start(t, dir)
	var searched time.Time
	err := watch(cmd, func() {
		if searched.IsZero() && size(dir, "best.py") > 0 {
			searched = time.Now()
		}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g.rest, g.want, g.jobs = time.Since(searched)/2, runFiles(t, dir), "2"
	return g
}

// watch calls look every few milliseconds until a process ends, and returns the process's error.
func watch(cmd *exec.Cmd, look func()) error {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(2 * time.Millisecond):
			look()
		}
	}
}

func (g *target) start(t *testing.T, dir string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := process(t, append(g.args, "--jobs", g.jobs, "--out", dir)...)
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	must.Do(t, cmd.Start())
	return cmd, out
}

// finish runs the command to its end and reports whether the outcome is the undisturbed outcome.
func (g *target) finish(t *testing.T, dir string) bool {
	t.Helper()
	cmd, out := g.start(t, dir)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out)
		return false
	}
	for name, got := range runFiles(t, dir) {
		if !bytes.Equal(got, g.want[name]) {
			t.Errorf("%s differs from the undisturbed run's", name)
			return false
		}
	}
	return true
}

// killWhen kills the command when ready returns true. It returns false if the command ended before
// the kill.
func (g *target) killWhen(t *testing.T, dir string, ready func() bool) bool {
	t.Helper()
	cmd, out := g.start(t, dir)
	killed := false
	err := watch(cmd, func() {
		if !killed && ready() {
			killed = cmd.Process.Kill() == nil
		}
	})
	if err != nil && !killed {
		t.Errorf("%v\n%s", err, out)
	}
	return err != nil && killed
}

// killInSearch kills the command when the journal has a random length. n is the number of kills
// that are left.
func (g *target) killInSearch(t *testing.T, dir string, r *rand.Rand, n int) bool {
	t.Helper()
	whole, now := len(g.want["journal.jsonl"]), size(dir, "journal.jsonl")
	at := min(whole, now+1+r.IntN(max(1, 2*(whole-now)/(n+1))))
	return g.killWhen(t, dir, func() bool { return size(dir, "journal.jsonl") >= at })
}

func runFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range outcomes {
		files[name] = must.Read(t, runFile(dir, name))
	}
	return files
}

// runFile returns the path of a file of the only run in dir.
func runFile(dir, name string) string {
	paths, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*", "*", name))
	if len(paths) != 1 {
		return filepath.Join(dir, "missing")
	}
	return paths[0]
}

func size(dir, name string) int {
	info, err := os.Stat(runFile(dir, name))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// kills ends one run twelve times without warning: while it starts or replays, while it
// searches, and while it tests (TSP-Construct) or evaluates again (TSP-ACO).
func kills(t *testing.T, r *rand.Rand, rows *faultTable, task, method string) {
	last, tests, evals := "testing", "test50", "40"
	if strings.HasPrefix(task, "tsp-aco") {
		last, tests, evals = "re-evaluation", "none", "12"
	}
	g := undisturbed(t, "--task", task, "--method", method, "--evals", evals, "--test", tests)
	dir := t.TempDir()
	killed := map[string]int{}
	for n := 6; n > 0; n-- {
		if g.killInSearch(t, dir, r, n) {
			killed["search"]++
		}
	}
	for range 2 {
		moment := time.Now().Add(time.Duration(r.IntN(1000)) * time.Millisecond)
		if g.killWhen(t, dir, func() bool { return time.Now().After(moment) }) {
			killed["start and replay"]++
		}
	}
	for range 4 {
		for _, name := range []string{"best.py", "result.json"} {
			must.Do(t, os.RemoveAll(runFile(dir, name)))
		}
		wait, searched := time.Duration(r.Int64N(int64(g.rest)*9/10+1)), time.Time{}
		if g.killWhen(t, dir, func() bool {
			if searched.IsZero() && size(dir, "best.py") > 0 {
				searched = time.Now()
			}
			return !searched.IsZero() && time.Since(searched) >= wait
		}) {
			killed[last]++
		}
	}
	same := g.finish(t, dir)
	for _, phase := range []string{"start and replay", "search", last} {
		n := killed[phase]
		rows.add("kill -9 in "+phase, n, held(same, n))
	}
}

func held(ok bool, n int) int {
	if ok {
		return n
	}
	return 0
}

// badEndpoint makes a run with a server that fails a thousand times, in every temporary way, and
// sometimes in a way that ends the command.
func badEndpoint(t *testing.T, r *rand.Rand, rows *faultTable) {
	passing := []llmtest.Fault{
		llmtest.Status(429, "rate_limit_exceeded", "slow down"),
		llmtest.Status(500, "server_error", "oops"), llmtest.Page(502),
		llmtest.Body(503, "text/plain", "busy"), llmtest.Status(529, "overloaded", ""),
		llmtest.Body(408, "text/plain", ""), llmtest.Body(409, "text/plain", ""),
		llmtest.Drop(), llmtest.Cut(),
		llmtest.Hang(), llmtest.HangInBody(), llmtest.Page(200), llmtest.NoChoices(),
		llmtest.Body(200, "application/json", `{"choices":[{"message":{"content":"x"`),
		llmtest.Body(200, "application/json", `{"choices":7}`),
		llmtest.Body(200, "application/json", ""),
		llmtest.Body(200, "application/json", `{"choices":[null]}`),
		llmtest.Body(200, "application/json", `{"error":{"message":"upstream","code":503}}`),
		llmtest.As("text/html"), llmtest.Slow(3, time.Millisecond), llmtest.NoUsage(),
	}
	ending := []llmtest.Fault{
		llmtest.WrongKey(), llmtest.Quota(), llmtest.Status(402, "", "Insufficient Balance"),
		llmtest.Status(403, "permission", "no access"),
		llmtest.Status(404, "model_not_found", "no model"),
		llmtest.Status(400, "invalid_request_error", "bad\x1b[31m"),
	}
	const tried = 1000
	analyzer, err := sandbox.OpenAnalyzer(t.Context(),
		sandbox.Config{Python: pyenv.ForTest(t).Python, Workers: 2})
	must.Do(t, err)
	defer analyzer.Close()
	search := func(faults ...llmtest.Fault) []byte {
		server := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
		server.Next(faults...)
		m, err := llm.NewOpenAI(llm.Config{
			Model: "m", BaseURL: server.URL, Key: "sk-a-key-that-nobody-has",
		})
		must.Do(t, err)
		defer m.Close()
		patience := llm.RetryConfig{
			Timeout: 10 * time.Minute, AttemptTimeout: 500 * time.Millisecond,
			FirstWait: time.Millisecond, MaxWait: 4 * time.Millisecond,
		}
		c := benchtest.Config{
			Analyzer: analyzer, Budget: tried * 13 / 10, Dir: t.TempDir(),
			Model: llm.Retry(m, patience),
		}
		run := benchtest.Prepare(t, eoh.New(), c)
		for range len(faults) + 1 {
			if _, err = run.Execute(context.Background(), c.Dir); err == nil {
				break
			} else if !errors.Is(err, llm.ErrFatal) {
				t.Fatal(err)
			}
		}
		if left := server.Left(); err != nil || left > 0 {
			t.Fatalf("%v, %d faults are left", err, left)
		}
		data, err := os.ReadFile(filepath.Join(c.Dir, "journal.jsonl"))
		if err != nil || bytes.Contains(data, []byte("sk-a-key")) {
			t.Errorf("%v, or the key is in the journal", err)
		}
		return data
	}
	want := search()
	queue := []llmtest.Fault{nil}
	for i := range tried {
		f := passing[r.IntN(len(passing))]
		if i%50 == 49 {
			f = ending[r.IntN(len(ending))]
		}
		queue = append(queue, f, nil)
	}
	same := bytes.Equal(want, search(queue...))
	if !same {
		t.Error("the journal differs from a good endpoint's")
	}
	rows.add("endpoint: a fault in each of 1000 requests, 27 kinds", tried, held(same, tried))
}

// fullDisk limits the size of files, and then the size of a file system, so that writing fails at
// different places.
func fullDisk(t *testing.T, r *rand.Rand, rows *faultTable) {
	g := undisturbed(t,
		"--task", "tsp-construct", "--method", "pace", "--evals", "24", "--test", "none")
	whole := len(g.want["journal.jsonl"])
	full := func(dir string, cmd *exec.Cmd, said string) bool {
		out, err := cmd.CombinedOutput()
		lines := strings.Count(string(out), "\n")
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), said) || lines > 2 {
			t.Errorf("%v\n%s", err, out)
			return false
		}
		return true
	}
	const tried = 16
	dir, good := t.TempDir(), 0
	for n := tried; n > 0; n-- {
		now := size(dir, "journal.jsonl")
		limit := (now + r.IntN(max(1, 2*(whole-now)/(n+1)))) / 512
		cmd := process(t, append(g.args, "--jobs", "2", "--out", dir)...)
		script := fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, max(12, min(limit, whole/512-1)))
		cmd.Args = append([]string{"sh", "-c", script, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		if full(dir, cmd, "file too large") {
			good++
		}
	}
	rows.add("a limit on the size of files (ulimit -f)", tried, held(g.finish(t, dir), good))

	disk := t.TempDir()
	mount := func(options string) error {
		return exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).Run()
	}
	if err := mount("size=32k"); err != nil {
		t.Log("no right to mount a small disk")
		return
	}
	defer syscall.Unmount(disk, 0)
	good = 0
	const disks = 8
	for n := range disks {
		must.Do(t, mount(fmt.Sprintf("remount,size=%dk", 32+n*(whole>>10-40)/disks)))
		cmd := process(t, append(g.args, "--jobs", "2", "--out", disk)...)
		if full(disk, cmd, "no space left") {
			good++
		}
	}
	must.Do(t, mount("remount,size=16m"))
	rows.add("a full disk", disks, held(g.finish(t, disk), good))
}

// flippedBits changes one bit of a finished or unfinished journal, of result.json, or of best.py. A
// reader of the file must refuse it, or read the original content.
func flippedBits(t *testing.T, r *rand.Rand, rows *faultTable) {
	g := undisturbed(t,
		"--task", "tsp-construct", "--method", "pace", "--evals", "24", "--test", "test50")
	dir := t.TempDir()
	if !g.finish(t, dir) {
		return
	}
	run := filepath.Dir(runFile(dir, "journal.jsonl"))
	flip := func(name string, accepted func() bool) bool {
		path := filepath.Join(run, name)
		whole := must.Read(t, path)
		bit := r.IntN(8 * len(whole))
		flipped := bytes.Clone(whole)
		flipped[bit/8] ^= 1 << (bit % 8)
		must.Write(t, path, flipped)
		bad := accepted()
		if bad {
			t.Errorf("bit %d of %s is flipped, and nothing is said", bit, name)
		}
		must.Write(t, path, whole)
		return !bad
	}
	count := func(row, name string, tried int, accepted func() bool) {
		good := 0
		for range tried {
			good += held(flip(name, accepted), 1)
		}
		rows.add("a flipped bit in "+row, tried, good)
	}
	passes := func(args ...string) bool { return process(t, append(args, run)...).Run() == nil }
	loads := func() bool {
		l, err := record.Load(run)
		return err == nil && l.CheckResult() == nil && l.CheckFiles() == nil
	}
	whole, err := record.ReadResult(run)
	must.Do(t, err)
	same := func() bool {
		now, err := record.ReadResult(run)
		return err == nil && reflect.DeepEqual(whole, now)
	}
	count("a finished journal", "journal.jsonl", 400, loads)
	count("a finished journal, by verify", "journal.jsonl", 12, func() bool {
		return passes("verify", "--quiet")
	})
	count("result.json, by verify --rescore", "result.json", 40, func() bool {
		return loads() && !same() && passes("verify", "--quiet", "--rescore")
	})
	count("best.py", "best.py", 100, loads)

	lines := bytes.SplitAfter(g.want["journal.jsonl"], []byte("\n"))
	half := bytes.Join(lines[:len(lines)/2], nil)
	journal := filepath.Join(run, "journal.jsonl")
	must.Write(t, journal, half)
	count("an unfinished journal, by run", "journal.jsonl", 12, func() bool {
		must.Do(t, os.RemoveAll(filepath.Join(run, "result.json")))
		cmd, _ := g.start(t, dir)
		if cmd.Wait() != nil {
			return false
		}
		now, err := os.ReadFile(journal)
		return err != nil || !bytes.Equal(now, g.want["journal.jsonl"])
	})
}
