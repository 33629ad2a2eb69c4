package report

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/resultstest"
)

// A trained run is read like any other: totals from the journal, its result held against it.
func TestLearnedRun(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		resultstest.Policy(t, root, "bipedal-walker", 1, 80, map[string]float64{"test": 70})
	})
	r := s.Runs[0]
	if len(s.Warnings)+len(r.Warnings) > 0 || !r.Finished() || r.Result.Stopped != "budget" {
		t.Errorf("warnings %v %v, stopped by %q", s.Warnings, r.Warnings, r.Result.Stopped)
	}
	if r.Best.Value != 81 || r.Best.Evaluation != 75 || r.Evaluations != 100 ||
		r.Training.Steps != 40_000 {
		t.Errorf("best %+v, %d resets, %+v", r.Best, r.Evaluations, r.Training)
	}
	if g := s.Groups()[0]; !g.Baseline() || !g.Trained() {
		t.Error("the row is not one without a model")
	}
	figures := Figures(s, Options{Labels: labels, All: true})
	if len(figures) != 1 || figures[0].Panels[0].X.Max != 50 {
		t.Errorf("%d figures, to %v evaluations", len(figures), figures[0].Panels[0].X.Max)
	}
}
