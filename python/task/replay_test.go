//go:build linux

package pytask

import (
	"strings"
	"testing"

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
	for _, c := range []struct {
		program string
		score   float64
		fault   string
	}{
		{"def name(n):\n    return n / 2", 7.5, ""},
		{"from functools import cache\n@cache\ndef name(n):\n    return n / 2", 7.5, ""},
		{"import random\ndef name(n):\n    assert np.random.rand() + random.random() " +
			"== 1.0581052373264686\n    return n / 2", 7.5, ""},
		{"seen = []\ndef name(n):\n    seen.append(n)\n    return len(seen) % 2", 0,
			"stateful: asked the same again, in another order and a new process, it answered 1; " +
				"at first it answered 0"},
		{"rng = np.random.default_rng()\ndef name(n):\n    return rng.random()", 0, "stateful: "},
		{"last = -1\ndef name(n):\n    global last\n    assert n > last, n\n    last = n\n" +
			"    return n", 0, "stateful: asked the same again, in another order and a new " +
			"process, it raised line "},
		{"def name():\n    return 1", 0, "interface: "},
		{"def name(n):\n    return n + [1]", 0, "raised: line 3: TypeError"},
		{"def name(n):\n    return {n}", 0, "invalid: returned a set"},
	} {
		o := outcome(t, e, "import numpy as np\n"+c.program+"\n")
		switch {
		case c.fault == "" && (!o.OK() || o.Score != c.score):
			t.Errorf("%s: %v, %v, want %v", c.program, o.Score, o.Fault, c.score)
		case c.fault != "" && (o.OK() || !strings.HasPrefix(o.Fault.Error(), c.fault)):
			t.Errorf("%s: %v, %v, want %s", c.program, o.Score, o.Fault, c.fault)
		}
	}
	// A stateful program is detected even if it knows the order in which earlier versions repeated
	// calls.
	alike := at(strings.Replace(stateless, "3 * number + k", "number", 1))
	o := outcome(t, alike, `import numpy as np
order, second, call = np.random.RandomState(2024).permutation(6), False, -1
def name(n):
    global second, call
    call += 1
    second = second or call == 0 and n == 2
    return int(order[call] if second else call)
`)
	if o.OK() || !strings.HasPrefix(o.Fault.Error(), "stateful: ") {
		t.Errorf("it knows the order: %v", o)
	}
	e = at(strings.Replace(stateless, "3 * number + k) for", "3 * number + k).sum() for", 1))
	for program, fault := range map[string]string{
		"np.ones(2**22)": "",
		"np.ones(100); rng = np.random.default_rng(); r += rng.random()": "a value of 811 bytes; " +
			"at first it answered a value of 811 bytes",
	} {
		o := outcome(t, e,
			"import numpy as np\ndef name(n):\n    r = "+program+"\n    return r\n")
		if (o.Fault == nil) != (fault == "") ||
			!o.OK() && !strings.Contains(o.Fault.Detail, fault) {
			t.Errorf("%s: %v", program, o.Fault)
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
