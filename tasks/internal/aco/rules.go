package aco

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// A Problem is what the ants of a colony draw and what it is worth.
type Problem struct {
	Nodes int
	Start int32 // the node on which every ant begins, Anywhere or Nowhere
	// Admit takes off an ant's list what may not come next, the node that it stands on included.
	// An empty list ends the way. At first the list has all nodes.
	Admit func(a *Ant)
	// Value is what a way is worth, in the task's unit.
	Value func(a *Ant) float64
	Trail Trail
	// Total, when positive, makes large values good ones: an ant deposits its value over Total. Of
	// a colony that looks for small values it deposits 1 over its value.
	Total float64
	Least float64 // pheromone never falls below it
	// Idle is what an ant's value grows by for each step that the longest way of its iteration has
	// more.
	Idle float64
}

// Starts that are no node.
const (
	Nowhere  = int32(-1) // the first step is drawn from the first row
	Anywhere = int32(-2) // drawn evenly
)

// A Trail says which weights there are, and on which an ant's way leaves pheromone.
type Trail uint8

const (
	Cycle Trail = iota // edges: those of a closed tour, in both directions
	Steps              // edges: each step in its direction
	Nodes              // nodes: those of the way
)

// An Ant is on its way.
type Ant struct {
	rnd   rand.PCG
	Path  []int32 // the nodes that it came to, in order
	value float64
	walker
	Load [5]float32 // what it carries, for Admit to count; nothing at first
}

// begin puts an ant on its first node. The generator is seeded.
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

// At is the node that the ant stands on, or Nowhere.
func (a *Ant) At() int32 {
	if len(a.Path) == 0 {
		return Nowhere
	}
	return a.Path[len(a.Path)-1]
}

// Open are the nodes that may come next. Drop and Defer put the last of them into the place of the
// one that they take off.
func (a *Ant) Open() []int32 { return a.left }

// Drop takes an open node off the list for good.
func (a *Ant) Drop(node int32) {
	a.Defer(node)
	if a.later--; a.later > len(a.left) {
		a.swap(int32(len(a.left)), int32(a.later))
	}
}

// Defer takes an open node off the list until it is reopened.
func (a *Ant) Defer(node int32) {
	end := len(a.left) - 1
	a.swap(a.place[node], int32(end))
	a.left = a.left[:end]
}

// Reopen brings back what was deferred.
func (a *Ant) Reopen() { a.left = a.left[:a.later] }

// swap exchanges the nodes of two places.
func (k *walker) swap(i, j int32) {
	all := k.left[:cap(k.left)]
	all[i], all[j] = all[j], all[i]
	k.place[all[i]], k.place[all[j]] = i, j
}

// Solve returns the best value that a colony finds. eta is the heuristic with entries as Heuristic
// leaves them: n×n and row-major, rows by the current node; or one row of n, for a Trail of nodes.
// An error is ctx's.
func (p Problem) Solve(
	ctx context.Context, eta []float64, s Settings, stream Stream, o Options,
) (float64, error) {
	return solve(ctx, p, newTable(p, eta), s, stream, o)
}

// table keeps the weights of row i, column j, at i·stride + j.
type table struct {
	Problem
	stride int // 0 where there is one row
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

// step draws the node after i.
func (t *table) step(a *Ant, i int) int32 {
	u := uniform(&a.rnd)
	if len(a.left) == 1 {
		return a.left[0]
	}
	return a.left[a.drawFrom(t.w[i*t.stride:i*t.stride+t.Nodes], u)]
}

const (
	floor   = 1e-9  // the least entry of a heuristic
	largest = 1e300 // the largest: beyond it the sum of a row could overflow
)

// Floor prepares a heuristic in place: 1e-9 is added to every entry, and what is then below
// 1e-9 is set to it. Negative entries thereby mean "hardly ever".
func Floor(eta []float64) {
	for i, v := range eta {
		eta[i] = max(v+floor, floor)
	}
}

// Heuristic turns what a candidate returned into the colony's heuristic, or says as a *bench.Fault
// why it cannot be one: it must convert to float64, have the shape, and every entry must be finite,
// on a diagonal too, as in the public evaluators, where one NaN spoils the ant's draw. Negative
// entries and zeros are raised to the floor. Nothing is made symmetric, normalised or clipped.
func Heuristic(v bench.Value, shape ...int) ([]float64, error) {
	eta, err := programs.Floats(v, shape...)
	if err != nil {
		return nil, err
	}
	for i, v := range eta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, bench.Faultf(bench.NonFinite, "entry %s is %v",
				programs.Place(i, shape), v)
		}
	}
	Floor(eta)
	for i, v := range eta {
		if v > largest {
			return nil, bench.Faultf(bench.Invalid, "entry %s is above %g",
				programs.Place(i, shape), largest)
		}
	}
	return eta, nil
}
