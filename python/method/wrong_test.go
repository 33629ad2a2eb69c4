//go:build linux

package pymethod_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pymethod "github.com/pacebench/pacebench/python/method"
	"github.com/pacebench/pacebench/record"
)

// said returns a message about wrong.py. says may begin with the number of a line.
func said(says string) string {
	if at, ok := strings.CutPrefix(says, "line "); ok {
		return "wrong.py:" + strings.Replace(at, ": ", ": method in Python: ", 1)
	}
	return says
}

// The error of a wrong file is one line with the place, and has advice.
func TestWrongFiles(t *testing.T) {
	for _, c := range []struct{ source, says, advice string }{
		{"def run(", "line 1: SyntaxError: '(' was never closed", ""},
		{"1 / 0", "line 1: ZeroDivisionError: division by zero", ""},
		{"raise SystemExit(3)", "line 1: SystemExit: 3", ""},
		{"from os import open as run", "wrong.py: method in Python: it has no function run",
			"def run(search, *"},
		{"async def run(search): pass", "line 1: run must be a plain", "def"},
		{"def run(): pass", "run has no parameter search", "def run(search, *"},
		{"def run(search, window=4): pass", "parameter window is not a keyword", "*"},
		{"def run(search, *, window): pass", "window is not a keyword with a default", "*"},
		{"def run(search, *, rate=None): pass", "run has rate=None", "a bool, an int"},
		{"import os\nKEY = os.urandom(8)", "line 2: Nondeterministic: os.urandom", ""},
	} {
		_, err := pymethod.Load(t.Context(), write(t, "wrong.py", c.source), options(t))
		switch {
		case !errors.Is(err, pymethod.ErrFile) || !strings.Contains(err.Error(), said(c.says)) ||
			strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %v, want %s", c.source, err, c.says)
		case !strings.Contains(hint.Of(err), c.advice):
			t.Errorf("%s: hint %q, want %s", c.source, hint.Of(err), c.advice)
		}
	}
	path := write(t, "wrong.py", "def run(search, *, rate=1e20):\n    import later\n")
	must.Write(t, filepath.Join(filepath.Dir(path), "later.py"), "x = 1\ndef helper(:\n")
	_, err := pymethod.Load(t.Context(), path, options(t))
	if err == nil || !strings.Contains(err.Error(), "later.py:2: method in Python: SyntaxError") {
		t.Errorf("a module that is imported later: %v", err)
	}
	_, err = pymethod.Load(t.Context(), "nowhere.py", options(t))
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: %v", err)
	}
	_, err = pymethod.Load(t.Context(), write(t, "a b.py", ""), options(t))
	if err == nil || !strings.Contains(err.Error(), `"a b" cannot be the name`) {
		t.Errorf("a wrong name: %v", err)
	}
}

// method returns a method file whose run has the given body. The body may use the job named one.
func method(body string) string {
	return `import asyncio, datetime, os, random, sys, threading, time, uuid
from pacebench.method import *

def run(search, *, window=2):
    async def one(step):
        return await step.sample(search.problem.prompt, "algorithm/i1")
    def all(job):
        for result in search.stream(lambda: job, window):
            pass
    ` + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n"
}

// job returns the body of a method whose jobs have the given lines.
func job(lines ...string) string {
	return "async def job(step):\n    " + strings.Join(lines, "\n    ") + "\nall(job)"
}

