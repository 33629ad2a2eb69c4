package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench/python"
)

// script runs a program in Python that imports the module pacebench, which drives the command of
// this test, and returns what it prints.
func script(t *testing.T, interpreter, dir, program string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs(filepath.Join("..", "..", "python"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter, "-B", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(program)
	cmd.Env = append(os.Environ(), asCommand+"=1", "PACEBENCH="+exe, "PYTHONPATH="+module)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.Bytes())
	}
	return string(out)
}

// TestModuleImports: importing pacebench takes a few small modules of the standard library.
func TestModuleImports(t *testing.T) {
	script(t, python.ForTest(t).Python, t.TempDir(), `
import sys, typing
before = set(sys.modules)
import pacebench
new = {name.partition(".")[0] for name in set(sys.modules) - before}
assert new <= {"pacebench", "__future__"}, new
`)
}

// TestModuleStops presses Ctrl-C at a commit, calls run again, and wants the journal of an
// undisturbed run.
func TestModuleStops(t *testing.T) {
	dir := t.TempDir()
	script(t, python.ForTest(t).Python, dir, `
import os, signal
import pacebench
from pacebench._progress import Progress

def run(out):
    return pacebench.run(task="tsp-construct", method="eoh", evals=8, seeds=[1, 2],
                         test="none", out=out)

see = Progress.see
def stop(self, event):
    see(self, event)
    if event["evaluations"] == 5 and not stopped:
        stopped.append(event)
        os.kill(os.getpid(), signal.SIGINT)

stopped = []
Progress.see = stop
try:
    run("stopped")
except KeyboardInterrupt:
    assert stopped
else:
    raise SystemExit("Ctrl-C is lost")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
runs = run("stopped")
assert [(r.seed, r.evaluations, r.finished) for r in runs] == [(1, 8, True), (2, 8, True)]
assert [r.best.source for r in run("whole")] == [r.best.source for r in runs]
`)
	for _, seed := range []string{"1", "2"} {
		var journals [2][]byte
		for i, out := range []string{"stopped", "whole"} {
			var err error
			journals[i], err = os.ReadFile(filepath.Join(dir, out, "tsp-construct", "eoh",
				"offline", seed, "journal.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(journals[0], journals[1]) {
			t.Errorf("seed %s: the journals differ", seed)
		}
	}
}

// equalTables compares every table of a module's runs with the files of export, cell for cell.
const equalTables = `
import csv, subprocess

def equal(runs, rows, paths):
    subprocess.run([os.environ["PACEBENCH"], "export", "--out", "tables", *paths], check=True,
                   capture_output=True)
    for table in ("runs", "tests", "evaluations", "requests", "trials", "eaps"):
        with open(f"tables/{table}.csv", newline="") as file:
            want = list(csv.DictReader(file))
        got = rows(runs.frame(table))
        assert len(got) == len(want), (table, len(got), len(want))
        for a, b in zip(got, want):
            assert list(a) == list(b), table
            for column, text in b.items():
                cell = a[column]
                missing = cell is None or cell != cell
                if text == "":
                    assert missing or cell == "", (table, column, cell)
                elif text in ("true", "false"):
                    assert cell == (text == "true"), (table, column, cell)
                elif isinstance(cell, str):
                    assert text in (cell, "'" + cell), (table, column, cell, text)
                else:
                    assert float(text) == cell, (table, column, cell, text)
`

// TestModuleTables: what the module reads of runs equals the tables of export.
func TestModuleTables(t *testing.T) {
	script(t, python.ForTest(t).Python, t.TempDir(), `
import os
import pacebench
`+equalTables+`
sizes = {}
for method in ("pace", "greedy"):
    runs = pacebench.run(task="tsp-construct", method=method, evals=12, test="test50", quiet=True)
    equal(runs, list, [runs[0].run])
    sizes[method] = {table: len(runs.rows[table]) for table in runs.rows}
    assert type(runs[0].time_scale) is float and type(runs[0].seed) is int
assert sizes["pace"]["evaluations"] == 12 and sizes["pace"]["tests"] == 1, sizes
both = pacebench.load("runs")
equal(both, list, ["runs"])
assert len(both + runs) == len(both) == 2
assert [r.method for r in both.where(method="pace")] == ["pace"]
best = both.where(method="pace")[0].best
assert best.source and both.where(method="pace")[0].lineage()[-1] == best
assert pacebench.score("tsp-construct", best).mean == best.value
wrong = pacebench.score("tsp-construct", "def select_next_node():\n    pass\n")
assert wrong.mean is None and wrong.fault["kind"] == "interface", wrong
`)
}

// TestModuleErrors: what the command refuses is an error with its text and hint, and what is in
// memory only is no task.
func TestModuleErrors(t *testing.T) {
	script(t, python.ForTest(t).Python, t.TempDir(), `
import pacebench

def refused(call, *texts, **flags):
    try:
        call(**{"task": "tsp-construct", "method": "eoh", **flags})
    except pacebench.Error as error:
        for text in texts:
            assert text in str(error), error
    else:
        raise SystemExit(f"{flags} are taken")

refused(pacebench.run, "no flag --evls", "hint: did you mean --evals?", evls=3)
refused(pacebench.run, "--seeds 2,1,2: 2 is there twice", seeds=(2, 1, 2))
refused(pacebench.run, "task is a function in memory", "%%writefile my_task.py", task=len)
refused(pacebench.run, "method is a object in memory", method=object())
refused(pacebench.run, "--set", set={"sise": 3})
refused(lambda **_: pacebench.load("nowhere"), "nowhere")
refused(lambda **_: pacebench.score("tsp-construct", "none.py"), "none.py")
refused(lambda **_: pacebench.score("tsp-construct", print), "program is a function")
`)
}

// pythonBlock is a block of Python in a page.
var pythonBlock = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// TestModulePage runs the Python of docs/python-package.md, one block after another.
func TestModulePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "python-package.md"))
	if err != nil {
		t.Fatal(err)
	}
	program := ""
	for _, b := range pythonBlock.FindAllStringSubmatch(string(page), -1) {
		program += b[1]
	}
	got := script(t, python.ForTest(t).Python, t.TempDir(), program)
	_, text, _ := strings.Cut(string(page), "here\n\n```text\n")
	text, _, _ = strings.Cut(text, "```")
	if text == "" || !strings.HasSuffix(got, text) {
		t.Errorf("the page has the error\n%sand it is\n%s", text, got)
	}
}
