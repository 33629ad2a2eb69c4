// Package cvrpaco is the task CVRP-ACO: design the function that turns an instance of capacitated
// vehicle routing into the heuristic matrix of an ant colony. Start at Task.
package cvrpaco

import (
	"embed"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/colony"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/sets"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "cvrp-aco"

// Idle is the name of the variant with the idle cost of the public code: an ant that is back at the
// depot pays 1, the diagonal of the distances, for each step by which its path is shorter than the
// longest path of its iteration. The cost counts in the value and in the deposit.
const Idle = Name + "@idle-cost=1"

const capacity = 50 // a vehicle's capacity

// A Site is the depot, node 0, and the customers with their demands, integers from 1 to 9.
type Site struct {
	Places  tsp.Instance
	Demands []float64
}

// data has MCTS-AHD's sets, all drawn from one stream with seed 1234.
var data = &sets.Sets[Site]{
	Task:   Name,
	Splits: sets.Read(sources),
	Draw: sets.Together(func() map[string][]Site {
		from, drawn := numpy.NewLegacy(1234), map[string][]Site{}
		for _, s := range []struct {
			name             string
			count, customers int
		}{
			{"train", 10, 50},
			{"val20", 64, 20}, {record.Val, 64, 50}, {"val100", 64, 100},
			{"test50", 64, 50}, {"test100", 64, 100},
		} {
			for range s.count {
				drawn[s.name] = append(drawn[s.name], draw(from, s.customers))
			}
		}
		return drawn
	}),
	Arrays: func(s Site) [][]byte { // columns demand, x, y
		var rows []float64
		for i, p := range s.Places {
			rows = append(rows, s.Demands[i], p.X, p.Y)
		}
		return [][]byte{numpy.Bytes(rows)}
	},
}

func draw(from *numpy.Legacy, customers int) Site {
	depot := tsp.Point{X: 0.5, Y: 0.5}
	s := Site{Demands: []float64{0}}
	s.Places = append(tsp.Instance{depot}, tsp.DrawFrom(from, 1, customers)[0]...)
	for _, d := range from.Ints(1, 10, customers) {
		s.Demands = append(s.Demands, float64(d))
	}
	return s
}

// ask returns the arguments of a candidate and the shape of its matrix. The diagonal of the
// distances is 1, so that 1/d is finite everywhere.
func ask(s Site) (args []bench.Value, shape []int) {
	n := len(s.Places)
	return []bench.Value{
		sets.Array(s.Places.Matrix(1), n, n), sets.Array(s.Places.Coordinates(), n, 2),
		sets.Array(s.Demands, n), bench.Int(capacity),
	}, []int{n, n}
}

// problem returns the problem in which an ant drives one vehicle after another. The ant begins at
// the depot, may return to it after any customer, and returns when all customers are served.
func (s Site) problem() aco.Problem {
	const heaviest = 9
	n, distances := int32(len(s.Places)), s.Places.Matrix(0)
	demands := make([]float32, n)
	for i, d := range s.Demands {
		demands[i] = float32(d)
	}
	return aco.Problem{
		Nodes: int(n),
		Trail: aco.Steps,
		Least: 1e-10,
		Admit: func(a *aco.Ant) {
			at := a.At()
			if at == 0 {
				a.Load[0] = 0
				a.Reopen()
				a.Defer(0)
				return
			}
			if a.Path[len(a.Path)-2] == 0 {
				a.Reopen() // the ant may return to the depot again
			}
			a.Drop(at)
			a.Load[0] += demands[at]
			room := capacity - a.Load[0]
			if room >= heaviest {
				return
			}
			open := a.Open()
			for k := len(open) - 1; k >= 0; k-- {
				if c := open[k]; demands[c] > room {
					a.Defer(c)
				}
			}
		},
		Value: func(a *aco.Ant) float64 {
			sum := 0.0
			for k, node := range a.Path[1:] {
				sum += distances[a.Path[k]*n+node]
			}
			return sum
		},
	}
}

//go:embed references/*.py *.toml
var sources embed.FS

// Colony returns the colony of a task: Name or Idle.
func Colony(name string) *colony.Colony[Site] {
	words, idle := programs.Read(sources), 0.0
	if name == Idle {
		idle = 1
	}
	words.Name = name
	return &colony.Colony[Site]{
		Words: words, Sets: data, Ask: ask, Replicates: 30,
		Settings: aco.Settings{Ants: 30, Iterations: 100, Decay: 0.9}, Tests: 500,
		Problem: func(s Site) aco.Problem {
			p := s.problem()
			p.Idle = idle
			return p
		},
	}
}

// Task returns the task. The value of a path is its length.
func Task() *bench.Task { return Colony(Name).Task() }

// Lookup returns the task Name or Idle.
func Lookup(name string) (*bench.Task, bool) {
	if name != Name && name != Idle {
		return nil, false
	}
	return Colony(name).Task(), true
}
