//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestReturnedValues pins how every kind of returned object is classified, and checks that none can
// do harm.
func TestReturnedValues(t *testing.T) {
	var exprs []string
	var want []bench.Value
	gives := func(value bench.Value, all ...string) {
		for _, expr := range all {
			exprs, want = append(exprs, expr), append(want, value)
		}
	}
	other := func(name string, all ...string) { gives(bench.Other{Type: name}, all...) }
	gives(bench.Int(-7), "-7", "np.int8(-7)", "np.longlong(-7)")
	gives(bench.Int(math.MaxInt64), "2**63 - 1")
	gives(bench.Int(math.MinInt64), "-2**63")
	gives(bench.Int(2), "np.int64(2)", "np.argmin([3, 2, 1])", "np.array(2)",
		"np.array(2, dtype=np.uint8)", "type('I', (int,), {})(2)",
		"__import__('enum').IntEnum('E', 'A B').B",
		"type('I', (), {'__index__': lambda self: 2})()")
	other("int too large", "2**63", "1 << 10**6", "np.uint64(2**64 - 1)")
	gives(bench.Float(2.5), "2.5", "np.float64(2.5)", "np.float32(2.5)", "np.float16(2.5)",
		"np.longdouble(2.5)", "type('F', (float,), {})(2.5)",
		"type('F', (float,), {'__float__': lambda self: 1 // 0})(2.5)")
	gives(bench.Float(3), "3.0")
	gives(bench.Float(math.NaN()), "float('nan')")
	gives(bench.Float(math.Inf(-1)), "float('-inf')")
	gives(bench.Bool(true), "True", "np.bool_(True)")
	gives(bench.Bool(false), "False")
	gives(bench.None{}, "None")

	other("str", "'3'")
	other("bytes", "b'3'")
	other("complex", "3+0j")
	other("complex128", "np.complex128(3)")
	other("dict", "{1: 2}")
	other("callable_iterator", "iter(int, 1)")
	other("Fraction", "__import__('fractions').Fraction(6, 2)")
	other("timedelta64", "np.timedelta64(3)")

	gives(ints([]int{1}, 3), "np.array([3])")
	gives(ints([]int{2, 3}, 0, 1, 2, 3, 4, 5), "np.arange(6).reshape(2, 3)")
	gives(ints([]int{3, 2}, 0, 3, 1, 4, 2, 5), "np.arange(6).reshape(2, 3).T")
	gives(ints([]int{3}, 0, 2, 4), "np.arange(6)[::2]", "(0, 2, 4)", "range(0, 5, 2)")
	gives(floats([]int{0, 3}), "np.zeros((0, 3))")
	gives(floats([]int{0}), "[]")
	gives(floats(nil, 0), "np.ma.masked", "np.array(0.0)")
	gives(bench.Array{DType: "bool", Shape: []int{}, Data: []byte{1}}, "np.array(True)")
	gives(bench.Array{DType: "bool", Shape: []int{2}, Data: []byte{1, 0}},
		"np.array([True, False])")
	gives(bench.Array{DType: "float32", Shape: []int{1}, Data: []byte{0, 0, 128, 63}},
		"np.array([1], dtype=np.float32)", "np.array([1], dtype=np.float16)")
	gives(floats([]int{1}, 2), "np.array([2], dtype=np.longdouble)",
		"np.array([2.0], dtype='>f8')", "__import__('array').array('d', [2])",
		"type('A', (), {'__array__': lambda self, *a, **k: np.array([2.0])})()")
	gives(floats([]int{2, 2}, 2, 2, 2, 2), "np.broadcast_to(np.float64(2), (2, 2))")
	gives(floats([]int{1, 2}, 1, 2), "np.matrix([[1.0, 2.0]])", "[[1.0, 2]]")
	gives(floats([]int{2}, 1, 2), "np.ma.array([1.0, 2.0], mask=[0, 1])",
		// Subclasses of arrays that lie about their shape, or raise.
		"np.array([1.0, 2.0]).view(type('S', (np.ndarray,), "+
			"{'shape': (9,), 'dtype': 1, 'size': 0}))",
		"np.array([1.0, 2.0]).view(type('S', (np.ndarray,), {'__len__': "+
			"lambda self: 1 // 0, '__getitem__': lambda self, i: 1 // 0}))")
	other("list", "[[1], [1, 2]]", "['1', '2']", "[1.0, None]", "[2**70]",
		"(lambda l: l.append(l) or l)([])")
	other("ndarray of complex128", "np.ones(2) * 1j")
	other("ndarray of object", "np.array([1, None])")
	other("ndarray of str32", "np.array(['a'])")
	other("ndarray of void64", "np.zeros(2, dtype=[('a', 'f8')])")
	other("array too large", "np.zeros((1,) * 9)", "range(1 << 40)", "[range(1 << 20)] * 100",
		"np.empty((0, 1 << 40))", "np.broadcast_to(np.float64(2), (10**5, 10**5))",
		// Objects that lie about their length or their memory.
		"type('L', (), {'__len__': lambda s: 1 << 40, '__getitem__': lambda s, i: 1})()",
		"type('A', (), {'__array_interface__': {'shape': (1 << 40,), 'typestr': '<f8', "+
			"'version': 3, 'data': (4096, False)}})()")

	for _, body := range []string{
		"'__array__': lambda self, *a, **k: 1 // 0", "'__array__': lambda self, *a, **k: 'x'",
		"'__index__': lambda self: 1 // 0", "'__index__': lambda self: exit()",
		"'__index__': lambda self: 1.0", "'__class__': property(lambda self: int)",
		"'__getattribute__': lambda self, name: 1 // 0",
	} {
		other("T", "type('T', (), {"+body+"})()")
	}
	other(clean("a b …/x"+strings.Repeat("c", 5000)),
		"type('a\\nb /usr/lib/x' + 'c' * 5000, (), {})()")
	other("T", "type('M', (type,), {'__name__': 'int', '__subclasscheck__': lambda *a: True})"+
		"('T', (), {})()")

	source := "import numpy as np\ndef f(i):\n    return values[i]()\nvalues = [\n    lambda: " +
		strings.Join(exprs, ",\n    lambda: ") + ",\n]\n"
	target := load(t, openPool(t, Config{}), source, "f", bench.Limits{})
	defer target.Close()
	for i, expr := range exprs {
		got, err := target.Call(t.Context(), bench.Int(i))
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		golden.Same(t, expr, want[i], got, equateNaN, cmpopts.EquateEmpty())
	}
}

