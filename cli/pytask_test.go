package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

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
		// Only scoring finds these errors: the template and the references are scored before a
		// request.
		{"    return length", "    return None", "wrong.py:21: the task is wrong: its template " +
			"has no score on train: invalid: the task could not use an answer: TypeError: score " +
			"returned a NoneType, not a number", "no request was made"},
		{"    return length", "    return length if length > 5 else None",
			"wrong.py:21: the task is wrong: its reference nearest", "no request was made"},
		{"    return np.argmin(np.abs(points - at))", "    return -1", "wrong.py:21: the task is " +
			"wrong: its reference nearest has no score on train: invalid", "no request was made"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "wrong.py"), strings.Replace(drawnTask, c.old, c.with, 1))
		cmd := process(t, "run", "--task", "wrong.py", "--method", "eoh", "--evals", "20")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		fault, advice, _ := strings.Cut(string(out), "\n")
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(fault, c.says) ||
			!strings.Contains(advice, c.advice) || strings.Count(advice, "\n") != 1 {
			t.Errorf("%s: %v\n%s", c.with, err, out)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: it left %v, %v", c.with, left, err)
		}
	}
}

// TestTaskThatTrips runs a task that raises an error for every program except its own. The run ends
// after ten programs, and the same command continues it.
func TestTaskThatTrips(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	alone, _, _ := strings.Cut(drawnTask, "@task.reference")
	write(t, filepath.Join(dir, "trips.py"), strings.Replace(alone,
		"        i = index(visit(at, points), len(points))",
		"        i = {0: 0}[visit(at, points)]", 1))
	write(t, filepath.Join(dir, "answers.txt"), "-- any --\n{Pick.}\n```python\n"+
		"def visit(at: float, points: np.ndarray) -> int:\n    return 1\n```\n")
	t.Chdir(dir)
	for round, want := range []int{10, 20} {
		out := mustFail(t, "run", "--task", "trips.py", "--method", "randsample", "--evals", "40",
			"--model", "scripted:answers.txt", "--test", "none")
		if !strings.Contains(out, "the task failed on the answers of 10 programs in a row, "+
			"and may be wrong: the task could not use an answer: KeyError") {
			t.Fatalf("round %d:\n%s", round, out)
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "runs/*/*/*/1/journal.jsonl"))
		text, _ := os.ReadFile(strings.Join(paths, ""))
		if n := bytes.Count(text, []byte("KeyError")); n != want {
			t.Errorf("round %d: %d programs, want %d", round, n, want)
		}
	}
}

