package bench

import (
	"context"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
)

// An Evaluator scores programs on the training split. Safe for concurrent use.
// benchtest.Evaluator is the fake; NewTaskEvaluator the real one.
type Evaluator interface {
	Evaluate(ctx context.Context, p program.Program) (Outcome, error)
}

// A Run is one cell: a method on a problem with a seed, kept in a directory.
type Run struct {
	Header    Header
	Method    Method
	Problem   Problem
	Model     llm.Model
	Evaluator Evaluator
	Analyzer  program.Analyzer
	// Progress, when not nil, is called after every commit, on the run's goroutine.
	Progress func(Progress)
}

// Progress is where a run stands.
type Progress struct {
	Evaluations, Budget int
	Requests            int
	Replayed            bool     // the step was answered from the journal
	Best                *float64 // in score units; nil while no program has a score
	Tokens              int
}

// Execute runs the cell in dir, which it creates, or goes on with the journal it finds there. It takes an exclusive
// lock on dir. When it returns nil, dir holds run.json, journal.jsonl, timing.jsonl, blobs/ and, when a program has a score, best.py.
func (r *Run) Execute(ctx context.Context, dir string) (*Result, error) { panic("todo") }

// Load reads a run directory: header, records in order, and result.json when there is one.
func Load(dir string) (*Loaded, error) { panic("todo") }

// Loaded is a run as read from its directory.
type Loaded struct {
	Dir     string
	Header  Header
	Records []Record
	Result  *Result // nil while the run is unfinished
}
