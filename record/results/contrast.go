package results

import (
	"math"
	"slices"

	"github.com/pacebench/pacebench/record"
)

// This file compares rows: two rows of a task, a row with a pool, and several rows over tasks.

// A Bounded is a number with its interval. Few means too few seeds for an interval.
type Bounded struct {
	At float64
	Interval
	Few bool
}

// Larger returns the values with a sign that makes larger values better. better is +1 if larger
// values are better, otherwise -1.
func Larger(values []float64, better int) (out []float64) {
	for _, v := range values {
		out = append(out, float64(better)*v)
	}
	return out
}

// better returns P(better) of two samples with its interval.
func (t Tolerance) better(x, y []float64) Bounded {
	theta := t.Superiority(x, y)
	return Bounded{theta, SuperiorityInterval(theta, len(x), len(y)),
		min(len(x), len(y)) < FewestSeeds}
}

// A Test has the p of one comparison, and the p after Holm's adjustment for all comparisons of its
// family. Both are NaN if the seeds may have been chosen by their values (Chosen).
type Test struct {
	P, Holm float64
	Chosen  bool
}

func newTest(p float64, groups ...*Group) Test {
	if slices.ContainsFunc(groups, func(g *Group) bool { return g.Chosen() != "" }) {
		return Test{math.NaN(), math.NaN(), true}
	}
	return Test{p, p, false}
}

// Adjust sets Holm in the tests of a family that are not Chosen.
func Adjust(family []*Test) {
	family = slices.DeleteFunc(slices.Clone(family), func(t *Test) bool { return t.Chosen })
	ps := make([]float64, len(family))
	for i, t := range family {
		ps[i] = t.P
	}
	for i, p := range Holm(ps) {
		family[i].Holm = p
	}
}

// A Contrast compares two groups of a task.
type Contrast struct {
	Test
	Difference Bounded // difference of the means, in the task's unit
	Better     Bounded // P(better)
	Separated  bool    // the seeds show a difference; see Better for its direction
	Swapped    bool    // the second group has the better mean
	Seeds      [2]int  // of the group with the better mean, and of the other group
}

// NewContrast compares the finished runs of two groups, the group with the better mean first. The
// function of returns the value of a run. NewContrast returns nil if a group has no value.
func NewContrast(a, b *Group, of func(*Run) (float64, bool), better int) *Contrast {
	x, y := Larger(a.Over(of).Values, better), Larger(b.Over(of).Values, better)
	if len(x) == 0 || len(y) == 0 {
		return nil
	}
	c := &Contrast{Seeds: [2]int{len(x), len(y)}}
	if a.Compare(record.Mean(x), record.Mean(y)) < 0 {
		c.Swapped, x, y, c.Seeds = true, y, x, [2]int{len(y), len(x)}
	}
	differ := func(s [][]float64) []float64 {
		return []float64{float64(better) * (record.Mean(s[0]) - record.Mean(s[1]))}
	}
	c.Better = a.better(x, y)
	c.Difference = Bounded{differ([][]float64{x, y})[0], Bootstrap("pair", differ, x, y)[0],
		c.Better.Few}
	c.Test = newTest(a.RankTest(x, y), a, b)
	c.Separated = !c.Chosen && c.P <= Alpha
	return c
}

// SmallestP returns the smallest p that these numbers of seeds can reach without ties.
func (c *Contrast) SmallestP() float64 { return SmallestP(c.Seeds[0], c.Seeds[1]) }

// Needed returns how many seeds in each row would separate the two rows, for the upper and the
// lower end of the interval of P(better); ok is false for fewer than FewestPilots seeds.
func (c *Contrast) Needed() (few, most float64, ok bool) {
	k := min(c.Seeds[0], c.Seeds[1])
	if k < FewestPilots {
		return 0, 0, false
	}
	low, high := c.Better.Low, c.Better.High
	if c.Better.At < 0.5 { // the group with the better mean has the worse ranks
		low, high = 1-high, 1-low
	}
	return SeedsNeeded(high, k), SeedsNeeded(low, k), true
}

// TestsWon counts the test splits on which the program of the group's winner is better than the
// winners' programs of all other groups. all is the number of splits on which the group and at
// least one other group have a value.
func (g *Group) TestsWon(others []*Group, splits []string, better int) (won, all int) {
	of := func(g *Group, split string) (float64, bool) {
		if r := g.Winner(); r != nil {
			v, ok := r.Test(ByTraining, split)
			return float64(better) * v, ok
		}
		return 0, false
	}
	for _, split := range splits {
		best := math.Inf(-1)
		for _, o := range others {
			if v, ok := of(o, split); ok {
				best = max(best, v)
			}
		}
		if v, ok := of(g, split); ok && !math.IsInf(best, -1) {
			if all++; g.Compare(v, best) > 0 {
				won++
			}
		}
	}
	return won, all
}

