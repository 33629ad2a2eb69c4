package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/internal/testkit/tree"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

// published is the directory of the committed sets.
var published = filepath.Join("..", "results")

// committed are the committed sets.
var committed = []string{
	"control", "field", "pools", "routing", "separate", "small-model", "trained"}

// set returns a directory with the runs of a committed set.
func set(t *testing.T, name string) string {
	return resultstest.Committed(t, filepath.Join(published, name))
}

// reportBlock is a table in a page, with the name that the report gives it.
var reportBlock = regexp.MustCompile(
	`(?s)(<!-- made by: pacebench report ` +
		`((?:--all )?results/[a-z.-]+(?: --pool results/[a-z.]+)?),[ \n]` +
		`table-([a-z-]+)\.txt -->\n\n` + "```text\n).*?(```\n)")

// TestCommittedResults checks that every run of the suites is complete, and compares the tables of
// pages and the pictures of the documentation with the runs.
func TestCommittedResults(t *testing.T) {
	size := int64(0)
	for _, name := range tree.Files(t, "..", "results") {
		info, err := os.Stat(filepath.Join("..", name))
		must.Do(t, err)
		size += info.Size()
	}
	if size > 30e6 {
		t.Errorf("results/ takes %s", inBytes(size))
	}
	stores, dirs := map[string]*results.Store{}, map[string]string{}
	for _, name := range committed {
		dirs[name] = set(t, name)
		store, err := suite.ReadResults(dirs[name])
		must.Do(t, err)
		stores[name] = store
		nameless := 0
		for _, r := range store.Runs {
			if r.Header.Class() == record.Unnamed {
				nameless++
			}
		}
		if slices.Contains(unnamed, name) != (nameless > 0) {
			t.Errorf("results/%s: %d runs do not name their arithmetic; the list says otherwise",
				name, nameless)
		}
	}
	for _, c := range []struct {
		suite, name string
		offline     bool
		budgets     []int
		flags       []string
	}{
		{filepath.Join(published, "routing.toml"), "routing", true, []int{1000}, nil},
		{"field", "field", true, []int{30}, []string{"--evals", "30", "--seeds", "1"}},
		{filepath.Join(published, "control.toml"), "control", true, []int{1000, 300}, nil},
		{filepath.Join(published, "small-model.toml"), "small-model", false, []int{30}, nil},
	} {
		store := stores[c.name]
		for _, w := range store.Warnings {
			t.Error(w)
		}
		for _, r := range store.Runs {
			// MLES's budget counts requests.
			all := r.Evaluations == r.Header.Budget || r.Header.Method == "mles"
			if !r.Finished() || r.Journal && (r.Offline() != c.offline || !all ||
				!slices.Contains(c.budgets, r.Header.Budget)) {
				t.Errorf("%s: finished %t, offline %t, %d evaluations of %d",
					r.Dir, r.Finished(), r.Offline(), r.Evaluations, r.Header.Budget)
			}
		}
		if benchtest.Long() { // it reads all runs once more
			plan := mustRun(t, append([]string{"suite", c.suite, "--dry-run",
				"--out", dirs[c.name]}, c.flags...)...)
			todo := allDone.FindStringSubmatch(plan)
			planned := len(store.Runs)
			if c.name == "small-model" {
				planned -= 2 // first fit and best fit, which its suite does not list
			}
			if todo == nil || todo[1] != strconv.Itoa(planned) || todo[2] != todo[3] {
				t.Errorf("%d runs, and the suite says\n%s", len(store.Runs), plan)
			}
		}
	}
	aboveRandomSampling(t, stores["routing"], stores["control"])

	pools, err := stores["pools"].Pools()
	must.Do(t, err)
	for _, p := range pools {
		if len(p.Runs) != 30 {
			t.Errorf("a pool of %d runs", len(p.Runs))
		}
	}
	separations, err := suite.Separations(stores["separate"], dirs["separate"])
	must.Do(t, err)

	// The tables that report prints, by command and name.
	tables := map[string]*render.Table{}
	add := func(command string, store *results.Store, o report.Options) {
		o.Bold, o.Printed, o.Labels = render.BoldSeparated, data.Published, labels(nil)
		for _, o.All = range []bool{false, true} {
			for _, table := range report.Tables(store, o) {
				tables[command+" "+inFiles(table.Name)] = table
			}
			command = "--all " + command
		}
	}
	add("results/routing.tar.zst", stores["routing"], report.Options{})
	add("results/control.tar.zst", stores["control"], report.Options{})
	add("results/routing.tar.zst --pool results/pools.tar.zst", stores["routing"],
		report.Options{Pools: pools})
	add("results/small-model.tar.zst", stores["small-model"], report.Options{})
	add("results/separate.tar.zst", stores["separate"], report.Options{Separations: separations})
	for _, name := range []string{"routing.tar.zst explain-tsp-construct",
		"routing.tar.zst explain-tsp-aco", "control.tar.zst explain-bipedal-walker"} {
		creditOnPage(t, tables["--all results/"+name])
	}
	name, shown := filepath.Join("..", "docs", "small-model.md"), 0
	filled := reportBlock.ReplaceAllStringFunc(string(must.Read(t, name)),
		func(block string) string {
			shown++
			part := reportBlock.FindStringSubmatch(block)
			var text strings.Builder
			table := tables[part[2]+" "+part[3]]
			must.Do(t, render.Print(&text, table, render.TextWidth))
			return part[1] + text.String() + part[4]
		})
	golden.Text(t, name, filled)
	if shown != 3 {
		t.Errorf("%d tables in %s", shown, name)
	}
	betterThanPool(t, tables["results/routing.tar.zst --pool results/pools.tar.zst "+
		"null-tsp-construct"])
	answersOnPage(t, dirs["small-model"])
	besideOnPage(t)
	for _, row := range [][2]string{ // as the pages say
		{"results/separate.tar.zst separate-tsp-construct",
			"Random sampling 8 0.0006 0.0083 PACE is better"},
		{"results/separate.tar.zst separate-tsp-construct",
			"Best-of-N 12 0.3186 0.0083 not separated"},
		{"--all results/small-model.tar.zst pairs-obp-weibull-py",
			"EoH Best-of-N -64.3847 -192.9621 -0.0274 0.75 0.49 0.90 0.056"},
		{"--all results/small-model.tar.zst usage-obp-weibull-py", "EoH 1.05 29.76"},
		{"--all results/small-model.tar.zst pairs-obp-weibull-py",
			"PACE Best-of-N -64.3573 -192.9484 0.0000 0.70 0.44 0.87 0.133"},
		{"--all results/small-model.tar.zst pairs-obp-weibull-py",
			"EoH PACE -0.0274 -0.1372 +0.0823 0.55 0.31 0.76 1.000"},
		{"--all results/small-model.tar.zst usage-obp-weibull-py", "PACE 2.76 111.18"},
	} {
		var text strings.Builder
		must.Do(t, render.Print(&text, tables[row[0]], render.TextWidth))
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), row[1]) {
			t.Errorf("not %q in\n%s", row[1], &text)
		}
	}
	pictures := filepath.Join("..", "docs", "images", "figures")
	wanted, err := os.ReadDir(pictures)
	must.Do(t, err)
	every := report.Options{Labels: labels(nil), All: true}
	figures := slices.Concat(report.Figures(stores["routing"], every),
		report.Figures(stores["control"], every), report.Figures(stores["small-model"], every))
	for _, figure := range figures {
		name := inFiles(figure.Name) + ".svg"
		at := slices.IndexFunc(wanted, func(e fs.DirEntry) bool { return e.Name() == name })
		if at < 0 {
			continue
		}
		wanted = slices.Delete(wanted, at, at+1)
		var svg strings.Builder
		must.Do(t, figure.WriteSVG(&svg))
		golden.Text(t, filepath.Join(pictures, name), svg.String())
	}
	if len(wanted) > 0 {
		t.Errorf("figures of no run: %v", wanted)
	}
}

