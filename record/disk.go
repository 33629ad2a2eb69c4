package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/journal"
)

// ErrForeign means that a directory has the journal of another run, or a journal that this version
// cannot read.
var ErrForeign = errors.New("this directory holds another run")

// The two files to which the engine appends lines. In a finished run, they may be packed (see
// Pack).
const (
	JournalFile = "journal.jsonl"
	TimingFile  = "timing.jsonl"
)

// MethodLog contains the output of a method in Python. The file may be deleted.
const MethodLog = "method.log"

// A Timing is a line of TimingFile. It is separate from the journal because it is not reproducible.
type Timing struct {
	Step       int       `json:"step"`
	AskMS      []float64 `json:"ask_ms,omitempty"`
	EvaluateMS []float64 `json:"evaluate_ms,omitempty"`
	WorkerMS   []float64 `json:"worker_ms,omitempty"` // EvaluateMS without the wait for a worker
	// CPUMS is the CPU time of the candidate, its scorer and the threads that call them; runs of
	// older versions do not have it.
	CPUMS []float64 `json:"cpu_ms,omitempty"`
	// LimitShare is the share of the CPU limit that each evaluation used. If an evaluation was
	// stopped at the limit, its share to the end is estimated from the instances that it finished;
	// 0 if it finished no instance. Omitted if all shares are small.
	LimitShare []float64 `json:"limit_share,omitempty"`
}

// A HeaderLine is the first line of a journal.
type HeaderLine struct {
	Header *Header `json:"header"`
}

// ParseHeader reads the first line of a journal. If it is not a header of this format, the error
// wraps ErrForeign.
func ParseHeader(line []byte) (*Header, error) {
	var h HeaderLine
	if err := json.Unmarshal(line, &h); err != nil || h.Header == nil {
		return nil, fmt.Errorf("%w: its journal's first line is not a header", ErrForeign)
	}
	if h.Header.Format != FormatVersion {
		return nil, fmt.Errorf("%w: its journal has format %d, this pacebench writes format %d",
			ErrForeign, h.Header.Format, FormatVersion)
	}
	err := h.Header.checkNames()
	if err == nil {
		err = CheckCode(h.Header.Files)
	}
	if f := h.Header.MethodFile; err == nil && f != nil {
		err = CheckCode(f.Files)
	}
	if err != nil { // without its hint, which is for the author of the file
		return nil, fmt.Errorf("%w: %v", ErrForeign, err)
	}
	return h.Header, nil
}

// checkNames refuses names that would be places outside of a directory of results.
func (h *Header) checkNames() error {
	for _, name := range []string{h.Task, h.Method} {
		if name != "" && (!filepath.IsLocal(name) || name != filepath.Base(name)) {
			return fmt.Errorf("its header has %.100q as the name of a task or method", name)
		}
	}
	return nil
}

// Damaged adds a hint to the error of a damaged journal.
func Damaged(err error) error {
	if errors.Is(err, journal.ErrCorrupt) || errors.Is(err, journal.ErrChanged) ||
		errors.Is(err, journal.ErrPacked) {
		return hint.Add(err,
			"restore the run's directory from a copy, or begin again with another --out")
	}
	return err
}

// RunFile is run.json: the header, the prices, the properties of the machine, and the day on which
// the run began.
type RunFile struct {
	Header      *Header       `json:"header"`
	Prices      llm.PriceList `json:"prices,omitempty"`
	Environment any           `json:"environment,omitempty"` // json.RawMessage when read
	Began       string        `json:"began,omitempty"`       // the day: "2026-11-24"
}

// ReadRunFile reads run.json; nil, nil if it is missing or torn.
func ReadRunFile(dir string) (*RunFile, error) {
	data, err := plain.Read(filepath.Join(dir, "run.json"), plain.Small)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var environment json.RawMessage
	f := RunFile{Environment: &environment}
	if err != nil || json.Unmarshal(data, &f) != nil || f.Header == nil {
		return nil, err
	}
	f.Environment = nil
	if environment != nil {
		f.Environment = environment
	}
	return &f, nil
}

// CheckRunFile checks the run.json of the run in dir against the header of its journal.
func CheckRunFile(dir string, f *RunFile, h Header) error {
	if d := difference(f.Header, h); d != nil {
		err := fmt.Errorf("%s: run.json belongs to another run: it says %s, journal.jsonl says %s",
			dir, d.old(), d.new)
		return hint.Add(err, "restore run.json, or remove it and repeat the run's command")
	}
	return nil
}

// Winner returns the best of the run's programs, of which there must be at least one.
func (l *Loaded) Winner(programs []Scored) Scored {
	best := l.Summarize().Best.Evaluation
	return programs[slices.IndexFunc(programs, func(s Scored) bool { return s.Evaluation == best })]
}
