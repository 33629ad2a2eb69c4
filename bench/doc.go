// Package bench defines the contract between methods, tasks and the machine, and contains the
// engine that enforces it. One sentence describes the whole program:
//
//	A run is a list of steps. A step is proposed in order, worked on in parallel, and committed
//	in order; its committed record is all that the run, the budget, the resume and the
//	report ever look at.
//
// A second sentence describes the scores:
//
//	Generated code gets inputs and returns outputs. Its scorer runs in another process and
//	trusts nothing that the generated code says.
//
// # A tour
//
// The tour begins at the bottom.
//
// A Value (value.go) is data that Go and Python exchange. A Scorer (scorer.go) is trusted Python,
// and a Target (target.go) is a candidate in a confined process. A Task (task.go) knows instances
// and scores a Target. Tables use its labels (label.go), the offline model uses its vocabulary
// (vocabulary.go), and outcome.go defines the result of scoring.
//
// A TaskEvaluator (evaluate.go) combines the instances of a split into a score. The engine
// (engine.go) is the state of one run. It counts the budget (budget.go) and compares the run with
// its journal (resume.go): a resumed method runs from the start, and the journal answers the old
// steps. pair.go checks the requests that a paired run shares with its base. A job asks the model
// and evaluates one program through its Step (step.go), from reservation to commit. A Search
// (search.go) runs jobs in a Stream, and a Method (method.go) searches through it.
//
// A Directory (directory.go) is a run on the disk under its lock. A Run (run.go) joins a method and
// its Conditions to a directory; it begins, resumes, extends and verifies the run. Finish
// (finish.go) follows the search: it re-evaluates programs, scores the test splits and writes
// result.json. recheck.go scores a finished run again.
//
// Package bench imports llm, program and record. Methods, tasks, the sandbox, the offline model and
// reports import bench, and meet only in suite and cli. Package bench contains no name of a method
// or a task.
//
// docs/architecture.md shows all folders, the paths of a prompt and a program, and the files that a
// change touches.
package bench
