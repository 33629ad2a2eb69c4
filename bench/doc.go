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
// The tour goes from the smallest parts to the largest.
//
// A Value (value.go) is data that Go and Python exchange. A Scorer (scorer.go) is trusted Python
// code, and a Target (target.go) is a candidate, a generated program, in a confined process. A Task
// (task.go) knows instances and scores a Target. Tables use its labels (label.go), the offline
// model uses its vocabulary (vocabulary.go), and outcome.go defines the result of scoring.
//
// A TaskEvaluator (evaluate.go) combines the instances of a split into a score. The engine
// (engine.go) is the state of one run. It counts the budget (budget.go) and compares the run with
// its journal (resume.go): a resumed method runs from the start, and the journal answers the old
// steps. pair.go checks the requests that a paired run shares with its base. A job asks the model
// and evaluates one program through its Step (step.go), which reserves the evaluation and is
// committed at the end. A Method (method.go) searches with a Search (search.go), which runs jobs in
// a Stream.
//
// A Directory (directory.go) is the locked directory of a run. A Run (run.go) joins a method and
// its Conditions to a directory; it begins, resumes, extends and verifies the run. Finish
// (finish.go) is called after the search: it re-evaluates programs, scores the test splits and
// writes result.json. recheck.go scores a finished run again.
//
// Package bench imports llm, program and record. Methods, tasks, the sandbox, the offline model and
// reports import bench, and only suite and cli combine them. Package bench contains no name of a
// method or a task.
//
// docs/architecture.md shows all folders, the paths of a prompt and a program, and the files that a
// change touches.
package bench
