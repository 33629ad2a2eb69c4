// Package journal implements an append-only file of JSON lines that survives kill -9, a full disk,
// and processes on this and other machines. The first line is a header. A line is durable
// when Append returns. Start at Open and TryLock. The package does not know what the lines mean.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/plain"
)

// ErrCorrupt means that a line is not JSON, in a way that a killed writer cannot cause. See also
// ErrChanged.
var ErrCorrupt = errors.New("not a line of JSON")

// A File is an open journal. One goroutine uses it at a time.
type File struct {
	f    *os.File
	sums *os.File // nil after a failed write to it
	path string
	size int64 // bytes of complete lines; the next write begins here
	err  error // the first failed write; no write follows it
	lock *Lock // checked before every write; nil: no other process can write here
}

// Guard makes every Append check first that l still holds the directory.
func (j *File) Guard(l *Lock) { j.lock = l }

// Open opens the journal at path for appending, creates it if it is missing, and returns its
// complete lines. It cuts off a torn last line, which a killed writer leaves. It unpacks a packed
// journal.
func Open(path string) (*File, [][]byte, error) {
	if err := Unpack(path); err != nil {
		return nil, nil, err
	}
	lines, good, err := Read(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	f, err := plain.Open(path, os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return nil, nil, err
	}
	j := &File{f: f, path: path, size: good}
	if err = f.Truncate(good); err == nil {
		j.sums, err = openSums(path, lines)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	if len(lines) == 0 { // the file may be new: make its name durable too
		syncDir(filepath.Dir(path))
	}
	return j, lines, nil
}

// Read returns the complete lines of the journal at path, packed or not, without their newlines,
// and their number of bytes. It changes nothing, so it works while another process writes.
func Read(path string) (lines [][]byte, good int64, err error) {
	lines, good, err = Lines(path)
	if err != nil {
		return nil, 0, err
	}
	for i, line := range lines {
		if !json.Valid(line) {
			return nil, 0, fmt.Errorf("%s:%d: %w", path, i+1, ErrCorrupt)
		}
	}
	return lines, good, nil
}

// Lines is Read for callers that decode every line: it only checks the checksums, and whether the
// last line is torn.
func Lines(path string) (lines [][]byte, good int64, err error) {
	path = strings.TrimSuffix(path, packedSuffix)
	sums, err := readSums(path) // read first, because sums are never ahead of their lines
	if err != nil {
		return nil, 0, err
	}
	data, err := ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole && (len(lines) > 0 || data[0] == '{' || data[0] == 0) {
			break // torn: the newline is the last byte of a write
		}
		if !whole { // a journal begins with its header
			return nil, 0, fmt.Errorf("%s:1: %w", path, ErrCorrupt)
		}
		if len(rest) == 0 && len(sums) <= len(lines)*sumLength && !json.Valid(line) {
			if len(lines) > 0 || bytes.IndexByte(line, 0) >= 0 {
				break // a torn line whose blocks reached the disk out of order
			}
			return nil, 0, fmt.Errorf("%s:%d: %w", path, len(lines)+1, ErrCorrupt)
		}
		lines = append(lines, slices.Clip(line))
		good += int64(len(line)) + 1
		data = rest
	}
	return lines, good, checkSums(path, lines, sums)
}

// Append writes the lines, which must be JSON without newlines, in one write, and returns when they
// are on disk. After an error, the file keeps its old end, and every later Append also fails.
func (j *File) Append(lines ...[]byte) error {
	if j.err != nil {
		return j.err
	}
	if j.lock != nil {
		if j.err = j.lock.Check(); j.err != nil {
			return j.err
		}
	}
	var buf []byte
	for _, l := range lines {
		if bytes.IndexByte(l, '\n') >= 0 {
			panic("journal: a line holds a newline")
		}
		buf = append(append(buf, l...), '\n')
	}
	_, err := j.f.WriteAt(buf, j.size)
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err // the error below names the path
	}
	if err == nil {
		err = plain.Synced(datasync(j.f))
	}
	if err != nil {
		j.err = fmt.Errorf("write %s: %w", j.path, err)
		// If this fails, the next Open cuts off the torn line.
		_ = j.f.Truncate(j.size)
		return j.err
	}
	j.size += int64(len(buf))
	if j.sums != nil {
		if _, err := j.sums.Write(sumsOf(lines)); err != nil { // the next Open writes them
			_ = j.sums.Close()
			j.sums = nil
		}
	}
	return nil
}

// Close closes the file; its lines are already on disk.
func (j *File) Close() error {
	if j.sums != nil {
		_ = j.sums.Close() // the next Open writes missing checksums
	}
	return j.f.Close()
}

// Replace replaces the journal at path with lines, as a whole: a reader sees the old journal or the
// new one. No process may have it open.
func Replace(path string, lines [][]byte) error {
	// A journal without checksums is accepted; the next Open writes the new ones.
	if err := RemoveSums(path); err != nil {
		return err
	}
	if err := WriteFile(path, append(bytes.Join(lines, []byte("\n")), '\n')); err != nil {
		return err
	}
	// The plain file has precedence; its packed form belongs to the old journal.
	return remove(PackedPath(path))
}

// remove removes a file that may be missing.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir makes a new file's name durable. Some file systems refuse the call and do not need it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// WriteShared is WriteFile for a file that several processes write with the same content, in a
// directory that may be missing. It does nothing if the file exists.
func WriteShared(path string, data []byte) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := plain.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return WriteFile(path, data)
}
