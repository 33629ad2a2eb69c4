package deepaco

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/internal/hint"
)

// Published has, by file name, the SHA-256 of each official network as converted by
// scripts/fetch-deepaco. The networks are DeepACO's TSP networks without local search:
// henry-yeh/DeepACO, folder pretrained/tsp, commit 9a756a3fe6cf9627ecc166110a02fdbb61f2a0d7, MIT
// licence. They are downloaded on demand and are not part of this repository.
var Published = map[string]string{
	"tsp20.safetensors":  "c919c26516b36eddae0195308a3e38509730566a8c08172d0822d45150b3578c",
	"tsp100.safetensors": "4b6ce7fb1dc65cc0a8bd27cdf7b8b4a297561aa8a797159aacaf9bfdad02ddb1",
	"tsp500.safetensors": "467621fef596c15767f906c666fae89a0c9123bc216d467457b79fd0af8c7c4d",
}

// A State holds the float32 tensors of a network by name.
type State map[string]Tensor

// A Tensor is one entry of a State, in row-major order.
type Tensor struct {
	Shape  []int
	Floats []float32
}

// Load reads the network at path. The SHA-256 of the file must be digest.
func Load(path, digest string) (*Net, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hint.Add(fmt.Errorf("there is no checkpoint %s", path),
			fetching(path)+" fetches the published checkpoints")
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != digest {
		return nil, hint.Add(
			fmt.Errorf("%s is not the published checkpoint: its SHA-256 is %x", path, sum),
			"remove the file and run "+fetching(path)+" again")
	}
	s, err := Read(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	n, err := NewNet(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// fetching returns the command that downloads the published checkpoints to the directory of path.
func fetching(path string) string {
	command, dir := "bash scripts/fetch-deepaco", filepath.Dir(path)
	if usual, err := DefaultDir(); err == nil && usual == dir {
		return command
	}
	return command + " " + dir
}

// Read reads a safetensors file of float32 tensors: the length of its header in eight bytes, the
// header in JSON, and the numbers of all tensors. Everything is little-endian.
func Read(raw []byte) (State, error) {
	if len(raw) < 8 || binary.LittleEndian.Uint64(raw) > uint64(len(raw)-8) {
		return nil, errors.New("not a safetensors file: it is shorter than its header")
	}
	size := binary.LittleEndian.Uint64(raw)
	header, data := raw[8:8+size], raw[8+size:]
	var entries map[string]struct {
		DType string `json:"dtype"`
		Shape []int  `json:"shape"`
		Range [2]int `json:"data_offsets"` // begin and end of the numbers, in bytes
	}
	if err := json.Unmarshal(header, &entries); err != nil {
		return nil, fmt.Errorf("not a safetensors file: %w", hint.JSON(err))
	}
	s := make(State, len(entries))
	for name, e := range entries {
		begin, end := e.Range[0], e.Range[1]
		if e.DType != "F32" || begin < 0 || end < begin || end > len(data) ||
			!fits(e.Shape, end-begin) {
			return nil, fmt.Errorf(
				"entry %.80q is not a valid F32 tensor: %s of shape %v in bytes %d to %d of %d",
				name, e.DType, e.Shape, begin, end, len(data))
		}
		t := Tensor{Shape: e.Shape, Floats: make([]float32, (end-begin)/4)}
		for i := range t.Floats {
			t.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[begin+4*i:]))
		}
		s[name] = t
	}
	return s, nil
}

// fits reports whether a float32 tensor takes the given number of bytes.
func fits(shape []int, bytes int) bool {
	size := 4
	for _, n := range shape {
		if n < 0 || n > 0 && size > bytes/n {
			return false
		}
		size *= n
	}
	return size == bytes
}

// DefaultDir returns the default directory of scripts/fetch-deepaco, pacebench/deepaco in the
// user's cache directory.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory for the checkpoints: %w", err)
	}
	return filepath.Join(dir, "pacebench", "deepaco"), nil
}
