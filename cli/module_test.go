package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/report/figure"
)

// script runs a Python program and returns its output. The program imports the module pacebench,
// which runs this test binary as its command.
func script(t *testing.T, dir, program string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.py")
	write(t, path, program)
	return file(t, dir, path)
}

// file does the same as script with a Python file and arguments.
func file(t *testing.T, dir, path string, args ...string) string {
	t.Helper()
	exe, err := os.Executable()
	must.Do(t, err)
	module, err := filepath.Abs(filepath.Join("..", "python"))
	must.Do(t, err)
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	interpreter := pyenv.ForTest(t).Python
	cmd := exec.Command(interpreter, append([]string{"-B", path}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1", "PACEBENCH="+exe, "PYTHONPATH="+module)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.Bytes())
	}
	return string(out)
}

// TestModuleImports checks that importing pacebench loads only a few small modules of the standard
// library.
func TestModuleImports(t *testing.T) {
	script(t, t.TempDir(), `
import sys, typing
before = set(sys.modules)
import pacebench
new = {name.partition(".")[0] for name in set(sys.modules) - before}
assert new <= {"pacebench", "__future__"}, new
`)
}

// TestModuleStops presses Ctrl-C at a commit, calls run again, and checks that the journal equals
// an undisturbed run's.
func TestModuleStops(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, `
import os, signal
import pacebench
from pacebench._progress import Progress

def run(out):
    return pacebench.run(task="tsp-construct", method="eoh", evals=4, seeds=[1, 2],
                         test="none", out=out)

see = Progress.see
def stop(self, event):
    see(self, event)
    if event["evaluations"] == 3 and not stopped:
        stopped.append(event)
        os.kill(os.getpid(), signal.SIGINT)

stopped = []
before = signal.getsignal(signal.SIGINT)
Progress.see = stop
try:
    run("stopped")
except KeyboardInterrupt:
    assert stopped
else:
    raise SystemExit("Ctrl-C is lost")
assert signal.getsignal(signal.SIGINT) is before
runs = run("stopped")
assert [(r.seed, r.evaluations, r.finished) for r in runs] == [(1, 4, True), (2, 4, True)]
assert [r.best.source for r in run("whole")] == [r.best.source for r in runs]
`)
	sameRuns(t, filepath.Join(dir, "whole"), filepath.Join(dir, "stopped"))
}

// TestModuleTables checks that the module reads the same tables from runs as export writes.
func TestModuleTables(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, `
import os, subprocess
import pacebench

sizes = {}
for method in ("pace", "greedy"):
    runs = pacebench.run(task="tsp-construct", method=method, evals=12, test="test50", quiet=True)
    sizes[method] = {table: len(runs.rows[table]) for table in runs.rows}
    assert type(runs[0].time_scale) is float and type(runs[0].seed) is int
assert sizes["pace"]["evaluations"] == 12 and sizes["pace"]["tests"] == 1, sizes
both = pacebench.load("runs")
assert len(both + runs) == len(both) == 2
pace = both.where(method="pace")
assert [r.method for r in pace] == ["pace"]
best = pace[0].best
assert best.source and pace[0].lineage()[-1] == best
assert pacebench.score("tsp-construct", best).mean == best.value
wrong = pacebench.score("tsp-construct", "def select_next_node():\n    pass\n")
assert wrong.mean is None and wrong.fault["kind"] == "interface", wrong
subprocess.run([os.environ["PACEBENCH"], "pack", "--out", "pace.bundle", pace[0].run],
               check=True, capture_output=True)
assert repr(pace[0]).startswith(
    f"<tsp-construct, pace, offline, seed 1: 12/12 evaluations, best {best.value:.6g} "
    "(mean tour length), test50 "), pace[0]
table = both.summary()
rows = table if isinstance(table, list) else table.to_dict("records")
assert [r["method"] for r in rows] == ["greedy", "pace"], rows
assert rows[1]["mean"] == best.value and rows[1]["test50"] == pace[0].tests["test50"], rows
page = both.report(out="report", quiet=True, no_runs=True)
assert os.path.exists(page), page
packed = pacebench.load("pace.bundle")[0]
assert packed.run == "pace.bundle:tsp-construct/pace/offline/1", packed.run
assert packed.best.source == best.source
`)
	for _, path := range []string{"runs", "pace.bundle"} {
		file(t, dir, "testdata/module/equal.py", "list", path)
	}
}