var equateNaN = cmp.Comparer(func(a, b bench.Float) bool { return a == b || a != a && b != b })

func ints(shape []int, values ...int64) bench.Array {
	a := bench.Array{DType: "int64", Shape: shape}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, uint64(v))
	}
	return a
}

func floats(shape []int, values ...float64) bench.Array {
	a := bench.Array{DType: "float64", Shape: shape}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(v))
	}
	return a
}

// TestArguments has Python describe the arguments that it receives.
func TestArguments(t *testing.T) {
	p := openPool(t, Config{})
	target := load(t, p, `
import numpy as np
def f(*args):
    words = []
    for a in args:
        if isinstance(a, np.ndarray):
            words.append(f"{a.dtype} {a.shape} {a.flags.writeable} `+
		`{a.flags.owndata or a.base.flags.owndata} {a.flags.aligned} {a.tolist()}")
        else:
            words.append(f"{type(a).__name__} {a}")
    return type("; ".join(words).replace("/", "|"), (), {})()
`, "f", bench.Limits{})
	defer target.Close()
	h := upload(t, target, floats([]int{2, 1}, 1, 2))
	for _, c := range []struct {
		name string
		args []bench.Value
		want string
	}{
		{"scalars", []bench.Value{bench.Int(-5), bench.Float(0.1), bench.Bool(true), bench.None{}},
			"int -5; float 0.1; bool True; NoneType None"},
		{"empty vector", []bench.Value{ints([]int{0})}, "int64 (0,) True True True []"},
		{"two arrays, the second unaligned in the frame", []bench.Value{
			bench.Array{DType: "uint8", Shape: []int{3}, Data: []byte{7, 8, 9}},
			floats([]int{1, 2}, 0.5, 1.5)},
			"uint8 (3,) True True True [7, 8, 9]; float64 (1, 2) True True True [[0.5, 1.5]]"},
		{"scalar array", []bench.Value{floats(nil, 4)}, "float64 4.0"},
		{"handle", []bench.Value{h}, "float64 (2, 1) True True True [[1.0], [2.0]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := target.Call(t.Context(), c.args...)
			must.Do(t, err)
			golden.Same(t, "value", bench.Value(bench.Other{Type: c.want}), v)
		})
	}
}

