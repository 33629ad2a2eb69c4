package pace

import (
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// discoveryPrompt writes the prompt of E1, E2 or E3.
func discoveryPrompt(problem bench.Problem, p *proposal) string {
	blocks := []string{prompt.Task(problem), prompt.Target(problem.Template)}
	switch p.operator {
	case E1:
		blocks = append(blocks,
			prompt.Goal("design three to five helper functions that algorithms for this task may want to call again and again: "+
				"something that rates one choice, extracts one feature, or does one part of the work."),
			rules(problem)+"\n- No function calls another one of them.",
			"Answer with function definitions only, each with a docstring. No code beside them, no explanation.")
	case E2:
		label := "The best algorithm found so far:"
		if len(p.source.Calls) > 0 {
			label = "The best algorithm found so far, with the helper functions " + prompt.Names(names(p.source.Calls)) + " that it calls:"
		}
		blocks = append(blocks,
			prompt.Listing(label, p.source.Thought, p.source.Program.Source),
			prompt.Goal("find one substantial computation inside `%s` that contributes to its result, and turn it into a helper function "+
				"that other algorithms for this task can call.", problem.Template.Name),
			rules(problem)+"\n- It is shorter than the algorithm, and it calls no other helper function.",
			"Answer with exactly one function definition, with a docstring. No code beside it, no explanation.")
	case E3:
		for _, e := range p.shown {
			blocks = append(blocks, showEAP("Helper function", e))
		}
		goal := "invent one helper function that algorithms for this task can call."
		if len(p.shown) > 0 {
			goal = "invent one helper function that algorithms for this task can call and that is able to do something which the helper functions above cannot."
		}
		blocks = append(blocks,
			prompt.Goal("%s", goal),
			rules(problem)+"\n- It calls no other helper function."+
				"\n- It is new in substance: other names, other constants or exponents, or the same computation written in another way are refused.",
			"Answer with exactly one function definition, with a docstring. No code beside it, no explanation.")
	}
	return prompt.Join(blocks...)
}

// rules are the function contract that all discovery prompts share.
func rules(problem bench.Problem) string {
	return strings.Join([]string{
		"Rules for a helper function:",
		"- It does less than `" + problem.Template.Name + "`, and neither calls nor rewrites it.",
		"- Its parameters are inputs of `" + problem.Template.Name + "`. Beside them it uses only its own variables, Python's builtins and " + allowed(problem) + ".",
		"- Its docstring says what it computes and what it returns.",
	}, "\n")
}

// allowed names what a helper function may use without importing it, and what it may import inside itself.
func allowed(problem bench.Problem) string {
	text := "no module"
	if len(problem.Imports) > 0 {
		text = "what is imported already (" + strings.Join(problem.Imports, "; ") + ")"
	}
	if len(problem.Modules) > 0 {
		text += "; it may import " + strings.Join(problem.Modules, ", ") + " inside itself"
	}
	return text
}
