//go:build linux

package pytask

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// picking is the template of largest and planted.
const picking = `@task.template
def pick(numbers: list, last: int) -> int:
    """Pick a number.

    Args:
        numbers: a list of ints.
        last: what was picked last.

    Returns:
        One of numbers.
    """
    return numbers[0]
`

// largest is a task whose honest programs score 9. Its scorer keeps answers, draws random numbers,
// and passes its own list to the candidate.
const largest = `"""Pick the largest number."""
import random
import numpy as np
from pacebench.task import Invalid, Task

task = Task(goal="maximize", splits={"train": 2}, cpu=20, fresh=FRESH)
NUMBERS = [3, 9, 1]
SEEN = []

` + picking + `
@task.score
def picked(number, pick):
    if CHECKED:
        answer = pick(NUMBERS, last=0)
        if type(answer) is not int or answer not in NUMBERS:
            raise Invalid(f"{answer!r} is none of them")
        if pick(NUMBERS, 0) != answer:
            raise Invalid("two answers to one question")
        SEEN.append(answer)
        return answer + DRAWN * (
            random.random() + random.Random().random() + np.random.default_rng().random())
    last = 0
    for _ in range(40):
        last = pick(NUMBERS, last)
    return last
`

// variant is the task with other settings.
func variant(checked, drawn, fresh bool) string {
	word := map[bool]string{true: "True", false: "False"}
	return strings.NewReplacer("CHECKED", word[checked], "DRAWN", word[drawn],
		"FRESH", word[fresh]).Replace(largest)
}

// honest picks the largest number.
const honest = "def pick(numbers, last):\n    return max(numbers)\n"

// A candidate that cheats gains nothing: it gets the score of its answers, or a fault. It never
// causes an error, which would end the run.
func TestHostileCandidates(t *testing.T) {
	at := tasks(t)
	evaluators := map[bool]*bench.TaskEvaluator{
		true: at(variant(true, false, false)), false: at(variant(false, false, false)),
	}
	body := func(lines ...string) string {
		return "def pick(numbers, last):\n    " + strings.Join(lines, "\n    ") + "\n"
	}
	for _, c := range []struct {
		name    string
		checked bool
		source  string
		score   float64
		kind    bench.FaultKind // "": none
		says    string
	}{
		{"writes into its arguments", true, body("numbers.append(1000)", "return max(numbers)"),
			0, bench.Invalid, "1000 is none of them"},
		{"writes afterwards", true, body("best = max(numbers)", "numbers[:] = [1000]",
			"return best"), 9, "", ""},
		{"reads the scorer", true, "import os, glob\n" + body(
			"for path in glob.glob('/proc/[0-9]*/mem'):", "    try:",
			"        open(path, 'r+b').read(1)", "    except Exception:", "        pass",
			"return max(numbers)"), 9, "", ""},
		{"forges a frame of another kind", true, body("import os",
			"os.write(4, bytes([8, 0, 0, 0, 18, 0, 3, 0, 9, 0, 0, 0, 0, 0, 0, 0]))",
			"os._exit(0)"), 0, bench.Crashed, "own pipe"},
		{"announces more items than it sends", true, body("import os",
			"os.write(4, bytes([13, 0, 0, 0, 18, 8, 3, 0, 5, 0, 0, 0, 0, 0, 0, 0,",
			"    9, 255, 255, 255, 255]))", "os._exit(0)"), 0, bench.Crashed, "own pipe"},
		{"small in a frame, large in memory", true, body("return [1] * 10**7"), 0, bench.Invalid,
			"too much memory"},
		{"a list that lies", true, "class L(list):\n    __class__ = int\n" +
			"    def __len__(self): return 10**9\n    def __eq__(self, other): return True\n" +
			body("return L()"), 0, bench.Invalid, "returned a L"},
		{"much text", true, body("return 'x' * 10**7"), 0, bench.Invalid, "'xxxx"},
		{"keys of one hash", true, body("return {i * (2**61 - 1): 0 for i in range(5000)}"), 0,
			bench.Invalid, "one hash"},
		{"another number", true, body("numbers.sort()", "pick.n = getattr(pick, 'n', -1) + 1",
			"return numbers[pick.n]"), 0, bench.Invalid, "two answers"},
		// A scorer that checks nothing fails on answers, after the first call.
		{"text for a number", false, body("return '9'"), 0, bench.Invalid, record.Unusable},
		{"no number", false, body("return float('nan')"), 0, bench.NonFinite, ""},
		{"an int beyond floats", false, body("return 2**4000"), 0, bench.NonFinite, ""},
		{"deeper at each call", false, body("return [last]"), 0, bench.Invalid,
			"more than 32 levels"},
		{"wider at each call", false, body("return b'x' * (60 << 20) if last == 0 else [last] * 3"),
			0, bench.Invalid, "64 MiB"},
	} {
		e := evaluators[c.checked]
		got, err := e.Evaluate(t.Context(), program.Program{Source: c.source})
		switch f := got.Fault; {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.kind == "" && (f != nil || got.Score != c.score):
			t.Errorf("%s: %v, %v, want %v", c.name, got.Score, f, c.score)
		case c.kind != "" && (f == nil || f.Kind != c.kind || !strings.Contains(f.Detail, c.says)):
			t.Errorf("%s: %v, %v, want %s: %s", c.name, got.Score, f, c.kind, c.says)
		case f != nil && len(f.Detail) > 1000:
			t.Errorf("%s: %d bytes of detail", c.name, len(f.Detail))
		}
	}
}

