package deepaco

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/bench"
)

func TestReadIsTheInverseOfWrite(t *testing.T) {
	want := made(1)
	got, err := Read(write(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("state mismatch (-want +got):\n%s", diff)
	}
}

func TestBrokenFiles(t *testing.T) {
	whole := write(t, State{"a": {Shape: []int{2}, Floats: []float32{1, 2}}})
	pickled := func(build func(p *pickler)) []byte {
		var p pickler
		p.op(0x80, 2)
		build(&p)
		return pack(t, map[string][]byte{"archive/data.pkl": p.Bytes(), "archive/data/0": make([]byte, 8)})
	}
	one := func(shape, stride []int, count, offset int) []byte {
		return pickled(func(p *pickler) {
			p.emptyOrderedDict()
			p.op('(')
			p.text("a")
			p.global(rebuildTensor)
			p.op('(', '(')
			p.text("storage")
			p.global(floatStorage)
			p.text("0")
			p.text("cpu")
			p.number(count)
			p.op('t', 'Q')
			p.number(offset)
			p.numbers(shape)
			p.numbers(stride)
			p.op(0x89)
			p.emptyOrderedDict()
			p.op('t', 'R', 'u', '.')
		})
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"nothing", nil, "no PyTorch checkpoint: zip: not a valid zip file"},
		{"another kind of file", []byte("<html>not found</html>"), "no PyTorch checkpoint: zip: not a valid zip file"},
		{"the end is missing", whole[:len(whole)/2], "no PyTorch checkpoint: zip: not a valid zip file"},
		{"a byte of the data changed", bytes.Replace(whole, []byte{0, 0, 0x80, 0x3f}, []byte{0, 0, 0x81, 0x3f}, 1), `tensor "a": member "archive/data/0": zip: checksum error`},
		{"another archive", pack(t, map[string][]byte{"a.txt": []byte("a")}), "no member data.pkl: no PyTorch checkpoint"},
		{"two pickles", pack(t, map[string][]byte{"a/data.pkl": nil, "b/data.pkl": nil}), "two members named data.pkl: no PyTorch checkpoint"},
		{"an empty pickle", pack(t, map[string][]byte{"a/data.pkl": nil}), "pickle, byte 0: it ends early"},
		{"another protocol", pack(t, map[string][]byte{"a/data.pkl": {0x80, 4}}), "pickle, byte 0: protocol 4, want 2"},
		{"a function that could do harm", pickled(func(p *pickler) { p.global("os.system"); p.text("true"); p.op(0x85, 'R', '.') }), `pickle, byte 2: "os.system" is not one of a checkpoint's names`},
		{"an instruction of other pickles", pickled(func(p *pickler) { p.op(0x93, '.') }), "pickle, byte 2: instruction 0x93 is not one of a checkpoint"},
		{"a call with other arguments", pickled(func(p *pickler) { p.global(orderedDict); p.number(1); p.op(0x85, 'R', '.') }), "pickle, byte 31: a call that no checkpoint makes"},
		{"no dictionary", pickled(func(p *pickler) { p.number(1); p.op('.') }), "pickle, byte 5: the result is no dictionary"},
		{"more than a dictionary", pickled(func(p *pickler) { p.number(1); p.op('}', '.') }), "pickle, byte 6: the result is no dictionary"},
		{"an entry that is no tensor", pickled(func(p *pickler) { p.op('}'); p.text("a"); p.number(1); p.op('s', '.') }), `entry "a" is no tensor`},
		{"an entry twice", pickled(func(p *pickler) {
			p.op('}', '(')
			p.text("a")
			p.number(1)
			p.text("a")
			p.number(1)
			p.op('u', '.')
		}), `pickle, byte 22: "a" twice`},
		{"a storage of another type", pickled(func(p *pickler) {
			p.op('(')
			p.text("storage")
			p.global(orderedDict)
			p.text("0")
			p.text("cpu")
			p.number(1)
			p.op('t', 'Q', '.')
		}), "pickle, byte 58: a storage that is none of float32 or int64"},
		{"nothing remembered", pickled(func(p *pickler) { p.op('h', 3, '.') }), "pickle, byte 2: nothing is remembered as 3"},
		{"an empty stack", pickled(func(p *pickler) { p.op('.') }), "pickle, byte 2: the stack is empty"},
		{"no mark", pickled(func(p *pickler) { p.op('t', '.') }), "pickle, byte 2: there is no mark"},
		{"a string longer than the file", pickled(func(p *pickler) {
			p.op('X')
			p.Write(binary.LittleEndian.AppendUint32(nil, 1<<31))
		}), "pickle, byte 2: it ends early"},
		{"a tensor that fits", one([]int{2}, []int{1}, 2, 0), ""},
		{"a part of a storage", one([]int{1}, []int{1}, 2, 0), `tensor "a": shape [1] is not the whole of a storage of 2`},
		{"an offset", one([]int{2}, []int{1}, 2, 1), `tensor "a": shape [2] is not the whole of a storage of 2`},
		{"columns first", one([]int{2, 2}, []int{1, 2}, 4, 0), `tensor "a": strides [1 2] of shape [2 2] are not those of rows`},
		{"other data than the shape says", one([]int{3}, []int{1}, 3, 0), `tensor "a": 8 bytes of data for shape [3]`},
		{"an enormous shape", one([]int{65535, 65535, 65535, 65535}, []int{1, 1, 1, 1}, 1, 0), `tensor "a": shape [65535 65535 65535 65535] is too large`},
		{"a storage larger than the file", one([]int{65535}, []int{1}, 65535, 0), `tensor "a": the file has no room for all its tensors`},
	} {
		_, err := Read(c.raw)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOpenSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tsp.pt")
	if err := os.WriteFile(path, write(t, made(1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, ""); err != nil {
		t.Error(err)
	}
	if _, err := Load(path, ""); err != nil {
		t.Error(err)
	}
	large := filepath.Join(dir, "large.pt")
	if err := os.WriteFile(large, make([]byte, largestFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, digest, want, hint string }{
		{filepath.Join(dir, "absent.pt"), "", "no checkpoint " + filepath.Join(dir, "absent.pt"), "bash scripts/fetch-deepaco fetches the published checkpoints"},
		{path, Official()[0].SHA256, path + " is not the published checkpoint: its SHA-256 is ", "remove it and run scripts/fetch-deepaco again"},
		{large, "", large + " is larger than 16 MB, no checkpoint of DeepACO", ""},
		{dir, "", "read " + dir + ": is a directory", ""},
	} {
		_, err := Open(c.path, c.digest)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || bench.HintOf(err) != c.hint {
			t.Errorf("%s: %v, hint %q, want %q, hint %q", c.path, err, bench.HintOf(err), c.want, c.hint)
		}
	}
}

func TestNetsOfOtherCheckpointsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(State)
		want   string
	}{
		{"an entry is missing", func(s State) { delete(s, "emb_net.v_lins3.7.bias") }, `entry "emb_net.v_lins3.7.bias" is missing: no checkpoint of DeepACO's network`},
		{"an entry too many", func(s State) { s["more"] = Tensor{} }, `entry "more" is not one of DeepACO's network`},
		{"another shape", func(s State) { s["emb_net.v_lin0.weight"] = Tensor{Shape: []int{32, 3}, Floats: make([]float32, 96)} }, `entry "emb_net.v_lin0.weight" has shape [32 3], want [32 2] of float32`},
		{"integers", func(s State) { s["emb_net.v_lin0.bias"] = Tensor{Shape: []int{32}, Longs: make([]int64, 32)} }, `entry "emb_net.v_lin0.bias" has shape [32], want [32] of float32`},
		{"no counter", func(s State) { delete(s, "emb_net.v_bns.0.module.num_batches_tracked") }, `entry "emb_net.v_bns.0.module.num_batches_tracked" is missing or no counter`},
		{"a negative variance", func(s State) { s["emb_net.e_bns.3.module.running_var"].Floats[5] = -1 }, `entry "emb_net.e_bns.3.module.running_var" holds a negative variance`},
	} {
		s := made(1)
		c.change(s)
		if _, err := NewNet(s); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// FuzzRead: no file makes the reader panic, or grow beyond a few times the file.
func FuzzRead(f *testing.F) {
	f.Add(write(f, State{"a": {Shape: []int{1, 2}, Floats: []float32{1, 2}}, "n": {Shape: []int{}, Longs: []int64{640}}}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Read(raw)
		if err != nil {
			return
		}
		size := 0
		for _, v := range s {
			size += len(v.Floats) + len(v.Longs)
		}
		if size > len(raw) {
			t.Errorf("%d numbers out of %d bytes", size, len(raw))
		}
		again, err := Read(write(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(s)), slices.Sorted(maps.Keys(again))) {
			t.Error("what is written back has other entries")
		}
	})
}

// FuzzUnpickle: no pickle makes the machine panic.
func FuzzUnpickle(f *testing.F) {
	for _, s := range []State{{}, {"a": {Shape: []int{1, 2}, Floats: []float32{1, 2}}}} {
		raw := write(f, s)
		at := bytes.Index(raw, []byte{0x80, 2})
		f.Add(raw[at : at+bytes.Index(raw[at:], []byte("sb."))+3])
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := unpickle(raw)
		if err == nil && len(d.keys) != len(d.values) {
			t.Errorf("%d keys, %d values", len(d.keys), len(d.values))
		}
	})
}
