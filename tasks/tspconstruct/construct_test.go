package tspconstruct_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// known is a part of testdata/lengths.json: a rule's lengths on a split, from an evaluator that
// agrees with the public LLM4AD task.
type known struct {
	Mean        float64   `json:"mean"`
	PerInstance []float64 `json:"per_instance"`
	First3      []float64 `json:"first3"`
	Last        float64   `json:"last"`
}

// TestKnownLengths compares lengths with testdata/lengths.json: the mean of each split, the lengths
// of all instances of train, and the lengths of the first three instances and the last one of each
// test split. The test splits take a long time: scripts/test-long runs those of 50 and 200 cities,
// and PACEBENCH_SLOW names further splits to run.
func TestKnownLengths(t *testing.T) {
	const head = "import numpy as np\n" + signature
	var golden struct {
		Sets map[string]map[string]known `json:"sets"`
	}
	must.Do(t, json.Unmarshal(must.Read(t, "testdata/lengths.json"), &golden))
	for set, mean := range map[string]float64{ // as the paper's authors score the printed program
		"train_seed2024_16x50": 6.103043479, "test_seed5678_64x50": 6.299989505,
		"test_seed5678_64x200": 12.064015275, "test_seed5678_64x500": 18.824721352,
		"test_seed5678_64x1000": 26.596352939,
	} {
		golden.Sets[set]["printed"] = known{Mean: mean}
	}
	p, task := tasktest.Workers(t), tspconstruct.Task()
	for _, c := range []struct{ rule, source, why string }{
		{"printed", reference(t, "printed"), "the paper's program"},
		{"nearest", reference(t, "nearest"), "the array comes in order"},
		{"farthest", head + " return unvisited_nodes[-1]\n", "the array's other end"},
		{
			"middle", head + " return unvisited_nodes[len(unvisited_nodes) // 3]\n",
			"the whole order of the array",
		},
		{"lookahead2", reference(t, "way_on"), "distances beyond the current row"},
		{"isolation", reference(t, "lonely_first"), "the destination is city 0"},
		{
			"mutating", head +
				` best = unvisited_nodes[distance_matrix[current_node, unvisited_nodes].argmin()]
 distance_matrix[:, unvisited_nodes[:3]] += 0.03
 distance_matrix[:, best] += 10
 return best
`, "one matrix per instance, which keeps what is written to it",
		},
		{
			"step_parity", "calls = 0\n" + signature + ` global calls
 calls += 1
 first, second = (distance_matrix[current_node, k] for k in unvisited_nodes[:2])
 return unvisited_nodes[1 if calls % 5 == 0 and second < 1.3 * first else 0]
`, "module state lives through a split",
		},
	} {
		for split, set := range map[string]string{
			"train": "train_seed2024_16x50", "test50": "test_seed5678_64x50",
			"test200": "test_seed5678_64x200", "test500": "test_seed5678_64x500",
			"test1000": "test_seed5678_64x1000",
		} {
			want, ok := golden.Sets[set][c.rule]
			due := split == "train" || split == "test50" && tasktest.Long() || tasktest.Slow(split)
			if !ok || !due {
				continue
			}
			o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(
				t.Context(), split, program.Program{Source: c.source})
			if err != nil || !o.OK() {
				t.Errorf("%s on %s: %+v, %v", c.rule, split, o.Fault, err)
				continue
			}
			if !near(-o.Score, want.Mean) {
				t.Errorf("%s on %s: mean %.12f, want %.12f (%s)", c.rule, split, -o.Score,
					want.Mean, c.why)
			}
			for i, v := range slices.Concat(want.PerInstance, want.First3) {
				if !near(o.Values[i], v) {
					t.Errorf("%s on %s, instance %d: %.12f, want %.12f", c.rule, split, i,
						o.Values[i], v)
				}
			}
			if v := o.Values[len(o.Values)-1]; want.Last != 0 && !near(v, want.Last) {
				t.Errorf("%s on %s, last instance: %.12f, want %.12f", c.rule, split, v, want.Last)
			}
		}
	}
}

// TestFilm checks that the nearest-neighbour tour is shown with the program's tour, complete or
// not, and that pictures change no value.
func TestFilm(t *testing.T) {
	e := &bench.TaskEvaluator{Task: tspconstruct.Task(), Loader: tasktest.Workers(t)}
	for _, c := range []struct{ name, source, want string }{
		{"nearest", reference(t, "nearest"), "this program: 6.4045"},
		{
			"broken", body(" if len(unvisited_nodes) < 40: return None"),
			"this program, until it failed: 11 of 50 cities",
		},
	} {
		var shown []bench.Picture
		value, fault, err := e.Film(t.Context(), "train", 0, program.Program{Source: c.source},
			bench.Film{
				Show: func(p bench.Picture) error { shown = append(shown, p); return nil },
			})
		if err != nil || len(shown) != 2 ||
			shown[0].Title != "nearest neighbour: 6.4045" || shown[1].Title != c.want {
			t.Fatalf("%s: %v, %d pictures: %+.60v", c.name, err, len(shown), shown)
		}
		if fault != nil != (c.name == "broken") ||
			fault == nil && fmt.Sprintf("%.4f", value) != "6.4045" {
			t.Errorf("%s: value %v, fault %v", c.name, value, fault)
		}
		same := bytes.Equal(shown[0].Pixels.Data, shown[1].Pixels.Data)
		if same == (c.name == "broken") {
			t.Errorf("%s: the picture of nearest neighbour again: %v", c.name, same)
		}
	}
}
