package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Goal is the direction in which a task's own measure improves. For scores, larger is always
// better.
type Goal int

const (
	Minimize Goal = iota
	Maximize
)

func (g Goal) String() string {
	if g == Maximize {
		return "maximize"
	}
	return "minimize"
}

// Score converts a value in the task's own unit into a score.
func (g Goal) Score(value float64) float64 {
	if g == Minimize {
		return -value
	}
	return value
}

// Value converts a score into a value in the task's own unit.
func (g Goal) Value(score float64) float64 { return g.Score(score) }

// A Problem is everything that a method may know about a task.
type Problem struct {
	Name        string           // "tsp-construct"
	Description string           // the task in prose, for prompts
	Template    program.Function // the function to design
	Imports     []string         // import lines before every candidate, e.g. "import numpy as np"
	Modules     []string         // root modules that a candidate may import, e.g. "math", "numpy"
	Runtime     string           // Python and its limits, for prompts; from the run's header
	Goal        Goal
}

// Texts are the texts of a Problem without our additions (docs/fidelity.md).
type Texts struct {
	Description string // Problem.Description
	Doc         string // Problem.Template.Doc
}

// A Task is a problem with its instances and its scoring. Its functions are pure and safe for
// concurrent use.
type Task struct {
	Problem
	Label   TaskLabel
	Version string  // changes whenever a score could change; part of a run's header
	Splits  []Split // the training split first
	// Val is the validation split, record.Val, which no method sees and no header names. Its
	// instances are like the training instances, and at least as many. nil: no validation split.
	Val *Split
	// Packages names the Python packages that candidates need in addition to NumPy and SciPy:
	// "vision" for OpenCV (python/env). Empty: no additional packages.
	Packages string
	// Prelude is trusted Python source. It is executed in the candidate's process before the
	// candidate is loaded, e.g. to bring NumPy's global generator into a known state. If it defines
	// adapter(function), calls go to the function that adapter returns.
	Prelude string
	// Isolated means that every instance is scored in its own candidate process, and that the
	// instances of one evaluation may be scored concurrently. Otherwise one process gets the
	// instances in ascending order, and module state persists from one instance to the next.
	Isolated bool
	// Whole means that a failing program has no meaningful value: one failing instance fails a test
	// split, even of an Isolated task.
	Whole bool
	// Files are the lower-case hex SHA-256 digests of the files of a task in Python, by path
	// relative to the task file; nil for a task in Go.
	Files map[string]string
	// Sources are the contents of Files, which a run copies; nil for a task in Go.
	Sources [][]byte
	// ScoreLine names the line of a task in Python that computes the score, "my_task.py:30"; empty
	// for a task in Go.
	ScoreLine string
	// Seeding returns trusted Python source for one instance, executed after Prelude. Only an
	// Isolated task may have it.
	Seeding func(split string, instance int) string
	// Scorer is trusted Python that Score, Repeat and Evidence call through a Host; nil: no scorer.
	Scorer *Scorer
	// Score runs f on one instance and measures the outcome outside the candidate's process. An
	// error of the candidate is a *Fault error (see Invalid), and Measure.Value is then the value
	// reached before the error. Any other error means that the machine or the scorer failed.
	Score func(ctx context.Context, in Instance, f Target) (Measure, error)
	// Repeat, if not nil, is called with the program's source if no instance of a candidate process
	// had a fault. The function that it returns is then called with a second, newly loaded
	// candidate, and returns a *Fault error if the second candidate answers differently; see
	// Stateful. The returned function can no longer use the host.
	Repeat func(ctx context.Context, h Host, source string) (
		func(ctx context.Context, f Target) error, error)
	// Evidence shows how a program behaved on a training instance, as pictures and text made from
	// the trace that Score returned. It is called for the instance with the worst value if the
	// method reads evidence (Observer). Evidence returns blobs without their digests. nil: no
	// evidence.
	Evidence func(ctx context.Context, in Instance, trace []byte) ([]Blob, error)
	// Pictures describes the pictures that Score sends to Instance.Film: "tours", "an episode";
	// empty: no pictures.
	Pictures string
	// Digest returns the lower-case hex SHA-256 of a split's data. The run header contains the
	// digests of Splits; the result contains the digest of Val.
	Digest func(split string) string
	// Rescore, if not nil, describes how noisy training scores are evaluated again at the end of a
	// run, as for TSP-ACO.
	Rescore *Rescore
	// References are programs with known scores: the template's default, classical heuristics.
	References []Reference
	// Sourced are the texts of the task with the setting texts=source; empty: no such setting.
	Sourced Texts
	// Vocabulary is the offline model's knowledge of the task; nil: the model begins with programs
	// that return constants, and then varies the programs in its prompts.
	Vocabulary *Vocabulary
}

