package deepaco

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/bench"
)

// A Published is one of the official checkpoints.
type Published struct {
	Name   string // file name
	SHA256 string
	Nodes  int // cities of the instances it was trained on
	K      int // neighbours of each city in training
}

// Official are the TSP networks of DeepACO without local search: henry-yeh/DeepACO, folder
// pretrained/tsp, commit 9a756a3fe6cf9627ecc166110a02fdbb61f2a0d7, MIT licence. They are
// fetched on demand and never part of this repository.
func Official() []Published {
	return []Published{
		{"tsp20.pt", "fd574688474b1a5f1038c54965089d0b8fb024f2b938ccd6e33655f501688402", 20, 10},
		{"tsp100.pt", "34120e2ab18068011fdd668af3d2edbb5b9d55eacb10285b2618efdea3b30c15", 100, 20},
		{"tsp500.pt", "ef77cd834b759569cda4d51cf69c498f236d0f7ac160978d958225def19243fc", 500, 50},
	}
}

// Limits of a file that is read at all. The official ones have 0.4 MB.
const (
	largestFile    = 16 << 20
	largestTensors = 4096
)

// A State is the tensors of a checkpoint by name.
type State map[string]Tensor

// A Tensor is one entry of a checkpoint, in row-major order.
type Tensor struct {
	Shape  []int
	Floats []float32 // of a float tensor
	Longs  []int64   // of an integer tensor
}

// Open reads the checkpoint at path. With a non-empty digest the file must have that SHA-256.
func Open(path, digest string) (State, error) {
	raw, err := readFile(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = bench.Hint(fmt.Errorf("no checkpoint %s", path), "bash scripts/fetch-deepaco fetches the published checkpoints")
		}
		return nil, err
	}
	if sum := sha256.Sum256(raw); digest != "" && hex.EncodeToString(sum[:]) != digest {
		return nil, bench.Hint(fmt.Errorf("%s is not the published checkpoint: its SHA-256 is %x", path, sum), "remove it and run scripts/fetch-deepaco again")
	}
	s, err := Read(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > largestFile {
		return nil, fmt.Errorf("%s is larger than %d MB, no checkpoint of DeepACO", path, largestFile>>20)
	}
	return raw, nil
}

// Read reads a state dictionary as torch.save writes it: a zip archive whose members are
// stored as they are, one with a pickle, one for the data of each tensor.
func Read(raw []byte) (State, error) {
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, fmt.Errorf("no PyTorch checkpoint: %w", err)
	}
	members, pickle := map[string]*zip.File{}, ""
	for _, f := range archive.File {
		if f.Method != zip.Store || f.UncompressedSize64 > uint64(len(raw)) {
			return nil, fmt.Errorf("member %.80q is compressed: no PyTorch checkpoint", f.Name)
		}
		members[f.Name] = f
		if strings.HasSuffix(f.Name, "/data.pkl") {
			if pickle != "" {
				return nil, errors.New("two members named data.pkl: no PyTorch checkpoint")
			}
			pickle = f.Name
		}
	}
	if pickle == "" {
		return nil, errors.New("no member data.pkl: no PyTorch checkpoint")
	}
	text, err := content(members[pickle])
	if err != nil {
		return nil, err
	}
	entries, err := unpickle(text)
	if err != nil {
		return nil, err
	}
	if len(entries.keys) > largestTensors {
		return nil, fmt.Errorf("%d tensors, no checkpoint of DeepACO", len(entries.keys))
	}
	state, left := make(State, len(entries.keys)), len(raw)
	for _, key := range entries.keys {
		t, ok := entries.values[key].(*tensor)
		if !ok {
			return nil, fmt.Errorf("entry %.80q is no tensor", key)
		}
		// Every tensor has a storage of its own; a file that names one many times over must not grow.
		if left -= t.count; left < 0 {
			return nil, fmt.Errorf("tensor %.80q: the file has no room for all its tensors", key)
		}
		if state[key], err = t.load(members[strings.TrimSuffix(pickle, "data.pkl")+"data/"+t.key]); err != nil {
			return nil, fmt.Errorf("tensor %.80q: %w", key, err)
		}
	}
	return state, nil
}

func content(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("member %.80q: %w", f.Name, err)
	}
	defer r.Close()
	raw, err := io.ReadAll(r) // as long as its part of the file, for it is stored; the checksum is verified
	if err != nil {
		return nil, fmt.Errorf("member %.80q: %w", f.Name, err)
	}
	return raw, nil
}

// load reads the data of a tensor that is the whole of its storage, in row-major order.
func (t *tensor) load(f *zip.File) (Tensor, error) {
	size, stride := 1, make([]int, len(t.shape))
	for i := len(t.shape) - 1; i >= 0; i-- {
		stride[i] = size
		if t.shape[i] > 0 && size > largestFile/t.shape[i] {
			return Tensor{}, fmt.Errorf("shape %v is too large", t.shape)
		}
		size *= t.shape[i]
	}
	if len(t.stride) != len(t.shape) || size != t.count || t.offset != 0 {
		return Tensor{}, fmt.Errorf("shape %v is not the whole of a storage of %d", t.shape, t.count)
	}
	for i, s := range t.stride {
		if t.shape[i] > 1 && s != stride[i] {
			return Tensor{}, fmt.Errorf("strides %v of shape %v are not those of rows", t.stride, t.shape)
		}
	}
	var raw []byte
	if f != nil {
		var err error
		if raw, err = content(f); err != nil {
			return Tensor{}, err
		}
	} else if size > 0 {
		return Tensor{}, fmt.Errorf("its data %.80q is missing", t.key)
	}
	out, width := Tensor{Shape: t.shape}, 4
	if t.kind == longStorage {
		width = 8
	}
	if len(raw) != width*size {
		return Tensor{}, fmt.Errorf("%d bytes of data for shape %v", len(raw), t.shape)
	}
	for i := 0; i < len(raw); i += width {
		if width == 4 {
			out.Floats = append(out.Floats, math.Float32frombits(binary.LittleEndian.Uint32(raw[i:])))
		} else {
			out.Longs = append(out.Longs, int64(binary.LittleEndian.Uint64(raw[i:])))
		}
	}
	return out, nil
}

// DefaultDir is where scripts/fetch-deepaco puts the published checkpoints: pacebench/deepaco
// in the user's cache directory.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory for the checkpoints: %w", err)
	}
	return filepath.Join(dir, "pacebench", "deepaco"), nil
}
