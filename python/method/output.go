package pymethod

import (
	"os"
	"sync"

	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/python"
)

// mostLog bounds in bytes what is kept of a method's output: a megabyte has any traceback, and a
// thousand runs fit on a disk.
const mostLog = 1 << 20

// An output keeps the beginning of what a process prints in a file, and the end in memory.
type output struct {
	python.Tail
	mu   sync.Mutex
	file *os.File // guarded by mu; nil: no file, or a full one
	room int      // guarded by mu
}

func newOutput(path string) (*output, error) {
	if path == "" {
		return &output{}, nil
	}
	f, err := plain.Open(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
	return &output{file: f, room: mostLog}, err
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil {
		part := b[:min(len(b), o.room)]
		_, err := o.file.Write(part) // a failed write changes nothing
		if o.room -= len(part); o.room == 0 || err != nil {
			o.file.Close()
			o.file = nil
		}
	}
	return o.Tail.Write(b)
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}

// oneLine makes a message of Python fit for an error.
func oneLine(s string) string { return python.OneLine(s, '?') }
