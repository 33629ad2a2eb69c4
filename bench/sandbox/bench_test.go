package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
)

// The shape of one TSP-Construct training evaluation.
const (
	benchNodes     = 50
	benchInstances = 16
)

// nearest is a cheap candidate: what remains is the cost of asking it.
const nearest = `import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    return unvisited_nodes[0]
`

func BenchmarkLoad(b *testing.B) {
	p := openPool(b, Config{})
	for b.Loop() {
		t := load(b, p, nearest, "select_next_node", bench.Limits{})
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	p := openPool(b, Config{})
	t := load(b, p, nearest, "select_next_node", bench.Limits{})
	defer t.Close()
	h := upload(b, t, matrix(1))
	unvisited := int64s(1, benchNodes)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := t.Call(b.Context(), bench.Int(0), bench.Int(0), unvisited, h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpload1000(b *testing.B) {
	p := openPool(b, Config{})
	a := bench.Array{DType: "float64", Shape: []int{1000, 1000}, Data: make([]byte, 8e6)}
	b.SetBytes(8e6)
	t := load(b, p, nearest, "select_next_node", bench.Limits{})
	for i := 0; b.Loop(); i++ {
		if i%50 == 49 { // the child keeps them all
			t.Close()
			t = load(b, p, nearest, "select_next_node", bench.Limits{})
		}
		upload(b, t, a)
	}
	t.Close()
}

// BenchmarkConstructTraining is one training evaluation from load to close, filtering included.
// Compare BenchmarkBarePythonLoop; medians, because a busy machine's stalls are nobody's cost.
func BenchmarkConstructTraining(b *testing.B) {
	p := openPool(b, Config{})
	var matrices []bench.Array
	for i := range benchInstances {
		matrices = append(matrices, matrix(uint64(i)))
	}
	var times []float64
	for b.Loop() {
		start := time.Now()
		t := load(b, p, nearest, "select_next_node", bench.Limits{})
		release := t.(*Target).Pin() // as the evaluator does
		for _, m := range matrices {
			construct(b, t, m)
		}
		release()
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start).Seconds()*1000)
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "median-ms")
}

// construct asks for all but the last node of one tour.
func construct(b *testing.B, t bench.Target, m bench.Array) {
	h := upload(b, t, m)
	visited := make([]bool, benchNodes)
	visited[0] = true
	current := 0
	for range benchNodes - 2 {
		unvisited := bench.Array{DType: "int64", Shape: []int{0}}
		for node := range benchNodes { // any order will do here
			if !visited[node] {
				unvisited.Data = binary.LittleEndian.AppendUint64(unvisited.Data, uint64(node))
				unvisited.Shape[0]++
			}
		}
		v, err := t.Call(b.Context(), bench.Int(current), bench.Int(0), unvisited, h)
		if err != nil {
			b.Fatal(err)
		}
		current = int(v.(bench.Int))
		visited[current] = true
	}
}

// BenchmarkBarePythonLoop reports the median of what the same evaluation takes inside one
// Python process: with LLM4AD's filter (isin), and with the fastest one (table).
func BenchmarkBarePythonLoop(b *testing.B) {
	python := testPython(b)
	var sum struct{ IsIn, Table float64 }
	n := 0
	for b.Loop() {
		out, err := exec.Command(python, "testdata/bareloop.py").Output()
		if err != nil {
			b.Fatal(err)
		}
		var ms struct{ IsIn, Table float64 }
		if err := json.Unmarshal(out, &ms); err != nil {
			b.Fatal(err)
		}
		sum.IsIn, sum.Table, n = sum.IsIn+ms.IsIn, sum.Table+ms.Table, n+1
	}
	b.ReportMetric(sum.IsIn/float64(n), "isin-ms")
	b.ReportMetric(sum.Table/float64(n), "table-ms")
	b.ReportMetric(0, "ns/op")
}

func load(tb testing.TB, p *Pool, source, name string, limits bench.Limits) bench.Target {
	tb.Helper()
	t, err := p.Load(context.Background(), source, "", name, limits)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func upload(tb testing.TB, t bench.Target, a bench.Array) bench.Handle {
	tb.Helper()
	h, err := t.Upload(context.Background(), a)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// int64s is arange(from, to).
func int64s(from, to int) bench.Array {
	a := bench.Array{DType: "int64", Shape: []int{to - from}}
	for i := from; i < to; i++ {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, uint64(i))
	}
	return a
}

// matrix holds the distances of random points.
func matrix(seed uint64) bench.Array {
	r := rand.New(rand.NewPCG(seed, 0))
	var x, y [benchNodes]float64
	for i := range x {
		x[i], y[i] = r.Float64(), r.Float64()
	}
	a := bench.Array{DType: "float64", Shape: []int{benchNodes, benchNodes}}
	for i := range x {
		for j := range x {
			a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(math.Hypot(x[i]-x[j], y[i]-y[j])))
		}
	}
	return a
}
