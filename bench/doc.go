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
// A Method (method.go) searches through a Search (search.go): it proposes jobs to a Stream, and
// every job asks the model and evaluates one program through its Step (step.go). A Task (task.go)
// knows instances and scores a Target, a candidate loaded in a confined process. A Run (run.go)
// joins a method, a problem, a model and an evaluator to a directory; engine.go holds its state and
// the journal's replay: resuming is running the method from the top while old steps are answered
// from their records. Finish (finish.go) does what comes after the search: re-evaluation, test
// splits, result.json.
//
// Below it are llm (models), program (candidates as values), journal (lines on disk) and note (what
// methods remark). Above it are methods, tasks, baselines, sandbox, offline, results and report,
// which meet only in cli. Package bench knows no method's and no task's name.
//
// docs/architecture.md shows all packages, the ways of a prompt and a program, and which files a
// change touches.
package bench
