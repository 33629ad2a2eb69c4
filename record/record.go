package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/note"
)

// FormatVersion is the version of the journal's format. Other versions are refused.
const FormatVersion = 1

// A Header describes a run by everything that can change a result. It is the first line of
// journal.jsonl; two runs with equal headers and equal answers have equal journals.
type Header struct {
	Format  int               `json:"format"`
	Task    string            `json:"task"`
	Version string            `json:"version"` // of the task
	Data    map[string]string `json:"data"`    // split name -> SHA-256 of its instances
	// Files are the files of a task in Python: path relative to the task file -> SHA-256.
	Files  map[string]string `json:"files,omitempty"`
	Method string            `json:"method"`
	// MethodVersion is raised when the method's searches change; empty means the first version
	// (VersionOf).
	MethodVersion string `json:"method_version,omitempty"`
	// MethodFile describes a method in Python; nil for one in Go.
	MethodFile *MethodFile       `json:"method_file,omitempty"`
	Variant    string            `json:"variant,omitempty"` // settings by --set: "k=5,ts=false"
	Config     json.RawMessage   `json:"config"`            // the settings of the method
	Models     map[string]string `json:"models"`            // by role; "" is every other role
	Seed       uint64            `json:"seed"`
	Budget     int               `json:"budget"`   // evaluations of complete programs; see Unit
	Requests   int               `json:"requests"` // the run ends after this many LLM requests
	Python     string            `json:"python"`   // "3.11.7"
	NumPy      string            `json:"numpy"`    // "1.26.4"
	SciPy      string            `json:"scipy,omitempty"`
	Lock       string            `json:"lock,omitempty"` // of packages: "paper", "current", "none"
	// Arithmetic is the class of arithmetic: everything that determines the last digits of Python's
	// results (pyenv.Env.Class). It is empty if no Python took part, and in runs older than this
	// field; the method Class tells these cases apart.
	Arithmetic string `json:"arithmetic,omitempty"`
	Unsafe     bool   `json:"unsafe_sandbox,omitempty"`
	// Packages are the Python packages that the task needs in addition to NumPy and SciPy, with
	// their versions.
	Packages map[string]string `json:"packages,omitempty"`
	Machine  string            `json:"machine,omitempty"` // only in runs older than Arithmetic
	Family   string            `json:"family,omitempty"`  // Trained; empty: a search by a model
	Unit     string            `json:"unit,omitempty"`    // of Budget: "resets"; empty: evaluations
	// Paired is the Digest of the run whose beginning this run shares (Run.Base); empty for an
	// unpaired run.
	Paired string `json:"paired,omitempty"`
	// PairedVariant is the Variant of the run that Paired names, whose draws this run shares.
	PairedVariant string `json:"paired_variant,omitempty"`
	// TimeScale multiplies the task's limits of CPU and wall time. Zero means 1; 1 is never
	// written.
	TimeScale float64 `json:"time_scale,omitempty"`
	// Plan is the digest of the declaration that determines the number of seeds, so that a missing
	// declaration is noticed; empty for a run without a declaration.
	Plan string `json:"plan,omitempty"`
}

// A MethodFile is a method in Python. Its random numbers may depend on the versions of Python and
// NumPy.
type MethodFile struct {
	// Files are the files of the method: path relative to the method file -> SHA-256.
	Files  map[string]string `json:"files"`
	Python string            `json:"python"` // "3.11"
	NumPy  string            `json:"numpy"`  // "1.26.4"
}

// Draws names the random stream of a step's requests. Each method and variant has its own stream,
// so that runs with the same seed are independent; paired runs share their base's stream.
func (h Header) Draws(step int) string {
	variant := h.Variant
	if h.Paired != "" {
		variant = h.PairedVariant
	}
	return fmt.Sprintf("draw/%s@%s/%d", h.Method, variant, step)
}

