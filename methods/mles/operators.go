package mles

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

const (
	role = "You are an expert in the design of algorithms."
	idea = "Say in one sentence, placed inside a single pair of braces, what your algorithm does " +
		"and what its main steps are."
	look = "Look closely at the picture and describe in detail, inside single quotes, " +
		"what the algorithm did and how it ended."
	core      = "Say its core idea briefly, inside a single pair of braces."
	implement = "Implement it as the Python function shown below."
)

// The operators. Their goals reword the prompts of LLM4AD (llm4ad/method/mles/prompt.py).
var (
	initial = evolve.Operator{
		Name:  "I1",
		Goal:  "design a novel algorithm for this task.",
		Steps: []string{idea, implement},
	}
	e1 = evolve.Operator{
		Name: "e1", Pairs: true,
		Goal: "create a new algorithm whose form is entirely different from all the " +
			"algorithms above.",
		Steps: []string{idea, implement},
	}
	e2 = evolve.Operator{
		Name: "e2", Pairs: true,
		Goal: "create a new algorithm that differs in form from the algorithms above " +
			"and is inspired by them.",
		Steps: []string{
			"Find the backbone: the shared idea of the algorithms above.",
			"Derive the new algorithm from this backbone. " + idea,
			implement,
		},
	}
	m1 = evolve.Operator{
		Name: "m1_M", Sees: true,
		Goal: "improve the algorithm above, guided by what the picture shows of its behaviour.",
		Steps: []string{
			look,
			"Explain inside square brackets why the algorithm led to this result, " +
				"what its weaknesses are, and where there is room for improvement.",
			"Design an improved algorithm that removes these weaknesses. " + core,
			implement,
		},
	}
	m2 = evolve.Operator{
		Name: "m2_M", Sees: true,
		Goal: "keep the algorithm above and choose better settings of its parameters, " +
			"guided by what the picture shows of its behaviour.",
		Steps: []string{
			look,
			"Analyse the parameters inside square brackets: which are the key ones, " +
				"what each of them does, which should change, and why the change helps.",
			"Make a version of the same algorithm with other parameter settings. " + core,
			implement,
		},
	}
)

// cycle is the order in which every lane applies the operators, all equally often.
var cycle = []evolve.Operator{e1, e2, m1, m2}

// parts returns an operator's user message, with the parents in the order in which they were drawn.
// No text shows a score, a seed or the template's body. Every text but the last ends in a blank
// line, so that the parts stay separate if a server joins them.
func (m *MLES) parts(
	o evolve.Operator, p bench.Problem, parents []evolve.Candidate,
) []llm.Part {
	ask := prompt.Join(prompt.Goal("%s", o.Goal), prompt.Steps(o.Steps...), prompt.Target(p))
	if !o.Sees {
		before := prompt.Join(role, prompt.Task(p))
		if o.Pairs {
			before = prompt.Join(prompt.Task(p), evolve.Parents(parents))
		}
		return llm.Text(prompt.Join(before, ask, prompt.AnswerProgram(p.Template)))
	}
	parent := parents[0]
	text := func(s string) llm.Part { return llm.Part{Text: s + "\n\n"} }
	parts := []llm.Part{
		text(prompt.Join(role, prompt.Task(p))),
		text("There is an algorithm that works and is to be made better. " +
			"Below are its idea, its code, and the result of running it."),
		text(prompt.Listing("The algorithm, its idea and its code:", parent.Thought, parent.Shown)),
		text("A picture of what happened in one run of this algorithm:"),
		{Image: parent.Picture},
	}
	if parent.Records != "" && m.Records == RecordsText {
		records := prompt.Join("Records taken during the same run:", parent.Records)
		parts = append(parts, text(records))
	}
	return append(parts, llm.Part{Text: prompt.Join(ask, prompt.AnswerAnalysed(p.Template))})
}
