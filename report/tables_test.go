package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// mainOf returns the main table of tsp-construct.
func mainOf(t *testing.T, s *results.Store) *Table {
	t.Helper()
	return tableOf(t, s, "main-tsp-construct", Options{Labels: labels})
}

func tableOf(t *testing.T, s *results.Store, name string, o Options) *Table {
	t.Helper()
	table := find(s, name, o)
	if table == nil {
		t.Fatalf("no table %s", name)
	}
	return table
}

// find returns the table of a name, or nil.
func find(s *results.Store, name string, o Options) *Table {
	for _, table := range Tables(s, o) {
		if table.Name == name {
			return table
		}
	}
	return nil
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{6.0125, 3, "6.013"}, {-0.0004, 3, "0.000"}, {-2.61, 2, "-2.61"}, {1234, 0, "1234"},
		{1e12, 3, "1.000e+12"},
	} {
		if got := render.Fixed(c.x, c.digits); got != c.want {
			t.Errorf("fixed(%v, %d) = %q, want %q", c.x, c.digits, got, c.want)
		}
	}
}

// finished makes a run only from its numbers.
func finished(method, variant string, seed uint64, score, value float64,
	tests map[string]*record.SplitOutcome) *results.Run {
	h := record.Header{Task: "tsp-construct", Method: method, Variant: variant,
		Models: resultstest.Mini, Seed: seed, Budget: 10}
	best := &record.BestResult{Score: score, Value: value, Evaluation: 3}
	return &results.Run{
		Dir: "results/x", Header: h, Journal: true,
		Totals: record.Totals{Evaluations: 10, Asked: 12, Best: best},
		Result: &record.Result{Header: h, Stopped: "budget",
			Totals: record.Totals{Evaluations: 10, Best: best}, Tests: tests},
	}
}

func outcome(v float64) map[string]*record.SplitOutcome {
	return map[string]*record.SplitOutcome{"test50": {Mean: v}}
}

// row returns the cells of a row by the IDs of their columns.
func row(t *testing.T, table *Table, id string) map[string]Cell {
	t.Helper()
	i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("table %s has no row %s", table.Name, id)
	}
	out := map[string]Cell{}
	for j, c := range table.Columns {
		out[c.ID] = table.Rows[i].Cells[j]
	}
	return out
}

// lines returns some columns of the rows of a table, as they are printed.
func lines(t *testing.T, table *Table, ids ...string) (out []string) {
	t.Helper()
	for _, r := range table.Rows {
		var cells []string
		for _, id := range ids {
			j := slices.IndexFunc(table.Columns, func(c Column) bool { return c.ID == id })
			if j < 0 {
				t.Fatalf("table %s has no column %s", table.Name, id)
			}
			cells = append(cells, r.Cells[j].Plain(table.Columns[j]))
		}
		out = append(out, strings.Join(cells, " | "))
	}
	return out
}

// noted fails the test if one of these notes is not below the table.
func noted(t *testing.T, table *Table, notes ...string) {
	t.Helper()
	for _, want := range notes {
		if !slices.ContainsFunc(table.Notes, func(n render.Note) bool {
			return strings.Contains(n.Text, want)
		}) {
			t.Errorf("the notes of %s do not say %q: %v", table.Name, want, table.Notes)
		}
	}
}