// Digest identifies a run: the SHA-256 in hex of its header without the budget and the limit on
// requests, so that a run with a larger budget keeps its digest.
func (h Header) Digest() string {
	h.Budget, h.Requests = 0, 0
	data, err := json.Marshal(h)
	if err != nil {
		panic("record: a header does not encode: " + err.Error())
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// Model returns the name of the model that answers requests of a role.
func (h Header) Model(role string) string {
	if name, ok := h.Models[role]; ok {
		return name
	}
	return h.Models[""]
}

// MaxTimeScale is the largest Header.TimeScale: no machine in use is so slow.
const MaxTimeScale = 100

// VersionOf returns the version of the method, "1" for the first.
func (h Header) VersionOf() string { return cmp.Or(h.MethodVersion, "1") }

// Factor returns the factor on time limits: from 1 to MaxTimeScale, even if the header has another
// number.
func (h Header) Factor() float64 { return min(max(h.TimeScale, 1), MaxTimeScale) }

// Trained is the Family of a run that trained policies: it has no programs and uses no model.
const Trained = "learned"

// Runtime names the Python of candidates for prompts: "Python 3.11 with NumPy 1.26 and SciPy 1.17",
// without packages that are not installed; empty if the header names no Python. Prompts must depend
// only on the header. The last number of a version is left out, because a bug-fix release changes
// nothing that a model could know.
func (h Header) Runtime() string {
	if h.Python == "" {
		return ""
	}
	text := "Python " + majorMinor(h.Python)
	if h.NumPy != "" {
		text += " with NumPy " + majorMinor(h.NumPy)
	}
	if h.NumPy != "" && h.SciPy != "" {
		text += " and SciPy " + majorMinor(h.SciPy)
	}
	return text
}

// World names what scores depend on in addition to program and task: the lock of packages, the
// class of arithmetic, and time limits that differ from the task's.
func (h Header) World() string {
	world := h.Lock
	if class := h.Class(); class != "" {
		world += ", " + class
	}
	if h.Factor() != 1 {
		world += fmt.Sprintf(", time limits × %g", h.Factor())
	}
	return world
}

// Class returns Arithmetic, or Unnamed if a Python took part and the header does not name the
// class.
func (h Header) Class() string {
	if h.Arithmetic == "" && h.Python != "" {
		return Unnamed
	}
	return h.Arithmetic
}

// Unnamed is the class of runs whose headers do not name a class.
const Unnamed = "arithmetic not named"

// majorMinor returns the first two numbers of a version.
func majorMinor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// A Line is a line of journal.jsonl after the header: a committed step, or a note from between two
// commits. Exactly one of Step and Note is set.
type Line struct {
	Step *Step `json:"step,omitempty"`
	Note *Note `json:"note,omitempty"`
}

// A Step contains the requests, evaluations and notes of one step of a search.
type Step struct {
	Number      int          `json:"number"` // from 0, in the order of proposal
	Requests    []Request    `json:"requests,omitempty"`
	Evaluations []Evaluation `json:"evaluations,omitempty"`
	Notes       []Note       `json:"notes,omitempty"`
}

// A Request is one prompt and the model's reply.
type Request struct {
	Request llm.Request `json:"request"`
	Reply   llm.Reply   `json:"reply"`
	Shared  bool        `json:"shared,omitempty"` // answered by the run named in Header.Paired
}

// An Evaluation is one program and its outcome.
type Evaluation struct {
	// Evaluation is the index among the run's charged evaluations, from 1; 0 for a free evaluation.
	// For a policy, it is the budget used so far.
	Evaluation int
	Source     string
	Policy     string // instead of Source: the digest of a policy in blobs/
	Outcome
}

// Charge numbers an evaluation that follows spent charged evaluations, and returns how many are
// charged now. A program that Python's own parser refuses is free.
func (r *Evaluation) Charge(spent int) int {
	r.Evaluation = 0
	if r.Fault != nil && r.Fault.Kind == Syntax {
		return spent
	}
	r.Evaluation = spent + 1
	return r.Evaluation
}

// A Note describes an event of a search, such as a trial or an admission.
type Note struct {
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// Result is result.json, the result of a finished run. All fields except Tests, Rescored and
// Validation follow from the journal and the prices in run.json; Loaded.CheckResult and CheckFiles
// check that.
type Result struct {
	Header
	// Journal is the SHA-256 of the journal; absent for a baseline, and in older results.
	Journal string `json:"journal,omitempty"`
	// Stopped is why the run ended: "budget", "requests" (the limit on LLM requests), or "method"
	// (the search ended, e.g. after a failed initialisation).
	Stopped string `json:"stopped"`
	Totals
	Tests    map[string]*SplitOutcome `json:"tests,omitempty"` // of the best program, by test split
	Rescored *RescoreResult           `json:"rescored,omitempty"`
	// Validation is nil if no program was scored on the validation split.
	Validation *Validation `json:"validation,omitempty"`
	Warnings   []string    `json:"warnings,omitempty"`
}

// Totals are a run's costs and results, according to its journal.
type Totals struct {
	Best        *BestResult `json:"best,omitempty"` // nil when no program has a score
	Evaluations int         `json:"evaluations"`    // charged
	// Barren counts the evaluations of rounds in which no program ran. Refunded counts the barren
	// evaluations that were returned to the budget; Evaluations can exceed the budget by this
	// number.
	Barren   int                   `json:"barren,omitempty"`
	Refunded int                   `json:"refunded,omitempty"`
	Asked    int                   `json:"asked"`              // LLM requests
	Training *note.Training        `json:"training,omitempty"` // so far, of policies
	Faults   map[FaultKind]int     `json:"faults,omitempty"`
	Usage    map[llm.Purpose]Tally `json:"usage,omitempty"`
	// Shared is the part of Usage that the run named in Header.Paired requested and paid for.
	Shared map[llm.Purpose]Tally `json:"shared,omitempty"`
}

// BestResult is the best program of the whole history, the earliest among equals.
type BestResult struct {
	Score      float64 `json:"score"` // larger is better
	Value      float64 `json:"value"` // in the task's unit, e.g. mean tour length
	Step       int     `json:"step"`
	Evaluation int     `json:"evaluation"`
	Program    string  `json:"program"` // program.Program.ID of best.py, or the digest of a policy
}

// Minimized reports whether smaller values are better. In that case, the score is the negated
// value, and a value of 0 has the score -0, which JSON keeps.
func (b *BestResult) Minimized() bool { return math.Signbit(b.Score) != math.Signbit(b.Value) }

// SplitOutcome is a program's outcome on one test split.
type SplitOutcome struct {
	Mean   float64   `json:"mean"` // of Values, in the task's unit; null in JSON when Fault is set
	Values []float64 `json:"values,omitempty"`
	Fault  *Fault    `json:"fault,omitempty"`
	// Failed are the instances on which the program failed, for a task that scores each instance
	// separately (Task.Isolated). Their Values are the values reached before the failures, and
	// Fault is nil.
	Failed []InstanceFault `json:"failed,omitempty"`
}

// Partly returns a text that says on how many instances the program ran and describes the first
// failure. It returns "" if there was no failure.
func (o *SplitOutcome) Partly() string {
	if len(o.Failed) == 0 {
		return ""
	}
	first := o.Failed[0]
	return fmt.Sprintf("ran on %d of %d instances: instance %d failed, %s",
		len(o.Values)-len(o.Failed), len(o.Values), first.Instance, first.Error())
}

// An InstanceFault is a program's failure on one instance of a split.
type InstanceFault struct {
	Instance int `json:"instance"` // from 0
	Fault
}

// Tally counts the requests of one purpose, their tokens and their costs.
type Tally struct {
	Requests int       `json:"requests"`
	Usage    llm.Usage `json:"usage"`
	Cost     *float64  `json:"cost,omitempty"` // USD; nil if the cost of a request is unknown
}

// RescoreResult is the re-evaluation of a noisy task's best programs on fresh replicates.
type RescoreResult struct {
	Replicates int               `json:"replicates"`
	Noise      float64           `json:"noise"` // pooled standard deviation of one evaluation
	Programs   []RescoredProgram `json:"programs"`
}

// Program returns the re-evaluation of a program; nil if r does not contain it or is nil.
func (r *RescoreResult) Program(evaluation int) *RescoredProgram {
	if r != nil {
		for i, p := range r.Programs {
			if p.Evaluation == evaluation {
				return &r.Programs[i]
			}
		}
	}
	return nil
}

// RescoredProgram is one of the best programs, with its mean in the search and its mean on fresh
// replicates, in the task's unit.
type RescoredProgram struct {
	Evaluation int     `json:"evaluation"`
	Program    string  `json:"program"`
	Searched   float64 `json:"searched"`
	Fresh      float64 `json:"fresh"`
}
