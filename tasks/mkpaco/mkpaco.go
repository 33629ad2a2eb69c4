// Package mkpaco is the task MKP-ACO: design the function that rates the items of a knapsack with
// several constraints for an ant colony. Start at Task.
package mkpaco

import (
	"embed"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/colony"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/sets"
)

// Name is the task's name on the command line and in results.
const Name = "mkp-aco"

const constraints = 5 // each with a capacity of 1

// A Sack is an instance: the items to choose from.
type Sack struct {
	Prizes  []float64
	Weights []float64 // by item and constraint
}

// data has ReEvo's and MCTS-AHD's sets, with separate streams for training, tests and validation.
var data = &sets.Sets[Sack]{
	Task:   Name,
	Splits: sets.Read(sources),
	Draw: sets.Together(func() map[string][]Sack {
		drawn, train, test := map[string][]Sack{}, numpy.NewLegacy(1234), numpy.NewLegacy(4567)
		val := numpy.NewLegacy(3456)
		for range 5 {
			drawn["train"] = append(drawn["train"], draw(train, 100))
			drawn[record.Val] = append(drawn[record.Val], draw(val, 100))
		}
		for range 64 {
			drawn["test100"] = append(drawn["test100"], draw(test, 100))
		}
		for range 64 {
			drawn["test200"] = append(drawn["test200"], draw(test, 200))
		}
		return drawn
	}),
	Arrays: func(s Sack) [][]byte {
		return [][]byte{numpy.Bytes(s.Prizes), numpy.Bytes(s.Weights)}
	},
}

// draw divides the weights of each constraint by a capacity drawn uniformly between the heaviest
// item and the sum of all items. Like NumPy, it computes the sum item by item.
func draw(from *numpy.Legacy, items int) Sack {
	s := Sack{Prizes: from.Floats(items), Weights: from.Floats(items * constraints)}
	for c := range constraints {
		heaviest, all := 0.0, 0.0
		for i := c; i < len(s.Weights); i += constraints {
			heaviest, all = max(heaviest, s.Weights[i]), all+s.Weights[i]
		}
		room := heaviest + float64((all-heaviest)*from.Float64())
		for i := c; i < len(s.Weights); i += constraints {
			s.Weights[i] /= room
		}
	}
	return s
}

func ask(s Sack) (args []bench.Value, shape []int) {
	n := len(s.Prizes)
	return []bench.Value{
		sets.Array(s.Prizes, n), sets.Array(s.Weights, n, constraints),
	}, []int{n}
}

// problem returns the problem of one knapsack. The load is a float32, as in the public code; an
// item that did not fit once is not tried again.
func (s Sack) problem() aco.Problem {
	return aco.Collect(s.Prizes, aco.Problem{
		Nodes: len(s.Prizes),
		Start: aco.Nowhere,
		Trail: aco.Nodes,
		Admit: func(a *aco.Ant) {
			var load [constraints]float64
			if at := a.At(); at >= 0 {
				a.Drop(at)
				for c, w := range s.Weights[at*constraints : (at+1)*constraints] {
					a.Load[c] = float32(float64(a.Load[c]) + w)
				}
			}
			for c, l := range a.Load {
				load[c] = float64(l)
			}
			for _, item := range slices.Backward(a.Open()) {
				w := s.Weights[item*constraints : (item+1)*constraints]
				if load[0]+w[0] > 1 || load[1]+w[1] > 1 || load[2]+w[2] > 1 ||
					load[3]+w[3] > 1 || load[4]+w[4] > 1 {
					a.Drop(item)
				}
			}
		},
	})
}

//go:embed references/*.py *.toml
var sources embed.FS

// Colony returns the colony of the task.
func Colony() *colony.Colony[Sack] {
	words := programs.Read(sources)
	words.Name, words.Goal = Name, bench.Maximize
	return &colony.Colony[Sack]{
		Words: words, Sets: data, Ask: ask, Problem: Sack.problem, Replicates: 10,
		Settings: aco.Settings{Ants: 10, Iterations: 50, Decay: 0.9}, Tests: 100,
	}
}

// Task returns the task.
func Task() *bench.Task { return Colony().Task() }