// TestMainTable: test columns have means over the seeds, each with its own best program, or values
// of one program for each row, as in the paper.
func TestMainTable(t *testing.T) {
	s := &results.Store{Runs: []*results.Run{
		finished("eoh", "", 1, -6.5, 6.5, outcome(7.1)),
		finished("eoh", "", 2, -6.1, 6.1, outcome(7.4)),
		finished("eoh", "", 3, -6.1, 6.1, outcome(6.9)),
		finished("pace", "", 1, -6.3, 6.3, outcome(6.6)),
		finished("pace", "", 2, -6.2, 6.2,
			map[string]*record.SplitOutcome{
				"test50": {Fault: record.Faultf(record.Timeout, "30 s")},
			}),
		finished("pace", "k=5", 1, -5.0, 5.0, outcome(1)),
	}}
	columns := []string{"row", "train", "test50", "seeds"}
	// Seed 2 of EoH is the first of two seeds with the best training value, so it is chosen
	// whatever its test value is.
	paper := tableOf(t, s, "main-tsp-construct", Options{Labels: labels, Paper: true})
	golden.Same(t, "as in the paper", []string{
		"EoH | 6.233 ± 0.231 | 7.400 | 6.500  6.100  6.100",
		"PACE | 6.250 ± 0.071 | fault: timeout | 6.300  6.200",
	}, lines(t, paper, columns...))
	for _, r := range paper.Rows {
		if r.Cells[1].Best {
			t.Error("a training value is marked: 6.2 and 6.3 lie between the seeds of EoH")
		}
	}
	means := mainOf(t, s)
	golden.Same(t, "means", []string{
		"EoH | 6.233 ± 0.231 | 7.133 ± 0.252 | 6.500  6.100  6.100",
		"PACE | 6.250 ± 0.071 | 6.600 | 6.300  6.200",
	}, lines(t, means, columns...))
	noted(t, means, "Tests: mean over the seeds, each with its own best program in training.",
		"PACE leaves out the programs that failed on n=50: seed 2 (timeout).")
}

func TestNotes(t *testing.T) {
	with := func(change func(*results.Run)) *results.Run {
		r := finished("pace", "", 2, -6.2, 6.2, nil)
		change(r)
		return r
	}
	for _, c := range []struct {
		name string
		run  *results.Run // next to three finished seeds of EoH
		want []string
	}{
		{"one seed only", with(func(*results.Run) {}), []string{
			"Seeds differ: 1–3 (EoH), 2 (PACE).",
			"Seeds may have been chosen: PACE (they do not begin at 1). Their p, Holm's p and " +
				"marks are left out.", "no rank test can reach p < 0.05 (smallest possible: 0.5)"}},
		{"unfinished", with(func(r *results.Run) { r.Result, r.Evaluations = nil, 4 }),
			[]string{"PACE: seed 2 is unfinished (4 of 10 evaluations) and left out."}},
		{"no score", with(func(r *results.Run) { r.Best, r.Result.Best = nil, nil }),
			[]string{"PACE: seed 2 found no program with a score and is left out."}},
		{"stopped early", with(func(r *results.Run) { r.Result.Stopped = "requests" }),
			[]string{"PACE: seed 2 stopped early (requests) after 10 evaluations."}},
		{"its own warning", with(func(r *results.Run) {
			r.Warnings = []results.Warning{{Reason: "the clock ran backwards"}}
		}), []string{"PACE, seed 2: the clock ran backwards."}},
		{"another budget", with(func(r *results.Run) { r.Header.Budget = 500 }),
			[]string{"Budgets differ: 10 (EoH), 500 (PACE)."}},
		{"another task version", with(func(r *results.Run) { r.Header.Version = "2" }), []string{
			"These rows cannot be compared", "Task versions differ: 1 (EoH), 2 (PACE).",
		}},
		{"other instances", with(func(r *results.Run) {
			r.Header.Data = map[string]string{"test50": "ffff"}
		}), []string{"Instances of test50 differ: aaaa (EoH), ffff (PACE)."}},
		{"another NumPy", with(func(r *results.Run) { r.Header.NumPy = "1.26" }),
			[]string{"NumPy versions differ: 2.3 (EoH), 1.26 (PACE)."}},
		{"another lock", with(func(r *results.Run) { r.Header.Lock = "paper" }),
			[]string{"Locks of packages differ: paper (PACE), current (EoH)."}},
		{"another arithmetic", with(func(r *results.Run) { r.Header.Arithmetic = "v3, canary 2" }),
			[]string{"These rows cannot be compared",
				"Classes of arithmetic differ: v3, canary 1 (EoH), v3, canary 2 (PACE)."}},
		{"arithmetic without a name", with(func(r *results.Run) { r.Header.Python = "3.11" }),
			[]string{"These rows cannot be compared",
				"Classes of arithmetic differ: v3, canary 1 (EoH), arithmetic not named (PACE)."}},
		{"other time limits", with(func(r *results.Run) { r.Header.TimeScale = 2.5 }), []string{
			"These rows cannot be compared", "Time limits differ: × 1 (EoH), × 2.5 (PACE).",
		}},
		{"unsafe", with(func(r *results.Run) { r.Header.Unsafe = true }),
			[]string{"Unsafe sandbox: PACE."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &results.Store{Runs: []*results.Run{c.run}}
			for seed := uint64(1); seed <= 3; seed++ {
				s.Runs = append(s.Runs, finished("eoh", "", seed, -6.5, 6.5, nil))
			}
			for _, r := range s.Runs {
				h := &r.Header
				h.Version, h.NumPy = cmp.Or(h.Version, "1"), cmp.Or(h.NumPy, "2.3")
				h.Lock = cmp.Or(h.Lock, "current")
				if h.Python == "" {
					h.Arithmetic = cmp.Or(h.Arithmetic, "v3, canary 1")
				}
				if h.Data == nil {
					h.Data = map[string]string{"test50": "aaaa"}
				}
			}
			noted(t, mainOf(t, s), c.want...)
		})
	}
}

