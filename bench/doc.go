// Package bench is the contract between methods, tasks and the machine, and the engine that keeps
// it. One sentence describes the whole program:
//
//	A run is a list of steps. A step is proposed in order, worked on in parallel, and committed
//	in order; its committed record is all that the run, the budget, the resume and the
//	report ever look at.
//
// And a second one describes the scores:
//
//	Generated code gets inputs and returns outputs. Whatever scores it runs in another
//	process and trusts nothing it says.
//
// # A tour
//
// The tour begins at the bottom.
//
// A Value (value.go) is what crosses the border to Python. A Scorer (scorer.go) is trusted Python,
// and a Target (target.go) is a candidate in a confined process. A Task (task.go) knows instances
// and scores a Target. Tables use its labels (label.go), the offline model its vocabulary
// (vocabulary.go), and outcome.go defines the result of scoring.
//
// A TaskEvaluator (evaluate.go) combines the instances of a split into a score. The engine
// (engine.go) is the state of one run. It counts the budget (budget.go) and compares the run with
// its journal (resume.go): a resumed method runs from the start, and the journal answers the old
// steps. pair.go checks what a paired run shares with its base. A job asks the model and evaluates
// one program through its Step (step.go), from reservation to commit. A Search (search.go) runs
// jobs in a Stream, and a Method (method.go) searches through it.
//
// A Directory (directory.go) is a run on the disk under its lock. A Run (run.go) joins a method
// and its Conditions to a directory; it begins, resumes, extends and verifies the run. Finish
// (finish.go) does what follows the search: re-evaluation, test splits, result.json. recheck.go
// scores a finished run again.
//
// Package bench imports llm, program and record. Methods, tasks, the sandbox, the offline model and
// reports import bench, and meet only in suite and cli. Package bench knows the name of no method
// and of no task.
//
// docs/architecture.md shows all folders, the ways of a prompt and a program, and the files that a
// change touches.
package bench