// A mistake of a method ends the run with one sentence and the line.
func TestWrongMethods(t *testing.T) {
	for i, c := range []struct{ body, says string }{
		{"search.nothing", "line 10: AttributeError"},
		{"search.stream(lambda: one, 0)", "window=0: want an int of at least 1"},
		{job("await asyncio.sleep(0)"),
			"line 8: TypeError: a step awaits a NoneType: only what its Step returns"},
		{job("step.ask('x', 'algorithm/a')"), "line 11: await is missing before step.ask(...)"},
		{job("await step.extract(step.ask('x', 'algorithm/a'))"),
			"extract takes a Reply or a str, not what step.ask returns before it is awaited"},
		{job("await step.evaluate('x = 1')"),
			"line 11: TypeError: evaluate takes a Program, not a str"},
		{"def job(step):\n    return 3\nall(job)", "line 10: a job returned a int: want an async"},
		{"for _ in search.stream(one, 2):\n    pass", "stream takes a function that returns a job"},
		{"search.stream(lambda: one, 2)", "run returned with a stream that no loop reads"},
		{job("await step.ask(['x'], 'algorithm/a')"),
			"line 11: ask: prompt: this is a list, want a text"},
		{"search.note('offspring', parents=[1.5])\nall(one)",
			"line 10: note offspring: parents: this is 1.5, want a whole number"},
		{"Population(search, 5).select(search.rand('a'), 2)", "select: no member can be a parent"},
		{job("command = step.ask('x', 'algorithm/a')", "await command", "await command"),
			"line 13: RuntimeError: a step awaits the same call twice"},
		{job("await step.ask('x', 'no purpose')"),
			`line 11: purpose "no purpose": want role/operator`},
		{job("await step.ask('x', 'a/b', temperature=3)"), "temperature 3: want 0 to 2"},
		{job("await step.evaluate(Program(lost='nothing'))"),
			"there is no program to evaluate: nothing"},
		{job("for _ in range(2):", "    await step.evaluate(Program(source='x = 1'))"),
			"line 12: RuntimeError: step 0 evaluates more than it reserved"},
		{"search.consult(one)", "RuntimeError: step 0 evaluates more than it reserved"},
		{job("search.consult(one)"), "step 0 uses the search: it may only use its Step"},
		{job("step.note('x', y=float('nan'))"),
			"line 11: note x: nan and infinities cannot be written to the journal"},
		{"search.note('x', y={1, 2})\nall(one)", "a set cannot be written to the journal"},
		{"search.note('x y')\nall(one)", `note "x y": a kind has at most 40 letters`},
		{"search.note('offspring', parent=1)\nall(one)", `note offspring: unknown field`},
		{"kept = []\n" + job("kept.append(step)", "return await one(step)") + "\nkept[0].note('x')",
			"RuntimeError: step 0 has ended: use search.note"},
		{"stream = search.stream(lambda: one, 2)\nnext(stream)\nsearch.kept = stream",
			"run returned with steps in flight: end the loop first"},
		{"for _ in search.stream(lambda: one, 2):\n    all(one)",
			"a stream is open: its loop must end first"},
		{"def work():\n    try:\n        search.note('x')\n    except RuntimeError:\n" +
			"        pass\nt = threading.Thread(target=work)\nt.start()\nt.join()\nall(one)",
			"two threads use the search: only the thread in which run was called"},
		{"try:\n    all(3)\nexcept TypeError:\n    pass", "propose returned a int"},
		{"random.SystemRandom().random()", "line 10: Nondeterministic: os.urandom"},
		{"uuid.uuid1()", "Nondeterministic: uuid.uuid1"},
		{"os.write(4, b'hello\\n')\nall(one)", `it wrote "hello\n" to descriptor 4`},
		{"os.write(4, b'{\"op\":\"dance\"}\\n')\nall(one)",
			`it wrote "{\"op\":\"dance\"}\n" to descriptor 4, but this is not a call of`},
		{"os.write(4, b'{\"op\":\"next\"}\\n')\nall(one)", "not a call of search or step"},
		{"os.close(4)\nall(one)", "OSError"},
		{"os._exit(3)", "its process ended: exit status 3"},
		{"raise KeyboardInterrupt", "KeyboardInterrupt"},
	} {
		if !benchtest.Sampled(i, 3) {
			continue
		}
		dir, err := run(t, load(t, "wrong.py", method(c.body)), benchtest.Config{Budget: 8})
		if err == nil || !strings.Contains(err.Error(), said(c.says)) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n%v, want %s", c.body, err, c.says)
		}
		if _, err := os.Stat(filepath.Join(dir, record.MethodLog)); err != nil {
			t.Error(err)
		}
	}
}

// A method that never spends its budget is stopped with one sentence and advice, before it fills
// the disk or the memory.
func TestEndlessMethods(t *testing.T) {
	syntax := &benchtest.Evaluator{Score: func(string) record.Outcome {
		return record.Outcome{Fault: &record.Fault{Kind: record.Syntax}}
	}}
	for i, c := range []struct{ body, says string }{
		{job("pass"), "the search does not end"},
		{"while True:\n    try: search.do(one)\n    except Spent: pass", "the search does not end"},
		{job("while True: await step.analyze('x')"), "the search does not end: it received"},
		{"while True: search.left", "it wrote 100000 lines without waiting"},
		{job("await step.evaluate(Program('1+' * (9 << 20)))"), "its journal exceeds 64 MiB"},
		{job("await step.evaluate(Program('\\0\\ud83d'))"), "the search does not end"},
		{"for _ in range(1500): os.write(4, b'x' * (1 << 20))\nall(one)",
			"it wrote 64 MiB without waiting for an answer"},
		{"while True: search.note('x', y='y' * (1 << 20))", "it wrote 64 MiB without"},
		{"raise ValueError('x' * 10**8)", "ValueError: xxx"},
		{`os.write(4, b'{"op":"error","error":"' + b'x' * 10**7 + b'"}\n')`, ": xxx"},
	} {
		if !benchtest.Sampled(i, 3) {
			continue
		}
		dir, err := run(t, load(t, "endless.py", method(c.body)),
			benchtest.Config{Budget: 2, Evaluator: syntax})
		if err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 1200 ||
			!strings.Contains(c.says, "x") && hint.Of(err) == "" {
			t.Errorf("%s:\n%.2000v; hint: %s", c.body, err, hint.Of(err))
		}
		info, err := os.Stat(filepath.Join(dir, record.JournalFile))
		if err == nil && info.Size() > 80<<20 {
			t.Errorf("%s: a journal of %d bytes", c.body, info.Size())
		}
	}
}

