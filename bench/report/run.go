package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

// A Run is one results directory, reduced to what a report shows.
type Run struct {
	Dir     string
	Header  bench.Header
	Result  *bench.Result // nil while the run is unfinished
	Journal bool          // false for a baseline's row, which has a result only

	Evaluations int               // charged
	Asked       int               // LLM requests
	Best        *bench.BestResult // so far; Program is empty while the run is unfinished
	Faults      map[bench.FaultKind]int
	Usage       map[llm.Purpose]bench.Tally
	Curve       []Improvement
	Operators   []OperatorStats
	EAPs        []EAP      // by birth; empty for methods without them
	Lineage     []Ancestor // of the best program, newest first; empty where parents are not noted
	Warnings    []string   // about this run's numbers
}

// An Improvement is a moment at which the best program changed.
type Improvement struct {
	Evaluation int     // 1-based index among the charged ones
	Tokens     int     // spent when the step that found it was committed, that step's included
	Value      float64 // training value in the task's unit
}

// Key names the run without its seed.
func (r *Run) Key() Key {
	return Key{r.Header.Task, r.Header.Method, r.Header.Variant, modelsKey(r.Header.Models)}
}

// Finished reports whether the run has a result.
func (r *Run) Finished() bool { return r.Result != nil }

// Tokens is the sum over all purposes.
func (r *Run) Tokens() llm.Usage {
	var sum llm.Usage
	for _, p := range slices.Sorted(maps.Keys(r.Usage)) {
		sum = sum.Add(r.Usage[p].Usage)
	}
	return sum
}

// RoleTokens is the total of the purposes of one role: "eap".
func (r *Run) RoleTokens(role string) int {
	sum := 0
	for p, t := range r.Usage {
		if p.Role() == role {
			sum += t.Usage.Total()
		}
	}
	return sum
}

// path is a file of the run as shown in tables: with slashes everywhere.
func (r *Run) path(name string) string { return filepath.ToSlash(filepath.Join(r.Dir, name)) }

// FaultRate is the share of the charged evaluations that gave no score.
func (r *Run) FaultRate() float64 {
	if r.Evaluations == 0 {
		return 0
	}
	n := 0
	for kind, count := range r.Faults {
		if kind != bench.Syntax { // free: never charged
			n += count
		}
	}
	return float64(n) / float64(r.Evaluations)
}

// Rescored is the searched and the re-evaluated training value of the best program and the noise of one
// evaluation; ok is false for tasks without re-evaluation.
func (r *Run) Rescored() (p bench.RescoredProgram, noise float64, ok bool) {
	if r.Result == nil || r.Result.Rescored == nil || r.Best == nil {
		return p, 0, false
	}
	for _, p := range r.Result.Rescored.Programs {
		if p.Evaluation == r.Best.Evaluation {
			return p, r.Result.Rescored.Noise, true
		}
	}
	return p, 0, false
}

// Offline reports whether one of the models is the embedded one, be it behind HTTP.
func (r *Run) Offline() bool {
	for _, name := range r.Header.Models {
		if isOffline(name) {
			return true
		}
	}
	return false
}

func isOffline(model string) bool {
	name := model[strings.LastIndexAny(model, ":/")+1:]
	return name == "offline" || strings.HasPrefix(name, "offline-") || strings.HasPrefix(model, "offline:")
}

// readRun reads one run directory.
func readRun(dir string) (*Run, error) {
	r := &Run{Dir: dir, Faults: map[bench.FaultKind]int{}, Usage: map[llm.Purpose]bench.Tally{}}
	var err error
	if r.Result, err = readResult(filepath.Join(dir, "result.json")); err != nil {
		return nil, err
	}
	err = r.readJournal(filepath.Join(dir, "journal.jsonl"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.Result != nil:
		r.fromResult()
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("neither a journal nor a result: the run has not begun")
	case err != nil:
		return nil, err
	}
	if r.Header.Task == "" || r.Header.Method == "" {
		return nil, errors.New("its header names no task or no method")
	}
	if r.Result != nil {
		if r.Journal {
			if err := r.check(); err != nil {
				return nil, err
			}
		}
		r.Warnings = append(r.Warnings, r.Result.Warnings...)
	}
	return r, nil
}

func readResult(path string) (*bench.Result, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var res bench.Result
	if err := json.Unmarshal(data, &res); err != nil {
		return nil, fmt.Errorf("result.json: %w", err)
	}
	if res.Format > bench.FormatVersion {
		return nil, fmt.Errorf("result.json: format %d, this program reads format %d", res.Format, bench.FormatVersion)
	}
	for split, o := range res.Tests {
		if o == nil {
			delete(res.Tests, split)
		}
	}
	return &res, nil
}

// fromResult fills a row that has no journal.
func (r *Run) fromResult() {
	r.Header, r.Best = r.Result.Header, r.Result.Best
	r.Evaluations, r.Asked = r.Result.Evaluations, r.Result.Asked
	maps.Copy(r.Faults, r.Result.Faults)
	maps.Copy(r.Usage, r.Result.Usage)
}

// check holds the result against the journal, which is the record: what differs is told.
func (r *Run) check() error {
	a, b := r.Header, r.Result.Header
	if a.Task != b.Task || a.Method != b.Method || a.Variant != b.Variant || a.Seed != b.Seed || modelsKey(a.Models) != modelsKey(b.Models) {
		return errors.New("result.json belongs to another run than journal.jsonl")
	}
	if r.Result.Evaluations != r.Evaluations {
		r.Warnings = append(r.Warnings, fmt.Sprintf("result.json counts %d evaluations, the journal %d", r.Result.Evaluations, r.Evaluations))
	}
	switch old := r.Result.Best; {
	case (old == nil) != (r.Best == nil):
		r.Warnings = append(r.Warnings, "result.json and the journal differ on whether a program has a score")
	case old != nil && (old.Score != r.Best.Score || old.Evaluation != r.Best.Evaluation):
		r.Warnings = append(r.Warnings, fmt.Sprintf("result.json has its best at evaluation %d, the journal at %d", old.Evaluation, r.Best.Evaluation))
	case old != nil:
		r.Best.Program = old.Program
	}
	return nil
}
