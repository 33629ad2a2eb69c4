package methods

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// Texts contains the blocks of prompts about a problem, for methods in Python. Problem in
// pacebench/method.py documents them.
type Texts struct {
	Name     string   `json:"name"`
	Task     string   `json:"task"`
	Target   string   `json:"target"`
	Answer   string   `json:"answer"`
	Code     string   `json:"code"`
	Prompt   string   `json:"prompt"`
	Function string   `json:"function"`
	Default  string   `json:"default"`
	Goal     string   `json:"goal"`
	Modules  []string `json:"modules"`
}

// TextsOf returns the texts of a problem.
func TextsOf(p bench.Problem) Texts {
	return Texts{
		Name: p.Name, Task: prompt.Task(p), Target: prompt.Target(p),
		Answer: prompt.AnswerProgram(p.Template), Code: prompt.AnswerCode(p.Template),
		Prompt: prompt.FromTask(p), Function: p.Template.Name,
		Default: prompt.Default(p.Template), Goal: p.Goal.String(),
		Modules: append([]string{}, p.Modules...),
	}
}