// The budget is met exactly even if a proposal does steps itself.
func TestStepsOfProposals(t *testing.T) {
	m := load(t, "aside.py", method(`
made = []
def propose():
    made.append(search.evaluations)
    search.consult(ask)
    if len(made) % 2:
        try:
            search.do(one)
        except Spent:
            return None
    return one
async def ask(step):
    await step.ask("Why?", "reflection/short")
for result in search.stream(propose, window):
    pass
search.note("made", evaluations=made)`))
	for _, budget := range []int{1, 2, 5} {
		dir, err := run(t, m, benchtest.Config{Budget: budget})
		if err != nil {
			t.Fatalf("budget %d: %v", budget, err)
		}
		n := bytes.Count(journal(t, dir), []byte(`"evaluations":[{`))
		if n != budget {
			t.Errorf("budget %d: %d evaluations\n%s", budget, n, journal(t, dir))
		}
	}
}

// Frozen clocks and seeded generators give the same values in every process.
func TestGuards(t *testing.T) {
	source := "import numpy as np\n" + method(`
x = [time.time(), time.time_ns(), str(datetime.datetime.now()), str(datetime.datetime.today()),
     list(time.gmtime()), time.ctime(), time.asctime(), time.strftime("%c"), random.random(),
     random.Random().random(),
     np.random.random(), np.random.default_rng().random(), search.rand("a").random(),
     hash("text"), search.at_most(3), search.spent]
search.note("drawn", x=x, numbers=np.int64(3), big=2**60)
async def job(step):
    step.note("mine", x=step.rand().random(), number=step.number)
    return await one(step)
all(job)
search.note("best", score=search.best.score, evaluation=search.best.evaluation)`)
	m := load(t, "guards.py", source)
	first, err := run(t, m, benchtest.Config{Budget: 5})
	must.Do(t, err)
	second, err := run(t, m, benchtest.Config{Budget: 5})
	must.Do(t, err)
	a, b := string(journal(t, first)), string(journal(t, second))
	if a != b {
		t.Errorf("two runs:\n%s\n%s", a, b)
	}
	if !strings.Contains(a, `"x":[1767225600,1767225600000000000,"2026-01-01 00:00:00"`) {
		t.Errorf("the clock: %.300s", a[strings.Index(a, "drawn"):])
	}
	met := m.Met()
	if met["time.time"] != "guards.py:11" || met["datetime.now"] == "" ||
		met["time.strftime"] == "" || len(met) != 8 {
		t.Errorf("met %v", met)
	}
}

// Of a million printed lines, the log keeps 1 MB, and the journal does not change.
func TestMuchOutput(t *testing.T) {
	dir, err := run(t, load(t, "loud.py", method(`
for i in range(10**6):
    print(i)
all(one)`)), benchtest.Config{Budget: 3})
	must.Do(t, err)
	info, err := os.Stat(filepath.Join(dir, record.MethodLog))
	if err != nil || info.Size() != 1<<20 {
		t.Errorf("%v, %v", info.Size(), err)
	}
}

// A method that never asks is killed after Options.Patience of CPU time, or ten times as long by
// the clock.
func TestNeverAsks(t *testing.T) {
	for _, body := range []string{"while True: pass", "time.sleep(10**6)"} {
		o := options(t)
		o.Patience = 300 * time.Millisecond
		m, err := pymethod.Load(t.Context(), write(t, "busy.py", method(body)), o)
		must.Do(t, err)
		_, err = run(t, m, benchtest.Config{Budget: 3})
		if err == nil || !strings.Contains(err.Error(), "for 300ms of CPU time") ||
			!strings.Contains(hint.Of(err), "--method-patience") {
			t.Errorf("%s: %v, %s", body, err, hint.Of(err))
		}
	}
}

// One changed byte in the file, or in a module of its folder, makes another method.
func TestIdentity(t *testing.T) {
	path := write(t, "split.py", "import part\n"+method("import later\nall(one)"))
	dir := filepath.Dir(path)
	parts := map[string]string{"part.py": "x = 1\n", "later.py": "y = 1\n"}
	for name, text := range parts {
		must.Write(t, filepath.Join(dir, name), text)
	}
	must.Write(t, filepath.Join(dir, "other.py"), "not a part\n")
	load := func() *pymethod.Method {
		m, err := pymethod.Load(t.Context(), path, options(t))
		must.Do(t, err)
		return m
	}
	was := load()
	p := was.Program()
	if len(p.Files) != 3 || p.Python == "" || p.NumPy == "" || len(was.Sources()) != 3 {
		t.Fatalf("%+v", p)
	}
	for name, text := range parts {
		must.Write(t, filepath.Join(dir, name), "x = y = 2\n")
		now := load().Program()
		d := record.HeaderDifference(bench.Header{MethodFile: p}, bench.Header{MethodFile: now})
		if d != name+" has changed" {
			t.Errorf("%s: %q", name, d)
		}
		_, err := run(t, was, benchtest.Config{Budget: 3})
		if err == nil || !strings.Contains(err.Error(), name+" has changed since the run began") {
			t.Errorf("%s changed during a run: %v", name, err)
		}
		must.Write(t, filepath.Join(dir, name), text)
	}
	if _, err := run(t, was, benchtest.Config{Budget: 3}); err != nil {
		t.Error(err)
	}
}
