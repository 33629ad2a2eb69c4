// Package offline is the embedded model: it answers the text prompts that a language model
// gets, as text. Start at New and Model.Complete.
//
// It finds the function to implement, the programs, the helper functions (EAPs) and the contract in
// the prompt (prompt.go, contract.go), composes a program from the vocabulary of the task or varies
// the programs shown (program.go, and draft.go with its operations in compose.go, vary.go, cross.go
// and calls.go), and wraps it as a model would: mostly in the form that is asked for, at times in a
// clumsy one (reply.go). It errs at stated rates (rates.go), so that every path of a run is taken.
// Python is read and written by package pytext.
//
// An answer is a function of the prompt's text, the temperature and the draw alone. Of a task
// the model knows its template and its vocabulary, or without one its references, never its
// evaluator, and it sees no score that the prompt does not show. It is a program synthesiser, not a
// language model, and every table made with it says so.
package offline
