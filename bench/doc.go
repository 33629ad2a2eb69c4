// Package bench defines the contract between methods, tasks and the machine, and contains the
// engine that enforces it. One rule describes runs:
//
//	A run is a list of steps. Steps are proposed in order, executed in parallel, and committed in
//	order. Budgets, resumed runs and reports depend only on the committed records.
//
// Another rule describes scores:
//
//	Generated code gets inputs and returns outputs. Its scorer runs in another process and
//	trusts nothing that the generated code claims.
//
// # A tour
//
// The tour goes from the smallest parts to the largest.
//
// A Value (value.go) is data that Go and Python exchange. A Scorer (scorer.go) is trusted Python
// code, and a Target (target.go) is a candidate, a generated program, in a confined process. A Task
// (task.go) has instances and scores a Target. Tables use its label (label.go), the offline model
// uses its vocabulary (vocabulary.go), and outcome.go names the types of results.
//
// A TaskEvaluator (evaluate.go) scores a program on the instances of a split. The engine
// (engine.go) is the state of one run. It counts the budget (budget.go) and compares the run with
// its journal (resume.go): a resumed method starts from the beginning, and the journal answers its
// old steps. pair.go checks the requests that a paired run shares with its base. A job asks the
// model and evaluates a program through its Step (step.go), which reserves the evaluation and is
// committed at the end. A Method (method.go) searches with a Search (search.go), which runs jobs in
// a Stream.
//
// A Directory (directory.go) is the locked directory of a run. A Run (run.go) is a method with its
// Conditions; it begins, resumes, extends or verifies the run in a directory. After the search,
// Finish (finish.go) re-evaluates programs, scores them on the test splits and writes result.json.
// recheck.go scores a finished run again.
//
// Package bench imports llm, program, record and helpers of internal. Methods, tasks, the sandbox,
// the offline model and reports import bench, and only suite and cli combine them. The code of
// package bench names no method and no task.
//
// docs/architecture.md lists the folders, follows a prompt and a program through them, and names
// the files to edit for common changes.
package bench
