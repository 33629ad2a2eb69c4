package eoh

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

const (
	describe = "Say in one sentence, placed inside a single pair of braces, what your new " +
		"algorithm does and what its main steps are."
	implement = "Implement it as the Python function shown below."
)

// The five operators. Their goals reword the prompts of LLM4AD
// (llm4ad/method/eoh/prompt.py:22-120).
var (
	i1 = evolve.Operator{Name: "i1", Steps: []string{describe, implement}}
	e1 = evolve.Operator{
		Name: "e1", Pairs: true,
		Goal: "create a new algorithm whose form is entirely different from all the " +
			"algorithms above.",
		Steps: []string{describe, implement},
	}
	e2 = evolve.Operator{
		Name: "e2", Pairs: true,
		Goal: "create a new algorithm that is different in form from the algorithms above, but " +
			"takes its motivation from them.",
		Steps: []string{
			"Find the shared idea that forms the backbone of the algorithms above.",
			"Starting from this backbone, say in one sentence, placed inside a single pair of " +
				"braces, what your new algorithm does and what its main steps are.",
			implement,
		},
	}
	m1 = evolve.Operator{
		Name: "m1",
		Goal: "create a new algorithm that is a modified version of the algorithm above and has " +
			"another form.",
		Steps: []string{describe, implement},
	}
	m2 = evolve.Operator{
		Name: "m2",
		Goal: "find out which parameters matter most in the algorithm above, and create a new " +
			"algorithm with other settings of these parameters.",
		Steps: []string{describe, implement},
	}
)

// cycle is the order in which every lane applies the operators, all equally often (LLM4AD
// llm4ad/method/eoh/eoh.py:214-254).
var cycle = []evolve.Operator{e1, e2, m1, m2}

// buildPrompt returns an operator's prompt, with the parents in the order in which they were drawn.
// The prompt shows neither scores nor the template's body.
func buildPrompt(o evolve.Operator, p bench.Problem, parents []evolve.Candidate) string {
	shown, goal := "", ""
	switch {
	case o.Pairs:
		shown = evolve.Parents(parents)
	case len(parents) > 0:
		shown = prompt.Listing("There is one existing algorithm. Its idea and its code:",
			parents[0].Thought, parents[0].Shown)
	}
	if o.Goal != "" {
		goal = prompt.Goal("%s", o.Goal)
	}
	return prompt.Join(
		prompt.Task(p),
		shown,
		goal,
		prompt.Steps(o.Steps...),
		prompt.Target(p),
		prompt.AnswerProgram(p.Template),
	)
}
