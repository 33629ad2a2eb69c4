package deepaco

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// write makes a safetensors file.
func write(s State) []byte {
	type entry struct {
		DType string `json:"dtype"`
		Shape []int  `json:"shape"`
		Range [2]int `json:"data_offsets"`
	}
	header, data := map[string]entry{}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		begin := len(data)
		for _, v := range s[name].Floats {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = entry{"F32", s[name].Shape, [2]int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// convert runs scripts/convert_deepaco.py and returns the file that it writes, and its output.
func convert(t *testing.T, checkpoint string) (raw []byte, said string, err error) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: scripts/convert_deepaco.py is not tested")
	}
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command(python, "../../../scripts/convert_deepaco.py", checkpoint, out)
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, string(text), err
	}
	raw, err = os.ReadFile(out)
	return raw, string(text), err
}

// TestConversion reads a small checkpoint that PyTorch wrote; testdata/network.py describes its
// content.
func TestConversion(t *testing.T) {
	raw, said, err := convert(t, "testdata/tiny.pt")
	if err != nil {
		t.Fatal(err, said)
	}
	got, err := Read(raw)
	must.Do(t, err)
	want := State{
		"lin.weight": {
			[]int{2, 3}, []float32{1, -2.5, 3.25, 0.1, 1e-30, float32(math.Copysign(0, -1))},
		},
		"lin.bias": {[]int{2}, []float32{0.5, 7}},
		"scale":    {[]int{}, []float32{1.5}},
		"_dummy":   {[]int{0}, []float32{}},
	}
	golden.Same(t, "state", want, got)
	if !math.Signbit(float64(got["lin.weight"].Floats[5])) {
		t.Error("the sign of a zero is lost")
	}
}

// TestConversionRefusesWhatIsNotACheckpoint converts pickles that are not checkpoints. Some of them
// would call a function, which must not happen.
func TestConversionRefusesWhatIsNotACheckpoint(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	text := func(s string) string {
		return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
	}
	tensor := func(kind, sizes string) string {
		return "\x80\x02}" + text("a") + "ctorch._utils\n_rebuild_tensor_v2\n((" +
			text("storage") + "ctorch\n" + kind + "\n" +
			text("0") + text("cpu") + "K\x02tQ" + sizes + "\x89}tRs."
	}
	for _, c := range []struct{ name, pickle, want string }{
		{"a tensor", tensor("FloatStorage", "K\x00K\x02\x85K\x01\x85"), ""},
		{"a function that could do harm",
			"\x80\x02cos\nsystem\n" + text("touch "+trace) + "\x85R.",
			"os.system is not one of a checkpoint's names"},
		{"the same in a newer pickle",
			"\x80\x04" + text("os") + text("system") + "\x93" + text("touch "+trace) + "\x85R.",
			"os.system is not one of a checkpoint's names"},
		{"another type of numbers", tensor("HalfStorage", ""),
			"torch.HalfStorage is not one of a checkpoint's names"},
		{"a part of a storage", tensor("FloatStorage", "K\x00K\x01\x85K\x01\x85"),
			"a tensor of shape (1,) is not the whole of its storage, row by row"},
		{"columns first", tensor("FloatStorage", "K\x00K\x02K\x01\x86K\x01K\x02\x86"),
			"a tensor of shape (2, 1) is not the whole of its storage, row by row"},
		{"not a dictionary", "\x80\x02K\x01.", "it is not a dictionary of tensors"},
		{"an empty pickle", "", "Ran out of input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var raw bytes.Buffer
			z := zip.NewWriter(&raw)
			for name, data := range map[string]string{
				"archive/data.pkl": c.pickle, "archive/data/0": "\x00\x00\x80\x3f\x00\x00\x00\x40",
			} {
				w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
				if err == nil {
					_, err = w.Write([]byte(data))
				}
				must.Do(t, err)
			}
			path := filepath.Join(t.TempDir(), "a.pt")
			must.Do(t, z.Close(), os.WriteFile(path, raw.Bytes(), 0o600))
			_, said, err := convert(t, path)
			if (err == nil) != (c.want == "") || !strings.Contains(said, c.want) ||
				strings.Contains(said, "Traceback") {
				t.Errorf("it says %q (%v), want %q", said, err, c.want)
			}
			if _, err := os.Stat(trace); err == nil {
				t.Error("the function was called")
			}
		})
	}
}

