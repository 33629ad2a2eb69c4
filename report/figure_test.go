package report

import (
	"math"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
)

// TestRangeOfFlatSeries tests constant values, which the golden figures do not have.
func TestRangeOfFlatSeries(t *testing.T) {
	for value, want := range map[float64][2]float64{7: {6.93, 7.07}, 0: {-1, 1}} {
		points := []results.Point{{X: 1, Mean: value, Low: value, High: value}}
		low, high, cut := settledRange([]figure.Series{{Points: points}}, 1, true)
		if math.Abs(low-want[0]) > 1e-9 || math.Abs(high-want[1]) > 1e-9 || cut {
			t.Errorf("flat at %g: range %g to %g, cut %v", value, low, high, cut)
		}
	}
}

// TestRangeShowsLastMeans tests searches that begin, or end, so far from the others that the last
// means would lie together.
func TestRangeShowsLastMeans(t *testing.T) {
	curves := func(first float64, last ...float64) (all []figure.Series) {
		for _, v := range last {
			all = append(all, figure.Series{Points: []results.Point{
				{X: 1, Mean: first, Low: first, High: first}, {X: 20, Mean: v, Low: v, High: v}}})
		}
		return all
	}
	for _, c := range []struct {
		all  []figure.Series
		high float64
	}{
		{curves(11, 2, 2, 2.2), 11.45},             // the range is 45 times the last
		{curves(645, 2, 2, 2.2), 4.1},              // 3215 times
		{curves(645, 2, 2, 2.2, 66), 4.1},          // one ends far away
		{curves(645, 2, 2, 66, 66), 677.15},        // half of them do
		{curves(645, 2, 2, 2), 677.15},             // all are equal
		{curves(645, 2, 2.2, 2.4, 30, 40), 677.15}, // they do not look equal
	} {
		if _, high, cut := settledRange(c.all, 30, true); math.Abs(high-c.high) > 1e-9 {
			t.Errorf("up to %g, cut %v, want %g", high, cut, c.high)
		}
		for _, s := range c.all {
			for i, p := range s.Points {
				s.Points[i] = results.Point{X: p.X, Mean: -p.Mean, Low: -p.High, High: -p.Low}
			}
		}
		if low, _, _ := settledRange(c.all, 30, false); math.Abs(low+c.high) > 1e-9 {
			t.Errorf("maximizing: down to %g, want %g", low, -c.high)
		}
	}
}

// TestGenealogyShowsWhatOutlivedItsSource tests the figure's purpose: a later program calls an EAP
// whose source has left.
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
	f := figureOf(&results.Store{Runs: []*results.Run{r}}, "genealogy",
		Options{Labels: labels, All: true})
	if f == nil {
		t.Fatal("no genealogy")
	}
	want := "extracted from one of its programs: 2; of these, still called by programs that " +
		"entered after this source had left: 1."
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
