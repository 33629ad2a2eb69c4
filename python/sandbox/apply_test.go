//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/python/wire"
)

// Arguments as pacebench/values.py packs them.
var (
	noArguments = bench.Packed{10, 2, 0, 0, 0, 10, 0, 0, 0, 0, 11, 0, 0, 0, 0}
	// f(5, [1, 1, 1, 1], k="k")
	arguments = slicesOf(
		[]byte{10, 2, 0, 0, 0, 10, 2, 0, 0, 0, 3, 5, 0, 0, 0, 0, 0, 0, 0},
		[]byte{14, 0, 'b', 4, 0, 0, 0, 1, 1, 1, 1},
		[]byte{11, 1, 0, 0, 0, 7, 1, 0, 0, 0, 'k', 7, 1, 0, 0, 0, 'k'},
	)
)

func slicesOf(parts ...[]byte) bench.Packed { return bytes.Join(parts, nil) }

// A call for a task in Python takes and returns all of Python's plain values. Anything else that a
// candidate returns or writes into its pipe is its fault, or is named by its type.
func TestApply(t *testing.T) {
	p := openPool(t, Config{})
	five := bench.Packed{3, 5, 0, 0, 0, 0, 0, 0, 0}
	for _, c := range []struct {
		body string
		args bench.Packed
		want bench.Value
		kind bench.FaultKind
		says string
	}{
		{"def f(a, b, k):\n    assert b == [1] * 4 and k == 'k'\n    b[0] = 7\n    return a",
			arguments, five, "", ""},
		{"def f(a, b):\n    return a", arguments, nil, bench.Interface, "keyword argument 'k'"},
		{"def f():\n    return {1}", noArguments, bench.Other{Type: "a set"}, "", ""},
		{"def f():\n    return [0, [np.array([None])]]", noArguments,
			bench.Other{Type: "an array of objects at [1][0]"}, "", ""},
		{"class L(list):\n    def __len__(self):\n        return 10**9\n    __class__ = list\n" +
			"def f():\n    return L()", noArguments, bench.Other{Type: "a L"}, "", ""},
		{"def f():\n    return [1] * 10**7", noArguments,
			bench.Other{Type: wire.ErrTooLarge.Error()}, "", ""},
		{"def f():\n    raise KeyError(1)", noArguments, nil, bench.Raised, "line 3: KeyError"},
		// A forged frame: a list that announces more items than it has; an answer of another kind.
		{"def f():\n    import os\n    os.write(4, bytes([13, 0, 0, 0, 18, 8, 3, 0, 5, 0, 0, 0," +
			" 0, 0, 0, 0, 9, 255, 255, 255, 255]))\n    os._exit(0)",
			noArguments, nil, bench.Crashed, "own pipe"},
		{"def f():\n    import os\n    os.write(4, bytes([8, 0, 0, 0, 18, 0, 3, 0, 5, 0, 0, 0, 0," +
			" 0, 0, 0]))\n    os._exit(0)", noArguments, nil, bench.Crashed, "own pipe"},
	} {
		limits := longLimits
		limits.Memory = 2 << 30
		target, err := p.Load(t.Context(), "import numpy as np\n"+c.body, "", "f", limits)
		must.Do(t, err)
		got, err := target.Call(t.Context(), c.args)
		var fault *bench.Fault
		switch {
		case c.want != nil && err == nil && equal(got, c.want):
		case c.want == nil && errors.As(err, &fault) && fault.Kind == c.kind &&
			strings.Contains(fault.Detail, c.says):
		default:
			t.Errorf("%s\n%.200v, %v; want %v %v %s", c.body, got, err, c.want, c.kind, c.says)
		}
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	}
}

func equal(got, want bench.Value) bool {
	switch want := want.(type) {
	case bench.Packed:
		got, _ := got.(bench.Packed)
		return bytes.Equal(got, want)
	case bench.Other:
		got, _ := got.(bench.Other)
		return strings.HasPrefix(got.Type, want.Type)
	}
	return false
}

// TestApplyWithKeptArrays passes an uploaded array by its number. An unknown number is an error of
// the scorer. A call without packed arguments, as a task in Go makes it, never returns a packed
// value, even if the candidate writes one into its pipe.
func TestApplyWithKeptArrays(t *testing.T) {
	p := openPool(t, Config{})
	const source = "import os\ndef f(a=None):\n    if a is None:\n" +
		"        os.write(4, bytes([9, 0, 0, 0, 18, 8, 6, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]))\n" +
		"        os._exit(0)\n    a[0] += 1\n    return int(a[0])"
	target, err := p.Load(t.Context(), source, "", "f", longLimits)
	must.Do(t, err)
	defer target.Close()
	kept := func(n byte) bench.Packed {
		return slicesOf([]byte{10, 2, 0, 0, 0, 10, 1, 0, 0, 0, 16, n, 0, 0, 0, 11, 0, 0, 0, 0})
	}
	if _, err := target.Call(t.Context(), kept(0)); !errors.Is(err, bench.ErrScorer) {
		t.Errorf("an array that is not there: %v", err)
	}
	array := bench.Array{DType: "uint8", Shape: []int{1}, Data: []byte{1}}
	if _, err := target.Upload(t.Context(), array); err != nil {
		t.Fatal(err)
	}
	for _, want := range []byte{2, 3} {
		got, err := target.Call(t.Context(), kept(0))
		if err != nil || !equal(got, bench.Packed{3, want, 0, 0, 0, 0, 0, 0, 0}) {
			t.Errorf("%v, %v, want %d", got, err, want)
		}
	}
	var fault *bench.Fault
	if got, err := target.Call(t.Context()); !errors.As(err, &fault) ||
		fault.Kind != bench.Crashed {
		t.Errorf("forged: %v, %v", got, err)
	}
}
