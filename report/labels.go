package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// Labels are the titles of tasks and rows, in the order in which tables show them. A name without a
// title comes last and is its own title.
type Labels struct {
	Tasks   []*bench.Task
	Methods []bench.Label // and baselines
}

// A group is a row of tables: the runs of one key, with their titles.
type group struct {
	*results.Group
	task    task
	method  bench.Label
	variant bench.Variant
	lock    string // named in the title; empty if no other row differs only in its lock
	version string // of the method, named in the title; empty if all its runs have one version
	world   string // the lock, if the task has several, and version; part of a row's key

	settings string // of a variant that is the row of its method, such as "k=5,window=1"

	methodRank, variantRank int
}

// A task is the label of one task, with its place in the order.
type task struct {
	bench.TaskLabel
	id       string
	key      string // in names of tables and figures
	rank     int
	minimize bool // false for an unknown task
	splits   []bench.Split
}

// groups labels the groups of a store, in the order in which tables show them.
func (l Labels) groups(s *results.Store) []*group {
	var out []*group
	for _, g := range s.Groups() {
		out = append(out, l.group(g))
	}
	promote(out)
	slices.SortFunc(out, func(a, b *group) int {
		return cmp.Or(compareTasks(a.task, b.task), compareRows(a, b))
	})
	for i := 1; i < len(out); i++ { // rows that differ only in their lock are neighbours
		a, b := out[i-1], out[i]
		if same := a.Key; a.Lock != b.Lock {
			if same.Lock = b.Lock; same == b.Key {
				a.lock, b.lock = cmp.Or(a.Lock, "none"), cmp.Or(b.Lock, "none")
			}
		}
	}
	locks := map[string][]string{} // of the searches on a task
	for _, g := range out {
		if !g.Baseline() && !g.Trained() {
			locks[g.Task] = with(locks[g.Task], g.Lock)
		}
	}
	versions := map[string][]string{} // of a method, on all tasks
	for _, g := range out {
		versions[g.Method] = with(versions[g.Method], cmp.Or(g.Version, "1"))
	}
	for _, g := range out {
		if len(locks[g.Task]) > 1 || g.lock != "" {
			g.world = g.Lock
		}
		if len(versions[g.Method]) > 1 {
			g.version = cmp.Or(g.Version, "1")
			g.world = strings.TrimPrefix(g.world+", version "+g.version, ", ")
		}
	}
	return out
}

// promote makes a variant the row of its method on a task if the method has no other runs there, as
// in a study that gives all methods one temperature. An ablation stays a variant.
func promote(rows []*group) {
	on := func(g *group) [2]string { return [2]string{g.Task, g.Method} }
	variants := map[[2]string][]string{}
	for _, g := range rows {
		variants[on(g)] = with(variants[on(g)], g.Variant)
	}
	for _, g := range rows {
		named := g.variantRank < len(g.method.Variants)
		if named || len(variants[on(g)]) > 1 || g.Baseline() || g.Trained() {
			continue
		}
		own := *g.Group
		g.settings, own.Variant = g.Variant, ""
		g.Group, g.variant, g.variantRank = &own, bench.Variant{}, -1
	}
}

func (l Labels) group(g *results.Group) *group {
	out := &group{
		Group: g, task: l.task(g.Task),
		method:     bench.Label{Name: g.Method, Title: render.OneLine(g.Method)},
		methodRank: len(l.Methods),
		variant:    bench.Variant{Name: g.Variant, Title: render.OneLine(g.Variant)},
	}
	g.Tolerance = results.Tolerance(out.task.Tolerance)
	for i, m := range l.Methods {
		// Several tasks have a row with the same name, such as "aco".
		if m.Name == g.Method && (m.Tasks == nil || slices.Contains(m.Tasks, g.Task)) {
			out.method, out.methodRank = m, i
		}
	}
	if g.Variant == "" {
		out.variantRank = -1
		return out
	}
	out.variantRank = len(out.method.Variants)
	for i, v := range out.method.Variants {
		if v.Name == g.Variant {
			out.variant, out.variantRank = v, i
		}
	}
	return out
}

// task finds the label of a task. The title of a task with settings, "tsp-aco@replicates=4",
// contains the settings.
func (l Labels) task(id string) task {
	base, settings, varied := strings.Cut(id, "@")
	for i, t := range l.Tasks {
		if t.Name == base {
			out := task{t.Label, id, id, i, t.Goal == bench.Minimize, t.Splits[1:]}
			if len(t.Files) > 0 {
				out.key = userKey(id)
			}
			if varied {
				out.Title += ", " + render.OneLine(settings)
				out.rank = len(l.Tasks)
			}
			return out
		}
	}
	label := bench.TaskLabel{Title: render.OneLine(id), Unit: "training value", Digits: 3}
	return task{label, id, userKey(id), len(l.Tasks), false, nil}
}

