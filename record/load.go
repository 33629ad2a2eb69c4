package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	json2 "github.com/go-json-experiment/json"
	json1 "github.com/go-json-experiment/json/v1"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/journal"
)

// Loaded is a run as read from its directory.
type Loaded struct {
	Dir     string
	Header  Header
	Prices  llm.PriceList // from run.json; nil if it has no prices
	Began   string        // RunFile.Began; empty if unknown
	Journal bool          // false for a baseline, which only has a result
	Digest  string        // SHA-256 of the journal in hex
	Records []Line
	Result  *Result // nil while the run is unfinished
}

// Load reads the header, the records in order, and result.json, if it exists, from a run directory.
// It changes nothing.
func Load(dir string) (*Loaded, error) { return load(dir, true) }

// LoadWithoutTexts is Load for counting: it replaces texts longer than a kilobyte, except programs
// and replies that may be refused, with Omitted, which makes reading several times faster.
func LoadWithoutTexts(dir string) (*Loaded, error) { return load(dir, false) }

func load(dir string, texts bool) (*Loaded, error) {
	result, err := ReadResult(dir)
	if err != nil {
		return nil, err
	}
	l, err := loadJournal(dir, texts)
	if errors.Is(err, os.ErrNotExist) && result != nil {
		l, err = &Loaded{Header: result.Header}, nil
	}
	if err != nil {
		return nil, err
	}
	l.Dir, l.Result = dir, result
	return l, nil
}

// LoadJournal is Load without result.json. path is a run's directory or its journal, packed or not.
func LoadJournal(path string) (*Loaded, error) { return loadJournal(path, true) }