// Every evaluation sees the same state and random numbers, because it has its own process, in which
// all generators have fixed seeds.
func TestEvaluationsAreAlike(t *testing.T) {
	here, there := tasks(t), tasks(t)
	for _, fresh := range []bool{false, true} {
		e, other := here(variant(true, true, fresh)), there(variant(true, true, fresh))
		first := outcome(t, e, honest)
		if first.Fault != nil || first.Score <= 9 || first.Values[0] == first.Values[1] {
			t.Errorf("fresh %v: %+v", fresh, first)
		}
		for _, e := range []*bench.TaskEvaluator{e, other} {
			if o := outcome(t, e, honest); o.Score != first.Score {
				t.Errorf("fresh %v: %v and %v", fresh, first.Score, o.Score)
			}
		}
	}
}

// A task that fails by itself before the first call ends the run. The error names the file and the
// line.
func TestBrokenTasks(t *testing.T) {
	at := tasks(t)
	for _, c := range [][2]string{
		{"def picked(number, pick):", "def picked(number, pick):\n    pick = {}[number]"},
		{"last = 0", "last = undefined"},
		{"last = 0", "import sys\n    sys.exit(3)"},
		{"last = 0", "last = pick(object(), 0)"},
	} {
		source := strings.Replace(variant(false, false, false), c[0], c[1], 1)
		_, err := at(source).Evaluate(t.Context(), program.Program{Source: honest})
		if !errors.Is(err, bench.ErrScorer) || !strings.Contains(fmt.Sprint(err), "task.py: ") ||
			!strings.Contains(fmt.Sprint(err), " of the task)") {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// trusting is a task that obeys the candidate's answers.
const trusting = `"""Say what to do."""
import os, signal, sys
import numpy as np
from pacebench import task as pacebench_task
from pacebench.task import Task, array, index, ratings

pacebench_task.MOST_GROWTH = 1 << 28
task = Task(goal="maximize", splits={"train": 1}, cpu=1)
HAD = []

@task.template
def tell(n: int) -> tuple:
    """Say what to do with which value.

    Args:
        n: an int.

    Returns:
        A tuple of text and value.
    """
    return "", 0

def deeper(value):
    return deeper([value])

@task.score
def told(number, tell):
    what, value = tell(0)
    if what == "array":
        array(value, (2,), "float64")
    elif what == "ratings":
        ratings(value, 3)
    elif what == "index":
        index(value, 3)
    elif what == "numpy":
        np.asarray(value)
    elif what == "sum":
        value.sum(axis=0)
    elif what == "keep":
        while True:
            HAD.append(tell(0))
    elif what == "again":
        tell([value, value])
    elif what == "deeper":
        deeper(value)
    elif what == "power":
        value ** value ** value
    elif what == "exit":
        sys.exit(value)
    elif what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "text":
        return 1.0, value
    return 0.0
`

const tripped = "invalid: " + record.Unusable

// tells evaluates programs that tell the task what to do with which value, and compares the
// beginnings of their faults.
func tells(t *testing.T, e *bench.TaskEvaluator, faults [][2]string) {
	t.Helper()
	for _, c := range faults {
		o, err := e.Evaluate(t.Context(), program.Program{
			Source: "import numpy as np\ndef tell(n):\n    return " + c[0] + "\n",
		})
		fault := ""
		if o.Fault != nil {
			fault = o.Fault.Error()
		}
		if err != nil || !strings.HasPrefix(fault, c[1]) || c[1] == "" && fault != "" {
			t.Errorf("%s: %.300s, %v, want %s", c[0], fault, err, c[1])
		}
	}
}

// No answer ends a run, whatever the task does with it: the failure is the candidate's fault.
func TestNoAnswerEndsARun(t *testing.T) {
	defer func(free time.Duration) { freeTime = free }(freeTime)
	freeTime = 0
	tells(t, tasks(t)(trusting), [][2]string{
		{"'', 0", ""},
		{"'array', ['a' * 50_000_000] + ['b'] * 10_000", "invalid: a list is not an array of num"},
		{"'array', [[b'a' * 9_000_000] + ['b'] * 10_000]", "invalid: a list is not an array of n"},
		{"'array', 'a' * 60_000_000", "invalid: a str is not an array of numbers"},
		{"'ratings', ['a' * 50_000_000] + [0.5] * 10_000", "invalid: a list is not an array of n"},
		{"'index', 'a' * 60_000_000", "invalid: a str is not an int from 0 to 2"},
		{"'index', 2**4000", "invalid: an int is not from 0 to 2"},
		{"'numpy', ['a' * 50_000_000] + ['b'] * 10_000", tripped + "MemoryError: Unable"},
		{"'sum', np.empty((0, 2**31 - 1))", "invalid: returned an array without numbers that is"},
		{"'sum', np.empty((0, 2**24))", ""},
		{"'keep', np.zeros(2**20)", tripped + "MemoryError"},
		{"'again', [[0] * 4_000_000]", tripped + "a value that takes too much memory"},
		{"'deeper', 1", tripped + "RecursionError: maximum"},
		{"'power', 9**9", "timeout: time limit exceeded: the task took too long to use the answe"},
		{"'exit', 3", tripped + "SystemExit: 3"},
		{"'crash', 0", tripped + "the task's process ended or fell silent"},
		{"'text', 'a' * 2_000_000", tripped + "ValueError: score keeps a text of more than"},
	})
}

// The data that an answer leaves for pictures and texts is bounded, and may make the task fail.
func TestAnswersInEvidence(t *testing.T) {
	source := strings.Replace(trusting, "    elif what == \"text\":\n        return 1.0, value\n",
		"    return 1.0, (what, value)\n", 1) + `
@task.evidence
def shown(number, trace):
    what, value = trace
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    return "x" * value
`
	e := tasks(t)(source)
	e.Evidence = true
	tells(t, e, [][2]string{
		{"'', 3", ""},
		{"'', 'three'", tripped + "TypeError: can't multiply"},
		{"'', 2**40", tripped + "MemoryError"},
		{"'crash', 0", tripped + "the task's process ended"},
	})
}
