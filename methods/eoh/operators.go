package eoh

import (
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// An operator is one way of asking for a program.
type operator struct {
	name  string // as in the EoH paper
	pairs bool   // shows the parents of e1 and e2; otherwise one parent, or none for i1
	goal  string
	steps []string
}

// purpose is what its requests are journalled under.
func (o operator) purpose() llm.Purpose { return llm.Purpose("algorithm/" + o.name) }

const (
	describe = "Say in one sentence, placed inside a single pair of braces, what your new " +
		"algorithm does and what its main steps are."
	implement = "Implement it as the Python function shown below."
)

// The five operators. The goals say in other words what the prompts of LLM4AD ask for
// (llm4ad/method/eoh/prompt.py:22-120).
var (
	i1 = operator{name: "i1", steps: []string{describe, implement}}
	e1 = operator{
		name: "e1", pairs: true,
		goal: "create a new algorithm whose form is entirely different from all the " +
			"algorithms above.",
		steps: []string{describe, implement},
	}
	e2 = operator{
		name: "e2", pairs: true,
		goal: "create a new algorithm that is different in form from the algorithms above, but " +
			"takes its motivation from them.",
		steps: []string{
			"Find the shared idea that forms the backbone of the algorithms above.",
			"Starting from this backbone, say in one sentence, placed inside a single pair of " +
				"braces, what your new algorithm does and what its main steps are.",
			implement,
		},
	}
	m1 = operator{
		name: "m1",
		goal: "create a new algorithm that is a modified version of the algorithm above and has " +
			"another form.",
		steps: []string{describe, implement},
	}
	m2 = operator{
		name: "m2",
		goal: "find out which parameters matter most in the algorithm above, and create a new " +
			"algorithm with other settings of these parameters.",
		steps: []string{describe, implement},
	}
)

// cycle is the order in which every lane applies the operators, each as often as the others
// (LLM4AD llm4ad/method/eoh/eoh.py:214-254).
var cycle = []operator{e1, e2, m1, m2}

// buildPrompt writes the prompt of an operator for its parents, in the order in which they were
// drawn. Neither scores nor the template's body are shown.
func buildPrompt(o operator, p bench.Problem, parents []Candidate) string {
	shown, goal := "", ""
	switch {
	case o.pairs:
		blocks := []string{
			fmt.Sprintf("There are %d existing algorithms, given with their ideas and their code.",
				len(parents)),
		}
		for i, c := range parents {
			blocks = append(blocks,
				prompt.Listing(fmt.Sprintf("Algorithm %d, its idea and its code:", i+1),
					c.Thought, c.Shown))
		}
		shown = prompt.Join(blocks...)
	case len(parents) > 0:
		shown = prompt.Listing("There is one existing algorithm. Its idea and its code:",
			parents[0].Thought, parents[0].Shown)
	}
	if o.goal != "" {
		goal = prompt.Goal("%s", o.goal)
	}
	return prompt.Join(
		prompt.Task(p),
		shown,
		goal,
		prompt.Steps(o.steps...),
		prompt.Target(p),
		prompt.AnswerProgram(p.Template),
	)
}
