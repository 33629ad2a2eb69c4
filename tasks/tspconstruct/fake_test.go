package tspconstruct

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// A callee is a candidate written in Go. matrix is its own copy and may be changed.
type callee func(current, destination int, unvisited []int64, matrix [][]float64) bench.Value

// A fakeTarget answers as the sandbox does: one writable matrix behind each handle, a new array of
// unvisited cities at every call, and after a fault the same fault again.
type fakeTarget struct {
	bench.Unmeasured
	t        *testing.T
	rule     callee
	uploaded [][][]float64
	calls    int
	fault    *bench.Fault
	failAt   int // call that raises; 0: none
}

func (f *fakeTarget) Upload(_ context.Context, a bench.Array) (bench.Handle, error) {
	if a.DType != "float64" || len(a.Shape) != 2 || len(a.Data) != 8*a.Shape[0]*a.Shape[1] {
		f.t.Errorf("uploaded %s of shape %v in %d bytes", a.DType, a.Shape, len(a.Data))
	}
	m := make([][]float64, a.Shape[0])
	for i := range m {
		m[i] = make([]float64, a.Shape[1])
		for j := range m[i] {
			m[i][j] = math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*(i*a.Shape[1]+j):]))
		}
	}
	f.uploaded = append(f.uploaded, m)
	return bench.Handle(len(f.uploaded) - 1), nil
}

func (f *fakeTarget) Call(_ context.Context, args ...bench.Value) (bench.Value, error) {
	f.calls++
	if f.fault == nil && f.calls == f.failAt {
		f.fault = bench.Faultf(bench.Raised, "IndexError: call %d", f.calls)
	}
	if f.fault != nil {
		return nil, f.fault
	}
	if len(args) != 4 {
		f.t.Fatalf("called with %d arguments", len(args))
	}
	nodes := args[2].(bench.Array)
	if nodes.DType != "int64" || len(nodes.Shape) != 1 || len(nodes.Data) != 8*nodes.Shape[0] {
		f.t.Fatalf("unvisited nodes: %s of shape %v in %d bytes",
			nodes.DType, nodes.Shape, len(nodes.Data))
	}
	unvisited := make([]int64, nodes.Shape[0])
	for i := range unvisited {
		unvisited[i] = int64(binary.LittleEndian.Uint64(nodes.Data[8*i:]))
	}
	current, destination := int(args[0].(bench.Int)), int(args[1].(bench.Int))
	return f.rule(current, destination, unvisited, f.uploaded[args[3].(bench.Handle)]), nil
}

func (f *fakeTarget) Close() error { return nil }

// A loader makes fakeTargets of one rule. fresh is called for each load, so that a rule's state
// lives as long as a module's.
type loader struct {
	t     *testing.T
	fresh func() callee
}

func (l loader) Load(_ context.Context, _, _, _ string, _ bench.Limits) (bench.Target, error) {
	return &fakeTarget{t: l.t, rule: l.fresh()}, nil
}

func still(rule callee) func() callee { return func() callee { return rule } }

// argmin is the position of the smallest value, the first among equals, as NumPy's.
func argmin(values []float64) int {
	best := 0
	for i, v := range values {
		if v < values[best] {
			best = i
		}
	}
	return best
}

// take is row[nodes].
func take(row []float64, nodes []int64) []float64 {
	out := make([]float64, len(nodes))
	for i, n := range nodes {
		out[i] = row[n]
	}
	return out
}

// rules are the eight programs with known tour lengths; the table of TestKnownLengths says what
// each is for.
func rules() map[string]func() callee {
	return map[string]func() callee{
		"nearest": still(func(_, _ int, u []int64, _ [][]float64) bench.Value {
			return bench.Int(u[0])
		}),
		"farthest": still(func(_, _ int, u []int64, _ [][]float64) bench.Value {
			return bench.Int(u[len(u)-1])
		}),
		"middle": still(func(_, _ int, u []int64, _ [][]float64) bench.Value {
			return bench.Int(u[len(u)/3])
		}),
		"nearest_by_matrix": still(func(c, _ int, u []int64, m [][]float64) bench.Value {
			return bench.Int(u[argmin(take(m[c], u))])
		}),
		"lookahead2":  still(lookahead),
		"isolation":   still(isolation),
		"mutating":    still(mutating),
		"step_parity": stepParity,
	}
}

func lookahead(c, _ int, u []int64, m [][]float64) bench.Value {
	near := u[:min(8, len(u))]
	cost := take(m[c], near)
	for i, a := range near {
		onwards := math.Inf(1)
		for _, b := range u {
			if a != b {
				onwards = min(onwards, m[a][b])
			}
		}
		cost[i] += onwards
	}
	return bench.Int(near[argmin(cost)])
}

func isolation(c, d int, u []int64, m [][]float64) bench.Value {
	cost := take(m[c], u)
	for i, a := range u {
		row := take(m[a], u)
		slices.Sort(row)
		lonely, k := 0.0, min(6, len(u))
		for _, v := range row[1:k] {
			lonely += v
		}
		lonely /= float64(k - 1)
		cost[i] = cost[i] - float64(0.55*lonely) - float64(0.12*m[d][a])
	}
	return bench.Int(u[argmin(cost)])
}

func mutating(c, _ int, u []int64, m [][]float64) bench.Value {
	best := u[argmin(take(m[c], u))]
	for i := range m {
		for _, j := range u[:min(3, len(u))] {
			m[i][j] += 0.03
		}
	}
	for i := range m {
		m[i][best] += 10
	}
	return bench.Int(best)
}

func stepParity() callee {
	calls := 0
	return func(c, _ int, u []int64, m [][]float64) bench.Value {
		calls++
		order := slices.Clone(u)
		slices.SortStableFunc(order, func(a, b int64) int {
			switch {
			case m[c][a] < m[c][b]:
				return -1
			case m[c][a] > m[c][b]:
				return 1
			}
			return 0
		})
		if calls%5 == 0 && len(order) > 1 && m[c][order[1]] < 1.3*m[c][order[0]] {
			return bench.Int(order[1])
		}
		return bench.Int(order[0])
	}
}
