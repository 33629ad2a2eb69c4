package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// prompts returns a journal of n lines that repeat a text, as journals do.
func prompts(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"step":{"number":%d,"request":"%s"}}`+"\n",
			i, bytes.Repeat([]byte("write a function "), 50))
	}
	return b.Bytes()
}

func TestPackAndUnpack(t *testing.T) {
	content := prompts(300)
	path := write(t, string(content))
	lines, _, err := Read(path)
	must.Do(t, err)
	var first []byte
	for range 2 { // the second time does nothing
		must.Do(t, Pack(path))
		packed := must.Read(t, PackedPath(path))
		if first == nil {
			first = packed
		}
		if !bytes.Equal(packed, first) || len(packed) > len(content)/20 {
			t.Errorf("%d bytes packed to %d", len(content), len(packed))
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the plain file is still there: %v", err)
	}
	for _, name := range []string{path, PackedPath(path)} {
		again, good, err := Read(name)
		if err != nil || good != int64(len(content)) {
			t.Fatalf("Read(%s) = %d bytes, %v", name, good, err)
		}
		golden.Same(t, "lines", texts(lines), texts(again))
	}

	j, again, err := Open(path)
	if err != nil || len(again) != len(lines) {
		t.Fatalf("Open: %d lines, %v", len(again), err)
	}
	must.Do(t, j.Append([]byte("1")), j.Close())
	if _, err := os.Stat(PackedPath(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a journal that grows still has its packed copy: %v", err)
	}
	if again, _, err = Read(path); err != nil || len(again) != len(lines)+1 {
		t.Errorf("after Append: %d lines, %v", len(again), err)
	}
}

// TestAKilledPack checks that the plain file counts if a killed Pack left both files.
func TestAKilledPack(t *testing.T) {
	path := write(t, "1\n2\n")
	must.Do(t, Pack(path))
	must.Write(t, path, "1\n2\n3\n")
	for _, step := range []func(string) error{func(string) error { return nil }, Pack, Unpack} {
		must.Do(t, step(path))
		if lines, _, err := Read(path); err != nil || len(lines) != 3 {
			t.Errorf("%q, %v", lines, err)
		}
	}
}

func TestHostileArchives(t *testing.T) {
	const most = 1 << 20
	sane, err := pack(prompts(20))
	must.Do(t, err)
	bomb := func(options ...zstd.EOption) []byte {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, options...)
		must.Do(t, err)
		for range 64 {
			if _, err := w.Write(make([]byte, most)); err != nil {
				t.Fatal(err)
			}
		}
		must.Do(t, w.Close())
		return b.Bytes()
	}
	small, err := pack(make([]byte, most-1))
	must.Do(t, err)
	tests := map[string][]byte{
		"empty":            {0x28},
		"text":             []byte("{\"header\":{}}\n"),
		"cut":              sane[:len(sane)-5],
		"more than it may": bomb(),
		"a large window":   bomb(zstd.WithWindowSize(64 << 20)),
		"many frames":      bytes.Repeat(small, 100),
		"a size that is not there": {
			0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, 1, 0, 0,
		},
		"a window of half a gibi":   {0x28, 0xb5, 0x2f, 0xfd, 0, 19 << 3, 1, 0, 0},
		"a frame, and text behind":  append(bytes.Clone(sane), "{}"...),
		"a dictionary nobody knows": {0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0},
	}
	for name, data := range tests {
		if got, err := unpack(data, most); !errors.Is(err, ErrPacked) {
			t.Errorf("%s: %d bytes, %v; want %v", name, len(got), err, ErrPacked)
		}
		path := filepath.Join(t.TempDir(), "journal.jsonl")
		must.Write(t, PackedPath(path), append([]byte("x"), data...))
		if _, _, err := Open(path); !errors.Is(err, ErrPacked) {
			t.Errorf("%s: Open = %v", name, err)
		}
		if _, err := os.Stat(PackedPath(path)); err != nil {
			t.Errorf("%s: a refused file was touched: %v", name, err)
		}
	}
	for bit := range 8 * len(sane) {
		flipped := bytes.Clone(sane)
		flipped[bit/8] ^= 1 << (bit % 8)
		if got, err := unpack(flipped, most); err == nil && !bytes.Equal(got, prompts(20)) {
			t.Errorf("bit %d flipped: another content, and no error", bit)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	sane, _ := pack(prompts(3))
	f.Add(sane)
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := unpack(data, 1<<16); err == nil && len(got) > 1<<16 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