func loadJournal(path string, texts bool) (*Loaded, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, JournalFile)
	}
	lines, _, err := journal.Lines(path)
	if err != nil {
		return nil, Damaged(err)
	}
	dir := filepath.Dir(path)
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: the journal is empty", dir)
	}
	if !json.Valid(lines[0]) {
		return nil, fmt.Errorf("%s:1: %w", path, journal.ErrCorrupt)
	}
	h, err := ParseHeader(lines[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	l := &Loaded{
		Dir: dir, Header: *h, Journal: true, Digest: digest(lines),
		Records: make([]Line, len(lines)-1),
	}
	l.Prices, l.Began = readAbout(dir)
	failed := l.parse(lines[1:], texts)
	seen := map[int]bool{} // numbers of steps, in any order
	for i, line := range lines[1:] {
		if err := failed[i]; err != nil {
			if !json.Valid(line) {
				err = journal.ErrCorrupt
			}
			return nil, Damaged(fmt.Errorf("%s:%d: %w", path, i+2, err))
		}
		if s := l.Records[i].Step; s != nil {
			if s.Number < 0 || seen[s.Number] {
				return nil, Damaged(fmt.Errorf("%s:%d: step %d is negative or appears twice",
					path, i+2, s.Number))
			}
			seen[s.Number] = true
		}
	}
	return l, nil
}

// parse decodes all lines on all cores, so that the page of a long run appears sooner. It returns
// an error or nil for each line.
func (l *Loaded) parse(lines [][]byte, texts bool) []error {
	failed, cores := make([]error, len(lines)), runtime.GOMAXPROCS(0)
	var workers sync.WaitGroup
	for first := range cores {
		workers.Go(func() {
			var short []byte
			for i := first; i < len(lines); i += cores {
				line := lines[i]
				if !texts {
					short = omitLong(short[:0], line, omitOver)
					line = short
				}
				l.Records[i], failed[i] = ParseLine(line)
			}
		})
	}
	workers.Wait()
	return failed
}

// digest returns the SHA-256 of a journal's complete lines.
func digest(lines [][]byte) string {
	sum := sha256.New()
	for _, line := range lines {
		sum.Write(line)
		sum.Write([]byte{'\n'})
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// rules are the rules of encoding/json, except for its error messages, for which the decoder would
// read each line twice.
var rules = json2.JoinOptions(
	json1.DefaultOptionsV1(), json1.ReportErrorsWithLegacySemantics(false))

// ParseLine decodes a line that follows the header of a journal.
//
// It uses a faster decoder that follows the rules of encoding/json. If this decoder refuses a line,
// encoding/json decodes the line again, and its result counts.
func ParseLine(line []byte) (rec Line, err error) {
	if json2.Unmarshal(line, &rec, rules) != nil {
		rec = Line{}
		if err := json.Unmarshal(line, &rec); err != nil {
			return rec, fmt.Errorf("not a record of this format: %w", hint.JSON(err))
		}
	}
	if (rec.Step == nil) == (rec.Note == nil) {
		return rec, errors.New("not a record of this format")
	}
	return rec, nil
}

// Steps returns the steps among the records.
func (l *Loaded) Steps() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for _, rec := range l.Records {
			if rec.Step != nil && !yield(rec.Step) {
				return
			}
		}
	}
}

// Programs returns the evaluated programs that have a score, in order of their evaluation.
func (l *Loaded) Programs() []Scored {
	var out []Scored
	for s := range l.Steps() {
		for i, ev := range s.Evaluations {
			if ev.Fault == nil {
				out = append(out, s.Scored(i))
			}
		}
	}
	return out
}

// readAbout reads the prices and the day in run.json. If the file is unreadable, the costs of the
// run are unknown, but the run itself is intact.
func readAbout(dir string) (llm.PriceList, string) {
	var file struct {
		Prices llm.PriceList
		Began  string
	}
	data, err := plain.Read(filepath.Join(dir, "run.json"), plain.Small)
	if err != nil || json.Unmarshal(data, &file) != nil {
		return nil, ""
	}
	if file.Prices.Check() != nil {
		return nil, file.Began
	}
	return file.Prices, file.Began
}

// Summarize derives a result from the journal, and its costs from the prices.
func (l *Loaded) Summarize() *Result {
	r := &Result{Header: l.Header, Journal: l.Digest}
	for _, line := range l.Records {
		r.Add(line, l.Prices, l.Header.Models)
	}
	switch {
	case r.Evaluations-r.Refunded >= l.Header.Budget:
		r.Stopped = "budget"
	case r.Asked >= l.Header.Requests:
		r.Stopped = "requests"
		if l.Header.Requests > l.Header.Budget { // otherwise the limit on requests is the budget
			r.Warnings = []string{"ended at the limit on LLM requests before the budget was spent"}
		}
	default:
		r.Stopped = "method"
		r.Warnings = []string{"the method ended before the budget was spent"}
	}
	if text := l.unusable(); text != "" {
		r.Warnings = append(r.Warnings, text)
	}
	return r
}

// Unusable begins the detail of a fault if the program's answer made a task in Python fail. A task
// that checks its answers never fails in this way.
const Unusable = "the task could not use an answer: "

// Tripped reports whether the task failed on the program's answer.
func (f *Fault) Tripped() bool { return f != nil && strings.HasPrefix(f.Detail, Unusable) }

// unusable returns a warning if the task failed on answers of more than 1 in 20 programs, perhaps
// because of a mistake in the task; otherwise it returns "".
func (l *Loaded) unusable() string {
	count, all, first := 0, 0, ""
	for s := range l.Steps() {
		for _, e := range s.Evaluations {
			all++
			if !e.Fault.Tripped() {
				continue
			}
			count++
			first = cmp.Or(first, e.Fault.Detail)
		}
	}
	if 20*count <= all {
		return ""
	}
	return fmt.Sprintf("%d of %d programs failed where the task may be wrong: %s",
		count, all, first)
}

// Summary returns the result of the run in dir according to its journal.
func Summary(dir string) (*Result, error) {
	l, err := LoadJournal(dir)
	if err != nil {
		return nil, err
	}
	return l.Summarize(), nil
}

// Mean returns the arithmetic mean, summed in order; 0 for no values.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// ErrTorn means that result.json does not have the form of a result: perhaps only a part was
// written.
var ErrTorn = errors.New("not a result, or an incomplete one")

// ReadResult reads a directory's result.json; nil, nil if there is no such file.
func ReadResult(dir string) (*Result, error) {
	path := filepath.Join(dir, "result.json")
	data, err := plain.Read(path, plain.Small)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r Result
	err = json.Unmarshal(data, &r)
	if r.Format > FormatVersion {
		return nil, fmt.Errorf("%s: format %d, this pacebench reads format %d",
			path, r.Format, FormatVersion)
	}
	if err == nil {
		err = exactKeys(data, r)
	}
	if err == nil {
		err = r.Header.checkNames()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrTorn, hint.JSON(err))
	}
	without := func(_ string, o *SplitOutcome) bool { return o == nil }
	maps.DeleteFunc(r.Tests, without)
	if r.Validation != nil {
		maps.DeleteFunc(r.Validation.Tests, without)
	}
	return &r, nil
}

// WriteResult writes result.json, which marks the run in dir as finished.
func WriteResult(dir string, r *Result) error {
	return journal.WriteJSON(filepath.Join(dir, "result.json"), r)
}

// Counts returns the numbers of steps and evaluations in the journal.
func (l *Loaded) Counts() (steps, evaluations int) {
	for s := range l.Steps() {
		steps, evaluations = steps+1, evaluations+len(s.Evaluations)
	}
	return steps, evaluations
}