// TestModuleErrors checks that an error of the command is an error of the module with its text and
// hint, and that an object that exists only in memory is no task.
func TestModuleErrors(t *testing.T) {
	script(t, t.TempDir(), `
import pacebench
from pacebench._command import arguments

assert arguments({"set": {"sizes": [1, 2], "ts": False}}) == ["--set=sizes=1,2", "--set=ts=false"]

def refused(call, *texts, **flags):
    try:
        call(**{"task": "tsp-construct", "method": "eoh", **flags})
    except pacebench.Error as error:
        for text in texts:
            assert text in str(error), error
    else:
        raise SystemExit(f"{flags} are taken")

refused(pacebench.run, 'unknown method "eho"', "hint: pacebench list methods", method="eho")
refused(pacebench.run, "--seeds 2,1,2: 2 appears twice", seeds=(2, 1, 2))
refused(pacebench.run, "task is a function in memory", "%%writefile my_task.py", task=len)
refused(pacebench.run, "method is a object in memory", method=object())
refused(pacebench.run, "--set", set={"sise": 3})
refused(lambda **_: pacebench.load("nowhere"), "nowhere")
refused(lambda **_: pacebench.score("tsp-construct", "none.py"), "none.py")
refused(lambda **_: pacebench.score("tsp-construct", print), "program is a function")
refused(lambda **_: pacebench.score("tsp-construct", "x = '\ud800'\n"), "not Unicode text")
refused(lambda **_: pacebench.score("tsp-construct", "x = 1\n", split=3), "score takes one")
refused(lambda **_: pacebench.load("a\0b"), "no argument of a command can have")
refused(lambda **_: pacebench.load(3), "no such file")
refused(pacebench.run, "no argument of a command can have", out="\ud800")
refused(pacebench.run, "evals is an int that is too long", evals=10**5000)
try:
    pacebench.run(task="tsp-construct", method="eoh", evls=3)
except TypeError as error:
    assert "evls" in str(error), error
else:
    raise SystemExit("evls is taken")
`)
}

// TestModuleKeywords: the keywords of the module's functions are the flags of the commands, except
// --json and the flags that plan a suite or leave it to Slurm.
func TestModuleKeywords(t *testing.T) {
	got := script(t, t.TempDir(), `
import inspect, pacebench
for name, call in [("run", pacebench.run), ("suite", pacebench.suite),
                   ("score", pacebench.score), ("report", pacebench.Runs.report)]:
    print(name, *sorted(set(inspect.signature(call).parameters) - {"name", "program", "self"}))
`)
	c, want := &console{}, ""
	for _, cmd := range []*cli.Command{
		c.runCommand(), c.suiteCommand(), c.scoreCommand(), c.reportCommand(),
	} {
		var flags []string
		for _, f := range cmd.Flags {
			name := strings.ReplaceAll(f.Names()[0], "-", "_")
			plans := slices.Contains([]string{
				"json", "dry_run", "list", "until_separated", "power", "slurm", "partition",
				"time", "stop_before", "group", "at_once", "sbatch", "submit",
			}, name)
			if v, ok := f.(cli.VisibleFlag); ok && v.IsVisible() && !plans {
				flags = append(flags, name)
			}
		}
		slices.Sort(flags)
		want += cmd.Name + " " + strings.Join(flags, " ") + "\n"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestModuleColours: the curves of Runs.plot have the report's colours.
func TestModuleColours(t *testing.T) {
	got := script(t, t.TempDir(), `
from pacebench._runs import color_of, COLORS
print(*(f"{m} {color_of(m, [])}\n" for m in sorted(COLORS)), sep="", end="")
`)
	want, styles := "", labels(nil).Styles()
	for _, m := range slices.Sorted(maps.Keys(styles)) {
		want += m + " " + figure.Hex(styles[m]) + "\n"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// pythonBlock is a block of Python in a page.
var pythonBlock = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// TestModulePage runs what docs/look-inside.md shows of the package, one block after another.
func TestModulePage(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	page := must.Read(t, filepath.Join("..", "docs", "look-inside.md"))
	_, section, found := strings.Cut(string(page), "\n## From Python\n")
	if !found {
		t.Fatal("the page has no such section")
	}
	program := ""
	for _, b := range pythonBlock.FindAllStringSubmatch(section, -1) {
		program += b[1]
	}
	got := script(t, t.TempDir(), program)
	_, text, _ := strings.Cut(section, "here\n\n```text\n")
	text, _, _ = strings.Cut(text, "```")
	if text == "" || !strings.HasSuffix(got, text) {
		t.Errorf("the page has the error\n%sand it is\n%s", text, got)
	}
}

// TestModuleNotebook runs docs/notebook.ipynb without Jupyter and without libraries; TestWheel runs
// it with both.
func TestModuleNotebook(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	book, err := filepath.Abs(filepath.Join("..", "docs", "notebook.ipynb"))
	must.Do(t, err)
	got := file(t, t.TempDir(), "testdata/module/cells.py", book)
	for _, want := range []string{
		"climb, offline, seed 3: 12/12 evaluations", "plot needs matplotlib", "def priority(",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
