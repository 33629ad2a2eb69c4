package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pacebench/pacebench/internal/plain"
)

// A complete file may be packed: path.zst, one zstd frame, replaces path. A journal repeats its
// prompts, so it shrinks to a fiftieth of its size. If both files exist, the plain one counts: only
// a kill between the two steps of Pack or Unpack leaves both, and only the plain one is ever
// written to.

// MaxPacked bounds the size of a file before packing and after unpacking, in bytes. A run of 1000
// evaluations has a journal of about 15 MB.
const MaxPacked = 256 << 20

// ErrPacked means that a packed file is damaged, or that its contents exceed MaxPacked.
var ErrPacked = errors.New("cannot be unpacked")

const packedSuffix = ".zst"

// PackedPath returns the path of the packed form of the file at path.
func PackedPath(path string) string { return path + packedSuffix }

// ReadFile reads the file at path, or unpacks its packed form in memory if only that exists. path
// may also name the packed form. The error wraps os.ErrNotExist if neither exists.
func ReadFile(path string) ([]byte, error) {
	path = strings.TrimSuffix(path, packedSuffix)
	data, err := plain.Read(path, plain.Large)
	if !errors.Is(err, os.ErrNotExist) {
		return data, err
	}
	packed, perr := plain.Read(PackedPath(path), MaxPacked)
	if errors.Is(perr, os.ErrNotExist) {
		return nil, err
	}
	if perr != nil {
		return nil, perr
	}
	if data, perr = unpack(packed, MaxPacked); perr != nil {
		return nil, fmt.Errorf("%s: %w", PackedPath(path), perr)
	}
	return data, nil
}

// Pack replaces the file at path with its packed form, unless the file is packed already. No
// process may write to the file meanwhile. Equal content packs to equal bytes.
func Pack(path string) error {
	data, err := plain.Read(path, plain.Large)
	if err == nil {
		err = plain.Alone(path)
	}
	if errors.Is(err, os.ErrNotExist) {
		if _, perr := os.Stat(PackedPath(path)); perr == nil {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if len(data) > MaxPacked {
		return fmt.Errorf("%s: more than %d MiB: too large to pack", path, MaxPacked>>20)
	}
	packed, err := pack(data)
	if err != nil {
		return err
	}
	const differs = "%s: not changed: its compressed copy does not unpack to the same contents"
	back, err := unpack(packed, MaxPacked)
	if err != nil {
		return fmt.Errorf(differs+": %w", path, err)
	}
	if !bytes.Equal(back, data) {
		return fmt.Errorf(differs, path)
	}
	if err := WriteFile(PackedPath(path), packed); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	syncDir(filepath.Dir(path))
	return nil
}

// Unpack restores the plain file at path. It does nothing if there is no packed form.
func Unpack(path string) error {
	packed := PackedPath(path)
	if _, err := os.Lstat(packed); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		data, err := ReadFile(path)
		if err == nil {
			err = WriteFile(path, data)
		}
		if err != nil {
			return err
		}
	}
	return os.Remove(packed)
}

// pack compresses in one goroutine, with a window that covers all of data.
func pack(data []byte) ([]byte, error) {
	over := 1 << max(bits.Len(uint(len(data))), 20)
	e, err := packer(nil, over)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(data, nil), nil
}

// unpack checks that the content has at most most bytes before it allocates memory.
func unpack(packed []byte, most uint64) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(most), zstd.WithDecoderMaxWindow(max(most, zstd.MinWindowSize)))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	data, err := d.DecodeAll(packed, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, fmt.Errorf("%w: it contains more than %d MiB", ErrPacked, most>>20)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrPacked, err)
	}
	return data, nil
}

// window is how many bytes back a stream can refer. It is large because runs of one suite repeat
// each other's prompts.
const window = 64 << 20

// NewPacker returns a writer that compresses its input into w. Equal input gives equal bytes,
// however it is divided into writes. Close ends the frame and leaves w open.
func NewPacker(w io.Writer) (io.WriteCloser, error) { return packer(w, window) }

func packer(w io.Writer, window int) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
}

// NewUnpacker returns a reader that decompresses the output of NewPacker. Its memory is bounded;
// the caller must bound the number of bytes to read.
func NewUnpacker(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
