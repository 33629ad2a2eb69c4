package mles

import (
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// An operator is one way of asking for a program.
type operator struct {
	name  string // as in LLM4AD
	sees  bool   // shows one parent with its picture; otherwise it shows texts alone
	goal  string
	steps []string
}

// purpose is what its requests are journalled under.
func (o operator) purpose() llm.Purpose { return llm.Purpose("algorithm/" + o.name) }

const (
	role = "You are an expert in the design of algorithms."
	idea = "Say in one sentence, placed inside a single pair of braces, what your algorithm does " +
		"and what its main steps are."
	look = "Look closely at the picture and describe in detail, inside single quotes, " +
		"what the algorithm did and how it ended."
	core      = "Say its core idea briefly, inside a single pair of braces."
	implement = "Implement it as the Python function shown below."
)

// The operators. The goals say in other words what the prompts of LLM4AD ask for
// (llm4ad/method/mles/prompt.py).
var (
	initial = operator{
		name:  "I1",
		goal:  "design a novel algorithm for this task.",
		steps: []string{idea, implement},
	}
	e1 = operator{
		name: "e1",
		goal: "create a new algorithm whose form is entirely different from all the " +
			"algorithms above.",
		steps: []string{idea, implement},
	}
	e2 = operator{
		name: "e2",
		goal: "create a new algorithm that differs in form from the algorithms above " +
			"and is inspired by them.",
		steps: []string{
			"Find the backbone: the shared idea of the algorithms above.",
			"Derive the new algorithm from this backbone. " + idea,
			implement,
		},
	}
	m1 = operator{
		name: "m1_M", sees: true,
		goal: "improve the algorithm above, guided by what the picture shows of its behaviour.",
		steps: []string{
			look,
			"Explain inside square brackets why the algorithm led to this result, " +
				"what its weaknesses are, and where there is room for improvement.",
			"Design an improved algorithm that removes these weaknesses. " + core,
			implement,
		},
	}
	m2 = operator{
		name: "m2_M", sees: true,
		goal: "keep the algorithm above and choose better settings of its parameters, " +
			"guided by what the picture shows of its behaviour.",
		steps: []string{
			look,
			"Analyse the parameters inside square brackets: which are the key ones, " +
				"what each of them does, which should change, and why the change helps.",
			"Make a version of the same algorithm with other parameter settings. " + core,
			implement,
		},
	}
)

// cycle is the order in which every lane applies the operators, each as often as the others.
var cycle = []operator{e1, e2, m1, m2}

// parts writes the user message of an operator for its parents, in the order in which they were
// drawn. No text shows a score, a seed or the template's body. Every text but the last ends in a
// blank line, so that the parts stay apart however a server joins them.
func (m *MLES) parts(o operator, p bench.Problem, parents []Candidate) []llm.Part {
	ask := prompt.Join(prompt.Goal("%s", o.goal), prompt.Steps(o.steps...), prompt.Target(p))
	if !o.sees {
		return llm.Text(prompt.Join(before(p, parents), ask, prompt.AnswerProgram(p.Template)))
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

// before is what a prompt without a picture says before its goal.
func before(p bench.Problem, parents []Candidate) string {
	if len(parents) == 0 {
		return prompt.Join(role, prompt.Task(p))
	}
	blocks := []string{
		prompt.Task(p),
		fmt.Sprintf(
			"There are %d existing algorithms, given with their ideas and their code.",
			len(parents),
		),
	}
	for i, c := range parents {
		blocks = append(
			blocks,
			prompt.Listing(
				fmt.Sprintf("Algorithm %d, its idea and its code:", i+1),
				c.Thought,
				c.Shown,
			),
		)
	}
	return prompt.Join(blocks...)
}
