//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"encoding/binary"
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

// TestReturnedValues pins how every kind of returned object is classified, and that none can do
// harm on the way.
func TestReturnedValues(t *testing.T) {
	p := openPool(t, Config{})
	cases := []struct {
		name string
		expr string
		want bench.Value
	}{
		{"int", "7", bench.Int(7)},
		{"negative int", "-7", bench.Int(-7)},
		{"largest int", "2**63 - 1", bench.Int(math.MaxInt64)},
		{"smallest int", "-2**63", bench.Int(math.MinInt64)},
		{"int beyond 64 bits", "2**63", bench.Other{Type: "int too large"}},
		{"huge int", "1 << 10**6", bench.Other{Type: "int too large"}},
		{"int64", "np.int64(3)", bench.Int(3)},
		{"int8", "np.int8(-3)", bench.Int(-3)},
		{"uint64", "np.uint64(2**64 - 1)", bench.Other{Type: "int too large"}},
		{"intp of argmin", "np.argmin([3, 1, 2])", bench.Int(1)},
		{"longlong", "np.longlong(3)", bench.Int(3)},
		{"0-d integer array", "np.array(5)", bench.Int(5)},
		{"0-d unsigned array", "np.array(5, dtype=np.uint8)", bench.Int(5)},
		{"subclass of int", "type('I', (int,), {})(5)", bench.Int(5)},
		{"IntEnum", "__import__('enum').IntEnum('E', 'A B').B", bench.Int(2)},
		{"object with __index__", "type('I', (), {'__index__': lambda self: 6})()", bench.Int(6)},
		{"float", "1.5", bench.Float(1.5)},
		{"whole float", "3.0", bench.Float(3)},
		{"NaN", "float('nan')", bench.Float(math.NaN())},
		{"infinity", "float('-inf')", bench.Float(math.Inf(-1))},
		{"float64", "np.float64(2.5)", bench.Float(2.5)},
		{"float32", "np.float32(2.5)", bench.Float(2.5)},
		{"float16", "np.float16(2.5)", bench.Float(2.5)},
		{"longdouble", "np.longdouble(2.5)", bench.Float(2.5)},
		{"subclass of float", "type('F', (float,), {})(2.5)", bench.Float(2.5)},
		{"True", "True", bench.Bool(true)},
		{"False", "False", bench.Bool(false)},
		{"bool_", "np.bool_(True)", bench.Bool(true)},
		{"None", "None", bench.None{}},
		{"string", "'3'", bench.Other{Type: "str"}},
		{"bytes", "b'3'", bench.Other{Type: "bytes"}},
		{"complex", "3+0j", bench.Other{Type: "complex"}},
		{"complex128", "np.complex128(3)", bench.Other{Type: "complex128"}},
		{"dict", "{1: 2}", bench.Other{Type: "dict"}},
		{"set", "{1, 2}", bench.Other{Type: "set"}},
		{"function", "f", bench.Other{Type: "function"}},
		{"generator", "(x for x in [1])", bench.Other{Type: "generator"}},
		{"endless generator", "iter(int, 1)", bench.Other{Type: "callable_iterator"}},
		{"module", "np", bench.Other{Type: "module"}},
		{"exception", "ValueError('x')", bench.Other{Type: "ValueError"}},
		{"fraction", "__import__('fractions').Fraction(6, 2)", bench.Other{Type: "Fraction"}},
		{"decimal", "__import__('decimal').Decimal(3)", bench.Other{Type: "Decimal"}},
		{"timedelta64", "np.timedelta64(3)", bench.Other{Type: "timedelta64"}},
		{"datetime64", "np.datetime64('2020-01-01')", bench.Other{Type: "datetime64"}},
		{"masked", "np.ma.masked", floats(nil, 0)},
		{"1-element array", "np.array([3])", ints([]int{1}, 3)},
		{"int array", "np.arange(6).reshape(2, 3)", ints([]int{2, 3}, 0, 1, 2, 3, 4, 5)},
		{"transposed array", "np.arange(6).reshape(2, 3).T", ints([]int{3, 2}, 0, 3, 1, 4, 2, 5)},
		{"strided array", "np.arange(6)[::2]", ints([]int{3}, 0, 2, 4)},
		{"empty array", "np.zeros((0, 3))", floats([]int{0, 3})},
		{"0-d float array", "np.array(2.5)", floats(nil, 2.5)},
		{"0-d bool array", "np.array(True)",
			bench.Array{DType: "bool", Shape: []int{}, Data: []byte{1}}},
		{"bool array", "np.array([True, False])",
			bench.Array{DType: "bool", Shape: []int{2}, Data: []byte{1, 0}}},
		{"float32 array", "np.array([1], dtype=np.float32)",
			bench.Array{DType: "float32", Shape: []int{1}, Data: []byte{0, 0, 128, 63}}},
		{"float16 array", "np.array([1], dtype=np.float16)",
			bench.Array{DType: "float32", Shape: []int{1}, Data: []byte{0, 0, 128, 63}}},
		{"longdouble array", "np.array([2], dtype=np.longdouble)", floats([]int{1}, 2)},
		{"big-endian array", "np.array([2.0], dtype='>f8')", floats([]int{1}, 2)},
		{"broadcast view", "np.broadcast_to(np.float64(2), (2, 2))",
			floats([]int{2, 2}, 2, 2, 2, 2)},
		{"matrix", "np.matrix([[1.0, 2.0]])", floats([]int{1, 2}, 1, 2)},
		{"masked array", "np.ma.array([1.0, 2.0], mask=[0, 1])", floats([]int{2}, 1, 2)},
		{"list of lists", "[[1.0, 2], [3, 4]]", floats([]int{2, 2}, 1, 2, 3, 4)},
		{"tuple of ints", "(1, 2)", ints([]int{2}, 1, 2)},
		{"empty list", "[]", floats([]int{0})},
		{"range", "range(3)", ints([]int{3}, 0, 1, 2)},
		{"buffer", "__import__('array').array('d', [2])", floats([]int{1}, 2)},
		{"ragged list", "[[1], [1, 2]]", bench.Other{Type: "list"}},
		{"list of strings", "['1', '2']", bench.Other{Type: "list"}},
		{"list with None", "[1.0, None]", bench.Other{Type: "list"}},
		{"list with a huge int", "[2**70]", bench.Other{Type: "list"}},
		{"complex array", "np.ones(2) * 1j", bench.Other{Type: "ndarray of complex128"}},
		{"object array", "np.array([1, None])", bench.Other{Type: "ndarray of object"}},
		{"string array", "np.array(['a'])", bench.Other{Type: "ndarray of str32"}},
		{"record array", "np.zeros(2, dtype=[('a', 'f8')])",
			bench.Other{Type: "ndarray of void64"}},
		{"array of nine dimensions", "np.zeros((1,) * 9)", bench.Other{Type: "array too large"}},
		{"range too large", "range(1 << 40)", bench.Other{Type: "array too large"}},
		{"nested ranges too large", "[range(1 << 20)] * 100", bench.Other{Type: "array too large"}},
		{"sequence that lies about its length", "type('L', (), {'__len__': lambda s: 1 << 40, " +
			"'__getitem__': lambda s, i: 1})()", bench.Other{Type: "array too large"}},
		{"empty array of a huge extent", "np.empty((0, 1 << 40))",
			bench.Other{Type: "array too large"}},
		{"array interface too large", "type('A', (), {'__array_interface__': {'shape': (1 << " +
			"40,), 'typestr': '<f8', 'version': 3, 'data': (4096, False)}})()",
			bench.Other{Type: "array too large"}},
		{"array too large", "np.broadcast_to(np.float64(2), (10**5, 10**5))",
			bench.Other{Type: "array too large"}},
		{"list that contains itself", "(lambda l: l.append(l) or l)([])",
			bench.Other{Type: "list"}},
		{"object with __array__", "type('A', (), {'__array__': lambda self, *a, **k: " +
			"np.ones(1)})()", floats([]int{1}, 1)},
		{"object whose __array__ raises",
			"type('A', (), {'__array__': lambda self, *a, **k: 1 // 0})()", bench.Other{Type: "A"}},
		{"object whose __array__ lies", "type('A', (), {'__array__': lambda self, *a, **k: 'x'})()",
			bench.Other{Type: "A"}},
		{"object whose __index__ raises", "type('I', (), {'__index__': lambda self: 1 // 0})()",
			bench.Other{Type: "I"}},
		{"object whose __index__ exits", "type('I', (), {'__index__': lambda self: exit()})()",
			bench.Other{Type: "I"}},
		{"object whose __index__ is a float", "type('I', (), {'__index__': lambda self: 1.0})()",
			bench.Other{Type: "I"}},
		{"object that claims to be an int",
			"type('I', (), {'__class__': property(lambda self: int)})()", bench.Other{Type: "I"}},
		{"object whose attributes raise", "type('I', (), {'__getattribute__': lambda self, name: " +
			"1 // 0})()", bench.Other{Type: "I"}},
		{"float whose conversion raises",
			"type('F', (float,), {'__float__': lambda self: 1 // 0})(1)", bench.Float(1)},
		{"array subclass that lies about its shape", "np.ones(2).view(type('S', (np.ndarray,), " +
			"{'shape': (9,), 'dtype': 1, 'size': 0}))", floats([]int{2}, 1, 1)},
		{"array subclass that raises", "np.ones(2).view(type('S', (np.ndarray,), {'__len__': " +
			"lambda self: 1 // 0, '__getitem__': lambda self, i: 1 // 0}))",
			floats([]int{2}, 1, 1)},
		{"type with a strange name", "type('a\\nb /usr/lib/x' + 'c' * 5000, (), {})()",
			bench.Other{Type: clean("a b …/x" + strings.Repeat("c", 5000))}},
		{"metaclass that lies", "type('M', (type,), {'__name__': 'int', '__subclasscheck__': " +
			"lambda *a: True})('T', (), {})()", bench.Other{Type: "T"}},
	}
	source := "import numpy as np\ndef f(i):\n    return values[i]()\nvalues = [\n"
	for _, c := range cases {
		source += "    lambda: " + c.expr + ",\n"
	}
	target := load(t, p, source+"]\n", "f", bench.Limits{})
	defer target.Close()
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := target.Call(t.Context(), bench.Int(i))
			if err != nil {
				t.Fatalf("%s: %v", c.expr, err)
			}
			golden.Same(t, c.expr, c.want, got, equateNaN, cmpopts.EquateEmpty())
		})
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

