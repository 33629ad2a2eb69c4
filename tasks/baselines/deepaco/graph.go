package deepaco

import (
	"cmp"
	"math"
	"slices"
)

// A Graph is the network's input: every city with edges to its K nearest other cities, nearest
// first. It is not symmetric. Coordinates and lengths are float32, as in training.
type Graph struct {
	N, K       int
	Coords     []float32 // x, y of each city
	Neighbours []int32   // N×K: row i has the nearest cities of city i, the ends of its edges
	Lengths    []float32 // length of each edge, in the same order
}

// NewGraph makes the graph of an instance from the x, y of each city. k must be from 1 to the
// number of other cities.
func NewGraph(coords []float32, k int) *Graph {
	n := len(coords) / 2
	if k < 1 || k >= n {
		panic("deepaco: k is not between 1 and the number of other cities")
	}
	g := &Graph{
		N: n, K: k, Coords: coords,
		Neighbours: make([]int32, 0, n*k), Lengths: make([]float32, 0, n*k),
	}
	type edge struct {
		to     int32
		length float32
	}
	row := make([]edge, 0, n)
	for i := range n {
		row = row[:0]
		for j := range n {
			if j != i {
				row = append(row, edge{int32(j), distance(coords[2*i:], coords[2*j:])})
			}
		}
		slices.SortFunc(row, func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.to, b.to))
		})
		for _, e := range row[:k] {
			g.Neighbours, g.Lengths = append(g.Neighbours, e.to), append(g.Lengths, e.length)
		}
	}
	return g
}

// distance returns the Euclidean distance in float32, rounded after every operation.
func distance(a, b []float32) float32 {
	dx, dy := a[0]-b[0], a[1]-b[1]
	return float32(math.Sqrt(float64(float32(dx*dx) + float32(dy*dy))))
}

// fill is added to every entry of the heuristic. The network rates many edges below fill, so fill
// is part of the method: with the task's floor of 1e-9 instead, tours would be longer.
const fill = 1e-10

// Matrix returns the n×n heuristic, row-major. rating has the network's rating of each edge, in the
// order of Neighbours.
func (g *Graph) Matrix(rating []float64) []float64 {
	m := make([]float64, g.N*g.N)
	for i := range m {
		m[i] = fill
	}
	for e, p := range rating {
		m[e/g.K*g.N+int(g.Neighbours[e])] += p
	}
	return m
}
