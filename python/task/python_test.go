//go:build linux

package pytask

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// picks is a task that scores 1 for every program, with places for the texts of a case.
const picks = `"""Pick the larger one of a and b, or say größer. NumPy is np."""
import numpy as np
from pacebench.task import Task
IMPORTS
task = Task(goal="maximize", splits={"train": 1}, FIELDS)

@task.template
def pick(a: int, b: int) -> int:
    """Pick one of a and b."""
    return a

@task.score
def worth(number, pick):
    pick(1, 2)
    SCORE
    return 1
`

// TestAsPython3Takes makes tasks of files that python3 accepts, and checks the errors of other
// files.
func TestAsPython3Takes(all *testing.T) {
	const data = "data/x.txt"
	const useQueue = "from concurrent import futures as f; f.ThreadPoolExecutor(1).submit(int)"
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	latin := func(text string) string {
		return strings.ReplaceAll("# coding: latin-1\n"+text, "ö", "\xf6")
	}
	var e *bench.TaskEvaluator
	for i, c := range []struct {
		name                   string
		file                   string // "": task.py
		imports, fields, score string
		encode                 func(string) string
		others                 []string // files next to it
		wrong, advice          string   // "" for a task with a score
		tripped                string   // the fault of an answer that the task could not use
	}{
		{name: "byte order mark", encode: func(s string) string { return "\ufeff" + s }},
		{name: "cookie", encode: latin},
		{name: "CRLF", encode: windows},
		{name: "form feed", imports: "\f\nx = '\u2028'"},
		{name: "no cookie", encode: func(s string) string {
			return strings.TrimPrefix(latin(s), "# coding: latin-1\n")
		}, wrong: "task.py:1: no task: SyntaxError: byte 0xf6 is not UTF-8",
			advice: "# coding: latin-1"},
		{name: "unknown cookie", encode: func(s string) string { return "# coding: martian\n" + s },
			wrong: "task.py:1: no task: SyntaxError: unknown encoding: martian", advice: "UTF-8"},

		{name: "relative path", imports: "open('data/x.txt').read()",
			fields: "files=['data/x.txt']", score: "np.loadtxt('data/x.txt')",
			others: []string{data}},
		{name: "task.path", fields: "files=['data/x.txt']", score: "open(task.path('data/x.txt'))",
			others: []string{data}},
		{name: "missing", imports: "np.load('x.npy')",
			wrong:  "task.py:4: no task: FileNotFoundError",
			advice: "relative paths begin in the task's folder"},
		{name: "missing in score", score: "np.loadtxt('x.txt')",
			tripped: "FileNotFoundError: x.txt not found. (line 15 of the task)"},
		{name: "not named", imports: "open('data/x.txt')", others: []string{data},
			wrong:  "task.py:4: no task: it reads data/x.txt, which is not in files",
			advice: `files=["data/x.txt"]`},
		{name: "not named in score", score: "open('data/x.txt')", others: []string{data},
			wrong:  "it reads data/x.txt, which is not in files (line 15 of the task)",
			advice: `files=["data/x.txt"]`},
		{name: "path not named", score: "task.path('data/x.txt')", others: []string{data},
			wrong: "data/x.txt is not in files", advice: `files=["data/x.txt"]`},

		{name: "interrupt in score", score: "raise KeyboardInterrupt",
			tripped: "KeyboardInterrupt (line 15 of the task)"},
		{name: "exit at import", imports: "quit()", wrong: "task.py:4: no task: SystemExit"},
		{name: "text of two lines", imports: `raise ValueError("a\nb")`, wrong: "ValueError: a b"},
		{name: "signals", imports: "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"},

		{name: "queue.py", file: "queue.py", score: useQueue},
		{name: "inspect.py", file: "inspect.py", imports: "import inspect; inspect.cleandoc"},
		{name: "numpy.py", file: "numpy.py"},
		{name: "pacebench.py", file: "pacebench.py"},
		{name: "queue.py beside it", others: []string{"queue.py"}, score: useQueue},
		{name: "takes queue.py", others: []string{"queue.py"}, score: "import queue; queue.Queue",
			wrong: "no attribute 'Queue'", advice: "/queue.py: Python has a module of this name"},
		{name: "own module", others: []string{"code.py"}, imports: "from code import x"},

		{name: "sklearn", imports: "from sklearn import tree",
			wrong:  "task.py:4: no task: ModuleNotFoundError",
			advice: `packages=["scikit-learn"], ...) and run pacebench lock /`},
		{name: "sklearn in score", score: "import sklearn.tree", wrong: "No module named 'sklearn'",
			advice: `packages=["scikit-learn"], ...) and run pacebench lock /`},
		{name: "relative import", imports: "from . import x", wrong: "attempted relative import",
			advice: "import NAME"},
	} {
		if !tasktest.Sampled(i, 4) {
			continue
		}
		all.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ein Ordner mit ü")
			source := strings.NewReplacer("IMPORTS", c.imports, "FIELDS", c.fields, "SCORE",
				c.score).Replace(picks)
			if c.encode != nil {
				source = c.encode(source)
			}
			name := cmp.Or(c.file, "task.py")
			texts := map[string]string{name: source}
			for _, other := range c.others {
				texts[other] = map[bool]string{true: "1\n", false: "x = 1\n"}[other == data]
			}
			for path, text := range texts {
				must.Write(t, filepath.Join(dir, path), text)
			}
			task, err := Load(t.Context(), filepath.Join(dir, name), options(t))
			var o bench.Evaluated
			if err == nil {
				if e == nil {
					e = tasktest.Control(all, task)
				}
				o, err = with(e, task).Evaluate(t.Context(),
					program.Program{Source: task.Default()})
			}
			switch {
			case c.tripped != "":
				if err != nil || o.Fault == nil || o.Fault.Detail != record.Unusable+c.tripped {
					t.Errorf("%v, %v; want the fault %s", err, o.Fault, c.tripped)
				}
			case c.wrong == "":
				if err != nil || o.Fault != nil || o.Score != 1 {
					t.Errorf("%v, %v, %v: %s", o.Score, o.Fault, err, hint.Of(err))
				}
			case err == nil || !strings.Contains(err.Error(), c.wrong) ||
				strings.Contains(err.Error(), "\n"):
				t.Errorf("%v, want %s", err, c.wrong)
			case !strings.Contains(hint.Of(err), c.advice):
				t.Errorf("hint %q, want %s", hint.Of(err), c.advice)
			}
		})
	}
}
