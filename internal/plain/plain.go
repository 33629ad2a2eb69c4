// Package plain opens files of directories that may come from a stranger: regular files only, and
// only so much of them. A link there could lead to any file of the reader, a pipe or a device could
// keep whoever opens it for ever. Start at Open and Read.
package plain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pacebench/pacebench/internal/hint"
)

// Bounds on what is read.
const (
	// Small is for one JSON document, one program, one picture or policy.
	Small = 64 << 20
	// Large is for the lines of a whole run; one of 1000 evaluations has some 15 MB.
	Large = 1 << 30
	// Larger is for the answers of many runs.
	Larger = 4 << 30
)

var (
	// ErrNotPlain means that something else stands where a file should be: a link, a pipe, a
	// device, a directory.
	ErrNotPlain = errors.New("not a regular file; links are not followed")
	// ErrShared means that a file to be written or passed on has a second name, a hard link: it may
	// be a file of the reader.
	ErrShared = errors.New("the file has a second name, a hard link; a copy has none")
	// ErrNotDir is the same as ErrNotPlain of a directory.
	ErrNotDir = errors.New("not a directory; links are not followed")
	// ErrTooLarge means that a file is larger than what is believed of it.
	ErrTooLarge = errors.New("too large")
)

// Open opens the regular file at path, without following a link in its last part and without
// waiting. flag is as of os.OpenFile; a file that it creates has the permissions 0644. One that is
// opened for writing has no other name.
func Open(path string, flag int) (*os.File, error) {
	// What is not known yet is not truncated.
	f, err := os.OpenFile(path, flag&^os.O_TRUNC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		// A link is ELOOP, or on other systems EMLINK; a pipe that nobody reads is ENXIO.
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			err = wrong(path, ErrNotPlain)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = wrong(path, ErrNotPlain)
	}
	if err == nil && flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		err = alone(path, info)
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Alone is an error if the file at path is not there or has more than one name: whoever takes it
// along could take a file of the reader.
func Alone(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return alone(path, info)
}

func alone(path string, info fs.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink > 1 && !info.IsDir() {
		return wrong(path, ErrShared)
	}
	return nil
}

// wrong refuses what stands at path.
func wrong(path string, err error) error {
	return hint.Add(&fs.PathError{Op: "open", Path: path, Err: err},
		"replace it by a copy of what it leads to, or remove it")
}

// Read reads the regular file at path, of at most as many bytes as most says.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if info.Size() <= most { // otherwise no memory is taken for it
		b.Grow(int(info.Size()) + bytes.MinRead)
		if _, err := b.ReadFrom(io.LimitReader(f, most+1)); err != nil {
			return nil, err
		}
	}
	if max(info.Size(), int64(b.Len())) > most {
		return nil, &fs.PathError{Op: "read", Path: path,
			Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)}
	}
	return b.Bytes(), nil
}

// Dir is an error where something else than a directory stands at path, like a link to one.
func Dir(path string) error {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return wrong(path, ErrNotDir)
	}
	return nil
}

// MkdirAll makes a missing directory; a link in its last part is refused.
func MkdirAll(path string) error {
	if err := Dir(path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o755)
}

// Files is an error where a directory, which may be missing, holds something else than regular
// files: another program is about to open them.
func Files(dir string) error {
	if err := Dir(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return wrong(filepath.Join(dir, e.Name()), ErrNotPlain)
		}
	}
	return err
}
