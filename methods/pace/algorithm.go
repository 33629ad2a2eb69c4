package pace

import "github.com/pacebench/pacebench/bench/program"

// An Algorithm is a complete candidate of the history. It never changes once it is committed.
type Algorithm struct {
	ID      int     // its evaluation, from 1
	Thought string  // the one-sentence description, in its braces; empty when the model gave none
	Shown   string  // its own code as prompts show it, without EAPs and the target's docstring
	Calls   []*EAP  // the call set C(A), oldest first
	Score   float64 // larger is better
	// Program is what was evaluated: imports, the definitions of exactly the EAPs called, and the
	// algorithm's own code.
	Program  program.Program
	analysis program.Analysis // of its own code, which never holds an EAP's definition
}

// statements is the length of the algorithm's own code.
func (a *Algorithm) statements() int {
	n := 0
	for _, f := range a.analysis.Functions {
		n += f.Statements
	}
	return n
}
