package tspconstruct_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// callByCall hides the Looper of its targets, so that each question is a separate call.
type callByCall struct{ bench.Loader }

func (l callByCall) Load(ctx context.Context, source, prelude, name string, limits bench.Limits,
) (bench.Target, error) {
	t, err := l.Loader.Load(ctx, source, prelude, name, limits)
	if err != nil {
		return nil, err
	}
	return struct{ bench.Target }{t}, nil
}

// body makes a program from a function's body; n counts the calls from 1.
func body(lines string) string {
	return `import sys
import time
import numpy as np
n = 0
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
 global n
 n += 1
` + lines + "\n return unvisited_nodes[0]\n"
}

// loopPrograms returns programs that are correct in many ways, and programs that fail in every way
// that a call can fail.
func loopPrograms(calls ...int) map[string]string {
	out := map[string]string{
		"interface":              "def select_next_node(current_node):\n return 1\n",
		"a TypeError of its own": body(" if n == 60: len(3)"),
		"a class":                "class select_next_node:\n def __init__(self, *a): pass\n",
		"a builtin":              "from operator import itemgetter\nselect_next_node = max\n",
		"StopIteration":          body(" if n == 60: raise StopIteration"),
		"SystemExit":             body(" if n == 100: sys.exit(3)"),
		"os._exit":               body(" import os\n if n == 60: os._exit(0)"),
		"memory":                 body(" if n == 60: bytearray(1 << 40)"),
		"recursion":              body(" def f(): f()\n if n == 60: f()"),
		"the depth of the stack": body(` depth, frame = 0, sys._getframe()
 while frame: depth, frame = depth + 1, frame.f_back
 return unvisited_nodes[depth % len(unvisited_nodes)]`),
		"how deep it can go": body(` def f(k):
  try: return f(k + 1)
  except RecursionError: return k
 return unvisited_nodes[f(0) % len(unvisited_nodes)]`),
		"what the arguments are": body(
			` same = (type(current_node) is int and type(destination_node) is int
  and destination_node == 0 and (current_node == 0) == (n % 48 == 1)
  and len(unvisited_nodes) == 49 - (n - 1) % 48
  and unvisited_nodes.dtype == np.int64 and unvisited_nodes.base is None
  and unvisited_nodes.flags.carray and unvisited_nodes.flags.owndata
  and distance_matrix.dtype == np.float64 and distance_matrix.flags.carray
  and distance_matrix.shape == (50, 50))
 if not same: raise ValueError(n)`),
		"the matrix by its number": `seen = {}
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
 first = seen.setdefault(id(distance_matrix), len(seen))
 return unvisited_nodes[first % len(unvisited_nodes)]
`,
		"a matrix of another shape": body(" distance_matrix.shape = (25, 100)"),
		"random numbers": body(` import random
 return unvisited_nodes[random.randrange(min(3, len(unvisited_nodes))) if n % 2
  else np.random.randint(2)]`),
		"an index that changes": `class Index:
 def __init__(self, *values): self.values = list(values)
 def __index__(self): return self.values.pop(0)
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
 return Index(int(unvisited_nodes[-1]))
`,
		"an index that raises": body(` class Index:
  def __index__(self): raise ValueError
 if n == 60: return Index()`),
		"a time limit":         body(" while n == 60: pass"),
		"a time limit, asleep": body(" if n == 60: time.sleep(100)"),
	}
	for _, call := range calls {
		for name, line := range map[string]string{
			"raises": "raise ValueError(n)", "None": "return None", "a float": "return 3.0",
			"a bool": "return True", "a string": "return 'x'",
			"an array": "return unvisited_nodes[:1]",
			"visited":  "return current_node", "the last": "return unvisited_nodes[-1]",
			"negative": "return -1", "out of range": "return 50", "huge": "return 1 << 70",
			"an index": "return np.uint8(unvisited_nodes[0])", "a 0-d array": "return np.array(50)",
			"many numbers": "return np.zeros((3, 4))", "a generator": "return (i for i in [1])",
		} {
			line = fmt.Sprintf(" if n == %d: %s", call, line)
			out[fmt.Sprintf("%s in call %d", name, call)] = body(line)
		}
	}
	for _, r := range tspconstruct.Task().References {
		out[r.Name] = r.Source
	}
	return out
}

