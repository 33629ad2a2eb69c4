package tasks_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
	"github.com/pacebench/pacebench/tasks/cvrpaco"
	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
	"github.com/pacebench/pacebench/tasks/mkpaco"
	"github.com/pacebench/pacebench/tasks/opaco"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// An anchored is a program with known values, an entry of shipped/testdata/known.toml or
// testdata/anchors.toml.
type anchored struct {
	Name, Source string
	Improved     bool
	Quick, Slow  []string
	Run          string // a committed run of the program, which has the values of the slow sets
	Values       map[string]known
}

// A known is a known value. If it is random, it has the standard deviation of one evaluation and
// the number of evaluations behind the mean.
type known struct {
	mean, sd float64
	runs     float64
}

func (k *known) UnmarshalTOML(v any) error {
	list, drawn := v.([]any)
	if !drawn {
		list = []any{v, 0.0, int64(0)}
	}
	for i, into := range []*float64{&k.mean, &k.sd, &k.runs} {
		switch v := list[i].(type) {
		case float64:
			*into = v
		case int64:
			*into = float64(v)
		}
	}
	return nil
}

// page is the page that shows every anchor next to pacebench's value.
const page = "../docs/anchors.md"

// TestAnchors compares our values with the anchors: exact values to nine digits, random values to 4
// standard errors of the difference, and the spread of an objective to 45 %. The page must show our
// values. The quick tier measures some sets. The long tier measures all other exact values and
// about half of the other random values; with -update, it measures all sets. Without -update, a
// colony has only a few replicates, so the random values on the page stay.
func TestAnchors(t *testing.T) {
	before, err := os.ReadFile(page)
	if err != nil && !*golden.Update {
		t.Fatal(err)
	}
	shown := shownIn(string(before))
	tables := anchors(t)
	for _, task := range tables {
		t.Run(task.name, func(t *testing.T) {
			e := evaluator(t, task.name)
			for _, a := range task.programs {
				t.Run(a.Name, func(t *testing.T) { a.hold(t, e, task.name, shown) })
			}
		})
	}
	var text strings.Builder
	text.Write(must.Read(t, "testdata/anchors-head.md"))
	for _, task := range tables {
		fmt.Fprintf(&text, "\n## %s\n", task.name)
		task.write(t, &text, shown)
	}
	golden.Text(t, page, text.String())
}

// write writes a table of the exact values, with a column for each set, and a table of the random
// values.
func (task table) write(t *testing.T, text *strings.Builder, shown map[string]string) {
	var columns []string
	var exact, drawn strings.Builder
	rows := map[string]map[string]string{} // exact values, by program and set
	for _, a := range task.programs {
		name := "| " + label(a.Name)
		for _, set := range newMeter(t, task.name, a).sets(a) {
			value := a.Values[set]
			key := value.key(task.name, a.Name, set)
			rest, ok := shown[key]
			switch {
			case !ok && !slices.Contains(a.Slow, set):
				t.Errorf("%s, %s, %s: PACEBENCH_LONG=1 go test ./tasks -run Anchors -update "+
					"measures it", task.name, a.Name, set)
			case !ok:
			case value.runs > 0:
				fmt.Fprintf(&drawn, "%s | %s | %s | %s\n", name, short(set), value.text(), rest)
				name = "|"
			default:
				if !slices.Contains(columns, set) {
					columns = append(columns, set)
				}
				if rows[a.Name] == nil {
					rows[a.Name] = map[string]string{}
				}
				rows[a.Name][set] = value.text()
			}
		}
	}
	for _, a := range task.programs {
		if row := rows[a.Name]; row != nil {
			fmt.Fprintf(&exact, "| %s |", label(a.Name))
			for _, set := range columns {
				fmt.Fprintf(&exact, " %s |", row[set])
			}
			exact.WriteString("\n")
		}
	}
	if exact.Len() > 0 {
		fmt.Fprintf(text, "\n| program | %s |\n|---|%s\n%s", strings.Join(columns, " | "),
			strings.Repeat("---|", len(columns)), exact.String())
	}
	if drawn.Len() > 0 {
		fmt.Fprintf(text, "\n| program | set | there | here |\n|---|---|---|---|\n%s",
			drawn.String())
	}
}

// shownIn returns the values that a page shows. The keys consist of task, program, set and known
// value. The entry of a random value is the rest of its line; the entry of an exact value is empty.
// In a table of random values, an empty cell repeats the program above.
func shownIn(page string) map[string]string {
	shown := map[string]string{}
	task, program, head := "", "", []string(nil)
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			task = name
		}
		cells := strings.Split(line, " | ")
		switch {
		case !strings.HasPrefix(line, "| "):
		case strings.HasPrefix(line, "| program | "):
			head = strings.Split(strings.TrimSuffix(line, " |"), " | ")
		case len(head) > 1 && head[1] == "set":
			if len(cells) > 3 {
				if cells[0] != "|" {
					program = cells[0]
				}
				key := task + strings.Join([]string{program, cells[1], cells[2], ""}, " | ")
				shown[key] = strings.Join(cells[3:], " | ")
			}
		default:
			cells = strings.Split(line, "|")
			for i := 1; i < len(head) && i+1 < len(cells); i++ {
				shown[task+"|"+cells[1]+"| "+head[i]+" | "+strings.TrimSpace(cells[i+1])+" | "] = ""
			}
		}
	}
	return shown
}

