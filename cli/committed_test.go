package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

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

// set returns a directory with the runs of a committed set.
func set(t *testing.T, name string) string {
	return resultstest.Committed(t, filepath.Join(published, name))
}

// reportBlock is a table in a page, with the name that the report gives it.
var reportBlock = regexp.MustCompile(
	`(?s)(<!-- made by: pacebench report ` +
		`((?:--all )?results/[a-z.]+(?: --pool results/[a-z.]+)?),[ \n]` +
		`table-([a-z-]+)\.txt -->\n\n` + "```text\n).*?(```\n)")

// TestCommittedResults wants every run of the suites in full, and compares the tables of pages and
// the pictures of the documentation with the runs.
func TestCommittedResults(t *testing.T) {
	size := int64(0)
	for _, name := range tree.Files(t, "..", "results") {
		info, err := os.Stat(filepath.Join("..", name))
		must.Do(t, err)
		size += info.Size()
	}
	if size > 50e6 {
		t.Errorf("results/ takes %s", inBytes(size))
	}
	var stores []*results.Store
	for _, c := range []struct {
		name, runs string
		budgets    []int
		flags      []string
	}{
		{filepath.Join(published, "routing.toml"), set(t, "routing"), []int{1000}, nil},
		{"field", set(t, "field"), []int{30}, []string{"--evals", "30", "--seeds", "1"}},
		{filepath.Join(published, "control.toml"), set(t, "control"), []int{1000, 300}, nil},
	} {
		store, err := suite.ReadResults(c.runs)
		must.Do(t, err)
		stores = append(stores, store)
		for _, w := range store.Warnings {
			t.Error(w)
		}
		for _, r := range store.Runs {
			// MLES counts requests.
			all := r.Evaluations == r.Header.Budget || r.Header.Method == "mles"
			if !r.Finished() || r.Journal && (!r.Offline() || !all ||
				!slices.Contains(c.budgets, r.Header.Budget)) {
				t.Errorf("%s: finished %t, offline %t, %d evaluations of %d",
					r.Dir, r.Finished(), r.Offline(), r.Evaluations, r.Header.Budget)
			}
		}
		if benchtest.Long() { // it reads all runs once more
			flags := append([]string{"suite", c.name, "--dry-run", "--out", c.runs}, c.flags...)
			plan := succeed(t, flags...)
			todo := allDone.FindStringSubmatch(plan)
			if todo == nil || todo[1] != strconv.Itoa(len(store.Runs)) || todo[2] != todo[3] {
				t.Errorf("%d runs, and the suite says\n%s", len(store.Runs), plan)
			}
		}
	}

	aboveRandomSampling(t, stores[0], stores[2])

	read := func(dir string) *results.Store {
		store, err := suite.ReadResults(dir)
		must.Do(t, err)
		return store
	}
	separate := set(t, "separate")
	store, pooled, separated := stores[0], read(set(t, "pools")), read(separate)
	pools, err := pooled.Pools()
	must.Do(t, err)
	for _, p := range pools {
		if len(p.Runs) != 30 {
			t.Errorf("a pool of %d runs", len(p.Runs))
		}
	}
	separations, err := suite.Separations(separate)
	must.Do(t, err)

	// Tables as report writes them, without the forms that are not shown here.
	tables := map[string]*render.Table{}
	add := func(command string, store *results.Store, o report.Options) {
		o.Bold, o.Printed, o.Labels = render.BoldSeparated, data.Published, labels(nil)
		for _, table := range report.Tables(store, o) {
			tables[command+" "+table.Name] = table
		}
		o.All = true
		for _, table := range report.Tables(store, o) {
			tables["--all "+command+" "+table.Name] = table
		}
	}
	add("results/routing", store, report.Options{})
	add("results/control.tar.zst", stores[2], report.Options{})
	add("results/routing --pool results/pools", store, report.Options{Pools: pools})
	add("results/separate.tar.zst", separated, report.Options{Separations: separations})
	name, shown := filepath.Join("..", "docs", "offline-results.md"), 0
	page := must.Read(t, name)
	filled := reportBlock.ReplaceAllStringFunc(string(page), func(block string) string {
		shown++
		part := reportBlock.FindStringSubmatch(block)
		var text strings.Builder
		table := tables[part[2]+" "+part[3]]
		must.Do(t, render.Print(&text, table, render.TextWidth))
		return part[1] + text.String() + part[4]
	})
	golden.Text(t, name, filled)
	if shown != 5 {
		t.Errorf("%d tables in %s", shown, name)
	}
	var decisions strings.Builder
	must.Do(t, render.Print(&decisions,
		tables["results/separate.tar.zst separate-tsp-construct"], render.TextWidth))
	for _, want := range []string{ // as the page says
		"Random sampling 8 0.0006 0.0083 PACE is better",
		"Best-of-N 12 0.3186 0.0083 not separated",
	} {
		if !strings.Contains(strings.Join(strings.Fields(decisions.String()), " "), want) {
			t.Errorf("not %q in\n%s", want, &decisions)
		}
	}
	pictures := filepath.Join("..", "docs", "images", "figures")
	wanted, err := os.ReadDir(pictures)
	must.Do(t, err)
	every := report.Options{Labels: labels(nil), All: true}
	figures := slices.Concat(report.Figures(store, every), report.Figures(stores[2], every))
	for _, figure := range figures {
		name := figure.Name + ".svg"
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

// aboveRandomSampling checks that search helps with the embedded model: after 300 evaluations the
// mean of a search's seeds is better than random sampling's best seed.
func aboveRandomSampling(t *testing.T, stores ...*results.Store) {
	t.Helper()
	shown := map[string]bool{}
	for _, store := range stores {
		after := func(g *results.Group) (best, mean float64) {
			best = math.Inf(-1)
			for _, r := range g.WithCurve() {
				value, ok := r.After(results.ByEvaluations, 300)
				if !ok {
					t.Fatalf("%s has no score", r.Dir)
				}
				if r.Best.Minimized() {
					value = -value
				}
				best, mean = max(best, value), mean+value/float64(len(g.Runs))
			}
			return best, mean
		}
		random := map[string]float64{}
		for _, g := range store.Groups() {
			if g.Method == "randsample" {
				random[g.Task], _ = after(g)
			}
		}
		for _, g := range store.Groups() {
			bar, known := random[g.Task]
			searched := len(g.WithCurve()) > 0 && g.Method != "randsample"
			if !known || !searched || g.Variant != "" {
				continue
			}
			_, mean := after(g)
			t.Logf("%s, %s: %.3f; random sampling's best seed: %.3f", g.Task, g.Method, mean, bar)
			if mean <= bar {
				t.Errorf("%s on %s does not stand above random sampling", g.Method, g.Task)
			}
			shown[g.Task] = true
		}
	}
	if len(shown) != 4 {
		t.Errorf("shown on %v, want four tasks", slices.Sorted(maps.Keys(shown)))
	}
}

// allDone is the last line of a dry run that has nothing to do, except for runs of earlier versions
// or settings, which it refuses.
var allDone = regexp.MustCompile(`(?m)^ total +(\d+) +(?:0|(\d+), (\d+) refused) `)

// succeed runs the command and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := append([]string{"pacebench"}, args...)
	if code := Main(command, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("%s: status %d\n%s\n%s", args[0], code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestCommittedRunsReplay replays a committed search from its journal; in the long tier the first
// seed of every search on TSP-Construct, and PACE's of all of the field's tasks.
func TestCommittedRunsReplay(t *testing.T) {
	pyenv.ForTest(t)
	field := set(t, "field")
	globs := []string{filepath.Join(field, "obp-weibull", "pace")}
	if benchtest.Long() {
		globs = []string{filepath.Join(set(t, "routing"), "tsp-construct", "*"),
			filepath.Join(field, "*", "pace")}
	}
	var runs []string
	for _, glob := range globs {
		found, err := filepath.Glob(filepath.Join(glob, "*", "1"))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		runs = append(runs, found...)
	}
	succeed(t, append([]string{"verify"}, runs...)...)
}

// unnamed are the committed sets whose headers do not name their arithmetic. The processor of the
// trained set is unknown; the other sets will be made again.
var unnamed = []string{"pools", "routing", "trained"}

// lengthy are the tasks whose re-evaluation and tests take two minutes to half an hour a run.
var lengthy = regexp.MustCompile("-(aco|gls|mcts|weibull)$")

// TestCommittedScores checks that committed runs name their arithmetic. In the long tier, on a
// machine of the same class, the best program of every run must score the same again, and so must
// all programs of one short run of each task, of lengthy ones if PACEBENCH_SLOW names the task.
func TestCommittedScores(t *testing.T) {
	env := pyenv.ForTest(t)
	entries, err := os.ReadDir(published)
	must.Do(t, err)
	var here []string
	field, elsewhere := "", map[string]int{}
	for _, entry := range entries {
		name, bundle := strings.CutSuffix(entry.Name(), ".tar.zst")
		if !entry.IsDir() && !bundle {
			continue
		}
		dir := set(t, name)
		if name == "field" {
			field = dir
		}
		runs, _, err := results.RunDirs(dir)
		must.Do(t, err)
		nameless := 0
		for _, run := range runs {
			switch class := headerOf(t, run).Class(); class {
			case "": // Go computed it
			case env.Class:
				here = append(here, run)
			case record.Unnamed:
				nameless++
				fallthrough
			default:
				elsewhere[class]++
			}
		}
		switch listed := slices.Contains(unnamed, name); {
		case nameless > 0 && !listed:
			t.Errorf("results/%s: %d runs do not name their arithmetic", name, nameless)
		case nameless == 0 && listed:
			t.Errorf("results/%s: all runs name their arithmetic: take it from the list",
				name)
		}
	}
	if !benchtest.Long() {
		return
	}
	for class, n := range elsewhere {
		t.Logf("%d runs are not scored again: their class is %q, here it is %q",
			n, class, env.Class)
	}
	halves := [][]string{{"verify", "--best"}, {"verify", "--best"}}
	whole := []string{"verify", "--rescore", "--no-record", "--jobs", "2"}
	short := len(whole)
	for i, run := range here {
		halves[i%2] = append(halves[i%2], run)
		task, rest, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(run),
			filepath.ToSlash(field)+"/"), "/")
		long := lengthy.MatchString(task) && !strings.Contains(os.Getenv("PACEBENCH_SLOW"), task)
		if task != "" && strings.HasPrefix(rest, "randsample/") && !long {
			whole = append(whole, run)
		}
	}
	for _, task := range tasks.Paper() {
		run := recordedRun(t, task.Name, "randsample")
		if class := headerOf(t, run).Class(); class == env.Class {
			whole = append(whole, run)
		} else {
			t.Logf("the recorded run on %s is not scored again: its class is %q, here it is %q",
				task.Name, class, env.Class)
		}
	}
	var g errgroup.Group
	for _, command := range halves {
		if len(command) > 2 {
			g.Go(func() error { return again(t, command) })
		}
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if len(whole) > short {
		if err := again(t, whole); err != nil {
			t.Error(err)
		}
	}
}

// again runs a command that verifies, in a process of its own.
func again(t *testing.T, command []string) error {
	start := time.Now()
	out, err := process(t, command...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", command[1], err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	t.Logf("%s: %s, in %s", command[1], lines[len(lines)-1], time.Since(start).Round(time.Second))
	return nil
}

// headerOf returns the header of a run or of a row, from a small file if it exists.
func headerOf(t *testing.T, dir string) record.Header {
	t.Helper()
	if r, err := record.ReadResult(dir); err == nil && r != nil {
		return r.Header
	}
	l, err := record.LoadJournal(dir)
	must.Do(t, err)
	return l.Header
}
