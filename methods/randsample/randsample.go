// Package randsample implements random sampling: every request shows only the task. It is the
// control that a search must beat.
package randsample

import (
	"cmp"
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
)

// RandSample is a configuration of random sampling.
type RandSample struct {
	Window int `json:"window"` // proposals in flight; 4, as in most other methods
	ask.Settings
}

// New returns random sampling with its defaults.
func New() *RandSample { return &RandSample{Window: 4, Settings: ask.Default()} }

// Name is "randsample".
func (m *RandSample) Name() string { return "randsample" }

// Label describes the method for tables and figures.
func (m *RandSample) Label() bench.Label {
	return bench.Label{Title: "Random sampling", Style: 7, Control: true}
}

// Check reports the first setting that cannot be used.
func (m *RandSample) Check() error {
	return cmp.Or(
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		m.Settings.Check(),
	)
}

// Run sends the same request until the budget is spent. The engine keeps the best program.
func (m *RandSample) Run(ctx context.Context, s *bench.Search) error {
	problem, text := s.Problem(), prompt.FromTask(s.Problem())
	for _, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[bench.Outcome] {
		return func(ctx context.Context, st *bench.Step) (bench.Outcome, error) {
			reply, err := m.Ask(ctx, st,
				llm.Request{Purpose: "algorithm/I1", User: llm.Text(text)})
			if err != nil {
				return bench.Outcome{}, err
			}
			x, refused, err := ask.Extract(ctx, st, problem, reply, program.Extraction{})
			if err != nil || refused != "" {
				return bench.Outcome{}, err // the request is spent, not an evaluation
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