// TestTablesOfSeveralTasks: three tasks have different locks, because Go scores one of them and the
// machine's arithmetic differs for the others. Even so, a method has one row for all three tasks.
func TestTablesOfSeveralTasks(t *testing.T) {
	s := &results.Store{}
	for task, lock := range map[string]string{
		"tsp-aco": "paper", "racing-car": "paper, amd64 v3", "bipedal-walker": "paper, amd64 v2",
	} {
		for _, variant := range []string{"", "ts=false"} {
			r := finished("pace", variant, 1, 6, 6, nil)
			r.Header.Task, r.Header.Lock = task, lock
			s.Runs = append(s.Runs, r)
		}
	}
	var seen []string
	for _, table := range Tables(s, Options{Labels: labels, All: true}) {
		if table.Name == "main-control" || table.Name == "ablation-pace" {
			seen = append(seen, fmt.Sprint(table.Name, " ", len(table.Rows)))
			for id, cell := range row(t, table, "pace") {
				if cell.Missing() && !strings.Contains(id, "/") {
					t.Errorf("%s: PACE has nothing in %s", table.Name, id)
				}
			}
		}
	}
	if want := []string{"main-control 1", "ablation-pace 2"}; !slices.Equal(seen, want) {
		t.Errorf("tables %q, want %q", seen, want)
	}

	// If another method has a second lock on one of the tasks, there are two ablations.
	other := finished("eoh", "", 1, 6, 6, nil)
	other.Header.Task, other.Header.Lock = "tsp-aco", "current"
	s.Runs = append(s.Runs, other)
	names := map[string]bool{}
	for _, table := range Tables(s, Options{Labels: labels, All: true}) {
		if names[table.Name] {
			t.Errorf("two tables %s", table.Name)
		}
		names[table.Name] = true
	}
	if !names["ablation-pace"] || !names["ablation-pace-paper"] {
		t.Errorf("tables %v, want ablation-pace and ablation-pace-paper", names)
	}
}