// threeInstances returns the task with three training instances, of 48 calls each.
func threeInstances() *bench.Task {
	task := tspconstruct.Task()
	task.Splits[0].Instances = 3
	return task
}

// TestLoopIsCallByCall checks that the loop in the candidate's process and single calls give the
// same score or fault, to the last bit and word.
func TestLoopIsCallByCall(t *testing.T) {
	p := tasktest.Workers(t)
	programs := loopPrograms(144) // the last call
	if tasktest.Long() {
		programs = loopPrograms(1, 47, 48, 49, 100, 144)
	}
	for name, source := range programs {
		task := threeInstances()
		if strings.HasPrefix(name, "a time limit") {
			task.Splits[0].Limits = bench.Limits{CPU: time.Second, Wall: 2 * time.Second}
		}
		score := func(l bench.Loader) bench.Outcome {
			o, err := (&bench.TaskEvaluator{Task: task, Loader: l}).Score(
				t.Context(), "train", program.Program{Source: source})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return o
		}
		want, got := score(callByCall{p}), score(p)
		if name == "what the arguments are" && !want.OK() {
			t.Errorf("%s: %v", name, want.Fault)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the loop differs (-calls +loop):\n%s", name, diff)
		}
	}
}

// TestTamperedLoop runs candidates that rewrite the loop or answer for it. They are checked like
// other candidates, and a tour that passes has the score of a program that returns it city by city.
func TestTamperedLoop(t *testing.T) {
	const worker = `import os, struct, sys, time
def select_next_node(k): return k
worker = sys._getframe()
while "self" not in worker.f_locals: worker = worker.f_back
worker = worker.f_locals["self"]
`
	e := &bench.TaskEvaluator{Task: threeInstances(), Loader: tasktest.Workers(t)}
	score := func(source string) bench.Outcome {
		o, err := e.Score(t.Context(), "train", program.Program{Source: source})
		must.Do(t, err)
		return o
	}
	for _, c := range []struct{ name, source, want string }{
		{
			"asks for half a tour", worker + `def some(m, o):
 for k in range(1, 25): yield k,
worker.questions = some
`, "crashed: left the loop that calls it",
		},
		{
			"asks nothing", worker + "worker.questions = lambda *a: iter([])\n",
			"raised: StopIteration",
		},
		{
			"visits a city twice", worker + `def same(m, o):
 for _ in range(48): yield 1,
worker.questions = same
`, "invalid: call 2 returned city 1, which is visited",
		},
		{
			"has one more unvisited city", body(` loop = sys._getframe(1).f_locals["questions"]
 if n == 3:
  loop.gi_frame.f_locals["left"].add(current_node)
  return current_node`), "invalid: call 3 returned city ",
		},
		{
			"answers for the loop", worker + `def select_next_node(*a):
 sequence = sys._getframe(1).f_locals["sequence"]
 body = struct.pack("<I48q", 47, *[1] * 48)
 os.write(4, struct.pack("<IBBH", len(body), 21, 0, sequence) + body)
 time.sleep(100)
`, "invalid: call 2 returned city 1, which is visited",
		},
	} {
		if o := score(c.source); o.OK() || !strings.HasPrefix(o.Fault.Error(), c.want) {
			t.Errorf("a loop that %s: %v %v, want %s", c.name, o.Score, o.Fault, c.want)
		}
	}
	tampering := score(worker + `def in_order(m, o):
 for k in range(1, 49): yield k,
 for k in range(100): yield k,
worker.questions = in_order
`)
	honest := score(body(" return unvisited_nodes.min()"))
	if diff := cmp.Diff(honest, tampering); diff != "" || !honest.OK() {
		t.Errorf("a tour of its own loop (-honest +tampering):\n%s", diff)
	}
}
