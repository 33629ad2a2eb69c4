package aco

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// A Problem defines the paths that a colony's ants draw, and the value of each path.
type Problem struct {
	Nodes int
	Start int32 // the node on which every ant begins, Anywhere or Nowhere
	// Admit removes from an ant's list the nodes that it may not visit next, including its current
	// node. An empty list ends the path. At first the list has all nodes.
	Admit func(a *Ant)
	// Value returns the value of an ant's path, in the task's unit.
	Value func(a *Ant) float64
	Trail Trail
	// If Total is positive, large values are good: an ant deposits its value divided by Total.
	// Otherwise small values are good, and it deposits 1 divided by its value.
	Total float64
	Least float64 // lower bound of pheromone; 0: no bound
	// Idle is added to an ant's value for each step by which its path is shorter than the longest
	// path of its iteration.
	Idle float64
}

// Collect returns p with Value and Total: the value of a path is the sum of the prizes of its
// nodes, and Total is the sum of all prizes.
func Collect(prizes []float64, p Problem) Problem {
	for _, prize := range prizes {
		p.Total += prize
	}
	p.Value = func(a *Ant) float64 {
		sum := 0.0
		for _, node := range a.Path {
			sum += prizes[node]
		}
		return sum
	}
	return p
}

// Values of Start that are not nodes.
const (
	Nowhere  = int32(-1) // the first step is drawn from the first row
	Anywhere = int32(-2) // the first node is drawn uniformly
)

// A Trail defines where an ant's path leaves pheromone: on edges or on nodes. The table of weights
// has an entry for each of these places.
type Trail uint8

const (
	Cycle Trail = iota // edges of a closed tour, in both directions
	Steps              // edges of a path, each in its direction
	Nodes              // nodes of a path
)

// An Ant builds a path.
type Ant struct {
	rnd   rand.PCG
	Path  []int32 // visited nodes, in order
	value float64
	walker
	Load [5]float32 // sums that Admit keeps, such as the ant's load; zero at first
}

// begin puts an ant on its first node. The generator must be seeded.
func (a *Ant) begin(start int32) {
	a.Path, a.Load = a.Path[:0], [5]float32{}
	a.walker.begin()
	switch start {
	case Nowhere:
		return
	case Anywhere:
		start = int32(below(&a.rnd, len(a.left)))
	}
	a.Path = append(a.Path, start)
}

// At returns the node that the ant is on, or Nowhere.
func (a *Ant) At() int32 {
	if len(a.Path) == 0 {
		return Nowhere
	}
	return a.Path[len(a.Path)-1]
}

// Open returns the nodes that may come next. Drop and Defer move the last node to the place of the
// node that they remove.
func (a *Ant) Open() []int32 { return a.left }

// Drop removes an open node from the list permanently.
func (a *Ant) Drop(node int32) {
	a.Defer(node)
	if a.later--; a.later > len(a.left) {
		a.swap(int32(len(a.left)), int32(a.later))
	}
}

// Defer removes an open node from the list until Reopen.
func (a *Ant) Defer(node int32) {
	end := len(a.left) - 1
	a.swap(a.place[node], int32(end))
	a.left = a.left[:end]
}

// Reopen returns all deferred nodes to the list.
func (a *Ant) Reopen() { a.left = a.left[:a.later] }

// swap exchanges the nodes of two places.
func (k *walker) swap(i, j int32) {
	all := k.left[:cap(k.left)]
	all[i], all[j] = all[j], all[i]
	k.place[all[i]], k.place[all[j]] = i, j
}

// Solve returns the best value that a colony finds. eta is a heuristic from Heuristic: n×n and
// row-major, with one row for each current node, or a single row of n if Trail is Nodes. Solve
// fails only if ctx ends.
func (p Problem) Solve(
	ctx context.Context, eta []float64, s Settings, stream Stream, o Options,
) (float64, error) {
	return solve(ctx, p, newTable(p, eta), s, stream, o)
}

// A table keeps the weight of row i, column j, at i·stride + j.
type table struct {
	Problem
	stride int // 0 if there is only one row
	w, eta []float64
}

func newTable(p Problem, eta []float64) *table {
	t := &table{Problem: p, stride: p.Nodes, eta: eta, w: append([]float64(nil), eta...)}
	if p.Trail == Nodes {
		t.stride = 0
	}
	if len(eta) != t.rows()*p.Nodes {
		panic("aco: heuristic and problem differ in size")
	}
	return t
}

func (t *table) rows() int { return max(1, t.stride) }

func (t *table) deposit(path []int32, amount float64, from, to int) {
	add := func(i, j int32) {
		if at := int(i)*t.stride + int(j); from*t.Nodes <= at && at < to*t.Nodes {
			t.w[at] += float64(amount * t.eta[at])
		}
	}
	last := Nowhere
	if t.Trail == Cycle {
		last = path[len(path)-1]
	}
	for _, node := range path {
		switch {
		case t.Trail == Nodes:
			add(0, node)
		case last != Nowhere:
			add(last, node)
			if t.Trail == Cycle {
				add(node, last)
			}
		}
		last = node
	}
}

func (t *table) scale(factor float64, from, to int) {
	for i := range t.w[from*t.Nodes : to*t.Nodes] {
		t.w[from*t.Nodes+i] *= factor
	}
}

func (t *table) raise(least float64, from, to int) {
	for i := from * t.Nodes; i < to*t.Nodes; i++ {
		t.w[i] = max(t.w[i], least*t.eta[i])
	}
}

func (t *table) walk(a *Ant) {
	for {
		t.Admit(a)
		if len(a.left) == 0 {
			return
		}
		a.Path = append(a.Path, t.step(a, int(max(a.At(), 0))))
	}
}

// step draws the node that follows i.
func (t *table) step(a *Ant, i int) int32 {
	u := uniform(&a.rnd)
	if len(a.left) == 1 {
		return a.left[0]
	}
	return a.left[a.drawFrom(t.w[i*t.stride:i*t.stride+t.Nodes], u)]
}

const (
	floor   = 1e-9  // the least entry of a heuristic
	largest = 1e300 // the largest entry: above it, the sum of a row could overflow
)

// Floor prepares a heuristic in place: it adds 1e-9 to every entry and raises entries below 1e-9 to
// 1e-9. A negative entry therefore means "almost never".
func Floor(eta []float64) {
	for i, v := range eta {
		eta[i] = max(v+floor, floor)
	}
}

// Heuristic turns a candidate's return value into the colony's heuristic, or returns a
// *bench.Fault: the value must be an array of real numbers with the given shape, and every entry
// must be finite and at most 1e300. This includes the diagonal, because in the public evaluators
// one NaN spoils an ant's draw. Floor prepares the entries; Heuristic does not symmetrise,
// normalise or clip.
func Heuristic(v bench.Value, shape ...int) ([]float64, error) {
	eta, err := programs.Floats(v, shape...)
	if err != nil {
		return nil, err
	}
	for i, v := range eta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, bench.Faultf(bench.NonFinite, "entry %s is %v",
				programs.Index(i, shape), v)
		}
	}
	Floor(eta)
	for i, v := range eta {
		if v > largest {
			return nil, bench.Faultf(bench.Invalid, "entry %s is above %g",
				programs.Index(i, shape), largest)
		}
	}
	return eta, nil
}
