// Package bench is the contract between methods, tasks and the world, and the engine that
// keeps it. One sentence carries the whole house:
//
//	A run is a list of steps. A step is proposed in order, worked on in parallel, and committed
//	in order; its committed record is all that the run, the budget, the resume and the
//	report ever look at.
//
// And a second one the scores:
//
//	Generated code gets inputs and returns outputs. Whatever scores it lives in another
//	process and trusts nothing it says.
//
// # A tour
//
// A Method (method.go) searches through a Search (search.go): it proposes jobs to a Stream, and
// every job asks the model and evaluates one program through its Step (step.go). A Task (task.go)
// knows instances and scores a Target, a candidate loaded in a confined process.
// A Run (run.go) joins a method, a problem, a model and an evaluator to a directory; engine.go
// holds its state and the journal's replay: resuming is running the method from the top while old steps
// are answered from their records. Cell (cell.go) adds what comes after the search: re-evaluation,
// test splits, result.json.
//
// Below lie llm (models), program (candidates as values) and journal (lines on disk). Above lie
// methods, tasks, baselines, sandbox, offline and report, which meet only in cli. Package bench
// knows no method's and no task's name.
package bench
