package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/python"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// loadValues makes the module values of pacebench/values.py, in Python.
const loadValues = `
import json, struct, sys, types
import numpy as np
values = types.ModuleType("values")
exec(json.loads(sys.argv[1]), values.__dict__)
values.with_numpy(np)
`

// ask runs a program that has the module values, with input, and returns what it prints.
func ask(t *testing.T, program string, input []byte) []byte {
	t.Helper()
	text, err := json.Marshal(python.Values)
	must.Do(t, err)
	cmd := exec.Command(pyenv.ForTest(t).Python, "-P", "-s", "-B", "-c", loadValues+program,
		string(text))
	cmd.Stdin = bytes.NewReader(input)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, problem.String())
	}
	return out.Bytes()
}

// samples are values of all kinds, in Python.
const samples = `
samples = [
    None, True, False, 0, -1, 2**63 - 1, -2**63, 2**63, -2**4096 + 1, 1.5, float("inf"), 1 - 2j,
    "", "ä\U0001f600", b"\x00\xff", [], (), {}, [1], (1, 2), [1, 2, 3, 4], (1, -200, 3, 4),
    [2**40] * 5, [2**70] * 5, [0.5] * 4, (0.5, 1.5, 2.5, -0.0), [1, 2.0, 3, 4], [True] * 5,
    [(1, 2, 3)] * 5, ([1.0, 2.0],) * 4, [[1, 2], [3]] * 2, [[], [], [], []], [(), (), (), ()],
    ((1, 2),) * 4, [[2**80]] * 4, {"a": 1, 2: [3], (1, "x"): {}, None: 0.5, (1, 2, 3, 4): 1},
    np.int64(5), np.float32(0.5), np.bool_(True), np.complex128(1j), np.uint8(255),
    np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3).T, np.zeros((2, 0, 3), "f4"),
    np.array(5, "i2"), np.array([True, False]), np.array([1j], "c8"), np.arange(3, dtype=">i4"),
    np.zeros((0,)), [np.arange(3)] * 2, {"points": np.ones((2, 2)), "names": ["x", "y"]},
]
deep = []
for _ in range(31):
    deep = [deep]
samples.append(deep)
`

// packed returns the samples' bytes. It runs a program, which has the samples, in the same process.
func packed(t *testing.T, program string) (list [][]byte) {
	t.Helper()
	out := ask(t, samples+`
for value in samples:
    data = values.pack(value)
    sys.stdout.buffer.write(struct.pack("<I", len(data)) + data)
`+program, nil)
	for len(out) > 0 {
		n := 4 + binary.LittleEndian.Uint32(out)
		list, out = append(list, out[4:n]), out[n:]
	}
	return list
}

// Every kind of value comes back unchanged, with its type, and Check accepts its bytes.
func TestPackedValues(t *testing.T) {
	list := packed(t, `
def same(a, b):
    assert type(a) is type(b), (a, b)
    if type(a) in (list, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    elif type(a) is dict:
        same(list(a.items()), list(b.items()))
    elif isinstance(a, np.ndarray):
        assert a.dtype.newbyteorder("=") == b.dtype and a.shape == b.shape and (a == b).all()
        assert b.flags.writeable and b.flags.aligned and b.flags.c_contiguous
    else:
        assert repr(a) == repr(b), (a, b)
for value in samples:
    same(value, values.unpack(values.pack(value)))
    same(value, values.unpack(bytearray(b"head" + values.pack(value)), 4))
values.PACKERS.pop(np.ndarray)
values.with_numpy(np, lenient=True)  # as a candidate's side has it
for value, dtype in [
    (np.float16(1), "f8"), (np.ones(2, "f2"), "f4"), (np.ones(2, "g"), "f8"),
    (np.matrix([[1.0]]), "f8"), (np.ma.array([1.0]), "f8"),
]:
    assert values.unpack(values.pack(value)).dtype == dtype
`)
	for i, data := range list {
		if err := Check(data, 0); err != nil {
			t.Errorf("sample %d: %v", i, err)
		}
	}
}

// The error about an object that is not a value names the object and its place.
func TestUnfitValues(t *testing.T) {
	ask(t, `
class Graph: pass
class Liar(list):
    def __len__(self): return 10**9
    __class__ = list
loop = []
loop.append(loop)
for value, says in [
    ({1}, "a set"), ([0, {"items": [1, Graph()]}], "a Graph at [1]['items'][1]"),
    (Liar(), "a Liar"), (np.array([None]), "an array of objects"), (np.float16(1), "a float16"),
    (np.ones(2, "f2"), "an array of float16"), (np.zeros((1,) * 9), "an array of more than 8"),
    (2**5000, "an int of more than 4096 bits"), ("\ud800", "half of a surrogate"),
    (loop, "more than 32 levels"), (b"a" * (64 << 20), "64 MiB"),
    ({(1, (2, b"")): {(np.int8(1),): 1}, (): range(3)}, "a range at [()]"),
    # Counted while they are made: all of it would be many GiB.
    ([[[0] * 1000] * 10**4] * 10**4, "64 MiB"), ([np.zeros(1 << 20)] * 10**4, "64 MiB"),
    ([["a" * 10**6] * 1000] * 1000, "64 MiB"), ([b"a" * 10**6] * 10**5, "64 MiB"),
    ([0, [0, None] * 2**19], "values"), (dict.fromkeys(range(1 << 21)), "values"),
]:
    try:
        values.pack(value)
    except values.Unfit as error:
        assert says in str(error), (str(error), says)
    else:
        raise AssertionError(says)
`, nil)
}

