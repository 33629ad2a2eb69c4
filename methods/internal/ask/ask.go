// Package ask contains the code that the methods share for requests: settings and their checks, the
// request itself, and the extraction of a program from the reply.
package ask

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// Settings apply to every request of a method. A method embeds them in its own settings, so the
// header of a run shows them as settings of the method.
type Settings struct {
	Temperature float64 `json:"temperature"`
	// MaxTokens bounds every reply.
	MaxTokens int `json:"max-tokens"`
}

// Default returns the values of LLM4AD's client (llm4ad/tools/llm/llm_api_https.py:31,108), which
// all methods of LLM4AD use.
func Default() Settings { return Settings{Temperature: 1, MaxTokens: 8192} }

// Check reports the first setting that cannot be used.
func (s Settings) Check() error {
	if err := Within("temperature", s.Temperature, 2); err != nil {
		return err
	}
	return AtLeast("max-tokens", s.MaxTokens, 1)
}

// Parsing adds a choice of parsers to Settings. EoH, MCTS-AHD and MLES embed it.
type Parsing struct {
	Settings
	// Parser extracts programs from replies: "shared", the parser of all methods, or "strict", the
	// parser of LLM4AD, which loses imports and helper functions.
	Parser program.Mode `json:"parser"`
}

// Shared returns Default with the parser of all methods.
func Shared() Parsing { return Parsing{Default(), program.Shared} }

// Check reports the first setting that cannot be used.
func (p Parsing) Check() error {
	if err := p.Settings.Check(); err != nil {
		return err
	}
	return OneOf("parser", p.Parser, program.Shared, program.Strict)
}

// AtLeast checks the lower bound of a setting. The unit is optional.
func AtLeast(name string, value, least int, unit ...string) error {
	if value >= least {
		return nil
	}
	what := strings.Join(append([]string{fmt.Sprint(value)}, unit...), " ")
	return fmt.Errorf("%s: %s, want at least %d", name, what, least)
}

// Within checks that a setting is from 0 to most.
func Within(name string, value, most float64) error {
	if value >= 0 && value <= most {
		return nil
	}
	return fmt.Errorf("%s: %g, want 0 to %g", name, value, most)
}

// OneOf checks that a setting is one of two values.
func OneOf[T ~string](name string, value, one, other T) error {
	if value == one || value == other {
		return nil
	}
	return fmt.Errorf("%s: %q, want %s or %s", name, value, one, other)
}

// Ask makes a request under the settings and returns the reply's text.
func (s Settings) Ask(ctx context.Context, st *bench.Step, r llm.Request) (string, error) {
	r.Temperature, r.MaxTokens = s.Temperature, s.MaxTokens
	reply, err := st.Ask(ctx, r)
	return reply.Text, err
}

// Program asks once for a program and notes the offspring of the parents. If the reply has no
// program, no evaluation is spent, the note says why, and ok is false.
func (s Settings) Program(
	ctx context.Context, st *bench.Step, problem bench.Problem, r llm.Request, parents []int,
	how program.Extraction,
) (x program.Extracted, ok bool, err error) {
	reply, err := s.Ask(ctx, st, r)
	if err != nil {
		return x, false, err
	}
	n := note.Offspring{Operator: r.Purpose.Operator(), Parents: parents}
	x, n.Refused, err = Extract(ctx, st, problem, reply, how)
	if err == nil {
		st.Note(n)
	}
	return x, err == nil && n.Refused == "", err
}

// Extract extracts the program for a problem from a reply, or returns the reason for a refusal.
func Extract(
	ctx context.Context, an program.Analyzer, problem bench.Problem, reply string,
	how program.Extraction,
) (x program.Extracted, refused string, err error) {
	how.Imports, how.Modules = problem.Imports, problem.Modules
	x, err = program.Extract(ctx, an, reply, problem.Template, how)
	if refusal, ok := program.Refused(err); ok {
		return x, refusal.Reason, nil
	}
	return x, "", err
}

// Shortened cuts a text to a number of characters, and returns the length of the whole text in
// characters.
func Shortened(text string, most int) (string, int) {
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text, n
	}
	return string([]rune(text)[:most]), n
}
