// Package opaco is the task OP-ACO: design the function that turns an instance of orienteering
// (collecting prizes on a path of limited length) into the heuristic matrix of an ant colony. Start
// at Task.
package opaco

import (
	"embed"
	"math"
	"slices"

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
const Name = "op-aco"

// far is the distance of a place from itself.
const far = 1e9

// A Field is an instance: the places, with node 0 as the start, and their prizes.
type Field struct {
	Places    tsp.Instance
	Distances []float64 // far on the diagonal
	Prizes    []float64
	Longest   float64 // limit on a path's length, including the way back
}

// data has ReEvo's sets, with separate streams for training, tests and validation. Prizes depend on
// the last bit of a distance. The distances here are NumPy's; PyTorch's distances would give test50
// and test100 other prizes.
var data = &sets.Sets[Field]{
	Task:   Name,
	Splits: sets.Read(sources),
	Draw: sets.Together(func() map[string][]Field {
		train, test := numpy.NewLegacy(1234), numpy.NewLegacy(4567)
		return map[string][]Field{
			"train":    draw(train, 5, 50, 3),
			"test50":   draw(test, 64, 50, 3),
			"test100":  draw(test, 64, 100, 4),
			"test200":  draw(test, 64, 200, 5),
			record.Val: draw(numpy.NewLegacy(3456), 64, 50, 3),
		}
	}),
	Arrays: func(f Field) [][]byte {
		return [][]byte{
			numpy.Bytes(f.Places.Coordinates()), numpy.Bytes(f.Distances), numpy.Bytes(f.Prizes),
		}
	},
}

// draw sets a place's prize by its distance from the start: an integer from 1 to 100, divided by
// the largest prize.
func draw(from *numpy.Legacy, count, n int, longest float64) (all []Field) {
	for _, places := range tsp.DrawFrom(from, count, n) {
		f := Field{
			Places: places, Distances: places.Matrix(far), Prizes: make([]float64, n),
			Longest: longest,
		}
		farthest := slices.Max(f.Distances[1:n])
		for j, d := range f.Distances[:n] {
			if j == 0 {
				d = 0
			}
			f.Prizes[j] = 1 + math.Floor(float64(99*d)/farthest)
		}
		largest := slices.Max(f.Prizes)
		for j := range f.Prizes {
			f.Prizes[j] /= largest
		}
		all = append(all, f)
	}
	return all
}

func ask(f Field) (args []bench.Value, shape []int) {
	n := len(f.Places)
	return []bench.Value{
		sets.Array(f.Prizes, n), sets.Array(f.Distances, n, n), bench.Float(f.Longest),
	}, []int{n, n}
}

// problem returns the problem of one path from node 0. The length so far is a float32, as in the
// public code; a place that was too far once is not tried again. The way back is not a step.
func (f Field) problem() aco.Problem {
	n := int32(len(f.Places))
	return aco.Collect(f.Prizes, aco.Problem{
		Nodes: int(n),
		Trail: aco.Steps,
		Admit: func(a *aco.Ant) {
			at := a.At()
			a.Drop(at)
			if k := len(a.Path); k > 1 {
				step := f.Distances[a.Path[k-2]*n+at]
				a.Load[0] = float32(float64(a.Load[0]) + step)
			}
			come, row := float64(a.Load[0]), f.Distances[at*n:(at+1)*n]
			for _, j := range slices.Backward(a.Open()) {
				if come+row[j]+f.Distances[j*n] > f.Longest {
					a.Drop(j)
				}
			}
		},
	})
}

//go:embed references/*.py *.toml
var sources embed.FS

// Colony returns the colony of the task.
func Colony() *colony.Colony[Field] {
	words := programs.Read(sources)
	words.Name, words.Goal = Name, bench.Maximize
	return &colony.Colony[Field]{
		Words: words, Sets: data, Ask: ask, Problem: Field.problem, Replicates: 100,
		Settings: aco.Settings{Ants: 20, Iterations: 50, Decay: 0.9}, Tests: 50,
	}
}

// Task returns the task.
func Task() *bench.Task { return Colony().Task() }