// TestUnknownCosts checks that a dry run of a user's task prints the costs that it learns by
// scoring the template, and "?" for unknown costs. Sums with an unknown part are lower bounds.
func TestUnknownCosts(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "line.py"), drawnTask)
	write(t, filepath.Join(dir, "s.toml"), "[[runs]]\ntasks = [\"line.py\", \"tsp-construct\"]\n"+
		"methods = [\"eoh\"]\n[models.m]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n"+
		"price_in = 1\nprice_out = 1\n")
	t.Chdir(dir)
	out := mustRun(t, "suite", "s.toml", "--dry-run", "--seeds", "1", "--test", "none")
	for _, want := range []string{
		`(?m)^ *eoh +1 +1 +1000 +\? +\? +(≥ [0-9.]+|\?) +\?`,
		`(?m)^ *total +2 +2 +2000 +≥ 10[0-9]+ +≥ [0-9]+k +≥ [0-9.]+ +≥ [0-9.]+`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("want %s\n%s", want, out)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// TestKillsOnATaskInPython kills the engine, the scorer and candidates of runs with three jobs
// without warning, each when the journal has a random length, and checks that the files equal the
// files of the undisturbed run with one job. The long tier does the same to some examples of
// docs/your-task.md, in shorter runs. PACEBENCH_KILLS is the number of kills for each task.
func TestKillsOnATaskInPython(t *testing.T) {
	pyenv.ForTest(t)
	if !benchtest.Long() {
		kill(t, "line.py", drawnTask, "6")
		return
	}
	text := must.Read(t, filepath.Join("..", "docs", "your-task.md"))
	for i, m := range pythonFile.FindAllStringSubmatch(string(text), -1) {
		if i%3 == 0 { // all examples have the same processes
			t.Run(m[1], func(t *testing.T) { kill(t, m[1], m[2], "5") })
		}
	}
}

// kill makes runs of a task in Python with the given number of evaluations, and kills their
// processes.
func kill(t *testing.T, name, source, evals string) {
	left := 3
	if n, err := strconv.Atoi(os.Getenv("PACEBENCH_KILLS")); err == nil {
		left = n
	}
	path := filepath.Join(t.TempDir(), name)
	write(t, path, source)
	g := undisturbed(t,
		"--task", path, "--method", "eoh", "--evals", evals, "--test", "none", "--seed", "1")
	g.jobs = "3"
	var dir string
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
			err := watch(cmd, func() {
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
			if over = err == nil; !over && !struck {
				t.Fatalf("it fails by itself:\n%s", out)
			}
		}
		if !g.finish(t, dir) {
			t.Errorf("after kills of %v", kills)
		}
	}
	t.Logf("kills of %v", kills)
}

// victim finds a process of a command: the command itself, a process of its scorer, or a process
// without children that serves programs. It returns 0 if no such process exists now.
func victim(engine int, kind string, r *rand.Rand) int {
	if kind == "engine" {
		return engine
	}
	var found []int
	var look func(pid int)
	look = func(pid int) {
		below := children(pid)
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		scorer := bytes.Contains(text, []byte("trusted Python scores candidates"))
		if pid != engine && scorer == (kind == "scorer") && (scorer || len(below) == 0) {
			found = append(found, pid)
		}
		for _, child := range below {
			look(child)
		}
	}
	if look(engine); len(found) == 0 {
		return 0
	}
	return found[r.IntN(len(found))]
}

// TestCheckMethodInstallsNothing checks that check-method with an empty cache asks no package index
// and names the command that makes the environment.
func TestCheckMethodInstallsNothing(t *testing.T) {
	index := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("it asks for %s", r.URL)
	}))
	defer index.Close()
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("PIP_INDEX_URL", index.URL)
	t.Setenv("HTTPS_PROXY", index.URL)
	method := filepath.Join(t.TempDir(), "m.py")
	must.Write(t, method, "def run(search): pass\n")
	var told bytes.Buffer
	status := Main([]string{"pacebench", "check-method", method}, nil, &bytes.Buffer{}, &told)
	if status != 1 || !strings.Contains(told.String(), "hint: pacebench doctor installs it") {
		t.Errorf("status %d\n%s", status, told.String())
	}
	if made, err := os.ReadDir(cache); err != nil || len(made) > 0 {
		t.Errorf("it made %v, %v", made, err)
	}
}

// TestPlainTask checks that the task that check-method uses needs no optional packages.
func TestPlainTask(t *testing.T) {
	if task := plainTask(); task.Packages != "" || task.Scorer != nil {
		t.Errorf("%s needs packages", task.Problem.Name)
	}
}

// TestLLM4ADSearch searches with the embedded model on two tasks of LLM4AD. A second run, with more
// jobs, must give the same journal, and verify must accept both.
func TestLLM4ADSearch(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("PACEBENCH_LONG is not set")
	}
	pyenv.ForTestWith(t, "llm4ad")
	for _, name := range []string{"jssp_construct", "knapsack_construct@typing=true"} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir()}
			for i, jobs := range []string{"1", "4"} {
				t.Chdir(dirs[i])
				mustRun(t, "run", "--quiet", "--task", "llm4ad:"+name, "--method", "eoh",
					"--evals", "20", "--jobs", jobs, "--out", dirs[i])
				mustRun(t, "verify", "--quiet", dirs[i])
			}
			sameRuns(t, dirs[0], dirs[1])
			if n := bytes.Count(readJournal(t, dirs[0]), []byte(`"values":[`)); n < 5 {
				t.Errorf("%d of 20 have a score", n)
			}
		})
	}
}
