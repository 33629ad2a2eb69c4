package report

import (
	"maps"
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

// printed returns a cell of a row, as it is printed.
func printed(t *testing.T, table *Table, r Row, id string) string {
	t.Helper()
	j := slices.IndexFunc(table.Columns, func(c Column) bool { return c.ID == id })
	if j < 0 {
		t.Fatalf("table %s has no column %s", table.Name, id)
	}
	return r.Cells[j].Plain(table.Columns[j])
}

// lines returns some columns of the rows of a table, as they are printed.
func lines(t *testing.T, table *Table, ids ...string) (out []string) {
	t.Helper()
	for _, r := range table.Rows {
		var cells []string
		for _, id := range ids {
			cells = append(cells, printed(t, table, r, id))
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
	if slices.ContainsFunc(paper.Rows, func(r Row) bool { return r.Cells[1].Best }) {
		t.Error("a training value is marked: 6.2 and 6.3 lie between the seeds of EoH")
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
	const incomparable = "These rows cannot be compared"
	for _, c := range []struct {
		change func(r *results.Run, h *record.Header) // of a run next to three seeds of EoH
		want   []string
	}{
		{func(*results.Run, *record.Header) {}, []string{
			"Seeds differ: 1–3 (EoH), 2 (PACE).",
			"Seeds may have been chosen: PACE (they do not begin at 1). Their p, Holm's p and " +
				"marks are left out.", "no rank test can reach p < 0.05 (smallest possible: 0.5)"}},
		{func(r *results.Run, _ *record.Header) { r.Best, r.Result.Best = nil, nil },
			[]string{"PACE: seed 2 found no program with a score and is left out."}},
		{func(r *results.Run, _ *record.Header) {
			r.Warnings = []results.Warning{{Reason: "the clock ran backwards"}}
		}, []string{"PACE, seed 2: the clock ran backwards."}},
		{func(_ *results.Run, h *record.Header) { h.Budget = 500 },
			[]string{"Budgets differ: 10 (EoH), 500 (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.Version = "2" },
			[]string{incomparable, "Task versions differ: 1 (EoH), 2 (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.Data = map[string]string{"test50": "ffff"} },
			[]string{"Instances of test50 differ: aaaa (EoH), ffff (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.NumPy = "1.26" },
			[]string{"NumPy versions differ: 2.3 (EoH), 1.26 (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.Lock = "paper" },
			[]string{"Locks of packages differ: paper (PACE), current (EoH)."}},
		{func(_ *results.Run, h *record.Header) { h.Arithmetic = "v3, canary 2" },
			[]string{incomparable,
				"Classes of arithmetic differ: v3, canary 1 (EoH), v3, canary 2 (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.Python, h.Arithmetic = "3.11", "" },
			[]string{incomparable,
				"Classes of arithmetic differ: v3, canary 1 (EoH), arithmetic not named (PACE)."}},
		{func(_ *results.Run, h *record.Header) { h.TimeScale = 2.5 },
			[]string{incomparable, "Time limits differ: × 1 (EoH), × 2.5 (PACE)."}},
	} {
		s := &results.Store{Runs: []*results.Run{finished("pace", "", 2, -6.2, 6.2, nil)}}
		for seed := range uint64(3) {
			s.Runs = append(s.Runs, finished("eoh", "", seed+1, -6.5, 6.5, nil))
		}
		for _, r := range s.Runs {
			h := &r.Header
			h.Version, h.NumPy, h.Lock, h.Arithmetic = "1", "2.3", "current", "v3, canary 1"
			h.Data = map[string]string{"test50": "aaaa"}
		}
		c.change(s.Runs[0], &s.Runs[0].Header)
		noted(t, mainOf(t, s), c.want...)
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
	o := Options{Labels: labels, All: true}
	for name, rows := range map[string]int{"main-control": 1, "ablation-pace": 2} {
		table := tableOf(t, s, name, o)
		if len(table.Rows) != rows {
			t.Errorf("%s has %d rows, want %d", name, len(table.Rows), rows)
		}
		for id, cell := range row(t, table, "pace") {
			if cell.Missing() && !strings.Contains(id, "/") {
				t.Errorf("%s: PACE has nothing in %s", name, id)
			}
		}
	}

	// If another method has a second lock on one of the tasks, there are two ablations.
	other := finished("eoh", "", 1, 6, 6, nil)
	other.Header.Task, other.Header.Lock = "tsp-aco", "current"
	s.Runs = append(s.Runs, other)
	names := namesOf(Tables(s, o))
	for _, name := range append(slices.Collect(maps.Keys(names)),
		"ablation-pace", "ablation-pace-paper") {
		if names[name] != 1 {
			t.Errorf("%d tables are named %s", names[name], name)
		}
	}
}

// TestVersionsInTheMethodsTable: a version that was run on only one of the tasks has no rank, and
// does not stand in for another version on another task.
func TestVersionsInTheMethodsTable(t *testing.T) {
	s := &results.Store{}
	for _, c := range []struct {
		method, version, task string
		value                 float64
	}{
		{"pace", "1", "tsp-construct", 6}, {"pace", "2", "tsp-construct", 7},
		{"eoh", "1", "tsp-construct", 6.5}, {"eoh", "1", "tsp-aco", 9},
		{"bestofn", "1", "tsp-construct", 6.8}, {"bestofn", "1", "tsp-aco", 8},
	} {
		r := finished(c.method, "", 1, -c.value, c.value, nil)
		r.Header.Task, r.Header.MethodVersion = c.task, c.version
		s.Runs = append(s.Runs, r)
	}
	table := tableOf(t, s, "methods", Options{Labels: labels, All: true})
	golden.Same(t, "ranks", []string{
		"EoH | 1 | 2 | 1.50", "PACE, version 1 | – | – | –", "PACE, version 2 | – | – | –",
		"bestofn | 2 | 1 | 1.50",
	}, lines(t, table, "row", "tsp-construct/rank", "tsp-aco/rank", "rank"))
	noted(t, table, "Without a rank, because they were not run on all of these tasks: "+
		"PACE, version 1; PACE, version 2.")
}

// TestPairOfUnlikeMeans: a seed far from the others gives the better mean to the row with the worse
// ranks. The seeds still show a difference.
func TestPairOfUnlikeMeans(t *testing.T) {
	s := &results.Store{}
	for i := range 10 {
		a, b := float64(1+i), float64(10+i)
		if i == 9 {
			a = 1000
		}
		s.Runs = append(s.Runs, finished("pace", "", uint64(i)+1, -a, a, nil),
			finished("eoh", "", uint64(i)+1, -b, b, nil))
	}
	table := tableOf(t, s, "pairs-tsp-construct", Options{Labels: labels, All: true})
	cells := row(t, table, "eoh|pace")
	if p := cells["improvement"].Mean; p != 0.1 || cells["separated"].Words != "yes" ||
		strings.Contains(cells["needed"].Words, "∞") {
		t.Errorf("P(better) %g, separated %q, seeds needed %q", p, cells["separated"].Words,
			cells["needed"].Words)
	}
}

// namesOf counts the tables of each name.
func namesOf(tables []*Table) map[string]int {
	names := map[string]int{}
	for _, table := range tables {
		names[table.Name]++
	}
	return names
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
	r := finished("hsevo", "", 1, -6.3, 6.3, nil)
	s, o := &results.Store{Runs: []*results.Run{r}}, Options{Labels: labels, All: true}
	for _, barren := range []int{0, 4} {
		r.Barren = barren
		cell, ok := row(t, tableOf(t, s, "usage-tsp-construct", o), "hsevo")["barren"]
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
	golden.Same(t, "rows", []string{"EoH", "HSEvo", "PACE"}, lines(t, table, "row"))
	noted(t, table, "EoH: population=5, window=1.", "PACE: window=1.")
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
	used := func(name string, evaluated, last int) results.OperatorStats {
		return results.OperatorStats{Name: name, Evaluated: evaluated, Last: last}
	}
	tables := Tables(&results.Store{Runs: []*results.Run{
		run("", 1, used("I1", 2, 2), used("P1", 1, 3), used("P3", 7, 10)),
		run("", 2, used("I1", 3, 4), used("P3", 7, 8)),
		run("operators=P2,P3,P4", 1, used("I1", 4, 4), used("P3", 6, 10)),
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
	names := namesOf(Tables(s, Options{Labels: labels, All: true}))
	for _, f := range Figures(s, Options{Labels: labels, All: true}) {
		names[f.Name]++
	}
	for name := range names {
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
