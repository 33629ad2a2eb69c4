package cli

import (
	"bytes"
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// drawnTask draws random numbers in its scorer, and keeps everything that it has seen.
const drawnTask = `"""Visit the points on a line so that the way is short."""
import numpy as np
from pacebench.task import Task, index

task = Task(goal="minimize", splits={"train": 6, "test": 2}, cpu=20)
SEEN = []

@task.template
def visit(at: float, points: np.ndarray) -> int:
    """Choose the next point.

    Args:
        at: the place that was reached last.
        points: float64 array of shape (n,), the places left.

    Returns:
        An index of points.
    """
    return 0

@task.score
def way(number, visit):
    points, at, length = np.random.random(60), 0.0, len(SEEN)
    while len(points):
        i = index(visit(at, points), len(points))
        length, at, points = length + abs(points[i] - at), points[i], np.delete(points, i)
        SEEN.append(at)
    SEEN.clear()
    return length

@task.reference()
def nearest(at, points):
    return np.argmin(np.abs(points - at))
`

// TestWrongTasksInPython checks that the command reports an error in a file in one line, with its
// place and a hint, and starts no run. python/task tests the other mistakes.
func TestWrongTasksInPython(t *testing.T) {
	pyenv.ForTest(t)
	for _, c := range []struct{ old, with, says, advice string }{
		{"import numpy as np", "import numpy as", "wrong.py:2: no task: SyntaxError", "correct"},
		{"SEEN = []", "SEEN = [][0]", "wrong.py:6: no task: IndexError", "correct"},
		{"@task.template", "", "wrong.py:5: no task: no function has @task.template", "@task"},
		{`"train": 6`, `"train": 0`, "wrong.py:5: no task: splits: train has 0", "from 1 to"},
		{"cpu=20", "packages=['torch>2']", "there is no wrong.lock", "pacebench lock "},
		{"@task.score", "@task.instance\ndef made(split, number):\n    return [{1}]\n\n@task.score",
			"wrong.py:21: no task: instance 0 of train cannot be sent: a set at [0]", "its parts"},
		// Only scoring finds these errors: the template and the references are scored before a
		// request.
		{"    return length", "    return None", "wrong.py:21: the task is wrong: its template " +
			"has no score on train: invalid: the task could not use an answer: TypeError: score " +
			"returned a NoneType, not a number", "no request was made"},
		{"    return length", "    return length * np.nan", "wrong.py:21: the task is wrong: its " +
			"template has no score on train: nonfinite: ", "no request was made"},
		{"    SEEN.clear()", "    SEEN[99]", "IndexError: list index out of range (line 28 of " +
			"the task)", "no request was made"},
		{"    points, at", "    SEEN[0]\n    points, at", "IndexError: list index out " +
			"of range (line 23 of the task)",
			"the task file is wrong"},
		{"    return length", "    return length if length > 5 else None",
			"wrong.py:21: the task is wrong: its reference nearest", "no request was made"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "wrong.py"), strings.Replace(drawnTask, c.old, c.with, 1))
		cmd := process(t, "run", "--task", "wrong.py", "--method", "eoh", "--evals", "20")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		fault, advice, _ := strings.Cut(string(out), "\n")
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(fault, c.says) ||
			!strings.Contains(advice, c.advice) || strings.Count(advice, "\n") != 1 {
			t.Errorf("%s: %v\n%s", c.with, err, out)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: it left %v, %v", c.with, left, err)
		}
	}
}

// TestTaskThatTrips runs a task that raises an error for every program except its own. The run ends
// after ten programs, the same command continues, and the trial before the first request is made
// once.
func TestTaskThatTrips(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	alone, _, _ := strings.Cut(drawnTask, "@task.reference")
	write(t, filepath.Join(dir, "trips.py"), strings.Replace(alone,
		"        i = index(visit(at, points), len(points))",
		"        i = {0: 0}[visit(at, points)]", 1))
	write(t, filepath.Join(dir, "answers.txt"), "-- any --\n{Pick.}\n```python\n"+
		"def visit(at: float, points: np.ndarray) -> int:\n    return 1\n```\n")
	for round, want := range []int{10, 20} {
		cmd := process(t, "run", "--task", "trips.py", "--method", "randsample", "--evals", "40",
			"--model", "scripted:answers.txt", "--test", "none")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "10 programs in a row failed where the "+
			"task may be wrong: the task could not use an answer: KeyError") {
			t.Fatalf("round %d: %v\n%s", round, err, out)
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "runs/*/*/*/1/journal.jsonl"))
		text, _ := os.ReadFile(strings.Join(paths, ""))
		if n := bytes.Count(text, []byte("KeyError")); n != want {
			t.Errorf("round %d: %d programs, want %d", round, n, want)
		}
	}
}

