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
	"syscall"
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
	// ErrNotDir is the same of a directory.
	ErrNotDir = errors.New("not a directory; links are not followed")
	// ErrTooLarge means that a file is larger than what is believed of it.
	ErrTooLarge = errors.New("too large")
)

// Open opens the regular file at path, without following a link in its last part and without
// waiting. flag is as of os.OpenFile; a file that it creates has the permissions 0644.
func Open(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		// A link is ELOOP, or on other systems EMLINK; a pipe that nobody reads is ENXIO.
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			err = notPlain(path)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notPlain(path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func notPlain(path string) error { return &fs.PathError{Op: "open", Path: path, Err: ErrNotPlain} }

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
		return &fs.PathError{Op: "open", Path: path, Err: ErrNotDir}
	}
	return nil
}