// answersOnPage checks what docs/small-model.md says about the lengths of answers.
func answersOnPage(t *testing.T, dir string) {
	t.Helper()
	runs, _, err := results.RunDirs(dir)
	must.Do(t, err)
	var all, cut, cutPACE, longest int
	for _, run := range runs {
		if strings.HasSuffix(run, "/none/1") {
			continue // a baseline
		}
		l, err := record.LoadWithoutTexts(run)
		must.Do(t, err)
		for _, line := range l.Records {
			if line.Step == nil {
				continue
			}
			program := 0 // tokens of the last answer that should hold a program
			for _, q := range line.Step.Requests {
				n := q.Reply.Usage.Completion
				all++
				if n >= 900 {
					cut++
					if l.Header.Method == "pace" {
						cutPACE++
					}
				}
				if strings.HasPrefix(string(q.Request.Purpose), "algorithm/") {
					program = n
				}
			}
			for _, e := range line.Step.Evaluations {
				if e.Fault == nil {
					longest = max(longest, program)
				}
			}
		}
	}
	page := strings.Join(strings.Fields(
		string(must.Read(t, filepath.Join("..", "docs", "small-model.md")))), " ")
	for _, want := range []string{
		fmt.Sprintf("Of %d answers, %d reach 900 tokens, %d of them in PACE", all, cut, cutPACE),
		fmt.Sprintf("at most %d tokens", longest),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/small-model.md does not say %q", want)
		}
	}
}