// TestUnlikeRunsNeverShareAMean: a seed under another lock, of another version of the method, or
// with longer time limits has its own row. If all runs of a table have longer limits, the table
// says so.
func TestUnlikeRunsNeverShareAMean(t *testing.T) {
	lock := func(h *record.Header) { h.Lock = "current" }
	version := func(h *record.Header) { h.MethodVersion = "2" }
	scaled := func(h *record.Header) { h.TimeScale = 2 }
	for _, c := range []struct {
		first, last func(*record.Header) // change the headers of seeds 1 and 2, and of seed 3
		rows        []string
		note        string // on time limits
	}{
		{nil, nil, []string{"PACE | 7.000 ± 1.000"}, ""},
		{nil, lock, []string{"PACE, lock current | 8.000", "PACE, lock paper | 6.500 ± 0.707"}, ""},
		{nil, version, []string{"PACE, version 1 | 6.500 ± 0.707", "PACE, version 2 | 8.000"}, ""},
		{scaled, scaled, []string{"PACE | 7.000 ± 1.000"}, "Time limits × 2 (--time-scale)."},
		{nil, scaled, []string{
			"PACE, lock paper | 6.500 ± 0.707", "PACE, lock paper, time limits × 2 | 8.000",
		}, "Time limits differ: × 1 (PACE, lock paper), × 2 (PACE, lock paper, time limits × 2)."},
	} {
		greedy := finished("greedy", "", 1, -9, 9, nil)
		greedy.Header.Models = map[string]string{"": "none"} // it has no time limit
		greedy.Header.Lock = "paper"
		s := &results.Store{Runs: []*results.Run{greedy}}
		for i, change := range []func(*record.Header){c.first, c.first, c.last} {
			r := finished("pace", "", uint64(i)+1, -6-float64(i), 6+float64(i), nil)
			r.Header.Lock = "paper"
			if change != nil {
				change(&r.Header)
			}
			s.Runs = append(s.Runs, r)
		}
		var notes []string
		for _, n := range mainOf(t, s).Notes {
			if strings.HasPrefix(n.Text, "Time limits") {
				notes = append(notes, n.Text)
			}
		}
		rows := lines(t, mainOf(t, s), "row", "train")[1:] // without Greedy Construct
		said := strings.Join(notes, "\n")
		golden.Same(t, "rows", c.rows, rows)
		if !strings.HasPrefix(said, c.note) || c.note == "" && said != "" {
			t.Errorf("notes %q, want %q", said, c.note)
		}
	}
}

// TestUsageHasTheShareOfBarrenRounds: the column exists only if a run has barren evaluations.
func TestUsageHasTheShareOfBarrenRounds(t *testing.T) {
	for _, barren := range []int{0, 4} {
		r := finished("hsevo", "", 1, -6.3, 6.3, nil)
		r.Barren = barren
		table := tableOf(t, &results.Store{Runs: []*results.Run{r}}, "usage-tsp-construct",
			Options{Labels: labels, All: true})
		cell, ok := row(t, table, "hsevo")["barren"]
		if ok != (barren > 0) || ok && math.Abs(cell.Mean-40) > 1e-9 {
			t.Errorf("%d barren evaluations of ten: column %t, %v", barren, ok, cell)
		}
	}
}

// TestSettingsAreNoAblation: the title of a table tells whether the label of the method names its
// variants.
func TestSettingsAreNoAblation(t *testing.T) {
	for variant, want := range map[string]string{
		"ts=false": "Ablation of PACE", "k=7": "Settings of PACE",
	} {
		s := &results.Store{Runs: []*results.Run{
			finished("pace", "", 1, -6.2, 6.2, nil), finished("pace", variant, 1, -6.2, 6.2, nil),
		}}
		table := tableOf(t, s, strings.ToLower(want[:8])+"-pace", Options{Labels: labels})
		if table.Title != want+" [gpt-4o-mini]" {
			t.Errorf("%s: title %q, want %q", variant, table.Title, want)
		}
	}
}

// TestOnlySettingsOfAMethod: if all runs of a method have the same settings, they are the method's
// row, and a note names the settings. An ablation is never the row of its method.
func TestOnlySettingsOfAMethod(t *testing.T) {
	s := &results.Store{Runs: []*results.Run{
		finished("eoh", "population=5,window=1", 1, -6.1, 6.1, nil),
		finished("pace", "window=1", 1, -6.2, 6.2, nil),
		finished("hsevo", "", 1, -6.3, 6.3, nil), finished("hsevo", "window=1", 1, -6.4, 6.4, nil),
	}}
	table := mainOf(t, s)
	golden.Same(t, "rows", []string{"EoH", "HSEvo", "PACE"},
		lines(t, table, "row"))
	for _, want := range []string{"EoH: population=5, window=1.", "PACE: window=1."} {
		if !slices.ContainsFunc(table.Notes, func(n render.Note) bool { return n.Text == want }) {
			t.Errorf("no note %q", want)
		}
	}
	other := finished("pace", "", 1, -6.2, 6.2, nil)
	other.Header.Task = "tsp-aco"
	s.Runs = append(s.Runs, other)
	golden.Same(t, "notes", []string{
		"EoH on TSP-Construct: population=5, window=1.", "PACE on TSP-Construct: window=1.",
	}, settingsNotes(labels.groups(s)))
	s.Runs = []*results.Run{finished("pace", "ts=false", 1, -6.2, 6.2, nil)}
	if find(s, "main-tsp-construct", Options{Labels: labels}) != nil {
		t.Error("an ablation is the row of its method")
	}
}

