package results

import (
	"cmp"
	"io"
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

	bench.Totals // so far; Best.Program is empty while the run is unfinished

	Curve     []Improvement
	Operators []OperatorStats
	EAPs      []EAP      // by birth; empty for methods without them
	Lineage   []Ancestor // of the best program, newest first; empty where parents are not noted
	Warnings  []Warning  // about this run's numbers
}

// An Improvement is a moment at which the best program changed.
type Improvement struct {
	Evaluation int     // 1-based index among the charged ones
	Tokens     int     // spent when the step that found it was committed, that step's included
	Cost       float64 // USD, likewise; only where Run.Cost is known
	Value      float64 // training value in the task's unit
}

// Key names the run without its seed.
func (r *Run) Key() Key {
	return Key{r.Header.Task, r.Header.Method, r.Header.Variant, Models(r.Header.Models), r.Header.World()}
}

// Learned reports whether the run trained a policy.
func (r *Run) Learned() bool { return r.Header.Family == bench.Learned }

// Equivalent turns what was used of the budget into evaluations of programs: one of those is an
// episode on every training seed.
func (r *Run) Equivalent(used int) float64 {
	if !r.Learned() || r.Training == nil {
		return float64(used)
	}
	return float64(used) / float64(max(1, len(r.Training.Resets)))
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

// Cost is the USD that the run's requests cost; not known where that of one of them is not, or
// where there are none.
func (r *Run) Cost() (usd float64, known bool) {
	for _, p := range slices.Sorted(maps.Keys(r.Usage)) {
		if r.Usage[p].Cost == nil {
			return 0, false
		}
		usd += *r.Usage[p].Cost
	}
	return usd, len(r.Usage) > 0
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

// Path is a file of the run as shown in tables: with slashes everywhere.
func (r *Run) Path(name string) string { return filepath.ToSlash(filepath.Join(r.Dir, name)) }

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

// Rescored is the searched and the re-evaluated training value of the best program and the noise of
// one evaluation; ok is false for tasks without re-evaluation.
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
		if IsOffline(name) {
			return true
		}
	}
	return false
}

// IsOffline reports whether a model's name is that of the embedded one.
func IsOffline(model string) bool {
	model, _, _ = strings.Cut(model, ",") // without its settings
	name := model[strings.LastIndexAny(model, ":/")+1:]
	return name == "offline" || strings.HasPrefix(name, "offline-") || strings.HasPrefix(model, "offline:")
}

func (r *Run) warn(kind WarningKind, reason string) {
	r.Warnings = append(r.Warnings, Warning{kind, r.Dir, reason})
}

// Purposes lists a run's purposes: by role, algorithm first, then by operator.
func (r *Run) Purposes() []llm.Purpose {
	other := func(p llm.Purpose) int {
		if p.Role() == "algorithm" {
			return 0
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(r.Usage), func(a, b llm.Purpose) int {
		return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(a, b))
	})
}

// Source is the program of best.py, at most limit bytes of it.
func (r *Run) Source(limit int64) (string, error) {
	f, err := os.Open(filepath.Join(r.Dir, "best.py"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return string(data), err
}
