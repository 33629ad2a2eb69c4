package report

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

func TestRangeCutsEarlyValuesOnly(t *testing.T) {
	points := func(values ...float64) []results.Point {
		var out []results.Point
		for i, v := range values {
			out = append(out, results.Point{X: float64(1 + 100*i), Mean: v, Low: v, High: v})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		minimize  bool
		values    []float64
		low, high float64
		cut       bool
	}{
		{"falling: the first program is far above", true,
			append([]float64{50, 10}, 9, 8, 7, 6, 5, 5, 5, 5, 5), 4.75, 10.25, true},
		{"rising: the first program is far below", false,
			append([]float64{-90, 0}, 20, 40, 60, 80, 90, 95, 100, 100, 100), -5, 105, true},
		{"flat", true, []float64{7, 7, 7}, 6.93, 7.07, false},
		{"flat at zero", true, []float64{0, 0, 0}, -1, 1, false},
	} {
		p := points(c.values...)
		p[1].X = 4 // the second improvement comes before the search has settled
		low, high, cut := settledRange([]figure.Series{{Points: p}}, p[len(p)-1].X, c.minimize)
		if math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 || cut != c.cut {
			t.Errorf("%s: range %g to %g, cut %v; want %g to %g, %v",
				c.name, low, high, cut, c.low, c.high, c.cut)
		}
	}
}

// A paper takes every figure by its name with its caption; all have the width of a column.
func TestEveryFigureSaysWhatItIs(t *testing.T) {
	names := map[string]bool{}
	kinds := map[string]int{}
	for _, f := range Figures(collect(t, resultstest.Study), Options{Labels: labels, All: true}) {
		if names[f.Name] || f.Name != render.FileName(f.Name) {
			t.Errorf("%s: the name is taken or no file name", f.Name)
		}
		names[f.Name] = true
		kind, _, _ := strings.Cut(f.Name, "-")
		kinds[kind]++
		if f.Title == "" || !strings.HasSuffix(f.Caption, ".") || len(f.Data) < 2 ||
			len(f.Panels) == 0 {
			t.Errorf("%s: title %q, caption %q, %d rows of data, %d panels",
				f.Name, f.Title, f.Caption, len(f.Data), len(f.Panels))
		}
		for i, row := range f.Data {
			if len(row) != len(f.Data[0]) {
				t.Errorf("%s: row %d has %d fields, the head %d",
					f.Name, i, len(row), len(f.Data[0]))
			}
		}
	}
	for _, kind := range []string{
		"convergence", "ecdf", "runtime", "failures", "diversity", "operators", "posteriors",
		"genealogy", "ablation",
	} {
		if kind != "diversity" && kinds[kind] == 0 { // the runs of the study have one parent each
			t.Errorf("no figure of %s among %v", kind, kinds)
		}
	}
}

// PDFs have fonts for the letters of Windows 1252 only.
func TestOwnWordsAreInPDFs(t *testing.T) {
	tag := regexp.MustCompile(`<[^>]*>`)
	for _, f := range Figures(collect(t, resultstest.Study), Options{Labels: labels, All: true}) {
		var svg bytes.Buffer
		must.Do(t, f.WriteSVG(&svg))
		text := strings.ReplaceAll(tag.ReplaceAllString(svg.String(), ""), "−", "–")
		if _, err := charmap.Windows1252.NewEncoder().String(text); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// The motivating figure: an EAP whose source has left is called by a later program.
func TestGenealogyShowsWhatOutlivedItsSource(t *testing.T) {
	stay := func(evaluation int, operator string, entered, left int, calls ...int) results.Member {
		return results.Member{Evaluation: evaluation, Operator: operator, Entered: entered,
			Left: left, Calls: calls, Value: 7}
	}
	r := &results.Run{
		Header:  record.Header{Task: "tsp-aco", Method: "pace", Seed: 4, Models: resultstest.Mini},
		Journal: true,
		Totals: record.Totals{
			Evaluations: 50, Best: &record.BestResult{Evaluation: 40, Score: -7, Value: 7},
		},
		EAPs: []results.EAP{
			{ID: 0, Name: "task_rule", Origin: "E1", Birth: 0},
			{ID: 1, Name: "outlives", Origin: "E2", From: 10, Birth: 12},
			{ID: 2, Name: "does_not", Origin: "E2", From: 20, Birth: 22},
			{ID: 3, Name: "never_called", Origin: "E3", Birth: 30},
		},
		Members: []results.Member{
			stay(10, "I1", 10, 25), stay(15, "P1", 15, 30, 1), stay(20, "P3", 20, 0),
			stay(24, "P2", 24, 0, 2), stay(40, "P4", 40, 0, 0, 1),
		},
	}
	var f *figure.Figure
	for _, one := range Figures(&results.Store{Runs: []*results.Run{r}},
		Options{Labels: labels, All: true}) {
		if strings.HasPrefix(one.Name, "genealogy") {
			f = one
		}
	}
	if f == nil {
		t.Fatal("no genealogy")
	}
	want := "extracted from one of its programs: 2, of these called by programs that entered " +
		"after that one had left: 1."
	if !strings.HasSuffix(f.Caption, want) {
		t.Errorf("caption %q", f.Caption)
	}
	want = `task_rule,E1,0,40,P4,caller,40,0,7
outlives,E2,12,10,I1,source,10,25,7
outlives,E2,12,15,P1,caller,15,30,7
outlives,E2,12,40,P4,caller,40,0,7
does_not,E2,22,20,P3,source,20,0,7
does_not,E2,22,24,P2,caller,24,0,7
`
	var got strings.Builder
	for _, row := range f.Data[1:] {
		got.WriteString(strings.Join(row[1:], ",") + "\n")
	}
	golden.Same(t, "data", want, got.String())
}

func TestStaysArePackedWithoutOverlap(t *testing.T) {
	until := func(m results.Member) float64 { return float64(m.Left) }
	var members []results.Member
	for i := range 12 {
		members = append(members, results.Member{Evaluation: i, Entered: i, Left: i + 8})
	}
	rows, left := pack(members, until)
	if len(rows) != laneRows || left != 2 || rows[0][1].Evaluation != 8 {
		t.Errorf("%d rows, %d left out: %v", len(rows), left, rows)
	}
}