// An Instance is one instance of a split while it is scored.
type Instance struct {
	Split  string
	Number int  // from 0
	Host   Host // runs Task.Scorer; nil without a scorer
	Traced bool // the caller wants Measure.Trace
	Film   *Film
}

// A Film receives pictures of a program's behaviour, for people. The first picture of an episode is
// taken before the program acts, the last one after the episode. Pictures change no score.
type Film struct {
	Every int                   // number of steps from one picture to the next
	Show  func(p Picture) error // an error ends the instance
}

// A Picture shows the result of a program, or a result to compare it with.
type Picture struct {
	Title  string // "this program: 6.1030"; empty in an episode
	Pixels Array  // uint8 of shape (height, width, 3), RGB
}

// A Measure is the result of scoring a program on one instance.
type Measure struct {
	Value float64 // in the task's own unit (tour length, episode return); finite even with a fault
	Trace []byte  // input of Task.Evidence; nil unless Instance.Traced
	// Kept is text with which anyone can check the value. It becomes evidence of the evaluation.
	Kept []byte
}

// A Rescore describes the re-evaluation of a noisy task's best programs.
type Rescore struct {
	Top        int // number of programs: the best ones by training score
	Replicates int // number of fresh evaluations of each program
	// Score is Task.Score on the training split with the replicate's own random stream. Replicate 0
	// gives the score that the search saw; fresh replicates start at 1.
	Score func(ctx context.Context, replicate int, in Instance, f Target) (float64, error)
}

// A Split is a named set of instances: "train", "test50".
type Split struct {
	Name     string
	Title    string // in tables: "n=50"
	InDomain bool   // a test split at the scale of the training instances
	// Saturated means that many programs reach the optimum, so a better value on this split is no
	// sign of a better search.
	Saturated bool
	Instances int
	Limits    Limits
	Seeds     []int // seeds of the instances, if these are episodes; otherwise nil
}

// Instance returns the name of an instance in messages: "seed 10", "instance 3".
func (s Split) Instance(number int) string {
	if s.Seeds != nil {
		return fmt.Sprintf("seed %d", s.Seeds[number])
	}
	return fmt.Sprintf("instance %d", number)
}

// Default returns the template and its body as a whole program, or "" if there is no body.
func (t *Task) Default() string {
	if t.Template.Body == "" {
		return ""
	}
	body := strings.ReplaceAll("\n"+strings.Trim(t.Template.Body, "\n"), "\n", "\n    ")
	return strings.Join(t.Imports, "\n") + "\n\n\n" + t.Template.Header() + body + "\n"
}

// SetSplits sets Splits and Val from a list of all splits: the split named record.Val becomes Val.
func (t *Task) SetSplits(all []Split) {
	t.Splits = slices.Clone(all)
	if i := slices.IndexFunc(all, func(s Split) bool { return s.Name == record.Val }); i >= 0 {
		t.Splits, t.Val = slices.Delete(t.Splits, i, i+1), &all[i]
	}
}

// Split returns the split with the given name, and whether the task has it.
func (t *Task) Split(name string) (Split, bool) {
	if t.Val != nil && name == t.Val.Name {
		return *t.Val, true
	}
	for _, s := range t.Splits {
		if s.Name == name {
			return s, true
		}
	}
	return Split{}, false
}

// A Reference is a program that ships with a task.
type Reference struct {
	Name   string
	Source string
}
