package prompt

import (
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// The forms of an answer with code. All methods use them, so that the form is the same everywhere:
// only code in one block. Each form begins with "Answer with" and is the last block of a prompt; a
// repair repeats it.

// Fenced describes the block of code, for the system messages of some methods.
const Fenced = "one block fenced as ```python that holds only code"

const onlyCode = "The block holds only code: the imports that it needs, " +
	"then the complete function. " +
	"The answer ends with the block."

const idea = "{the idea of the algorithm and its main steps}"

// AnswerProgram asks for an idea, followed by its program.
func AnswerProgram(f program.Function) string {
	return inShape(f,
		"Answer with one sentence in braces, then one block of code, in exactly this shape:", idea)
}

// AnswerAnalysed asks for a description of a picture, an analysis and an idea, followed by a
// program.
func AnswerAnalysed(f program.Function) string {
	return inShape(f,
		"Answer with a description in single quotes, an analysis in square brackets, one "+
			"sentence in braces, then one block of code, in exactly this shape:",
		"'what the picture shows'", "[the analysis]", idea)
}

// AnswerCode asks for only a program.
func AnswerCode(f program.Function) string {
	return inShape(f, "Answer with code only, in exactly this shape:")
}

// inShape shows the form of an answer that ends in a program.
func inShape(f program.Function, before ...string) string {
	return Join(append(before, Block(f.Header()+"\n    ..."), onlyCode)...)
}

// AnswerHelper asks for one helper function.
func AnswerHelper() string {
	return helpers("exactly one function definition",
		"The block holds only this function. The answer ends with the block.")
}

// AnswerHelpers asks for several helper functions.
func AnswerHelpers() string {
	return helpers("function definitions only",
		"The block holds only such functions, one below the other. The answer ends with the block.")
}

func helpers(what, rest string) string {
	return Join(
		"Answer with "+what+", in exactly this shape:",
		Block("def <name>(<inputs>):\n    \"\"\"<what it computes and what it "+
			"returns>\"\"\"\n    ..."),
		rest,
	)
}

// Block fences code.
func Block(code string) string { return "```python\n" + code + "\n```" }

// Repair asks again. It repeats the original prompt, the verbatim answer and the form of the
// answer, and gives the reason for the refusal.
func Repair(original, answer, reason, form string) string {
	return Join(original,
		"Your previous answer:\n"+strings.Trim(answer, "\n"),
		"It was refused: "+reason+
			"\nAnswer again in full, with this corrected and everything else as asked above.",
		form)
}

// FromTask asks for an algorithm and shows only the task. PACE's I1, best-of-N and random sampling
// must send the same words, so all three use it.
func FromTask(p bench.Problem) string {
	return Join(
		Task(p),
		Target(p),
		Goal("design a new algorithm for this task and implement the function. %s", WholeFunction),
		AnswerProgram(p.Template),
	)
}

// WholeFunction tells the model which parts must not change.
const WholeFunction = "Keep the signature as it is shown and follow what its docstring says " +
	"about inputs and result."
