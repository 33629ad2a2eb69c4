// Package randsample asks for programs from the task alone: what a search has to beat.
package randsample

import (
	"context"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// RandSample is random sampling.
type RandSample struct {
	Window int `json:"window"` // proposals in flight; 4, as the other methods
}

// New returns random sampling with its defaults.
func New() *RandSample { return &RandSample{Window: 4} }

// Name is "randsample".
func (m *RandSample) Name() string { return "randsample" }

// Label says how tables and figures show it.
func (m *RandSample) Label() bench.Label {
	return bench.Label{Title: "Random sampling", Style: 7, Control: true}
}

// Check reports a setting that cannot be used.
func (m *RandSample) Check() error {
	if m.Window < 1 {
		return fmt.Errorf("window: %d proposals in flight, want at least 1", m.Window)
	}
	return nil
}

// Run asks until the budget is spent. The engine keeps the best program.
func (m *RandSample) Run(ctx context.Context, s *bench.Search) error {
	problem, text := s.Problem(), prompt.FromTask(s.Problem())
	for _, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[bench.Outcome] {
		return func(ctx context.Context, st *bench.Step) (bench.Outcome, error) {
			reply, err := st.Ask(ctx, llm.Request{Purpose: "algorithm/I1", User: llm.Text(text),
				Temperature: 1, MaxTokens: 8192})
			if err != nil {
				return bench.Outcome{}, err
			}
			x, err := program.Extract(ctx, st, reply.Text, problem.Template,
				program.Extraction{Imports: problem.Imports, Modules: problem.Modules})
			if _, refused := program.Refused(err); refused {
				return bench.Outcome{}, nil // no program: that spends a request, and no evaluation
			}
			if err != nil {
				return bench.Outcome{}, err
			}
			return st.Evaluate(ctx, x.Program)
		}
	}) {
		if err != nil {
			return err
		}
	}
	return nil
}