// TestArgumentsAreOwn checks what a candidate that edits its arguments sees later: an array in a
// call is fresh, an uploaded one is the same object at every call (golden case "mutating" of
// TSP-Construct).
func TestArgumentsAreOwn(t *testing.T) {
	p := openPool(t, Config{})
	target := load(t, p, `
kept = []
def f(vector, uploaded):
    answer = float(vector[0] + 10 * uploaded[0])
    vector[0] += 1
    uploaded[0] += 1
    kept.append(vector)
    return answer + 1000 * len({id(v) for v in kept}) + 10000 * int(kept[0][0])
`, "f", bench.Limits{})
	defer target.Close()
	h := upload(t, target, floats([]int{1}, 1))
	vector := floats([]int{1}, 5)
	for i, want := range []bench.Float{61015, 62025, 63035} {
		v, err := target.Call(t.Context(), vector, h)
		if err != nil || v != want {
			t.Errorf("call %d: %v, %v, want %v", i+1, v, err, want)
		}
	}
	if !cmp.Equal(vector, floats([]int{1}, 5)) {
		t.Error("the caller's array has changed")
	}
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
	// The arguments, as pacebench/values.py packs them: the kept array of number 0.
	kept := bench.Packed{10, 2, 0, 0, 0, 10, 1, 0, 0, 0, 16, 0, 0, 0, 0, 11, 0, 0, 0, 0}
	if _, err := target.Call(t.Context(), kept); !errors.Is(err, bench.ErrScorer) {
		t.Errorf("an array that is not there: %v", err)
	}
	array := bench.Array{DType: "uint8", Shape: []int{1}, Data: []byte{1}}
	if _, err := target.Upload(t.Context(), array); err != nil {
		t.Fatal(err)
	}
	for _, want := range []byte{2, 3} {
		got, err := target.Call(t.Context(), kept)
		must.Do(t, err)
		golden.Same[bench.Value](t, "value", bench.Packed{3, want, 0, 0, 0, 0, 0, 0, 0}, got)
	}
	var fault *bench.Fault
	if got, err := target.Call(t.Context()); !errors.As(err, &fault) ||
		fault.Kind != bench.Crashed {
		t.Errorf("forged: %v, %v", got, err)
	}
}

// TestBigValues sends values that are larger than a pipe and than one read, in both directions.
func TestBigValues(t *testing.T) {
	target := load(t, openPool(t, Config{}), "def f(a):\n    return a\n", "f", bench.Limits{})
	defer target.Close()
	a := bench.Array{DType: "float64", Shape: []int{1000, 1000}}
	for i := range 1000000 {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(float64(i)))
	}
	for _, arg := range []bench.Value{a, upload(t, target, a)} {
		v, err := target.Call(t.Context(), arg)
		got, _ := v.(bench.Array)
		if err != nil || got.DType != a.DType || !slices.Equal(got.Shape, a.Shape) ||
			!bytes.Equal(got.Data, a.Data) {
			t.Errorf("with %T: error %v or another array", arg, err)
		}
	}
}
