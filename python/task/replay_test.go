//go:build linux

package pytask

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// stateless asks for a number three times on each of two instances. Its adapter passes the double
// of what score sends.
const stateless = `"""Name a number."""
import numpy as np
from pacebench.task import Task

task = Task(goal="maximize", splits={"train": 2}, cpu=20, stateless=True)

@task.template
def name(n: int) -> float:
    """Name a number.

    Args:
        n: an int.

    Returns:
        A float.
    """
    return n / 2

@task.adapter
def doubled(name):
    return lambda n: name(2 * n)

@task.score
def named(number, name):
    return sum(name(3 * number + k) for k in range(3))
`

// TestStateless: answers that depend on earlier questions are a fault; seeded draws are not.
func TestStateless(t *testing.T) {
	at := tasks(t)
	e := at(stateless)
	alike := at(strings.Replace(stateless, "3 * number + k", "number", 1))
	sums := at(strings.Replace(stateless, "3 * number + k) for", "3 * number + k).sum() for", 1))
	const again = "stateful: asked the same again, in another order and a new process, it "
	for _, c := range []struct {
		e       *bench.TaskEvaluator
		program string
		score   float64
		fault   string
	}{
		{e, "def name(n):\n    return n / 2", 7.5, ""},
		{e, "from functools import cache\n@cache\ndef name(n):\n    return n / 2", 7.5, ""},
		{e, "import random\ndef name(n):\n    assert np.random.rand() + random.random() " +
			"== 1.0581052373264686\n    return n / 2", 7.5, ""},
		{e, "seen = []\ndef name(n):\n    seen.append(n)\n    return len(seen) % 2", 0,
			again + "answered 1; at first it answered 0"},
		{e, "rng = np.random.default_rng()\ndef name(n):\n    return rng.random()", 0, again},
		{e, "last = -1\ndef name(n):\n    global last\n    assert n > last, n\n    last = n\n" +
			"    return n", 0, again + "raised line "},
		{e, "def name():\n    return 1", 0, "interface: "},
		{e, "def name(n):\n    return n + [1]", 0, "raised: line 3: TypeError"},
		{e, "def name(n):\n    return [0, [{n}]]", 0, "invalid: returned a set at [1][0]"},
		// It knows the order in which earlier versions repeated calls.
		{alike, `
order, second, call = np.random.RandomState(2024).permutation(6), False, -1
def name(n):
    global second, call
    call += 1
    second = second or call == 0 and n == 2
    return int(order[call] if second else call)`, 0, "stateful: "},
		{sums, "def name(n):\n    return np.ones(2**22)", 3 << 22, ""},
		{sums, "rng = np.random.default_rng()\ndef name(n):\n    return rng.random(100)", 0,
			again + "answered a value of 811 bytes; at first it answered a value of 811 bytes"},
	} {
		o := outcome(t, c.e, "import numpy as np\n"+c.program+"\n")
		switch {
		case c.fault == "" && (!o.OK() || o.Score != c.score):
			t.Errorf("%s: %v, %v, want %v", c.program, o.Score, o.Fault, c.score)
		case c.fault != "" && (o.OK() || !strings.HasPrefix(o.Fault.Error(), c.fault)):
			t.Errorf("%s: %v, %v, want %s", c.program, o.Score, o.Fault, c.fault)
		}
	}
	kept := at(strings.Replace(stateless, "return sum(",
		"name.keep(np.zeros(3))\n    return sum(", 1))
	_, err := kept.Evaluate(t.Context(),
		program.Program{Source: "def name(n):\n    return n\n"})
	if err == nil || !strings.Contains(err.Error(), "a stateless candidate keeps nothing") {
		t.Error(err)
	}
}
