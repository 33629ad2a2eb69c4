package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pacebench/pacebench/bench/program"
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
	// Packages names what candidates need besides NumPy and SciPy, "vision" for OpenCV
	// (bench/python); empty: nothing.
	Packages string
	// Prelude is trusted Python source executed in the candidate's process before the
	// candidate is loaded, e.g. to bring NumPy's global generator into a known state.
	Prelude string
	// Fresh means that every instance is scored with a candidate process of its own, and that the
	// instances of one evaluation may be scored at once. Otherwise one process has them in
	// ascending order, so module state lives from one to the next.
	Fresh bool
	// Seeding, which only a Fresh task may have, is more trusted Python for one instance, executed
	// after Prelude.
	Seeding func(split string, instance int) string
	// Scorer is trusted Python that Score and Evidence ask through Instance.Host; nil: none.
	Scorer *Scorer
	// Score drives f on one instance and measures the outcome outside of it. A failing candidate is
	// a *Fault error (see Invalid), and Value says what was reached then; any other error means
	// that the world is broken.
	Score func(ctx context.Context, in Instance, f Target) (Measure, error)
	// Evidence shows how a program behaved on a training instance, from the trace that Score left:
	// pictures and text. It is called for the instance with the worst value, when the method is an
	// Observer; nil: the task has none to show. It returns blobs without their digests.
	Evidence func(ctx context.Context, in Instance, trace []byte) ([]Blob, error)
	// Pictures says what Score shows an Instance.Film: "tours", "an episode"; empty: nothing.
	Pictures string
	// Digest is the lower-case hex SHA-256 of a split's data, for the run header.
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
}

// A Rescore describes the re-evaluation of a stochastic task's best programs.
type Rescore struct {
	Top        int // programs re-evaluated, by training score
	Replicates int // fresh evaluations of each
	// Score is Task.Score on the training split with the replicate's own random stream; replicate 0
	// is what the search saw, fresh ones start at 1.
	Score func(ctx context.Context, replicate, instance int, f Target) (float64, error)
}

// A Split is a named set of instances: "train", "test50".
type Split struct {
	Name      string
	Title     string // in tables: "n=50"
	InDomain  bool   // a test split at the scale of the training instances
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

// Split returns the split of that name.
func (t *Task) Split(name string) (Split, bool) {
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

// Limits bound one evaluation: a candidate's whole life on one split.
type Limits struct {
	CPU    time.Duration // used by the process itself; zero: 30 s
	Wall   time.Duration // while the candidate is asked; for sleepers; zero: 3 times CPU and 10 s
	Memory int64         // bytes of address space beyond the interpreter's own; zero: 1 GiB
	Scale  float64       // the run's factor on CPU and Wall (Header.TimeScale); zero: 1
}

// ErrInterrupted means that the machine ended an evaluation: a process was killed from outside, or
// the sandbox's own is gone. It says nothing about the candidate, and the evaluation can be
// repeated.
var ErrInterrupted = errors.New("evaluation interrupted")

// A Loader makes candidates callable. Implemented by sandbox.Pool. Load blocks until a worker
// is free; how many there are depends on the machine (--jobs), never on the method.
type Loader interface {
	// Load starts a confined process, runs prelude and then source in it as a module, and returns
	// its function name. What the candidate does wrong (syntax, raising at import, a missing
	// function, time, memory) is a *Fault error.
	Load(ctx context.Context, source, prelude, name string, limits Limits) (Target, error)
}

// A Target is a loaded candidate in a confined process: it can be called, nothing else. One
// goroutine uses it at a time.
type Target interface {
	// Call calls the function positionally. A *Fault error (Raised, Timeout, Memory, Crashed)
	// ends the target: later calls return the same fault.
	Call(ctx context.Context, args ...Value) (Value, error)
	// Upload hands over an array once and returns a handle for use in Call; the candidate
	// sees one writable object of its own behind it, the same at every call.
	Upload(ctx context.Context, a Array) (Handle, error)
	// Close ends the process and waits for it. It is safe to call twice.
	Close() error
	// CPU is the CPU time that the candidate has used, once it is closed, of Limit; 0: not known.
	CPU() time.Duration
	Limit() time.Duration
	// Pin keeps the process on one CPU with the goroutine that calls it and with h, which may be
	// nil, until release is called, for speed alone. Candidates without a process are Unmeasured.
	Pin(h Host) (release func())
}

// A Looper is a Target that can put many questions to its candidate at the price of one. The
// prelude defines a generator, questions(*args), which yields the arguments of a call and is sent
// the integer that the candidate returned; the loop ends with the generator, or with an answer that
// is no integer. One process holds the questions and the candidate, and the candidate may rewrite
// them, so a task checks the answers as if it had asked each question itself.
type Looper interface {
	Target
	// Loop returns all answers: the last one as Call does, the ones before it, which are integers,
	// apart. A *Fault error ends the target, as Call's does; it is the fault of the first call that
	// fails, whatever the ones before it returned.
	Loop(ctx context.Context, args ...Value) (first []int64, last Value, err error)
}

// A Value crosses the border to a candidate: Int, Float, Bool, None, Array, Handle, Other.
type Value interface{ isValue() }

type (
	// Int is a Python int, or on the way back anything that operator.index accepts except bool
	// (NumPy integers, 0-d integer arrays).
	Int int64
	// Float is a Python float or NumPy floating scalar.
	Float float64
	// Bool is a bool. On the way back it is kept apart from Int.
	Bool bool
	// None is Python's None.
	None struct{}
	// Array is a NumPy array, raw little-endian bytes in C order. An argument without dimensions
	// arrives as a NumPy scalar.
	Array struct {
		DType string // NumPy's name: "float64", "int64", "bool", ...
		Shape []int
		Data  []byte
	}
	// Handle names an uploaded array.
	Handle int
	// Other is a returned object that is none of the above: its type, named for the fault's detail.
	Other struct{ Type string }
)

func (Int) isValue()    {}
func (Float) isValue()  {}
func (Bool) isValue()   {}
func (None) isValue()   {}
func (Array) isValue()  {}
func (Handle) isValue() {}
func (Other) isValue()  {}
