package tasks

import (
	"math"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/testkit/tasktest"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// TestPlannedRowsOfMCTS: the rows that plan in the first call have the values of the contract in
// MCTS-AHD's form of TSP-Construct, too, where they get sets and are asked by keyword.
func TestPlannedRowsOfMCTS(t *testing.T) {
	task, _ := Lookup("tsp-construct-mcts")
	e := tasktest.Control(t, task)
	for name, want := range map[string]float64{
		"greedy": 7.004369799, "greedy-edge": 6.690220817, "insertion": 6.030887688,
		"greedy-edge-2opt": 5.821938956, "insertion-2opt": 5.838569944,
	} {
		if name != "insertion" && !tasktest.Long() {
			continue
		}
		row, ok := baselines.Lookup(task.Name, name, "")
		if !ok {
			t.Fatalf("no row %s", name)
		}
		o, err := e.Evaluate(t.Context(), program.Program{Source: row.Program})
		if err != nil {
			t.Fatal(err)
		}
		if got := bench.Minimize.Value(o.Score); !o.OK() || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.9f, want %.9f, %v", name, got, want, o.Fault)
		}
	}
}