// TestArguments has Python describe what it got.
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
		{"vector", []bench.Value{ints([]int{3}, 1, 2, 3)}, "int64 (3,) True True True [1, 2, 3]"},
		{"empty vector", []bench.Value{ints([]int{0})}, "int64 (0,) True True True []"},
		{"two arrays, the second unaligned in the frame", []bench.Value{
			bench.Array{DType: "uint8", Shape: []int{3}, Data: []byte{7, 8, 9}},
			floats([]int{1, 2}, 0.5, 1.5)},
			"uint8 (3,) True True True [7, 8, 9]; float64 (1, 2) True True True [[0.5, 1.5]]"},
		{"scalar array", []bench.Value{floats(nil, 4)}, "float64 4.0"},
		{"bool array", []bench.Value{bench.Array{DType: "bool", Shape: []int{2},
			Data: []byte{0, 1}}}, "bool (2,) True True True [False, True]"},
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

// TestBigValues goes beyond one pipe and one read, both ways.
func TestBigValues(t *testing.T) {
	p := openPool(t, Config{})
	target := load(t, p, "def f(a):\n    return a + 1\n", "f", bench.Limits{})
	defer target.Close()
	a := bench.Array{DType: "float64", Shape: []int{1000, 1000}, Data: make([]byte, 8e6)}
	want := bench.Array{DType: "float64", Shape: a.Shape}
	for range 1000000 {
		want.Data = binary.LittleEndian.AppendUint64(want.Data, math.Float64bits(1))
	}
	for _, arg := range []bench.Value{a, upload(t, target, a)} {
		v, err := target.Call(t.Context(), arg)
		got, _ := v.(bench.Array)
		if err != nil || got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) ||
			!bytes.Equal(got.Data, want.Data) {
			t.Errorf("with %T: error %v or another array", arg, err)
		}
	}
}
