package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	must.Write(t, path, content)
	return path
}

func texts(lines [][]byte) []string {
	var out []string
	for _, l := range lines {
		out = append(out, string(l))
	}
	return out
}

func TestOpenCutsOffATornTail(t *testing.T) {
	tests := []struct {
		name, content string
		want          []string
		wantErr       error
	}{
		{"empty file", "", nil, nil},
		{"whole lines", "{\"a\":1}\n[2]\n", []string{`{"a":1}`, "[2]"}, nil},
		{"no newline", "{\"a\":1}\n{\"b\":", []string{`{"a":1}`}, nil},
		{"complete JSON without newline is torn too", "{\"a\":1}\n{\"b\":2}",
			[]string{`{"a":1}`}, nil},
		{"newline before its data", "{\"a\":1}\n\x00\x00\x00\n", []string{`{"a":1}`}, nil},
		{"a header without its newline", "{\"a\":", nil, nil},
		{"a header whose blocks are lost", "\x00\x00}\n", nil, nil},
		{"a foreign line", "notes of mine\n", nil, ErrCorrupt},
		{"a foreign line without newline", "notes of mine", nil, ErrCorrupt},
		{"two foreign lines", "notes\nof mine\n", nil, ErrCorrupt},
		{"broken in the middle", "{\"a\":1}\nxx\n{\"b\":2}\n", nil, ErrCorrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.content)
			j, lines, err := Open(path)
			if !errors.Is(err, tt.wantErr) {
				t.Fatalf("Open error = %v, want %v", err, tt.wantErr)
			}
			if err != nil {
				if after, _ := os.ReadFile(path); string(after) != tt.content {
					t.Errorf("a refused journal was changed to %q", after)
				}
				return
			}
			defer j.Close()
			golden.Same(t, "lines", tt.want, texts(lines))
			must.Do(t, j.Append([]byte(`{"new":1}`)))
			again, _, err := Read(path)
			must.Do(t, err)
			golden.Same(t, "after Append", append(tt.want, `{"new":1}`), texts(again))
		})
	}
}

// TestFullDiskLeavesAResumableJournal fills a file system of 64 KiB.
func TestFullDiskLeavesAResumableJournal(t *testing.T) {
	dir := t.TempDir()
	mount := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir)
	if out, err := mount.CombinedOutput(); err != nil {
		t.Skipf("needs the right to mount a tmpfs: %s", strings.TrimSpace(string(out)))
	}
	defer syscall.Unmount(dir, 0)
	path := filepath.Join(dir, "journal.jsonl")
	j, _, err := Open(path)
	must.Do(t, err)
	defer j.Close()
	line, _ := json.Marshal(strings.Repeat("x", 5000))
	n := 0
	for ; n < 100; n++ {
		if err = j.Append(line); err != nil {
			break
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("after %d lines: error %v, want no space left", n, err)
	}
	if again := j.Append([]byte("1")); again == nil {
		t.Error("Append works after a failed one: a line in between would be missing")
	}
	lines, good, err := Read(path)
	if err != nil || len(lines) != n {
		t.Errorf("Read = %d lines, %v; want %d", len(lines), err, n)
	}
	if info, _ := os.Stat(path); info.Size() != good {
		t.Errorf("file has %d bytes, %d of them good", info.Size(), good)
	}
}

// TestFlippedBits flips every bit of a journal of three lines. Every flip is refused, except in the
// last newline, without which the last line is torn.
func TestFlippedBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, _, err := Open(path)
	if err == nil {
		err = errors.Join(j.Append([]byte(`{"score":-6.25}`)),
			j.Append([]byte(`"a text"`), []byte("[1]")), j.Close())
	}
	must.Do(t, err)
	whole := must.Read(t, path)
	for bit := range 8 * len(whole) {
		flipped := bytes.Clone(whole)
		flipped[bit/8] ^= 1 << (bit % 8)
		must.Write(t, path, flipped)
		lines, _, err := Read(path)
		torn := bit/8 == len(whole)-1
		refused := errors.Is(err, ErrChanged) || errors.Is(err, ErrCorrupt)
		if torn && (err != nil || len(lines) != 2) || !torn && !refused {
			t.Errorf("bit %d flipped: %d lines, %v\n%s", bit, len(lines), err, flipped)
		}
	}
}

// TestChecksumsFollowTheLines checks that Open writes the checksums again if they are lost or torn,
// or if there are too many or too few.
func TestChecksumsFollowTheLines(t *testing.T) {
	const content = "{\"a\":1}\n[2]\n"
	path := write(t, content)
	want := string(sumsOf([][]byte{[]byte(`{"a":1}`), []byte("[2]"), []byte("3")}))
	for _, sums := range []string{
		"", want[:5], want[:9], want[:14], want, want + "0123",
		want[:9] + "\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		must.Do(t, os.WriteFile(path, []byte(content), 0o644),
			os.WriteFile(sumsPath(path), []byte(sums), 0o644))
		j, _, err := Open(path)
		if err != nil {
			t.Fatalf("%q: %v", sums, err)
		}
		must.Do(t, j.Append([]byte("3")), j.Close())
		if got, err := os.ReadFile(sumsPath(path)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", sums, got, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"b\":2}\n{"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "j")
		os.WriteFile(path, data, 0o644)
		lines, good, err := Read(path)
		if err != nil {
			return
		}
		var back []byte
		for _, l := range lines {
			back = append(append(back, l...), '\n')
		}
		if !bytes.Equal(back, data[:good]) {
			t.Errorf("lines do not add up to the file's first %d bytes", good)
		}
	})
}
