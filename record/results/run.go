package results

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// A Run has the facts that a report shows from the results directory of one run.
type Run struct {
	Dir     string
	Shown   string // what tables and messages show instead of Dir; empty: Dir
	Header  record.Header
	Result  *record.Result // nil while the run is unfinished
	Journal bool           // false for a baseline, which has only a result

	Digest     string // of the journal, or of a baseline's result.json: SHA-256 in hex
	Began      string // the day, "2026-11-24"; empty if it is unknown
	Unverified string // why the run is not verified; empty if it is

	record.Totals // so far

	Curve       []Improvement
	Operators   []OperatorStats
	EAPs        []EAP // sorted by birth; empty for methods without EAPs
	Proposals   []Proposal
	Populations []Population // sorted by time; empty for methods without notes on populations
	Members     []Member     // PACE's population over time, by birth; empty for other methods
	Warnings    []Warning    // about this run's numbers
	Unused      string       // the warning that names unused parts of the method
	Refused     Refusals     // replies without a program
	// Doubtful counts the evaluations whose time was close to their limit, so that the speed of the
	// machine may have decided whether they have a score.
	Doubtful int

	noted    map[string]int // notes by kind
	embedded bool           // a reply comes from the embedded model
	seconds  float64        // of all evaluations
	timed    bool
	cpu      bool
}

// An Improvement is a moment at which the best program changed.
type Improvement struct {
	Evaluation int     // index among the charged evaluations, from 1
	Tokens     int     // spent so far, including the whole step that found it
	Cost       float64 // USD spent so far, if Run.Cost is known
	Time       float64 // seconds of evaluation so far, if Run.Time is known
	Value      float64 // training value in the task's unit
}

// Idea returns the idea in the reply with the best program; empty if the reply has none. It reads
// the journal again, because Read skips long texts.
func (r *Run) Idea() string {
	if r.Best == nil || !r.Journal {
		return ""
	}
	d, err := Open(nil, r.Dir)
	if err != nil {
		return "" // Read could read the journal, so another process has changed it since
	}
	if p := d.Program(r.Best.Evaluation); p != nil {
		return p.Idea
	}
	return ""
}

// Key returns the key of the run's group.
func (r *Run) Key() Key {
	return Key{r.Header.Task, r.Header.Method, r.Header.Variant, Models(r.Header.Models),
		r.Header.World(), r.Header.MethodVersion}
}

var odd = regexp.MustCompile(`[^A-Za-z0-9.@=,-]+`)

// ID returns a name that identifies the run, in characters that are safe in a path. If it replaces
// or cuts any characters, it ends in a digest of the key, because two keys could otherwise have the
// same ID.
func (r *Run) ID() string {
	k := r.Key()
	key := fmt.Sprintf("%s-%s-%s-%s-%d", k.Task, k.Row(), k.Models, k.Lock, r.Header.Seed)
	if k.Version != "" {
		key += "-version-" + k.Version
	}
	name := odd.ReplaceAllString(key, "_")
	name = name[:min(len(name), 120)] // the ID names a file
	if name != key {
		name += fmt.Sprintf("-%.4x", sha256.Sum256([]byte(key)))
	}
	return name
}

// Trained reports whether the run trained a policy.
func (r *Run) Trained() bool { return r.Header.Family == record.Trained }

// Equivalent converts the use of the budget into evaluations of programs. An episode on every
// training seed counts as one evaluation.
func (r *Run) Equivalent(used int) float64 {
	if !r.Trained() || r.Training == nil {
		return float64(used)
	}
	return float64(used) / float64(max(1, len(r.Training.Resets)))
}

// idle returns a warning that names the parts of the method that the search never used; empty if it
// used all parts.
func (r *Run) idle(parts []note.Part) string {
	var titles []string
	for _, p := range parts {
		if r.Operator(p.Operator).Evaluated == 0 && r.noted[p.Kind] == 0 &&
			r.Usage[llm.Purpose(p.Purpose)].Requests == 0 {
			titles = append(titles, p.Title)
		}
	}
	if titles == nil {
		return ""
	}
	return "the search never used " + strings.Join(titles, ", ")
}

// Finished reports whether the run has a result.
func (r *Run) Finished() bool { return r.Result != nil }

// Time returns how long the run's evaluations took, in seconds; known is false if timing.jsonl
// lacks too many of them. The time is CPU time, or wall time if the run's version did not measure
// CPU time.
func (r *Run) Time() (seconds float64, known bool) { return r.seconds, r.timed }

// CPUTime reports whether Time is CPU time.
func (r *Run) CPUTime() bool { return r.cpu }

// RoleTokens returns the tokens of all purposes of one role, such as "eap".
func (r *Run) RoleTokens(role string) int {
	sum := 0
	for p, t := range r.Usage {
		if p.Role() == role {
			sum += t.Usage.Total()
		}
	}
	return sum
}

// Path returns the path that tables and messages show for a file, with slashes on every system.
func (r *Run) Path(name string) string {
	return path.Join(cmp.Or(r.Shown, filepath.ToSlash(r.Dir)), name)
}

// Failed counts the charged evaluations without a score.
func (r *Run) Failed() (n int) {
	for kind, count := range r.Faults {
		if kind != record.Syntax { // free: never charged
			n += count
		}
	}
	return n
}

// Rescored returns the searched and the re-evaluated training value of the best program, and the
// noise of one evaluation; ok is false if the best program was not re-evaluated.
func (r *Run) Rescored() (p record.RescoredProgram, noise float64, ok bool) {
	if r.Result == nil || r.Best == nil {
		return p, 0, false
	}
	if p := r.Result.Rescored.Program(r.Best.Evaluation); p != nil {
		return *p, r.Result.Rescored.Noise, true
	}
	return p, 0, false
}

// Offline reports whether one of the models is the embedded model, even behind HTTP under another
// name.
func (r *Run) Offline() bool { return r.embedded || r.namesOffline() }

func (r *Run) namesOffline() bool {
	for _, name := range r.Header.Models {
		if IsOffline(name) {
			return true
		}
	}
	return false
}

// IsOffline reports whether a model's name is a name of the embedded model.
func IsOffline(model string) bool {
	model, _, _ = strings.Cut(model, ",") // without its settings
	name := model[strings.LastIndexAny(model, ":/")+1:]
	return name == "offline" || strings.HasPrefix(name, "offline-") ||
		strings.HasPrefix(model, "offline:")
}

func (r *Run) warn(reason string) {
	r.Warnings = append(r.Warnings, Warning{r.Dir, reason})
}

// Purposes lists the purposes of a run's requests: by role, algorithm first, then by operator.
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

// NaturalOrder compares names by length first: test50 comes before test200.
func NaturalOrder(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
