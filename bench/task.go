package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Goal says in which direction a task's own measure improves: scores are always larger-is-better.
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

// Score turns a value in the task's own unit into a score.
func (g Goal) Score(value float64) float64 {
	if g == Minimize {
		return -value
	}
	return value
}

// Value turns a score into a value in the task's own unit.
func (g Goal) Value(score float64) float64 { return g.Score(score) }

// A Problem is all that a method may know of a task.
type Problem struct {
	Name        string           // "tsp-construct"
	Description string           // the task in prose, for prompts
	Template    program.Function // the function to design
	Imports     []string         // import lines before every candidate, e.g. "import numpy as np"
	Modules     []string         // root modules that a candidate may import, e.g. "math", "numpy"
	Runtime     string           // what candidates run under, for prompts; from the run's header
	Goal        Goal
}

// Texts are what a Problem tells a model, with only what the sources of the task tell.
type Texts struct {
	Description string // Problem.Description
	Doc         string // Problem.Template.Doc
}

// A Task is a problem with its instances and its way of scoring. It is a value: its
// functions are pure and safe for concurrent use.
type Task struct {
	Problem
	Label   TaskLabel
	Version string  // changes whenever a score could change; part of a run's header
	Splits  []Split // the training split first
	// Val is the validation split, record.Val, which no method sees and no header names: instances
	// like those of training, at least as many. nil: the task has none.
	Val *Split
	// Packages names what candidates need besides NumPy and SciPy, "vision" for OpenCV
	// (python/env); empty: nothing.
	Packages string
	// Prelude is trusted Python source executed in the candidate's process before the
	// candidate is loaded, e.g. to bring NumPy's global generator into a known state. Where it
	// defines adapter(function), calls go to what that returns.
	Prelude string
	// Fresh means that every instance is scored with a candidate process of its own, and that the
	// instances of one evaluation may be scored at once. Otherwise one process has them in
	// ascending order, so module state lives from one to the next.
	Fresh bool
	// Whole means that no value says what a failing program reached: one instance that fails fails
	// a test split of a Fresh task, too.
	Whole bool
	// Files are the files that a task in Python consists of, with their lower-case hex SHA-256, by
	// path from the task file; nil for a task in Go.
	Files map[string]string
	// Sources are the contents of Files, of which a run keeps copies; nil for a task in Go.
	Sources [][]byte
	// Place is the line of a task in Python that scores, "my_task.py:30"; empty for a task in Go.
	Place string
	// Seeding, which only a Fresh task may have, is more trusted Python for one instance, executed
	// after Prelude.
	Seeding func(split string, instance int) string
	// Scorer is trusted Python that Score and Evidence ask through Instance.Host; nil: none.
	Scorer *Scorer
	// Score drives f on one instance and measures the outcome outside of it. A failing candidate is
	// a *Fault error (see Invalid), and Value says what was reached then; any other error means
	// that the world is broken.
	Score func(ctx context.Context, in Instance, f Target) (Measure, error)
	// Replay, when not nil, is called after the last instance that a candidate process is scored
	// on, with the program's source. What it returns is then called with a second candidate, loaded
	// anew, and has a *Fault error where that one answers otherwise; see Stateful. The host is not
	// there any more.
	Replay func(ctx context.Context, h Host, source string) (
		func(ctx context.Context, f Target) error, error)
	// Evidence shows how a program behaved on a training instance, from the trace that Score left:
	// pictures and text. It is called for the instance with the worst value, when the method is an
	// Observer; nil: the task has none to show. It returns blobs without their digests.
	Evidence func(ctx context.Context, in Instance, trace []byte) ([]Blob, error)
	// Pictures says what Score shows an Instance.Film: "tours", "an episode"; empty: nothing.
	Pictures string
	// Digest is the lower-case hex SHA-256 of a split's data, for the run header or, of the
	// validation split, for the result.
	Digest func(split string) string
	// Rescore, when not nil, says how noisy training scores are evaluated afresh when a run ends
	// (TSP-ACO).
	Rescore *Rescore
	// References are programs with known scores: the template's default, classical heuristics.
	References []Reference
	// Sourced are the texts of the same task under its setting texts=source; empty: it has no such
	// setting.
	Sourced Texts
	// Vocabulary is what the offline model knows of the task; nil: it varies the programs that it
	// is shown, and its first ones return constants.
	Vocabulary *Vocabulary
}

// An Instance is one instance of a split while it is scored.
type Instance struct {
	Split  string
	Number int  // from 0
	Host   Host // runs Task.Scorer; nil where the task has none
	Traced bool // the caller wants Measure.Trace
	Film   *Film
}

// A Film gets pictures of what a program does, for people. Of an episode the first is taken before
// the program acts, the last when all is over. They change nothing of what is scored.
type Film struct {
	Every int                   // steps of an episode from one picture to the next
	Show  func(p Picture) error // an error ends the instance
}

// A Picture shows what a program did, or what there is to compare it with.
type Picture struct {
	Title  string // "this program: 6.1030"; empty in an episode
	Pixels Array  // uint8 of shape (height, width, 3), RGB
}

// A Measure is what scoring a program on one instance gives.
type Measure struct {
	Value float64 // in the task's own unit (tour length, episode return); finite with a fault, too
	Trace []byte  // what Task.Evidence needs; nil when it was not asked for
	// Kept is text that anyone can check the value with; it becomes evidence of the evaluation.
	Kept []byte
}

// A Rescore describes the re-evaluation of a stochastic task's best programs.
type Rescore struct {
	Top        int // programs re-evaluated, by training score
	Replicates int // fresh evaluations of each
	// Score is Task.Score on the training split with the replicate's own random stream; replicate 0
	// is what the search saw, fresh ones start at 1.
	Score func(ctx context.Context, replicate int, in Instance, f Target) (float64, error)
}

// A Split is a named set of instances: "train", "test50".
type Split struct {
	Name     string
	Title    string // in tables: "n=50"
	InDomain bool   // a test split at the scale of the training instances
	// Saturated says that many programs reach the optimum: a better value there is no success.
	Saturated bool
	Instances int
	Limits    Limits
	Seeds     []int // of the episodes that the instances are; nil: they are none
}

// Instance is how people call an instance: "seed 10", "instance 3".
func (s Split) Instance(number int) string {
	if s.Seeds != nil {
		return fmt.Sprintf("seed %d", s.Seeds[number])
	}
	return fmt.Sprintf("instance %d", number)
}

// Default is the template with its body, a whole program; "" where it has none.
func (t *Task) Default() string {
	if t.Template.Body == "" {
		return ""
	}
	body := strings.ReplaceAll("\n"+strings.Trim(t.Template.Body, "\n"), "\n", "\n    ")
	return strings.Join(t.Imports, "\n") + "\n\n\n" + t.Template.Header() + body + "\n"
}

// SetSplits sets Splits and Val from a list of all splits: the one named record.Val is Val.
func (t *Task) SetSplits(all []Split) {
	t.Splits = slices.Clone(all)
	if i := slices.IndexFunc(all, func(s Split) bool { return s.Name == record.Val }); i >= 0 {
		t.Splits, t.Val = slices.Delete(t.Splits, i, i+1), &all[i]
	}
}

// Split returns the split of that name.
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
