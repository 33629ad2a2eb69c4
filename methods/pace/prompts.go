package pace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// The prompts paraphrase the instruction layer in the paper's appendix. A golden file of package
// methods contains them.

const aboutEAPs = "An EAP is a ready-made helper function that already stands above your " +
	"function when it runs: call it by its name. Your code leaves out the definitions of the " +
	"EAPs, and uses other names for everything of its own."

func operatorPrompt(problem bench.Problem, p *plan) string {
	if p.operator == I1 {
		return prompt.FromTask(problem)
	}
	blocks := []string{prompt.Task(problem), prompt.Target(problem)}
	for i, a := range p.parents {
		label := "The parent algorithm:"
		if len(p.parents) > 1 {
			label = fmt.Sprintf("Parent algorithm %d:", i+1)
		}
		blocks = append(blocks, prompt.Listing(label, a.Thought, a.Shown))
	}
	if eaps := roles(p); len(eaps) > 0 {
		blocks = append(append(blocks, aboutEAPs), eaps...)
	}
	blocks = append(blocks, instruction(p), prompt.Contract(p.contract(), names(p.shown())),
		prompt.AnswerProgram(problem.Template))
	return prompt.Join(blocks...)
}

func roles(p *plan) []string {
	var blocks []string
	for _, e := range p.shown() {
		role := "EAP"
		switch {
		case e == p.focus && p.operator == P2:
			role = "Replacement EAP"
		case e == p.focus:
			role = "Focus EAP"
		case e == p.target:
			role = "EAP to be replaced"
		case p.operator == P1 || p.operator == P2:
			role = "Protected EAP"
		case p.operator == P4 && slices.Contains(p.must, e):
			role = "Designated EAP"
		}
		blocks = append(blocks, showEAP(role, e))
	}
	return blocks
}

func showEAP(role string, e *EAP) string {
	return prompt.Listing(role+" `"+e.Name+"`:", "", e.Source)
}

func instruction(p *plan) string {
	switch p.operator {
	case P1:
		return prompt.Goal("write a complete new algorithm that works the focus EAP into the "+
			"parent and keeps the mechanisms that make the parent what it is%s. "+
			"The result of `%s` has to influence what the function returns: the parent under "+
			"another name, or with a call whose result is ignored, is refused. %s",
			protected(p, ", the protected EAPs among them"), p.focus.Name, prompt.WholeFunction)
	case P2:
		return prompt.Goal("write a complete new algorithm in which `%s` takes the place of "+
			"`%s`, and adapt the rest of the parent so that the replacement does useful work%s. %s",
			p.focus.Name, p.target.Name, protected(p, " beside the protected EAPs, which stay"),
			prompt.WholeFunction)
	case P3:
		if len(p.must) == 0 {
			return prompt.Goal("refine the parent: when it does what, and how it scales, "+
				"combines and conditions what it computes. "+
				"Its numbers, thresholds and fallbacks may change too. %s", prompt.WholeFunction)
		}
		return prompt.Goal("refine how the parent uses the EAPs that it calls: when it calls "+
			"them, how it scales, combines and conditions their results. "+
			"Its parameters, thresholds and fallbacks may change too. %s", prompt.WholeFunction)
	case P4:
		return prompt.Goal("write one complete new algorithm that combines what is valuable in "+
			"both parents. It must take at least one EAP from each of them. %s",
			prompt.WholeFunction)
	}
	panic("pace: no instruction for " + p.operator)
}

// protected returns the clause if the child must call other EAPs than the focus, and "" otherwise.
func protected(p *plan, clause string) string {
	if len(p.must) > 1 {
		return clause
	}
	return ""
}

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

func (p *proposal) form() string {
	if p.operator == E1 {
		return prompt.AnswerHelpers()
	}
	return prompt.AnswerHelper()
}

// rules returns the function contract that all discovery prompts share.
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