// A PoolTest compares seeds of a row with the runs of a pool. Larger values are better.
type PoolTest struct {
	Test
	Seeds, Runs []float64
	Quantile    float64 // the quantile of the pool that the median seed reaches
	Better      Bounded // P(better than the control)
}

// Against compares seeds of the group with the runs of a pool.
func (g *Group) Against(seeds, runs []float64) PoolTest {
	s := PoolTest{Test: newTest(g.RankTestAbove(seeds, runs), g), Seeds: seeds, Runs: runs,
		Better: g.better(seeds, runs)}
	sorted := slices.Sorted(slices.Values(seeds))
	half := len(sorted) / 2
	median := sorted[half]
	if len(sorted)%2 == 0 {
		median = (sorted[half-1] + sorted[half]) / 2
	}
	s.Quantile = g.Superiority([]float64{median}, runs)
	return s
}

// A Field has the groups of several methods, by method and then by task. For each task, Of returns
// the compared value of a run, and Better is +1 if larger values are better, otherwise -1.
type Field struct {
	Rows   [][]*Group
	Of     []func(*Run) (float64, bool)
	Better []int
}

// samples returns the values by row and then by task, with larger values better.
func (f Field) samples() (out [][]float64) {
	for _, row := range f.Rows {
		for j, g := range row {
			out = append(out, Larger(g.Over(f.Of[j]).Values, f.Better[j]))
		}
	}
	return out
}

// Ranks returns the rank of each row's mean on each task, where 1 is the best, and the mean rank of
// each row over the tasks.
func (f Field) Ranks() (ranks [][]float64, mean []Bounded) {
	samples, tasks := f.samples(), len(f.Of)
	rank := func(samples [][]float64) []float64 { // by row and then by task; then the means
		out := make([]float64, (tasks+1)*len(f.Rows))
		means := make([]float64, len(f.Rows))
		for j := range tasks {
			for i := range f.Rows {
				means[i] = -record.Mean(samples[i*tasks+j])
			}
			for i, r := range f.Rows[0][j].Ranks(means) {
				out[i*tasks+j] = r
			}
		}
		for i := range f.Rows {
			out[tasks*len(f.Rows)+i] = record.Mean(out[i*tasks : (i+1)*tasks])
		}
		return out
	}
	few := slices.ContainsFunc(samples, func(s []float64) bool { return len(s) < FewestSeeds })
	now, spans := rank(samples), Bootstrap("ranks", rank, samples...)
	for i := range f.Rows {
		at := tasks*len(f.Rows) + i
		ranks = append(ranks, now[i*tasks:(i+1)*tasks])
		mean = append(mean, Bounded{now[at], spans[at], few})
	}
	return ranks, mean
}

// An Advantage measures how much better one row of a field is than another.
type Advantage struct {
	A, B   int       // rows, the better one first
	Tasks  []float64 // P(better) on each task
	Mean   Bounded   // mean of Tasks
	Apart  int       // tasks on which the seeds separate the two rows
	Chosen bool      // seeds may have been chosen by their values, so no test counts
}

// Advantages compares every pair of rows over the tasks.
func (f Field) Advantages() (out []Advantage) {
	samples, tasks := f.samples(), len(f.Of)
	of := func(i, j int) []float64 { return samples[i*tasks+j] }
	better := func(a, b int) []float64 {
		on := make([]float64, tasks)
		for j := range tasks {
			on[j] = f.Rows[0][j].Superiority(of(a, j), of(b, j))
		}
		return on
	}
	for i := range f.Rows {
		for k := i + 1; k < len(f.Rows); k++ {
			a, b := i, k
			if Tolerance(0).Compare(record.Mean(better(a, b)), 0.5) < 0 {
				a, b = b, a
			}
			x := Advantage{A: a, B: b, Tasks: better(a, b)}
			var spans []Interval
			for j := range tasks {
				one, two := of(a, j), of(b, j)
				spans = append(spans, SuperiorityInterval(x.Tasks[j], len(one), len(two)))
				x.Mean.Few = x.Mean.Few || min(len(one), len(two)) < FewestSeeds
				x.Chosen = x.Chosen || f.Rows[a][j].Chosen() != "" || f.Rows[b][j].Chosen() != ""
				if f.Rows[0][j].RankTest(one, two) <= Alpha {
					x.Apart++
				}
			}
			x.Mean.At, x.Mean.Interval = record.Mean(x.Tasks), MeanOf(x.Tasks, spans)
			out = append(out, x)
		}
	}
	return out
}