// handmade are values of all kinds, whole and broken, for the fuzzer.
var handmade = [][]byte{
	{packNone}, {packTrue}, {packInt, 1, 2, 3, 4, 5, 6, 7, 8}, {packBig, 2, 0, 1, 2},
	{packComplex, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {packText, 2, 0, 0, 0, 'a', 'b'},
	{packText, 1, 0, 0, 0, 0xff}, {packRaw, 1, 0, 0, 0, 0xff}, {packList, 2, 0, 0, 0, 0, 0},
	{packTuple, 1, 0, 0, 0, packList, 0, 0, 0, 0}, {packDict, 1, 0, 0, 0, packTrue, packNone},
	{packDict, 1, 0, 0, 0, packList, 0, 0, 0, 0, packNone}, {packList, 255, 255, 255, 255},
	{packArray, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 5, 6}, {packArray, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8},
	{packScalar, 0, 1}, {packScalar, 0, 2}, {packRow, 1, 'b', 2, 0, 0, 0, 1, 2},
	{packTable, 3, 'h', 2, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4}, {packKept, 0, 0, 0, 0},
	{packTable, 0, 'b', 255, 255, 255, 255, 255, 255, 255, 255},
	{packArray, 10, 2, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0},
}

// FuzzCheck: no bytes make Check panic, and no truncated or extended value passes.
func FuzzCheck(f *testing.F) {
	for _, b := range handmade {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if Check(b, 1) != nil {
			return
		}
		if Check(b[:len(b)-1], 1) == nil || Check(append(b, 0), 1) == nil {
			t.Errorf("%v passes, and so does a shorter or longer copy", b)
		}
	})
}

// Go and Python, which builds the values, agree on mutated frames: the frames that Go accepts are
// well formed. Only Python can see keys that are equal.
func TestMutatedFrames(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{22}))
	seeds := append(packed(t, ""), handmade...)
	var input []byte
	var verdicts []error
	for range 4000 {
		b := bytes.Clone(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(3) {
			switch at := r.IntN(len(b) + 1); r.IntN(5) {
			case 0:
				b = b[:at]
			case 1:
				b = append(b[:at:at], seeds[r.IntN(len(seeds))]...)
			case 2:
				b = append(b, byte(r.IntN(20)))
			default:
				if at < len(b) {
					b[at] = byte(r.IntN([]int{20, 256}[r.IntN(2)]))
				}
			}
		}
		input = append(binary.LittleEndian.AppendUint32(input, uint32(len(b))), b...)
		verdicts = append(verdicts, Check(b, 0))
	}
	out := ask(t, `
data = sys.stdin.buffer.read()
at = 0
while at < len(data):
    size, = struct.unpack_from("<I", data, at)
    try:
        values.unpack(data[at + 4:at + 4 + size])
        print("ok")
    except values.Broken as error:
        print(error)
    at += 4 + size
`, input)
	passed := 0
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		n := 4 + binary.LittleEndian.Uint32(input)
		b := input[4:n]
		input = input[n:]
		switch err := verdicts[i]; {
		case err == nil && line == "ok":
			passed++
		case err == nil && (strings.Contains(line, "twice") || strings.Contains(line, "one hash")):
		case err == nil, line == "ok" && !errors.Is(err, ErrTooLarge):
			t.Errorf("%v: Go says %v, Python says %s", b, err, line)
		}
	}
	if passed < 200 {
		t.Errorf("%d mutated frames are values", passed)
	}
}

// A frame cannot announce more than it contains, nor make Python build too much.
func TestPromises(t *testing.T) {
	empty := append([]byte{packList, 0, 0, 80, 0}, make([]byte, 5*(80<<16))...)
	for i := 5; i < len(empty); i += 5 {
		empty[i] = packList
	}
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{empty, ErrTooLarge},
		{[]byte{packRow, 1, 'q', 255, 255, 255, 255, 0}, ErrMessage},
		{[]byte{packTable, 2, 'b', 0, 0, 0, 0, 255, 255, 255, 255}, ErrMessage}, // 0 rows
		{append([]byte{packArray, 10, 2}, make([]byte, 16)...), nil},
		{[]byte{packArray, 10, 2, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 127, 0, 0, 0, 0},
			ErrMessage},
	} {
		if err := Check(c.b, 0); err != c.want {
			t.Errorf("%.20v: %v, want %v", c.b, err, c.want)
		}
	}
}