// hold measures the program's sets that the tier includes and compares them with their known
// values. It enters exact values into shown, and random values if the page is updated.
func (a anchored) hold(
	t *testing.T, e bench.TaskEvaluator, task string, shown map[string]string,
) {
	m := newMeter(t, task, a)
	m.e = e
	for i, set := range m.sets(a) {
		var own []float64
		want, due := a.Values[set], slices.Contains(a.Quick, set)
		if benchtest.Long() {
			due = !due && (want.runs == 0 || i%2 == 0) || updates()
		}
		switch slow := slices.Contains(a.Slow, set); {
		case slow && a.Run != "":
			own = a.read(t, set)
		case !due || slow && !updates():
			continue
		default:
			own = m.measure(set)
		}
		rest, err := want.compare(own, !strings.Contains(set, ","))
		if err != nil {
			t.Errorf("%s: %v", set, err)
		}
		if want.runs == 0 || updates() {
			shown[want.key(task, a.Name, set)] = rest
		}
	}
}

// read returns the value of a set in the program's committed run.
func (a anchored) read(t *testing.T, set string) []float64 {
	published, run, _ := strings.Cut(a.Run, ".tar.zst:")
	dir := resultstest.Committed(t, filepath.Join("..", published))
	data := must.Read(t, filepath.Join(dir, run, "result.json"))
	var r record.Result
	must.Do(t, json.Unmarshal(data, &r))
	if r.Tests[set] == nil {
		t.Fatalf("%s has no %s", a.Run, set)
	}
	return []float64{record.Mean(r.Tests[set].Values)}
}

// A table is the anchors of one task.
type table struct {
	name     string
	programs []anchored
}

// anchors returns the tables in the order of the tasks.
func anchors(t *testing.T) (all []table) {
	t.Helper()
	files := map[string][]anchored{}
	for _, path := range []string{"shipped/testdata/known.toml", "testdata/anchors.toml"} {
		own := map[string][]anchored{}
		if _, err := toml.DecodeFile(path, &own); err != nil {
			t.Fatal(err)
		}
		for name, programs := range own {
			files[name] = append(files[name], programs...)
		}
	}
	for _, task := range append(tasks.All(), lookup(t, cvrpaco.Idle)) {
		if programs := files[task.Name]; programs != nil {
			all = append(all, table{task.Name, programs})
			delete(files, task.Name)
		}
	}
	for name := range files {
		t.Errorf("anchors of %s, which is not a task", name)
	}
	return all
}

func lookup(t testing.TB, name string) *bench.Task {
	t.Helper()
	task, ok := tasks.Lookup(name)
	if !ok {
		t.Fatalf("no task %s", name)
	}
	return task
}

// label returns the program's name on the page.
func label(name string) string {
	if row, ok := strings.CutPrefix(name, "row "); ok {
		return "`" + row + "`"
	}
	return strings.ReplaceAll(name, "_", " ")
}

func (k known) text() string {
	if k.runs == 0 {
		return fmt.Sprintf("%.9f", k.mean)
	}
	return fmt.Sprintf("%.4f", k.mean)
}

// short returns the name of a set without the training split.
func short(set string) string { return strings.TrimPrefix(set, "train, ") }

// key returns the key of a known value in the result of shownIn.
func (k known) key(task, program, set string) string {
	if k.runs > 0 {
		set = short(set)
	}
	return fmt.Sprintf("%s| %s | %s | %s | ", task, label(program), set, k.text())
}

// compare returns an error if our values contradict a known value. If the known value is random, it
// also returns the rest of the page's line, and compares the spread of objectives.
func (k known) compare(own []float64, objective bool) (rest string, err error) {
	mean, sd := record.Mean(own), k.sd
	difference := mean - k.mean
	if k.runs == 0 {
		if !(math.Abs(difference) < 1e-9) {
			err = fmt.Errorf("%.12f, want %.12f", mean, k.mean)
		}
		return "", err
	}
	here := fmt.Sprintf("%.4f", mean)
	if len(own) > 1 {
		sd = deviation(own)
	}
	z := difference / math.Sqrt(sd*sd/float64(len(own))+k.sd*k.sd/k.runs)
	switch {
	case !(math.Abs(z) < 4):
		err = fmt.Errorf("%s, want %s: z = %.1f", here, k.text(), z)
	case objective && len(own) >= 100 && math.Abs(sd/k.sd-1) > 0.45:
		err = fmt.Errorf("%s ± %.4f, want %s ± %.4f: another spread", here, sd, k.text(), k.sd)
	}
	if math.Abs(z) >= 3 {
		here += fmt.Sprintf(", z = %.1f", z)
	}
	return here + " |", err
}

