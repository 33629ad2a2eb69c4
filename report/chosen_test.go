package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/record/results"
)

// runsOfSeeds returns a run of a method for each seed, with values that grow from seed to seed.
func runsOfSeeds(method string, value float64, seeds ...uint64) (runs []*results.Run) {
	for i, seed := range seeds {
		v := value + float64(i)/100
		runs = append(runs, finished(method, "", seed, -v, v, nil))
	}
	return runs
}

// TestChosenSeeds: if all seeds of one row are better than all seeds of another row, the two rows
// have p = 0.1 and a mark, unless their seeds may have been chosen.
func TestChosenSeeds(t *testing.T) {
	planned := func(runs []*results.Run) []*results.Run {
		for _, r := range runs {
			r.Header.Plan = "0123456789abcdef"
		}
		return runs
	}
	for _, c := range []struct {
		a, b   []*results.Run // of PACE and of EoH
		tested bool
		notes  []string
	}{
		{runsOfSeeds("pace", 5, 1, 2, 3), runsOfSeeds("eoh", 6, 1, 2, 3), true,
			[]string{"Seeds: 1–3."}},
		{runsOfSeeds("pace", 5, 1, 2, 3), runsOfSeeds("eoh", 6, 1, 2, 3, 4), true,
			[]string{"Seeds differ: 1–4 (EoH), 1–3 (PACE)."}},
		{runsOfSeeds("pace", 5, 2, 7, 9), runsOfSeeds("eoh", 6, 5, 8, 11), false,
			[]string{"Seeds differ: 5, 8, 11 (EoH), 2, 7, 9 (PACE).",
				"Seeds may have been chosen: EoH; PACE (they have gaps)."}},
		{runsOfSeeds("pace", 5, 1, 2, 4), runsOfSeeds("eoh", 6, 1, 2, 3), false,
			[]string{"Seeds differ: 1–3 (EoH), 1–2, 4 (PACE).",
				"Seeds may have been chosen: PACE (they have gaps)."}},
		{runsOfSeeds("pace", 5, 4, 5, 6), runsOfSeeds("eoh", 6, 4, 5, 6), false,
			[]string{"Seeds: 4–6.", "EoH; PACE (they do not begin at 1)"}},
		{planned(runsOfSeeds("pace", 5, 1, 2, 3)), runsOfSeeds("eoh", 6, 1, 2, 3), false,
			[]string{"PACE (the declared rule 0123456789ab decided their number)"}},
	} {
		s := &results.Store{Runs: slices.Concat(c.a, c.b)}
		o := Options{Labels: labels, All: true}
		main, pairs := mainOf(t, s), tableOf(t, s, "pairs-tsp-construct", o)
		noted(t, main, c.notes...)
		noted(t, pairs, c.notes...)
		if got := row(t, main, "pace")["train"].Best; got != c.tested {
			t.Errorf("%q: PACE is marked: %v", c.notes, got)
		}
		want := "0 0 –"
		if c.tested {
			want = "1 1 yes"
		}
		pair := row(t, pairs, "pace|eoh")
		golden.Same(t, fmt.Sprintf("%q: p, Holm, separated", c.notes), want,
			fmt.Sprint(pair["p"].N, pair["holm"].N, " ", pair["separated"].Words))
	}
}

// TestNoIntervalOfFewSeeds: two seeds have no interval in any table, and three seeds have one.
func TestNoIntervalOfFewSeeds(t *testing.T) {
	for seeds := 1; seeds <= 3; seeds++ {
		list := []uint64{1, 2, 3}[:seeds]
		s := &results.Store{Runs: slices.Concat(runsOfSeeds("pace", 5, list...),
			runsOfSeeds("eoh", 6, list...))}
		for _, r := range slices.Clone(s.Runs) { // another task, for tables over tasks
			other := *r
			other.Header.Task = "tsp-aco"
			s.Runs = append(s.Runs, &other)
		}
		intervals := 0
		for _, table := range Tables(s, Options{Labels: labels, All: true}) {
			for j, c := range table.Columns {
				if c.Title != "Low" && c.Title != "High" {
					continue
				}
				for _, r := range table.Rows {
					if intervals++; (r.Cells[j].N > 0) != (seeds >= results.FewestSeeds) {
						t.Errorf("%d seeds, %s, %s: %v", seeds, table.Name, c.ID, r.Cells[j])
					}
				}
			}
		}
		if intervals == 0 {
			t.Error("no table has an interval")
		}
	}
}

// TestClippedAOCC: a note names only the rows that passed the best value of the task's scale.
func TestClippedAOCC(t *testing.T) {
	for value, want := range map[float64]string{
		5.9: "", 5.8: "AOCC is clipped: PACE passed the best value of the scale",
	} {
		runs := slices.Concat(runsOfSeeds("pace", value, 1, 2, 3), runsOfSeeds("eoh", 6, 1, 2, 3))
		got := ""
		for _, n := range tableOf(t, &results.Store{Runs: runs}, "targets-tsp-construct",
			Options{Labels: labels, All: true}).Notes {
			if strings.Contains(n.Text, "clipped") {
				got = n.Text
			}
		}
		if got != want && (want == "" || !strings.HasPrefix(got, want)) {
			t.Errorf("best %g: %q, want %q", value, got, want)
		}
	}
}