// besideOnPage compares our rows of the table "EoH side by side" in docs/llm4ad.md with the runs.
func besideOnPage(t *testing.T) {
	t.Helper()
	store, err := suite.ReadResults(set(t, "beside-llm4ad"))
	must.Do(t, err)
	page := string(must.Read(t, filepath.Join("..", "docs", "llm4ad.md")))
	for _, r := range store.Runs {
		var prompt, completion, faults int
		for _, u := range r.Usage {
			prompt, completion = prompt+u.Usage.Prompt, completion+u.Usage.Completion
		}
		for _, n := range r.Faults {
			faults += n
		}
		row := fmt.Sprintf("| pacebench, %d | %d | %d, %d | %d | %g |", r.Header.Seed, r.Asked,
			prompt, completion, faults, -r.Best.Value)
		if !strings.Contains(page, row) || r.Evaluations != 30 {
			t.Errorf("docs/llm4ad.md has no row %s", row)
		}
	}
	if len(store.Runs) != 3 {
		t.Errorf("%d runs", len(store.Runs))
	}
}

// inFiles returns the name of a table or figure as its file has it: obp-weibull.py as
// obp-weibull-py.
func inFiles(name string) string { return strings.ReplaceAll(name, ".", "-") }

// betterThanPool checks what docs/offline-results.md says: every search is significantly better
// than the pool of random sampling, and none is better than the pool of best-of-N.
func betterThanPool(t *testing.T, table *render.Table) {
	t.Helper()
	at := map[string]int{}
	for i, c := range table.Columns {
		at[c.ID] = i
	}
	pools := map[string]int{}
	for _, row := range table.Rows {
		pool, p := row.Cells[at["control"]].Words, row.Cells[at["holm"]].Mean
		pools[pool]++
		method, random := row.Cells[0].Words, "Random sampling"
		if method != random && (p <= 0.05) != (pool == random) {
			t.Errorf("%s against %s: Holm's p is %g", method, pool, p)
		}
	}
	if len(pools) != 2 || pools["Best-of-N"] < 5 || pools["Random sampling"] < 5 {
		t.Errorf("rows by pool: %v", pools)
	}
}

// aboveRandomSampling checks that search helps with the embedded model: after 300 evaluations the
// mean of a search's seeds is better than random sampling's best seed.
func aboveRandomSampling(t *testing.T, stores ...*results.Store) {
	t.Helper()
	after := func(g *results.Group) results.Sample {
		return g.Over(func(r *results.Run) (float64, bool) {
			value, ok := r.After(results.ByEvaluations, 300)
			if ok && r.Best.Minimized() {
				value = -value
			}
			return value, ok
		})
	}
	groups := slices.Concat(stores[0].Groups(), stores[1].Groups())
	random, shown := map[string]float64{}, map[string]bool{}
	for _, g := range groups {
		if g.Method == "randsample" {
			random[g.Task] = slices.Max(after(g).Values)
		}
	}
	for _, g := range groups {
		bar, known := random[g.Task]
		search := after(g)
		if !known || search.N == 0 || g.Method == "randsample" || g.Variant != "" {
			continue
		}
		if search.Mean <= bar {
			t.Errorf("%s on %s, %g, is not better than random sampling, %g",
				g.Method, g.Task, search.Mean, bar)
		}
		shown[g.Task] = true
	}
	if len(shown) != 4 {
		t.Errorf("shown on %v, want four tasks", slices.Sorted(maps.Keys(shown)))
	}
}

// allDone is the last line of a dry run that has nothing to do, except for runs of earlier versions
// or settings, which it refuses.
var allDone = regexp.MustCompile(`(?m)^ total +(\d+) +(?:0|(\d+), (\d+) refused) `)