func deviation(values []float64) float64 {
	sum, mean := 0.0, record.Mean(values)
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// A meter measures one program.
type meter struct {
	t     testing.TB
	e     bench.TaskEvaluator
	task  *bench.Task
	row   *baselines.Baseline // nil for a program
	code  string
	study *colonytest.Study // of a colony, made when needed
}

func newMeter(t testing.TB, name string, a anchored) *meter {
	m := &meter{t: t, task: lookup(t, name)}
	if row, ok := strings.CutPrefix(a.Name, "row "); ok {
		b, ok := baselines.Lookup(name, row, "")
		if !ok {
			t.Fatalf("%s has no row %s", name, row)
		}
		m.row, m.code = &b, b.Program
		return m
	}
	body := m.task.Template.Header() + "\n    " +
		strings.ReplaceAll(m.task.Template.Body, "\n", "\n    ") + "\n"
	for _, r := range m.task.References {
		if r.Name == a.Name {
			body = r.Source
		}
	}
	if a.Source != "" {
		body = a.Source
	}
	if a.Improved {
		body = tspconstruct.Improved(body)
	}
	m.code = strings.Join(m.task.Imports, "\n") + "\n" + body
	return m
}

// sets returns the names of a program's sets in the order of the splits. A set is a split, or a
// measurement on a split, such as "train, last ants".
func (m *meter) sets(a anchored) []string {
	place := func(set string) int {
		split, _, _ := strings.Cut(set, ", ")
		return slices.IndexFunc(m.task.Splits, func(s bench.Split) bool { return s.Name == split })
	}
	return slices.SortedFunc(maps.Keys(a.Values), func(a, b string) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a, b))
	})
}

// measure returns our value of a set, or several values if it is random.
func (m *meter) measure(set string) []float64 {
	split, what, _ := strings.Cut(set, ", ")
	what = strings.TrimSuffix(strings.TrimSuffix(what, "public code"), ", ")
	if m.row != nil && m.row.Run != nil {
		values, err := m.row.Run(m.t.Context(), split)
		if err != nil {
			m.t.Fatal(err)
		}
		return []float64{record.Mean(values)}
	}
	task := m.task
	var seed int
	if _, err := fmt.Sscanf(what, "seed %d", &seed); err == nil {
		again := *task
		again.Score = func(
			ctx context.Context, in bench.Instance, f bench.Target,
		) (bench.Measure, error) {
			v, err := task.Rescore.Score(ctx, seed-1234, in, f)
			return bench.Measure{Value: v}, err
		}
		task = &again
	}
	if split == "train" && m.study == nil {
		if watched, study := watch(task.Name, replicates()); study != nil {
			m.study = study
			m.score(watched, split)
		}
	}
	if split != "train" || m.study == nil {
		return []float64{record.Mean(m.score(task, split).Values)}
	}
	switch what {
	case "first ants":
		return m.study.First
	case "last ants":
		return m.study.Last
	}
	return m.study.Objective
}

// updates reports whether the page is rewritten. This needs many replicates and takes a long time.
func updates() bool { return benchtest.Long() && *golden.Update }

// replicates returns the number of replicates of a colony: many to update the page, otherwise a
// few.
func replicates() int {
	if updates() {
		return 100
	}
	return 6
}

// watch returns colonytest.Watch of a task, or nil if the task has no colony.
func watch(name string, runs int) (*bench.Task, *colonytest.Study) {
	switch name {
	case cvrpaco.Name, cvrpaco.Idle:
		return colonytest.Watch(cvrpaco.Colony(name), runs)
	case mkpaco.Name:
		return colonytest.Watch(mkpaco.Colony(), runs)
	case opaco.Name:
		return colonytest.Watch(opaco.Colony(), runs)
	}
	return nil, nil
}

func (m *meter) score(task *bench.Task, split string) bench.Outcome {
	m.t.Helper()
	m.e.Task = task
	o, err := m.e.Score(m.t.Context(), split, program.Program{Source: m.code})
	if err != nil || !o.OK() {
		m.t.Fatalf("%s, %s: %v, %v", task.Name, split, o.Fault, err)
	}
	return o
}

// evaluator opens the processes for a task's programs.
func evaluator(t testing.TB, name string) bench.TaskEvaluator {
	t.Helper()
	if task := lookup(t, name); task.Scorer != nil {
		return *tasktest.Control(t, task)
	}
	return bench.TaskEvaluator{Loader: tasktest.Workers(t)}
}
