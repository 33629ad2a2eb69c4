package tsp

import (
	"math"
	"math/bits"
	"slices"
)

// Distance returns the Euclidean distance of two cities, rounded after every operation as in NumPy.
// The conversions to float64 prevent a fused multiply-add, which would change the last bit on some
// processors.
func (in Instance) Distance(i, j int) float64 {
	dx, dy := in[i].X-in[j].X, in[i].Y-in[j].Y
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Matrix returns the n×n distance matrix, row-major, with the given value on the diagonal.
func (in Instance) Matrix(diagonal float64) []float64 {
	n := len(in)
	m := make([]float64, n*n)
	for i := range n {
		m[i*n+i] = diagonal
		for j := range i {
			d := in.Distance(i, j)
			m[i*n+j], m[j*n+i] = d, d
		}
	}
	return m
}

// Orders returns for each city the other cities by increasing distance; cities at equal distances
// are in the order of their indices.
func (in Instance) Orders() [][]int32 {
	n := len(in)
	rows, cells := make([][]int32, n), make([]int32, n*max(n-1, 0))
	keys := make([]uint64, 0, n)
	for i := range rows {
		rows[i], cells = cells[:n-1:n-1], cells[n-1:]
		keys = in.order(i, rows[i], keys)
	}
	return rows
}

// order fills row with the cities other than i by distance from i. Sorting plain integers is
// several times faster than sorting by a comparison function. The bits of non-negative doubles have
// the same order as the doubles, so a key is the distance's bits with the index in the lowest bits.
// Insertion sort corrects the rounding; it is cheap because the sequence is almost sorted.
func (in Instance) order(i int, row []int32, keys []uint64) []uint64 {
	low := uint64(1)<<bits.Len(uint(len(in))) - 1
	keys = keys[:0]
	for j := range in {
		if j != i {
			keys = append(keys, math.Float64bits(in.Distance(i, j))&^low|uint64(j))
		}
	}
	slices.Sort(keys)
	for at, key := range keys {
		j := int32(key & low)
		for ; at > 0 && in.nearer(i, j, row[at-1]); at-- {
			row[at] = row[at-1]
		}
		row[at] = j
	}
	return keys
}

func (in Instance) nearer(from int, a, b int32) bool {
	da, db := in.Distance(from, int(a)), in.Distance(from, int(b))
	return da < db || da == db && a < b
}
