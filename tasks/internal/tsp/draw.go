package tsp

import "github.com/pacebench/pacebench/tasks/internal/numpy"

// A Point is a city in the unit square.
type Point struct{ X, Y float64 }

// An Instance is the cities of one problem, in the order in which they were drawn.
type Instance []Point

// A Set is the instances of one split, all of one size.
type Set []Instance

// Draw returns the values of numpy.random.RandomState(seed).rand(count, n, 2).
func Draw(seed uint32, count, n int) Set { return DrawFrom(numpy.NewLegacy(seed), count, n) }

// DrawFrom returns the values of a generator's rand(count, n, 2).
func DrawFrom(from *numpy.Legacy, count, n int) Set {
	set := make(Set, count)
	for i := range set {
		set[i] = make(Instance, n)
		for j := range set[i] {
			x := from.Float64()
			set[i][j] = Point{x, from.Float64()}
		}
	}
	return set
}

// Coordinates returns the coordinates of all cities in order, x before y.
func (in Instance) Coordinates() []float64 {
	out := make([]float64, 0, 2*len(in))
	for _, p := range in {
		out = append(out, p.X, p.Y)
	}
	return out
}

// Length returns the length of the closed tour, summed edge by edge from its first city.
func (in Instance) Length(tour []int32) float64 {
	sum := 0.0
	for at := range tour {
		next := at + 1
		if next == len(tour) {
			next = 0
		}
		sum += in.Distance(int(tour[at]), int(tour[next]))
	}
	return sum
}
