package wire

import (
	"bytes"
	"math"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// lists have all kinds of values that Python sends.
var lists = [][]bench.Value{
	{},
	{bench.Int(-5), bench.Float(math.Inf(-1)), bench.Bool(true), bench.Bool(false), bench.None{}},
	{
		bench.Array{DType: "uint8", Shape: []int{3}, Data: []byte{1, 2, 3}},
		bench.Array{DType: "int16", Shape: []int{}, Data: []byte{1, 2}},
		bench.Int(7),
		bench.Other{Type: "generator"},
		bench.Array{DType: "float32", Shape: []int{2, 0, 3}, Data: []byte{}},
		bench.Array{DType: "bool", Shape: []int{1, 2}, Data: []byte{0, 1}},
	},
}

func TestListsComeBack(t *testing.T) {
	for _, want := range lists {
		b := Append(nil, want)
		got, err := Decode([]bench.Value{}, b[:len(want)], b[len(want):])
		must.Do(t, err)
		clear(b) // the values share no bytes with b
		golden.Same(t, "value", want, got)
	}
}

// FuzzDecode: no bytes make Decode panic, and Append restores the bytes that Decode accepts.
func FuzzDecode(f *testing.F) {
	for _, list := range lists {
		f.Add(Append(nil, list), byte(len(list)))
	}
	f.Add(Append(nil, lists[2])[:40], byte(5))
	f.Fuzz(func(t *testing.T, b []byte, count byte) {
		kinds := b[:min(int(count), len(b))]
		list, err := Decode(nil, kinds, b[len(kinds):])
		if err != nil {
			return
		}
		if again := Append(nil, list); !bytes.Equal(again, b) {
			t.Errorf("%v comes back as %v", b, again)
		}
	})
}