// TestSharesOfOperatorsStandBesideTheAblation: a seed that never used an operator counts as a share
// of 0, and has no last evaluation of this operator.
func TestSharesOfOperatorsStandBesideTheAblation(t *testing.T) {
	run := func(variant string, seed uint64, ops ...results.OperatorStats) *results.Run {
		r := finished("pace", variant, seed, -6.2, 6.2, nil)
		r.Operators = ops
		return r
	}
	tables := Tables(&results.Store{Runs: []*results.Run{
		run("", 1, results.OperatorStats{Name: "I1", Evaluated: 2, Last: 2}, results.OperatorStats{
			Name: "P1", Evaluated: 1, Last: 3,
		}, results.OperatorStats{Name: "P3", Evaluated: 7, Last: 10}),
		run("", 2, results.OperatorStats{Name: "I1", Evaluated: 3, Last: 4},
			results.OperatorStats{Name: "P3", Evaluated: 7, Last: 8}),
		run("operators=P2,P3,P4", 1, results.OperatorStats{Name: "I1", Evaluated: 4, Last: 4},
			results.OperatorStats{Name: "P3", Evaluated: 6, Last: 10}),
	}}, Options{Labels: labels, All: true})
	at := func(name string) int {
		return slices.IndexFunc(tables, func(table *Table) bool { return table.Name == name })
	}
	if at("operators-pace") != at("ablation-pace")+1 {
		t.Fatal("the shares do not follow the ablation")
	}
	golden.Same(t, "shares and last evaluations", []string{
		"25.0 | 5.0 | 70.0 | 3 | 3 | 9", "40.0 | 0.0 | 60.0 | 4 | – | 10",
	}, lines(t, tables[at("operators-pace")], "tsp-construct/I1", "tsp-construct/P1",
		"tsp-construct/P3", "tsp-construct/I1/last", "tsp-construct/P1/last",
		"tsp-construct/P3/last"))
}

// TestVariantInTheMainTable: a variant with a row in the main table is next to its method, and is
// not an ablation of the method.
func TestVariantInTheMainTable(t *testing.T) {
	s := &results.Store{Runs: []*results.Run{
		finished("mles", "", 1, -6.3, 6.3, nil),
		finished("mles", "unit=evaluations", 1, -6.2, 6.2, nil),
	}}
	golden.Same(t, "rows",
		[]string{"MLES (cold) | 6.300", "MLES (cold), by evaluations | 6.200"},
		lines(t, mainOf(t, s), "row", "train"))
	var names []string
	for _, table := range Tables(s, Options{Labels: labels, All: true}) {
		names = append(names, table.Name)
	}
	for _, f := range Figures(s, Options{Labels: labels, All: true}) {
		names = append(names, f.Name)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "ablation-") || strings.HasPrefix(name, "settings-mles") {
			t.Errorf("there is %s", name)
		}
	}
}

// TestVariantHasAFootnote: the footnote of a variant is below the ablation table, and below no
// other table.
func TestVariantHasAFootnote(t *testing.T) {
	for variant, want := range map[string]bool{"operators=P2,P3,P4": true, "k=5": false} {
		s := &results.Store{Runs: []*results.Run{finished("pace", "", 1, -6.3, 6.3, nil),
			finished("pace", variant, 1, -6.2, 6.2, nil)}}
		for _, table := range Tables(s, Options{Labels: labels, All: true}) {
			got := slices.Contains(table.Notes, render.Note{
				Kind: render.Footnote, Text: "w/o P1: as printed",
			})
			if want := want && table.Name == "ablation-pace"; got != want {
				t.Errorf("%s with %s: footnote %t, want %t", table.Name, variant, got, want)
			}
		}
	}
}