func TestBrokenFiles(t *testing.T) {
	file := func(header string, data int) []byte {
		size := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		return slices.Concat(size, []byte(header), make([]byte, data))
	}
	const short = "not a safetensors file: it is shorter than its header"
	for _, c := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"nothing", nil, short},
		{"a header that is cut off", file(`{}`, 0)[:9], short},
		{"an enormous header", binary.LittleEndian.AppendUint64(nil, math.MaxUint64), short},
		{"another kind of file", file("<html>", 0),
			"not a safetensors file: not JSON at byte 1: " +
				"invalid character '<' looking for beginning of value"},
	} {
		if _, err := Read(c.raw); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, c := range []struct{ name, dtype, shape, offsets, want string }{
		{"a tensor that fits", "F32", "2,1", "0,8", ""},
		{"another type", "I64", "1", "0,8", "I64 of shape [1] in bytes 0 to 8"},
		{"too few numbers", "F32", "2", "0,4", "F32 of shape [2] in bytes 0 to 4"},
		{"numbers behind the end", "F32", "2", "4,12", "F32 of shape [2] in bytes 4 to 12"},
		{"numbers before the start", "F32", "2", "-8,0", "F32 of shape [2] in bytes -8 to 0"},
		{"a negative shape", "F32", "-1,-2", "0,8", "F32 of shape [-1 -2] in bytes 0 to 8"},
		{"an enormous shape", "F32", "4294967296,4294967296", "0,0",
			"F32 of shape [4294967296 4294967296] in bytes 0 to 0"},
	} {
		_, err := Read(file(fmt.Sprintf(`{"a":{"dtype":%q,"shape":[%s],"data_offsets":[%s]}}`,
			c.dtype, c.shape, c.offsets), 8))
		want := `entry "a" is not a valid F32 tensor: ` + c.want + " of 8"
		if (err == nil) != (c.want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestLoadSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tsp.safetensors")
	must.Do(t, os.WriteFile(path, write(made()), 0o600))
	for _, c := range []struct{ path, want, hint string }{
		{filepath.Join(dir, "absent"), "there is no checkpoint " + filepath.Join(dir, "absent"),
			"bash scripts/fetch-deepaco " + dir + " fetches the published checkpoints"},
		{path, path + " is not the published checkpoint: its SHA-256 is ",
			"remove the file and run bash scripts/fetch-deepaco " + dir + " again"},
		{dir, "read " + dir + ": is a directory", ""},
	} {
		_, err := Load(c.path, Published["tsp20.safetensors"])
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || hint.Of(err) != c.hint {
			t.Errorf("%s: %v, hint %q, want %q, hint %q",
				c.path, err, hint.Of(err), c.want, c.hint)
		}
	}
}

func TestNetsOfOtherCheckpointsAreRefused(t *testing.T) {
	absent, wide := made(), made()
	delete(absent, "emb_net.v_lins3.7.bias")
	wide["emb_net.v_lin0.weight"] = Tensor{[]int{32, 3}, make([]float32, 96)}
	for _, c := range []struct {
		state State
		want  string
	}{
		{absent, `entry "emb_net.v_lins3.7.bias" has shape [], want [32] as in DeepACO's network`},
		{wide,
			`entry "emb_net.v_lin0.weight" has shape [32 3], want [32 2] as in DeepACO's network`},
	} {
		if _, err := NewNet(c.state); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// FuzzRead checks that no file makes the reader panic, and that no tensor is larger than its file.
func FuzzRead(f *testing.F) {
	f.Add(write(State{
		"a": {Shape: []int{1, 2}, Floats: []float32{1, 2}},
		"n": {Shape: []int{}, Floats: []float32{640}},
	}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Read(raw)
		if err != nil {
			return
		}
		for name, v := range s {
			if 4*len(v.Floats) > len(raw) {
				t.Errorf("%q: %d numbers out of %d bytes", name, len(v.Floats), len(raw))
			}
		}
	})
}
