package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/report/render"
)

// A row that nobody has run keeps its place in the table of the paper, and says what to do.
func TestAbsentRow(t *testing.T) {
	fill := func(trained bool) func(t testing.TB, root string) {
		return func(t testing.TB, root string) {
			for _, task := range []string{"racing-car", "bipedal-walker"} {
				resultstest.Run{Task: task, Method: "pace", Models: resultstest.Mini, Seed: 1,
					Budget: 60, Evaluations: 60, Start: 5, Floor: 97}.Write(t, root)
				if trained {
					resultstest.Policy(t, root, task, 1, 80, map[string]float64{"test": 70})
				}
			}
			resultstest.Run{Task: "tsp-aco", Method: "pace", Models: resultstest.Mini, Seed: 1,
				Budget: 60, Evaluations: 60, Start: 7, Floor: 6}.Write(t, root)
		}
	}
	for _, trained := range []bool{false, true} {
		s := collect(t, fill(trained))
		if len(s.Warnings) > 0 {
			t.Errorf("warnings: %v", s.Warnings)
		}
		for _, table := range Tables(s, Options{Labels: labels, AllTables: true}) {
			var b bytes.Buffer
			if err := render.Print(&b, table, render.TextWidth); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			control := strings.HasPrefix(table.Name, "main-") && table.Name != "main-tsp-aco" ||
				table.Name == "status"
			if got := strings.Contains(text, "PPO: train it."); got != (control && !trained) {
				t.Errorf("trained %v: %s says that PPO is missing: %v\n%s",
					trained, table.Name, got, text)
			}
			if table.Name == "tokens" || strings.HasPrefix(table.Name, "usage-") {
				if strings.Contains(text, "PPO") {
					t.Errorf("PPO asks no model:\n%s", text)
				}
			}
		}
	}
}

// A learned run is read like any other: totals from the journal, its result held against it.
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
	if g := s.Groups()[0]; !g.Baseline() || !g.Learned() {
		t.Error("the row is not one without a model")
	}
	figures := Figures(s, Options{Labels: labels})
	if len(figures) != 1 || figures[0].Panels[0].X.Max != 50 {
		t.Errorf("%d figures, to %v evaluations", len(figures), figures[0].Panels[0].X.Max)
	}
}
