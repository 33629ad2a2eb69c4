package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
)

// Loaded is a run as read from its directory.
type Loaded struct {
	Dir     string
	Header  Header
	Records []Record // empty for a baseline's row, which has no journal
	Result  *Result  // nil while the run is unfinished
}

// Load reads a run directory, changing nothing: the header, the records in order, and result.json when there is one.
func Load(dir string) (*Loaded, error) {
	l := &Loaded{Dir: dir}
	result, err := ReadResult(dir)
	if err != nil {
		return nil, err
	}
	l.Result = result
	lines, _, err := journal.Read(filepath.Join(dir, "journal.jsonl"))
	if errors.Is(err, os.ErrNotExist) && result != nil {
		l.Header = result.Header
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: the journal is empty", dir)
	}
	h, err := parseHeader(lines[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	l.Header = *h
	for i, line := range lines[1:] {
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", filepath.Join(dir, "journal.jsonl"), i+2, err)
		}
		l.Records = append(l.Records, rec)
	}
	return l, nil
}

// Programs returns the evaluated programs that have a score, in order of their evaluation.
func (l *Loaded) Programs() []Scored {
	var out []Scored
	for _, rec := range l.Records {
		if rec.Step == nil {
			continue
		}
		for _, ev := range rec.Step.Evaluations {
			if ev.Fault == nil {
				out = append(out, Scored{program.Program{Source: ev.Source}, ev.Outcome, rec.Step.Number, ev.Evaluation})
			}
		}
	}
	return out
}

// Summarize derives a result from the journal alone.
func (l *Loaded) Summarize() *Result {
	r := &Result{Header: l.Header, Faults: map[FaultKind]int{}, Usage: map[llm.Purpose]Tally{}}
	var best *Scored
	for _, rec := range l.Records {
		if rec.Step == nil {
			continue
		}
		for _, req := range rec.Step.Requests {
			r.Asked++
			tally(r.Usage, req)
		}
		for _, ev := range rec.Step.Evaluations {
			if ev.Evaluation > 0 {
				r.Evaluations++
			}
			if ev.Fault != nil {
				r.Faults[ev.Fault.Kind]++
			} else if best == nil || ev.Score > best.Outcome.Score {
				best = &Scored{program.Program{Source: ev.Source}, ev.Outcome, rec.Step.Number, ev.Evaluation}
			}
		}
	}
	if best != nil {
		r.Best = &BestResult{
			Score: best.Outcome.Score, Value: Mean(best.Outcome.Values),
			Step: best.Step, Evaluation: best.Evaluation, Program: best.Program.ID(),
		}
	}
	switch {
	case r.Evaluations >= l.Header.Budget:
		r.Stopped = "budget"
	case r.Asked >= l.Header.Requests:
		r.Stopped = "requests"
	default:
		r.Stopped = "method"
	}
	return r
}

// summary is the result of the run in dir as its journal tells it.
func summary(dir string) (*Result, error) {
	l, err := Load(dir)
	if err != nil {
		return nil, err
	}
	return l.Summarize(), nil
}

// Mean is the arithmetic mean, summed in order; 0 for no values.
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

// ReadResult reads a directory's result.json; nil, nil when there is none.
func ReadResult(dir string) (*Result, error) {
	path := filepath.Join(dir, "result.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// WriteResult writes result.json, which marks the cell in dir as finished.
func WriteResult(dir string, r *Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(filepath.Join(dir, "result.json"), append(data, '\n'))
}

func sortedKeys(a, b map[string]any) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
