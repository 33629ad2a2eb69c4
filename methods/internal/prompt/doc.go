// Package prompt writes the blocks that all methods' prompts are made of: the task, the
// function to design, parents, EAPs, contracts over calls, the form of the answer, and the
// request for a repair. Start at Join and Template. All functions are pure.
//
// The blocks follow one convention, so that an embedded model can read a prompt as well as a
// language model does. Code stands at column 0. The function to design is shown as signature
// and docstring without a body; a parent is a definition of the same name with a body. A
// thought stands in braces on the line before its code. A contract is a line that begins with
// fixed words and names functions in backticks. The form of the answer is said in the last
// block, whose first line begins with "Answer with".
package prompt
