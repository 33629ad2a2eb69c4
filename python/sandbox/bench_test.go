//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// benchNodes is the size of a TSP-Construct training instance.
const benchNodes = 50

// nearest is a cheap candidate: what remains is the cost of asking it.
const nearest = `import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    return unvisited_nodes[0]
`

func BenchmarkLoad(b *testing.B) {
	p := openPool(b, Config{})
	for b.Loop() {
		t := load(b, p, nearest, "select_next_node", bench.Limits{})
		must.Do(b, t.Close())
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

func load(tb testing.TB, p *Pool, source, name string, limits bench.Limits) bench.Target {
	tb.Helper()
	t, err := p.Load(context.Background(), source, "", name, limits)
	must.Do(tb, err)
	return t
}

func upload(tb testing.TB, t bench.Target, a bench.Array) bench.Handle {
	tb.Helper()
	h, err := t.Upload(context.Background(), a)
	must.Do(tb, err)
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
			bits := math.Float64bits(math.Hypot(x[i]-x[j], y[i]-y[j]))
			a.Data = binary.LittleEndian.AppendUint64(a.Data, bits)
		}
	}
	return a
}
