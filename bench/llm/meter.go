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

// A meter keeps a measure: of this process, or in a file that the processes of one machine share.
// Its clock is theirs.
type meter struct {
	path string // "": of this process

	mu  sync.Mutex
	own measure // guarded by mu
}

func (m *meter) change(f func(*measure)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		f(&m.own)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(m.path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()                 // which gives the lock back
	if err := lock(file); err != nil { // held for as long as it takes to write a line
		return err
	}
	now := m.read()
	f(&now)
	data, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt(append(data, '\n'), 0)
	return err
}

// stopped is what another process found: one that meets the error itself needs no telling.
func (m *meter) stopped() *stop {
	if m.path == "" {
		return nil
	}
	return m.read().Stopped
}

// read reads the file; one that is missing or torn counts from now.
func (m *meter) read() (now measure) {
	data, err := os.ReadFile(m.path)
	if err != nil || json.Unmarshal(data, &now) != nil {
		return measure{}
	}
	return now
}
