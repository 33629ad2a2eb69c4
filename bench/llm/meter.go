package llm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A measure is what limits have counted.
type measure struct {
	Next    time.Time `json:"next"`   // when the next request may start
	Tokens  float64   `json:"tokens"` // that may be used; negative: owed
	Filled  time.Time `json:"filled"` // when Tokens were counted; zero: never
	Stopped *stop     `json:"stopped,omitempty"`
}

// A stop is the error of a key whose quota is used up.
type stop struct {
	At      time.Time `json:"at"`
	PID     int       `json:"pid"` // of the process that met it
	Message string    `json:"error"`
	Advice  string    `json:"hint,omitempty"`
}

// since reports whether the quota was found used up after a time: who begins later tries anew.
func (s *stop) since(t time.Time) bool { return s != nil && s.At.After(t) }

func (s *stop) error() error {
	text := s.Message
	if s.PID != os.Getpid() {
		text = fmt.Sprintf("process %d found: %s", s.PID, text)
	}
	return &Error{Kind: KindQuota, Message: text, Advice: s.Advice}
}

// A meter keeps a measure, of one process or of several.
type meter interface {
	change(f func(*measure)) error
	stopped() *stop
}

// ownMeter is a process's own.
type ownMeter struct {
	mu sync.Mutex
	m  measure
}

func (o *ownMeter) change(f func(*measure)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	f(&o.m)
	return nil
}

// stopped is nil: a process that meets the error itself needs no telling.
func (o *ownMeter) stopped() *stop { return nil }

// A fileMeter is a file that the processes of one machine share: its clock is theirs.
type fileMeter string

func (path fileMeter) change(f func(*measure)) error {
	if err := os.MkdirAll(filepath.Dir(string(path)), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(string(path), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()                 // which gives the lock back
	if err := lock(file); err != nil { // held for as long as it takes to write a line
		return err
	}
	m := path.read()
	f(&m)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt(append(data, '\n'), 0)
	return err
}

func (path fileMeter) stopped() *stop { return path.read().Stopped }

// read reads the measure; one that is missing or torn counts from now.
func (path fileMeter) read() (m measure) {
	data, err := os.ReadFile(string(path))
	if err != nil || json.Unmarshal(data, &m) != nil {
		return measure{}
	}
	return m
}