// userKey returns the key of a user's task. No other key has a dot, so the tables of a user's task
// that is called "control" never have the names of the paper's tables.
func userKey(id string) string { return id + ".py" }

func compareTasks(a, b task) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id))
}

// compareRows orders the rows of a table: by method, variant, models, lock and version.
func compareRows(a, b *group) int {
	return cmp.Or(
		cmp.Compare(a.methodRank, b.methodRank), cmp.Compare(a.Method, b.Method),
		compareVariants(a, b), cmp.Compare(a.Models, b.Models), cmp.Compare(a.Lock, b.Lock),
		cmp.Compare(a.Version, b.Version),
	)
}

func compareVariants(a, b *group) int {
	return cmp.Or(cmp.Compare(a.variantRank, b.variantRank), cmp.Compare(a.Variant, b.Variant))
}

// ablated reports whether the row is a variant that the method's label names as an ablation.
func (g *group) ablated() bool {
	return g.variantRank >= 0 && g.variantRank < len(g.method.Variants) && !g.variant.Main
}

func (g *group) main() bool { return g.Variant == "" || g.variant.Main }

// title names a row: "PACE", "PACE, w/o TS".
func (g *group) title() string {
	title := g.method.Title
	if g.Variant != "" {
		title += ", " + g.variant.Title
	}
	if g.lock != "" {
		title += ", lock " + render.OneLine(g.lock)
	}
	if g.version != "" {
		title += ", version " + render.OneLine(g.version)
	}
	return title
}

// on returns the row's title, and its task if the table has several tasks.
func (g *group) on(table []*group) string {
	if len(tasksOf(table)) < 2 {
		return g.title()
	}
	return g.title() + " on " + g.task.Title
}

// RunTitle names a run's row and task: "PACE, w/o TS, on TSP-ACO".
func (l Labels) RunTitle(r *results.Run) string {
	g := l.group(&results.Group{Key: r.Key(), Runs: []*results.Run{r}})
	between := " on "
	if g.Variant != "" {
		between = ", on "
	}
	return g.title() + between + g.task.Title
}

// Unit returns the unit of a task's values, as on the axes of figures.
func (l Labels) Unit(id string) string { return l.task(id).Unit }

// Digits returns the decimals of a task's values in tables.
func (l Labels) Digits(id string) int { return l.task(id).Digits }

// splitsOf lists the test splits that the runs have, and the task's splits for which also returns
// true: first the task's splits in their order, then other splits by name.
func (t task) splitsOf(runs []*results.Run, also func(split string) bool) []bench.Split {
	seen := map[string]bool{}
	for _, r := range runs {
		if r.Result == nil {
			continue
		}
		for id := range r.Result.Tests {
			seen[id] = true
		}
	}
	var out []bench.Split
	for _, s := range t.splits {
		if seen[s.Name] || also != nil && also(s.Name) {
			out = append(out, s)
			delete(seen, s.Name)
		}
	}
	for _, id := range sortedNumbers(seen) {
		out = append(out, bench.Split{Name: id, Title: render.OneLine(id)})
	}
	return out
}

// captionModels names models for a title: "[gpt-4o-mini]", "[offline model; gpt-4o-mini]".
func captionModels(models []string) string {
	var names []string
	for _, m := range models {
		name := modelTitle(m)
		if results.IsOffline(m) {
			name = "offline model"
		}
		names = with(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return " [" + strings.Join(names, "; ") + "]"
}

// modelTitle names a run's models without their providers: the default model, then the roles with
// other models.
func modelTitle(models string) string {
	if models == "" {
		return "–"
	}
	parts := strings.Split(models, " ")
	for i, p := range parts {
		role, name, found := strings.Cut(p, "=")
		if !found || i == 0 {
			parts[i] = shortModel(p)
			continue
		}
		parts[i] = strings.ToUpper(role) + ": " + shortModel(name)
	}
	return render.OneLine(strings.Join(parts, ", "))
}

// shortModel drops the provider: "openai:gpt-4o-mini" is "gpt-4o-mini".
func shortModel(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// plainModel returns the model as the paper names it: in lower case, without provider, vendor and
// settings.
func plainModel(name string) string {
	name, _, _ = strings.Cut(shortModel(name), ",")
	return strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
}

func roleTitle(role string) string {
	if role == "eap" {
		return "EAP"
	}
	return render.OneLine(strings.ToUpper(role[:1]) + role[1:])
}
