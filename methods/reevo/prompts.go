package reevo

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// The two roles that the model plays (LLM4AD llm4ad/method/reevo/prompt.py). Both say "heuristics"
// for every task, as in the port.
const (
	generator = "You are an experienced designer of heuristics for optimization problems, and " +
		"you write heuristics that work well. What you give back is " + prompt.Fenced + "."
	reflector = "You are an experienced designer of heuristics for optimization problems, and " +
		"you give hints that help others to design better ones."
)

// answer describes the code's environment, and asks for version 2.
func answer(p bench.Problem) string {
	two := p.Template
	two.Name = prompt.Version(two.Name, 2)
	return prompt.Join(prompt.Environment(p), prompt.AnswerCode(two))
}

// listing shows a program in its own section.
func listing(label, code string) string { return section(label, strings.TrimRight(code, "\n")) }

// section puts a label in brackets above a text.
func section(label, text string) string { return "[" + label + "]\n" + text }

// initPrompt shows the template's function with its default body as version 1 and asks for version
// 2.
func initPrompt(p bench.Problem) string {
	one, two := p.Template, prompt.Version(p.Template.Name, 2)
	one.Name = prompt.Version(p.Template.Name, 1)
	return prompt.Join(
		section("Task", prompt.Task(p)),
		listing("Version 1", prompt.Default(one)),
		prompt.Goal("improve %s into a better function %s.", one.Name, two),
		answer(p),
	)
}

// shortPrompt asks why the better of two parents is better. Both have the same function name.
func shortPrompt(p bench.Problem, worse, better evolve.Candidate) string {
	name := p.Template.Name
	return prompt.Join(
		section("Task", prompt.Task(p)),
		fmt.Sprintf("Two versions of the function %s follow. The second one performs better than "+
			"the first.", name),
		listing("Worse version", worse.Documented.As(name)),
		listing("Better version", better.Documented.As(name)),
		prompt.Goal("judge from these two versions how a better heuristic should be designed."),
		"Answer with text only: hints for the design, in fewer than 20 words.",
	)
}

// crossoverPrompt asks for a child of two parents, guided by a short-term reflection.
func crossoverPrompt(p bench.Problem, worse, better evolve.Candidate, hint string) string {
	name := p.Template.Name
	return prompt.Join(
		section("Task", prompt.Task(p)),
		listing("Worse version", worse.Documented.As(prompt.Version(name, 0))),
		listing("Better version", better.Documented.As(prompt.Version(name, 1))),
		section("Reflection", hint),
		section("Improved version",
			prompt.Goal("write an improved function %s, following the reflection.",
				prompt.Version(name, 2))),
		answer(p),
	)
}

// longPrompt asks the model to condense the newest short-term reflections and the previous
// long-term reflection.
func longPrompt(p bench.Problem, prior string, hints []string) string {
	return prompt.Join(
		"Hints for the design of heuristics have been gathered for this task: "+prompt.Task(p),
		section("Prior reflection", prior),
		section("New insights", strings.Join(hints, "\n")),
		prompt.Goal("give constructive hints for designing better heuristics, from the prior "+
			"reflection and the new insights."),
		"Answer with text only, in fewer than 50 words.",
	)
}

// mutationPrompt asks for a variation of the best program, guided by a long-term reflection.
func mutationPrompt(p bench.Problem, elite evolve.Candidate, long string) string {
	name := p.Template.Name
	return prompt.Join(
		section("Task", prompt.Task(p)),
		section("Prior reflection", long),
		listing("Code", elite.Documented.As(prompt.Version(name, 1))),
		section("Improved version",
			prompt.Goal("write a mutated function %s, following the reflection.",
				prompt.Version(name, 2))),
		answer(p),
	)
}
