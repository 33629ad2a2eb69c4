package hsevo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
)

// request returns a request with a system message and the joined blocks.
func request(purpose llm.Purpose, system string, blocks ...string) llm.Request {
	return llm.Request{Purpose: purpose, System: system, User: llm.Text(prompt.Join(blocks...))}
}

// personas are the roles in which initial programs are requested, in turn. Crossovers and mutations
// use the first one (HSEvo hsevo.py:81-92).
var personas = []string{
	"You are an expert in heuristics for optimization problems.",
	"You are Albert Einstein, who found the theory of relativity by questioning what everybody " +
		"took for granted.",
	"You are Isaac Newton, who put motion and gravity into a few exact laws.",
	"You are Marie Curie, who discovered radioactive elements by patient and careful work.",
	"You are Nikola Tesla, who invented the machines of alternating current and thought in " +
		"bold designs.",
	"You are Galileo Galilei, who measured where others had only argued.",
	"You are Stephen Hawking, who linked the very large and the very small in the theory of " +
		"black holes.",
	"You are Richard Feynman, who drew simple pictures of complicated processes.",
	"You are Rosalind Franklin, who saw the structure of molecules in the patterns of X-rays.",
	"You are Ada Lovelace, who wrote the first program and saw what machines could be taught.",
}

const (
	designs = "Your task is to design heuristics that solve optimization problems well. " +
		"You give back " + prompt.Fenced + "."
	advises = "You are an adviser on the design of heuristics for optimization problems. " +
		"You look at heuristics and at how they compare, and tell what can be learned from them."
	reviews = "You are a code reviewer. Your task is to find thresholds, weights and other " +
		"values that are written into a function, and to make them parameters with defaults."
	tip      = "A really good answer earns a tip of $500."
	thinking = "Think it through step by step before you write."
)

// preamble begins the requests for new programs: the persona, the task, and the function to write
// with its arguments and result.
func preamble(p bench.Problem, persona string) string {
	p = second(p)
	return prompt.Join(
		fmt.Sprintf("%s Write the function %s for this problem: %s", persona, p.Template.Name,
			prompt.Task(p)),
		prompt.Target(p),
	)
}

func second(p bench.Problem) bench.Problem {
	p.Template.Name = prompt.Version(p.Template.Name, 2)
	return p
}

// initPrompt asks for a program and shows the task. A seed, if there is one, shows the form.
func initPrompt(p bench.Problem, persona string, seed *Individual) llm.Request {
	shown, goal := "", prompt.Goal("write version 2, and be as creative as you can.")
	if seed != nil {
		shown = prompt.Listing("A trivial design as version 1, for the form only:", "",
			seed.shown.As(prompt.Version(p.Template.Name, 1)))
		goal = prompt.Goal("write version 2, as creative and as unlike the trivial design " +
			"as you can.")
	}
	return request("algorithm/init", persona+" "+designs,
		preamble(p, persona),
		shown,
		goal,
		prompt.AnswerCode(second(p).Template),
	)
}

func crossoverPrompt(p bench.Problem, parents pair, analysis, comprehensive string) llm.Request {
	name := p.Template.Name
	return request("algorithm/crossover", personas[0]+" "+designs,
		preamble(p, personas[0]),
		prompt.Listing("Better code, version 0:", "",
			parents.better.shown.As(prompt.Version(name, 0))),
		prompt.Listing("Worse code, version 1:", "",
			parents.worse.shown.As(prompt.Version(name, 1))),
		section("Analysis of programs like these:", analysis),
		section("Experience so far:", comprehensive),
		prompt.Goal("write version 2, which combines elements of both versions in the light of "+
			"the analysis and the experience."),
		"Put comments into the code, and a docstring under 50 words that says what the "+
			"key idea is.",
		thinking+" "+tip,
		prompt.AnswerCode(second(p).Template),
	)
}

func mutationPrompt(p bench.Problem, elitist *Individual, comprehensive string) llm.Request {
	return request("algorithm/mutation", personas[0]+" "+designs,
		preamble(p, personas[0]),
		prompt.Listing("The current code, version 1:", "",
			elitist.shown.As(prompt.Version(p.Template.Name, 1))),
		section("Hints:", comprehensive),
		prompt.Goal("write version 2, an unconventional mutated version of the current code that "+
			"performs better than it."),
		tip,
		prompt.AnswerCode(second(p).Template),
	)
}

// flashPrompt asks for a comparison of ranked programs. It shows neither their objectives nor the
// task.
func flashPrompt(ranked []*Individual) llm.Request {
	blocks := []string{
		fmt.Sprintf("Here are %d heuristics for one problem, ranked from the best to the worst.",
			len(ranked)),
	}
	for i, x := range ranked {
		blocks = append(blocks, section("["+ordinal(i+1)+"]", strings.TrimRight(x.Code, "\n")))
	}
	blocks = append(blocks,
		prompt.Steps(
			"Analysis: compare the best with the worst, the second best with the second worst, "+
				"the 1st with the 2nd, the 3rd with the 4th, "+
				"the second worst with the worst, and so on; then all of them. Go by their "+
				"comments, their docstrings and their code.",
			"Experience: say in under 60 words what this teaches about the design of better "+
				"heuristics.",
		),
		thinking+" "+tip,
		"Answer with text only: Markdown in exactly two parts, the first one headed "+
			"**Analysis:** and the second one headed **Experience:**",
	)
	return request("reflection/flash", advises, blocks...)
}

// comprehensivePrompt asks for a new version of the newest experience that also uses the experience
// that helped, and avoids the experience that did not help.
func comprehensivePrompt(experience string, good, bad []string) llm.Request {
	return request("reflection/comprehensive", advises,
		section("Current reflections:", listed(append([]string{experience}, good...))),
		section("Ineffective reflections:", listed(bad)),
		prompt.Goal("rewrite the current reflections into better ones, and avoid everything that "+
			"stands in the ineffective reflections."),
		thinking+" "+tip,
		"Answer with text only, in under 100 words and four bullets: keywords, advice, what to "+
			"avoid, explanation.",
	)
}

// parameterisePrompt asks the model to turn the values in a program into parameters with ranges.
func parameterisePrompt(p bench.Problem, target *Individual) llm.Request {
	raised := p.Template
	raised.Params = append(slices.Clone(raised.Params), program.Param{Name: "<name>=<value>"})
	return request("algorithm/hs", reviews,
		prompt.Listing("The code:", "", target.Code),
		prompt.Goal("make the thresholds, weights and other values written into the function "+
			"parameters of it, with their values as defaults, "+
			"and say in which range each of them is worth trying."),
		prompt.Environment(p),
		"Answer with code and ranges, in exactly this shape:",
		prompt.Block(raised.Header()+"\n    ..."),
		prompt.Block("parameter_ranges = {\"<name>\": (<begin>, <end>)}"),
		"The first block holds only code: the whole code, with the new parameters after the "+
			"old ones. "+
			"The second block holds only the dictionary, from the name of each new parameter to "+
			"a pair of floats. "+
			"The answer ends with the second block.",
	)
}

// section puts a label above a text, and returns "" if the text is blank.
func section(label, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return label + "\n" + text
}

// listed joins texts with blank lines. Without any text, it returns "None".
func listed(texts []string) string {
	return cmp.Or(prompt.Join(texts...), "None")
}

// ordinal returns 1st, 2nd, 3rd, 4th, …, 11th, 12th, 13th, ….
func ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
