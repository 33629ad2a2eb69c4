package pace

import (
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// The prompts say in our own words what the instruction layer in the paper's appendix says. Their
// golden files are in testdata.

const (
	aboutEAPs = "An EAP is a ready-made helper function that already stands above your function when it runs: " +
		"call it by its name. Do not define an EAP, change it, or use its name for anything else."
	wholeFunction = "Keep the signature as it is shown and follow what its docstring says about inputs and result."
	answerProgram = "Answer with one sentence in braces and the code: first, within a single pair of braces, the idea of the algorithm and its main steps; " +
		"then the complete target function. No further explanation."
	answerOffspring = "Answer with one sentence in braces and the code: first, within a single pair of braces, the idea of the new algorithm and its main steps; " +
		"then the complete target function, without definitions of EAPs. No further explanation."
)

// operatorPrompt writes the prompt of I1 and P1 to P4.
func operatorPrompt(problem bench.Problem, p *plan) string {
	if p.operator == I1 {
		return prompt.Join(
			prompt.Task(problem),
			prompt.Target(problem.Template),
			prompt.Goal("design a new algorithm for this task and implement the target function. %s", wholeFunction),
			answerProgram,
		)
	}
	blocks := []string{prompt.Task(problem), prompt.Target(problem.Template)}
	for i, a := range p.parents {
		label := "The parent algorithm:"
		if len(p.parents) > 1 {
			label = fmt.Sprintf("Parent algorithm %d:", i+1)
		}
		blocks = append(blocks, prompt.Listing(label, a.Thought, a.Shown))
	}
	blocks = append(blocks, aboutEAPs)
	blocks = append(blocks, roles(p)...)
	blocks = append(blocks, instruction(p), contract(p).Lines(), answerOffspring)
	return prompt.Join(blocks...)
}

// roles shows the EAPs of a plan by the part they play.
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

// instruction is the operator's goal.
func instruction(p *plan) string {
	switch p.operator {
	case P1:
		return prompt.Goal("write a complete new algorithm that works the focus EAP into the parent and keeps the mechanisms that make the parent what it is%s. "+
			"The result of `%s` has to influence what the function returns: the parent under another name, or with a call whose result is ignored, is refused. %s", protected(p, ", the protected EAPs among them"), p.focus.Name, wholeFunction)
	case P2:
		return prompt.Goal("write a complete new algorithm in which `%s` takes the place of `%s`, and adapt the rest of the parent so that the replacement does useful work%s. %s",
			p.focus.Name, p.target.Name, protected(p, " beside the protected EAPs, which stay"), wholeFunction)
	case P3:
		return prompt.Goal("refine how the parent uses the EAPs that it calls: when it calls them, how it scales, combines and conditions their results. "+
			"Its parameters, thresholds and fallbacks may change too. %s", wholeFunction)
	case P4:
		return prompt.Goal("write one complete new algorithm that combines what is valuable in both parents. It must take at least one EAP from each of them. %s", wholeFunction)
	}
	panic("pace: no instruction for " + p.operator)
}

// protected is a clause for plans with EAPs that the child keeps beside the focus.
func protected(p *plan, clause string) string {
	if len(p.must) > 1 {
		return clause
	}
	return ""
}

// contract says the plan's contract in the prompt.
func contract(p *plan) prompt.Contract {
	switch p.operator {
	case P3:
		return prompt.Contract{Exactly: names(p.must)}
	case P2:
		return prompt.Contract{Must: names(p.must), MustNot: []string{p.target.Name}}
	}
	return prompt.Contract{Must: names(p.must), May: names(p.may), AtMost: p.atMost}
}