// TestCommittedRunsReplay replays two committed searches from their journals. The long tier replays
// the first seed of every search on TSP-Construct and of PACE on all of the field's tasks, and all
// searches with the small language model.
func TestCommittedRunsReplay(t *testing.T) {
	pyenv.ForTest(t)
	field, study := set(t, "field"), filepath.Join(set(t, "small-model"), "obp-weibull")
	globs := []string{filepath.Join(field, "obp-weibull", "pace", "*", "1"),
		filepath.Join(study, "pace*", "*", "1")}
	if benchtest.Long() {
		globs = []string{filepath.Join(set(t, "routing"), "tsp-construct", "*", "*", "1"),
			filepath.Join(field, "*", "pace", "*", "1"), filepath.Join(study, "*", "openai-*", "*")}
	}
	var runs []string
	for _, glob := range globs {
		found, err := filepath.Glob(glob)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		runs = append(runs, found...)
	}
	mustRun(t, append([]string{"verify"}, runs...)...)
}

// creditOnPage checks that docs/explain.md has the mean tau of a table and its interval.
func creditOnPage(t *testing.T, table *render.Table) {
	t.Helper()
	page := strings.Join(strings.Fields(string(must.Read(t, "../docs/explain.md"))), " ")
	interval := regexp.MustCompile(`[^ ]+, 95 % interval [^ ]+ to [^ ]+`)
	for _, n := range table.Notes {
		if tau := interval.FindString(n.Text); tau != "" {
			if !strings.Contains(page, tau) {
				t.Errorf("docs/explain.md does not have %q", tau)
			}
			return
		}
	}
	t.Errorf("no tau in %v", table.Notes)
}

// unnamed are the committed sets whose headers do not name their arithmetic. The processor of the
// trained set is unknown.
var unnamed = []string{"trained"}

// lengthy are the tasks whose re-evaluation and tests take two minutes to half an hour a run.
var lengthy = regexp.MustCompile("-(aco|gls|mcts|weibull)$")

// TestCommittedScores scores committed runs again on a machine of the same class: the best program
// of every run (with the small model, of seed 1), and all programs of one short run of each task.
// It scores all programs of a run on a lengthy task only if PACEBENCH_SLOW names the task.
func TestCommittedScores(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	env := pyenv.ForTest(t)
	var whole []string
	var halves [2][]string
	elsewhere := map[string]int{}
	here := func(run string) bool {
		if class := headerOf(t, run).Class(); class != env.Class {
			elsewhere[class]++
			return false
		}
		return true
	}
	for _, name := range committed {
		dir := set(t, name)
		runs, _, err := results.RunDirs(dir)
		must.Do(t, err)
		for i, run := range runs {
			if !here(run) || name == "small-model" && !strings.HasSuffix(run, "/1") {
				continue
			}
			halves[i%2] = append(halves[i%2], run)
			task, rest, _ := strings.Cut(strings.TrimPrefix(run, dir+"/"), "/")
			long := lengthy.MatchString(task) &&
				!strings.Contains(os.Getenv("PACEBENCH_SLOW"), task)
			if name == "field" && strings.HasPrefix(rest, "randsample/") && !long {
				whole = append(whole, run)
			}
		}
	}
	for _, task := range tasks.Paper() {
		if run := recordedRun(t, task.Name, "randsample"); here(run) {
			whole = append(whole, run)
		}
	}
	for class, n := range elsewhere {
		t.Logf("%d runs are not scored again: their class is %q, here it is %q",
			n, class, env.Class)
	}
	again := func(t *testing.T, name string, runs []string, flags ...string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(runs) > 0 {
				mustRun(t, slices.Concat([]string{"verify", "--quiet"}, flags, runs)...)
			}
		})
	}
	t.Run("best", func(t *testing.T) {
		again(t, "of one half", halves[0], "--best")
		again(t, "of the other", halves[1], "--best")
	})
	again(t, "all", whole, "--rescore", "--no-record", "--jobs", "2")
}

// headerOf returns the header of a run, from result.json if it exists, because that is smaller than
// the journal.
func headerOf(t *testing.T, dir string) record.Header {
	t.Helper()
	if r, err := record.ReadResult(dir); err == nil && r != nil {
		return r.Header
	}
	l, err := record.LoadJournal(dir)
	must.Do(t, err)
	return l.Header
}
