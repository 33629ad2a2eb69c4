package results

import "slices"

// This file compares divisions of a budget: many short searches or a few long ones.

// ExpectedBest returns the mean, over all ways to choose n of the values, of the largest chosen
// value: an unbiased estimate of the best of n seeds.
func ExpectedBest(values []float64, n int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	all := len(sorted)
	sum, weight := 0.0, float64(n)/float64(all) // (i−1 choose n−1) / (all choose n)
	for i := all; i >= n; i-- {
		sum += weight * sorted[i-1]
		if i > n {
			weight *= float64(i-n) / float64(i-1)
		}
	}
	return sum
}

// A Cell is a division of a budget: a number of seeds and the evaluations of each seed.
type Cell struct{ Seeds, Evaluations int }

// A Frontier has the best values of some runs after several numbers of evaluations, with the sign
// that makes larger values better.
type Frontier struct {
	Grid   []int       // of 10, 20, 50, 100, … up to the budget, those with a score in all runs
	values [][]float64 // by place in Grid, then by run
	Tolerance
}

// NewFrontier takes runs of equal budgets; better is +1 if larger values are better, otherwise -1.
func NewFrontier(runs []*Run, better int, equal Tolerance) *Frontier {
	f := &Frontier{Tolerance: equal}
	for i, t := 0, 10; len(runs) > 0 && t <= runs[0].Header.Budget; i++ {
		var values []float64
		for _, r := range runs {
			if v, ok := r.After(ByEvaluations, float64(t)); ok {
				values = append(values, float64(better)*v)
			}
		}
		if len(values) == len(runs) {
			f.Grid, f.values = append(f.Grid, t), append(f.values, values)
		}
		if i%3 == 1 { // 20 becomes 25, then 50
			t += t / 4
		}
		t *= 2
	}
	return f
}

// Most returns the largest number of seeds of a cell: half of all seeds. With more seeds, the few
// largest values would decide the expected best value.
func (f *Frontier) Most() int {
	if len(f.values) == 0 {
		return 0
	}
	return len(f.values[0]) / 2
}

// Value returns the expected best value of a cell's seeds.
func (f *Frontier) Value(c Cell) float64 {
	return ExpectedBest(f.values[slices.Index(f.Grid, c.Evaluations)], c.Seeds)
}

// Cells returns the divisions of at most total evaluations among at most Most seeds.
func (f *Frontier) Cells(total int) (out []Cell) {
	for _, t := range f.Grid {
		for n := 1; n <= f.Most() && n*t <= total; n++ {
			out = append(out, Cell{n, t})
		}
	}
	return out
}

// Best returns the cell with the largest value in Cells(total); ok is false if there are no cells.
func (f *Frontier) Best(total int) (best Cell, ok bool) {
	for _, c := range f.Cells(total) {
		if !ok || f.Compare(f.Value(c), f.Value(best)) > 0 {
			best, ok = c, true
		}
	}
	return best, ok
}

// HeldOut returns the value of the best cell on seeds that did not choose it: one half of the seeds
// chooses, the other half gives a value, and then the halves change places. HeldOut returns the
// mean of both values. The value on the seeds that chose the cell would be too optimistic.
func (f *Frontier) HeldOut(total int) (value float64, ok bool) {
	for half := range 2 {
		choose, read := f.half(half), f.half(1-half)
		best, found := Cell{}, false
		for _, c := range f.Cells(total) {
			if c.Seeds <= min(len(choose.values[0]), len(read.values[0])) &&
				(!found || f.Compare(choose.Value(c), choose.Value(best)) > 0) {
				best, found = c, true
			}
		}
		if !found {
			return 0, false
		}
		value += read.Value(best) / 2
	}
	return value, true
}

// half returns a Frontier with every second run, from the first run or the second.
func (f *Frontier) half(from int) *Frontier {
	var places []float64
	for i := from; len(f.values) > 0 && i < len(f.values[0]); i += 2 {
		places = append(places, float64(i))
	}
	return f.drawn(places)
}

// drawn returns a Frontier with the runs at these places.
func (f *Frontier) drawn(places []float64) *Frontier {
	out := &Frontier{Grid: f.Grid}
	for _, values := range f.values {
		own := make([]float64, len(places))
		for i, place := range places {
			own[i] = values[int(place)]
		}
		out.values = append(out.values, own)
	}
	return out
}

// Intervals returns the bootstrap intervals of the cells' values. It resamples whole runs, once for
// all cells.
func (f *Frontier) Intervals(cells []Cell) []Interval {
	if len(cells) == 0 {
		return nil
	}
	places := make([]float64, len(f.values[0]))
	for i := range places {
		places[i] = float64(i)
	}
	return Bootstrap("frontier", func(s [][]float64) []float64 {
		drawn := f.drawn(s[0])
		out := make([]float64, len(cells))
		for i, c := range cells {
			out[i] = drawn.Value(c)
		}
		return out
	}, places)
}
