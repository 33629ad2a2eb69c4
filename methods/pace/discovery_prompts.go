package pace

import (
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// discoveryPrompt writes the prompt of E1, E2 or E3.
func discoveryPrompt(problem bench.Problem, p *proposal) string {
	blocks := []string{prompt.Task(problem), prompt.Target(problem)}
	switch p.operator {
	case E1:
		blocks = append(blocks,
			prompt.Goal("design three to five helper functions that algorithms for this task may "+
				"want to call again and again: "+
				"something that rates one choice, extracts one feature, or does one part "+
				"of the work."),
			rules(problem)+"\n- No function calls another one of them.")
	case E2:
		label := "The best algorithm found so far:"
		if len(p.source.Calls) > 0 {
			label = "The best algorithm found so far, with the helper functions " +
				prompt.Names(names(p.source.Calls)) + " that it calls:"
		}
		blocks = append(blocks,
			prompt.Listing(label, p.source.Thought, p.source.Program.Source),
			prompt.Goal("find one substantial computation inside `%s` that contributes to its "+
				"result, and turn it into a helper function "+
				"that other algorithms for this task can call.", problem.Template.Name),
			rules(problem)+"\n- It is shorter than the algorithm, and it calls no other "+
				"helper function.")
	case E3:
		for _, e := range p.shown {
			blocks = append(blocks, showEAP("Helper function", e))
		}
		goal := "invent one helper function that algorithms for this task can call."
		if len(p.shown) > 0 {
			goal = "invent one helper function that algorithms for this task can call and that " +
				"is able to do something which the helper functions above cannot."
		}
		blocks = append(blocks,
			prompt.Goal("%s", goal),
			rules(problem)+"\n- It calls no other helper function."+
				"\n- It is new in substance: other names, other constants or exponents, or the "+
				"same computation written in another way are refused.")
	}
	return prompt.Join(append(blocks, p.form())...)
}

// form is the form of the answer to a proposal.
func (p *proposal) form() string {
	if p.operator == E1 {
		return prompt.AnswerHelpers()
	}
	return prompt.AnswerHelper()
}

// rules are the function contract that all discovery prompts share.
func rules(problem bench.Problem) string {
	return strings.Join([]string{
		"Rules for a helper function:",
		"- It does less than `" + problem.Template.Name + "`, and neither calls nor rewrites it.",
		"- Its parameters are inputs of `" + problem.Template.Name +
			"`. Beside them it uses only its own variables, Python's builtins, " +
			"what is imported already, and modules that it imports inside itself.",
		"- Its docstring says what it computes and what it returns.",
	}, "\n")
}
