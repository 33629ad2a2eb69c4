// Package offline is the embedded model: it answers the text prompts that a language model
// gets, as text, without one. Start at New and Vocabulary.
//
// It reads the function to implement, the programs, the helper functions (EAPs) and the
// contract out of the prompt (reader.go), composes or varies a program from a vocabulary of
// features and rules written for the task (write.go, vary.go, calls.go), and wraps it as a
// model would: mostly in the shape that is asked for, a sentence in braces and a fenced block, at
// times in a clumsy one (form.go). It errs at stated rates (rates.go), so that every path of a run
// is walked. It is a program synthesiser, not a
// language model, and every table made with it says so.
//
// An answer is a function of the prompt's text, the temperature and the draw alone. The
// package knows no task's evaluator and no method: it sees no score that the prompt does not show.
package offline
