// Package plain opens files in directories that may come from a stranger. It opens regular files
// only, and bounds their size: a link could lead to any of the user's files, and opening a pipe
// or a device could block for ever. Start at Open and Read.
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

// Bounds on the sizes of files that are read, in bytes.
const (
	// Small is for one JSON document, one program, one picture or policy.
	Small = 64 << 20
	// Large is for the lines of a whole run. A run of 1000 evaluations has about 15 MB.
	Large = 1 << 30
	// Larger is for the answers of many runs.
	Larger = 4 << 30
)

var (
	// ErrNotPlain means that a path leads to a link, a pipe, a device or a directory instead of a
	// file.
	ErrNotPlain = errors.New("not a regular file; links are not followed")
	// ErrShared means that a file to be written or passed on has a second name, a hard link. It may
	// be one of the user's own files.
	ErrShared = errors.New("the file has more than one hard link; use a copy of the file")
	// ErrNotDir means that a path leads to something other than a directory.
	ErrNotDir = errors.New("not a directory; links are not followed")
	// ErrTooLarge means that a file exceeds its bound.
	ErrTooLarge = errors.New("too large")
)

// Open opens the regular file at path, without following a link in the last part of path and
// without waiting. flag is the flag of os.OpenFile; a new file has the permissions 0644. Open
// refuses to write a file that has a second name.
func Open(path string, flag int) (*os.File, error) {
	// A file is truncated after it has been checked.
	f, err := os.OpenFile(path, flag&^os.O_TRUNC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		// The error for a link is ELOOP, or EMLINK on some systems; for a pipe without a reader,
		// ENXIO.
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

// Alone returns an error if the file at path is missing or has more than one name: the file could
// be one of the user's own files.
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

// wrong returns err for the file at path, with a hint.
func wrong(path string, err error) error {
	return hint.Add(&fs.PathError{Op: "open", Path: path, Err: err},
		"replace it with a copy of the file that it leads to, or remove it")
}

// Read reads the regular file at path. More bytes than most are an error.
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
	if info.Size() <= most { // allocate no memory for a larger file
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

// Dir returns an error if path leads to something other than a directory, such as a link to a
// directory.
func Dir(path string) error {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return wrong(path, ErrNotDir)
	}
	return nil
}

// MkdirAll makes a directory if it is missing. It refuses a link in the last part of path.
func MkdirAll(path string) error {
	if err := Dir(path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o755)
}

// Files returns an error if a directory, which may be missing, contains something other than
// regular files. It is for files that another program is about to open.
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