// TestUnknownCosts checks that a dry run of a user's task prints the costs that its template's
// score shows, and "?" for unknown costs. Sums with an unknown part are lower bounds.
func TestUnknownCosts(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "line.py"), drawnTask)
	write(t, filepath.Join(dir, "s.toml"), "[[runs]]\ntasks = [\"line.py\", \"tsp-construct\"]\n"+
		"methods = [\"eoh\"]\n[models.m]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n"+
		"price_in = 1\nprice_out = 1\n")
	cmd := process(t, "suite", "s.toml", "--dry-run", "--seeds", "1", "--test", "none")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	for _, want := range []string{
		`(?m)^ *eoh +1 +1 +1000 +\? +\? +(≥ 0\.[0-9]|\?) +\?`,
		`(?m)^ *total +2 +2 +2000 +≥ 10[0-9]+ +≥ [0-9]+k +≥ [0-9.]+ +≥ [0-9.]+`,
	} {
		if err != nil || !regexp.MustCompile(want).Match(out) {
			t.Errorf("%v, want %s\n%s", err, want, out)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// TestKillsOnATaskInPython kills the engine, the scorer and candidates of runs with eight jobs
// without warning, each when the journal has a random length, and wants the files of the
// undisturbed run with one job. The long tier does the same to the examples of the page, in shorter
// runs. PACEBENCH_KILLS is the number of kills of each.
func TestKillsOnATaskInPython(t *testing.T) {
	pyenv.ForTest(t)
	if !benchtest.Long() {
		kill(t, "line.py", drawnTask, "20")
		return
	}
	text := must.Read(t, filepath.Join("..", "docs", "your-task.md"))
	for _, m := range pythonFile.FindAllStringSubmatch(string(text), -1) {
		t.Run(m[1], func(t *testing.T) { kill(t, m[1], m[2], "5") })
	}
}

// kill ends processes of runs of a task in Python with so many evaluations.
func kill(t *testing.T, name, source, evals string) {
	left := 3
	if n, err := strconv.Atoi(os.Getenv("PACEBENCH_KILLS")); err == nil {
		left = n
	}
	path := filepath.Join(t.TempDir(), name)
	write(t, path, source)
	g := &target{args: []string{"run", "--quiet", "--task", path, "--method", "eoh",
		"--evals", evals, "--test", "none", "--seed", "1", "--jobs", "1"}}
	dir := t.TempDir()
	cmd, out := g.start(t, dir)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g.want = runFiles(t, dir)
	g.args[len(g.args)-1] = "8"
	r, whole, kills := rand.New(rand.NewPCG(7, 8)), len(g.want["journal.jsonl"]), map[string]int{}
	next := func() int {
		now := size(dir, "journal.jsonl")
		return now + 1 + r.IntN(max(1, (whole-now)/(left+1)))
	}
	for round := 0; left > 0 && round < 10; round++ { // a run may end before its last kill
		dir = t.TempDir()
		for over := false; !over; {
			at, struck := next(), false
			cmd, out := g.start(t, dir)
			over = watch(cmd, func() {
				if left == 0 || size(dir, "journal.jsonl") < at {
					return
				}
				kind := []string{"engine", "scorer", "candidate"}[left%3]
				pid := victim(cmd.Process.Pid, kind, r)
				if pid > 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
					kills[kind]++
					left--
					at, struck = next(), true
				}
			})
			if !over && !struck {
				t.Fatalf("it fails by itself:\n%s", out)
			}
		}
		if !g.finish(t, dir) {
			t.Errorf("after kills of %v", kills)
		}
	}
	t.Logf("kills of %v", kills)
}

// watch polls a process until it ends, and reports whether it succeeded.
func watch(cmd *exec.Cmd, look func()) bool {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case err := <-done:
			return err == nil
		case <-time.After(2 * time.Millisecond):
			look()
		}
	}
}

// victim finds a process of a command: the command itself, a process of its scorer, or a process
// without children that serves programs. It returns 0 if no such process exists now.
func victim(engine int, kind string, r *rand.Rand) int {
	if kind == "engine" {
		return engine
	}
	below, parents, found := map[int]bool{engine: true}, map[int]bool{}, []int{}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	slices.SortFunc(paths, func(a, b string) int { // parents are older than their children, mostly
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	scorer := map[int]bool{}
	for _, path := range paths {
		stat, err := os.ReadFile(path)
		_, rest, ok := bytes.Cut(stat, []byte(") "))
		fields := strings.Fields(string(rest))
		if err != nil || !ok || len(fields) < 2 {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		if !below[parent] {
			continue
		}
		below[pid], parents[parent] = true, true
		text, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		scorer[pid] = bytes.Contains(text, []byte("trusted Python scores candidates"))
	}
	delete(below, engine)
	for pid := range below {
		if scorer[pid] == (kind == "scorer") && (kind == "scorer" || !parents[pid]) {
			found = append(found, pid)
		}
	}
	if len(found) == 0 {
		return 0
	}
	slices.Sort(found)
	return found[r.IntN(len(found))]
}
