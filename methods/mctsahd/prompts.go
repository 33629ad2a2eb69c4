package mctsahd

import (
	"fmt"
	"strconv"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

const (
	state = "State in one sentence, placed inside a single pair of braces, the idea of your new " +
		"algorithm and its main steps."
	implement = "Implement it as exactly the Python function shown below."
)

// goals are the operators' goals. They reword the prompts of LLM4AD
// (llm4ad/method/mcts_ahd/prompt.py:24-150).
var goals = map[operator]string{
	i1: "design an algorithm for this task.",
	e1: "create a new algorithm that is totally different from all the algorithms above in form, " +
		"structure and flow, and that reaches a low objective value.",
	e2: "create a new algorithm that is similar in form to No. 2 and inspired by No. 1, with a " +
		"lower objective value than both of them.",
	m1: "create a modified version of the algorithm above that has another form: bring in " +
		"mechanisms, formulas or pieces of code that it does not have yet.",
	m2: "identify the main parameters of the algorithm above, and create a version of it whose " +
		"equations use other parameter settings.",
	s1: "combine the ideas that help in the algorithms above into one new algorithm that has a " +
		"lower objective value than any of them.",
}

func steps(op operator) []string {
	switch op {
	case e2:
		return []string{
			"List the ideas of No. 1 that are promising for good algorithms in general.",
			"Take No. 2 as the base, work these ideas into it, and state in one sentence, placed " +
				"inside a single pair of braces, the idea of your new algorithm and its main " +
				"steps.",
			implement,
		}
	case s1:
		return []string{"List the ideas in the algorithms above that help.", state, implement}
	}
	return []string{state, implement}
}

// buildPrompt returns an operator's prompt, with the programs that it shows in their order.
func buildPrompt(op operator, p bench.Problem, shown []*Candidate) string {
	return prompt.Join(
		prompt.Task(p),
		listing(op, shown),
		prompt.Goal("%s", goals[op]),
		prompt.Steps(steps(op)...),
		prompt.Target(p),
		prompt.AnswerProgram(p.Template),
	)
}

// listing shows programs. Only e1, e2 and s1 show objective values, which are minimised and printed
// with all digits.
func listing(op operator, shown []*Candidate) string {
	switch {
	case len(shown) == 0:
		return ""
	case op == m1 || op == m2:
		return prompt.Listing("There is one existing algorithm. Its description and its code:",
			thought(shown[0]), shown[0].Code)
	}
	count := "There is 1 existing algorithm"
	if n := len(shown); n > 1 {
		count = fmt.Sprintf("There are %d existing algorithms", n)
	}
	blocks := []string{
		count + ", given with description, code and objective value. The lower the objective " +
			"value, the better the algorithm.",
	}
	for i, c := range shown {
		label := fmt.Sprintf("No. %d, with the objective value %s, its description and its code:",
			i+1, objective(c.Score))
		blocks = append(blocks, prompt.Listing(label, thought(c), c.Code))
	}
	return prompt.Join(blocks...)
}

func thought(c *Candidate) string { return "{" + c.Description + "}" }

func objective(score float64) string { return strconv.FormatFloat(0-score, 'g', -1, 64) }

// alignmentPrompt asks for a description of a program's behaviour. It shows the program's idea and
// code.
func alignmentPrompt(p bench.Problem, idea, code string) string {
	return prompt.Join(
		prompt.Task(p),
		prompt.Listing("An algorithm was designed for this task. Its idea and the code that "+
			"carries it out:", idea, code),
		prompt.Goal("describe the algorithm anew, because the idea does not say everything that "+
			"the code does."),
		"Build on the given idea, and name what matters most in the code: the quantities that it "+
			"favours or disfavours, its parameters, and its structure.",
		"Answer with text only, in fewer than 3 sentences.",
	)
}
