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
// The tour goes from the bottom to the top.
//
// What crosses the border to Python is a Value (value.go). A Scorer (scorer.go) is trusted Python,
// a Target (target.go) a candidate in a confined process. A Task (task.go) knows instances and
// scores a Target; label.go says how tables show it, vocabulary.go what the offline model knows of
// it, outcome.go what comes of scoring.
//
// A TaskEvaluator (evaluate.go) puts the instances of a split together to a score. The engine
// (engine.go) is the state of one run and compares it with its journal: resuming is running the
// method from the top while old steps are answered from their records. resume.go says where the
// two part, pair.go what a paired run shares with its base. Every job asks the model and evaluates
// one program through its Step (step.go), whose life from reservation to commit is there; jobs are
// proposed to a Stream of the Search (search.go). A Method (method.go) searches through it.
//
// A Directory (directory.go) is a run on the disk under its lock. A Run (run.go) joins a method
// and its Conditions to a directory, begins, resumes, grows and verifies. Finish (finish.go) does
// what comes after the search: re-evaluation, test splits, result.json; recheck.go does the scoring
// of a finished run again.
//
// Below it are llm (models), program (candidates as values), journal (lines on disk) and note (what
// methods remark). Above it are methods, tasks, baselines, sandbox, offline, results and report,
// which meet only in cli. Package bench knows no method's and no task's name.
//
// docs/architecture.md shows all packages, the ways of a prompt and a program, and which files a
// change touches.
package bench
