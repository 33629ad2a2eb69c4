package shipped

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

// TestFaults checks that programs that break their task's contract have a fault, and that unusual
// programs that keep the contract have the template's score. Programs are bodies of the template's
// function.
func TestFaults(t *testing.T) {
	for task, programs := range map[string][]struct{ name, body, want string }{
		"obp-weibull": {
			{"NaN", "return bins_remain_cap * np.nan", "invalid: a rating is NaN"},
			{"None", "return None", "invalid: ratings of shape () for 1000 bins"},
			{"a text", "return 'many'", "invalid: the ratings are not numbers"},
			{"another length", "return bins_remain_cap[1:]",
				"invalid: ratings of shape (999,) for 1000 bins"},
			{"an exception at the end", "return bins_remain_cap / (len(bins_remain_cap) > 600)" +
				" if len(bins_remain_cap) > 610 else 1 / 0", "raised: line 3: ZeroDivisionError"},
			{"integers to negative powers", "return bins_remain_cap ** -1", "raised: line 3: " +
				"ValueError: Integers to negative integer powers are not allowed."},
			{"other bins", "import sys\n    f = sys._getframe(1)\n" +
				"    f.f_locals['bins'][:] += 999\n    return item - bins_remain_cap",
				"invalid: bin "},
			{"overwritten arguments", "out = item - bins_remain_cap\n    bins_remain_cap[:] = 0\n" +
				"    return out", ""},
		},
		"tsp-construct-mcts": {
			{"a visited city", "return 1", "invalid: step 2: city 1 is visited already"},
			{"city 0", "return 0", "invalid: step 1: city 0 is visited already"},
			{"a float", "return 1.0", "invalid: 1.0 is not an int from 0 to 49"},
			{"the set", "return unvisited_nodes", "invalid: returned a set"},
			{"an exception in the last call", "return min(unvisited_nodes) if " +
				"len(unvisited_nodes) > 1 else 1 / 0", "raised: line 3: ZeroDivisionError"},
			{"overwritten arguments", "next_node = min(unvisited_nodes, key=lambda j: " +
				"distance_matrix[current_node][j])\n    unvisited_nodes.clear()\n" +
				"    distance_matrix[:] = 0\n    return next_node", ""},
		},
		"asp": {
			{"NaN", "return np.nan", "invalid: a priority is nan, no finite number"},
			{"None", "return None", "invalid: a priority is None, no finite number"},
			{"a complex number", "return np.complex128(1)",
				"invalid: a priority is (1+0j), no finite number"},
			{"a NumPy scalar", "return np.float32(1)", ""},
			{"truth values", "return el[0] >= 0 if el[1] else np.bool_(True)", ""},
			{"equal large ints", "return 10**400", ""},
			{"no tuple of ints", "return el[0] if type(el) is not tuple or type(el[0]) is not int" +
				" or len(el) != n or el.count(0) != n - w else 1", ""},
		},
		"circle26": {
			{"NaN", "return np.full((26, 2), np.nan), np.zeros(26)", "invalid: a number is not"},
			{"25 circles", "return np.full((25, 2), 0.5), np.zeros(25)",
				"invalid: an array of shape (25, 2) and not (26, 2)"},
			{"a negative radius", "return np.full((26, 2), 0.5), np.full(26, -0.1)",
				"invalid: a radius is negative"},
			{"an overlap", "return np.full((26, 2), 0.5), np.full(26, 0.1)",
				"invalid: circles leave the square or overlap by 0.1"},
			{"centres alone", "return np.full((26, 2), 0.5)", "invalid: returned no tuple"},
			{"a sum of its own", "TEMPLATE, 99.0", ""},
		},
		"tsp-construct-local": {
			{"a counter", "seen = globals().setdefault('seen', [])\n    seen.append(1)\n" +
				"    return len(seen) % 2 if len(to_candidates) > 1 else 0",
				"stateful: asked the same again, in another order and a new process, it answered "},
			{"a bool", "return True", "invalid: True is a bool and not an int from 0 to 9"},
			{"out of range", "return remaining", "invalid: 49 is not from 0 to 9"},
			{"None", "return None", "invalid: None is not an int from 0 to 9"},
			{"seeded draws", "return int(np.random.randint(2)) * 0", ""},
			{"overwritten arguments", "between[:] = to_start[:] = to_candidates[:] = 0\n" +
				"    return 0", ""},
		},
	} {
		t.Run(task, func(t *testing.T) {
			e := tasktest.Control(t, Task(task))
			e.Task.Splits[0].Instances = 1
			plain := score(t, e, "train", "")
			for _, c := range programs {
				body := strings.ReplaceAll(c.body, "TEMPLATE",
					strings.ReplaceAll(e.Task.Template.Body, "\n", "\n    "))
				o := score(t, e, "train", e.Task.Template.Header()+"\n    "+body+"\n")
				switch {
				case c.want == "" && (!o.OK() || o.Score != plain.Score):
					t.Errorf("%s: %v, %v, want %v", c.name, o.Score, o.Fault, plain.Score)
				case c.want != "" && (o.OK() || !strings.HasPrefix(o.Fault.Error(), c.want)):
					t.Errorf("%s: %v, %v, want %s", c.name, o.Score, o.Fault, c.want)
				}
			}
		})
	}
}

// score adds the task's imports to a program and scores it; "" means the template.
func score(t *testing.T, e *bench.TaskEvaluator, split, source string) bench.Outcome {
	t.Helper()
	if source == "" {
		body := strings.ReplaceAll(e.Task.Template.Body, "\n", "\n    ")
		source = e.Task.Template.Header() + "\n    " + body + "\n"
	}
	source = strings.Join(e.Task.Imports, "\n") + "\n" + source
	o, err := e.Score(t.Context(), split, program.Program{Source: source})
	must.Do(t, err)
	return o
}
