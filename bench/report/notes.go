package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

const (
	offlineNote = "Offline model: a program synthesiser, not an LLM. Its numbers show that the " +
		"programs work and say nothing about what an LLM would reach."
	unsafeNote = "Unsafe sandbox: run without a complete sandbox (--unsafe-sandbox); a " +
		"candidate could have reached what it must not."
	// maxWarnings bounds the warnings of runs under a table, our choice: all of them are on the
	// page of the run.
	maxWarnings = 12
)

// disclose puts into a table's title and its first notes what must be seen: models, doubts.
func disclose(t *Table, groups []*group) {
	offline, unsafe := countGroups(groups, (*group).Offline), countGroups(groups, (*group).Unsafe)
	t.Title += captionModels(models(groups))
	if unsafe > 0 {
		t.Title += " [unsafe sandbox]"
	}
	if offline > 0 {
		t.Note(render.OfflineModel, offlineNote)
	}
	if unsafe > 0 {
		if rows := rowsOf(groups, (*group).Unsafe); rows == "" {
			t.Note(render.UnsafeSandbox, unsafeNote)
		} else {
			t.Note(render.UnsafeRows, unsafeNote+rows)
		}
	}
	t.Note(render.Remark, scaleNote(groups))
}

// complete finishes a table but for the marks of the best: its labels, and the notes that its
// numbers need.
func complete(t *Table, groups []*group, remark string, footnotes ...string) {
	disclose(t, groups)
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Spread }) {
		t.Note(render.Remark, "±: sample standard deviation over seeds (n − 1).")
	}
	t.Note(render.Remark, remark)
	t.Note(render.Footnote, footnotes...)
	if i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Underline }); i >= 0 {
		t.Note(render.Remark, t.Columns[i].Title+
			": the scale of the training instances; the others are out of domain.")
	}
	doubts, comparable := compareHeaders(groups)
	if !comparable {
		for i := range t.Rows {
			t.Rows[i].Rivals = ""
		}
	}
	if t.AnyCell(func(c Cell) bool { return c.Estimated }) {
		t.Note(render.Remark,
			"~: the server sent no counts; estimated as one token for every four bytes.")
	}
	again := func(c Column) bool { return c.ID == "fresh" || strings.HasSuffix(c.ID, "/fresh") }
	if slices.ContainsFunc(t.Columns, again) {
		t.Note(render.Remark, "Training is what the search saw: the best of many noisy scores "+
			"flatters itself. Re-evaluated: the same program on fresh replicates. Noise: the "+
			"standard deviation of one evaluation.")
	}
	t.Note(render.Incomparable, doubts...)
	t.Note(render.Seeds, seedNotes(groups)...)
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Spread && c.Better != 0 }) {
		t.Note(render.Seeds, rankNote(groups)...)
	}
	t.Note(render.RunWarning, runWarnings(groups)...)
}

func countGroups(groups []*group, is func(*group) bool) int {
	n := 0
	for _, g := range groups {
		if is(g) {
			n++
		}
	}
	return n
}

// rowsOf names the rows that a note is about, unless it is about all.
func rowsOf(groups []*group, is func(*group) bool) string {
	if countGroups(groups, is) == len(groups) {
		return ""
	}
	var names []string
	for _, g := range groups {
		if name := g.title(); is(g) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return " Rows: " + strings.Join(names, "; ") + "."
}

func models(groups []*group) []string {
	seen := map[string]bool{}
	for _, g := range groups {
		if !g.Baseline() {
			seen[g.Models] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// compareHeaders says where the runs of a table were not made under the same conditions. Rows with
// other task versions, instances or packages cannot be compared: their scores mean different
// things.
func compareHeaders(groups []*group) (doubts []string, comparable bool) {
	comparable = true
	check := func(what string, fatal bool, value func(*record.Header) string) {
		for _, task := range tasksOf(groups) {
			rows := map[string][]string{}
			for _, g := range groups {
				if g.Task != task.id {
					continue
				}
				for _, r := range g.Runs {
					v, name := value(&r.Header), g.title()
					if v != "" && !slices.Contains(rows[v], name) {
						rows[v] = append(rows[v], name)
					}
				}
			}
			if len(rows) < 2 {
				continue
			}
			var parts []string
			for _, v := range sortedNumbers(rows) {
				parts = append(parts,
					fmt.Sprintf("%s (%s)", render.OneLine(v), strings.Join(rows[v], "; ")))
			}
			note := what + " differ: " + strings.Join(parts, ", ") + "."
			if len(tasksOf(groups)) > 1 {
				note = task.Title + ": " + note
			}
			if fatal {
				comparable = false
				note += " These rows cannot be compared; no best is marked."
			}
			doubts = append(doubts, note)
		}
	}
	check("Task versions", true, func(h *record.Header) string { return h.Version })
	for _, split := range splitNames(groups) {
		check("Instances of "+split, true, func(h *record.Header) string {
			d := h.Data[split]
			return d[:min(len(d), 8)]
		})
	}
	check("NumPy versions", true, func(h *record.Header) string { return h.NumPy })
	check("SciPy versions", true, func(h *record.Header) string { return h.SciPy })
	check("Locks of packages", true, func(h *record.Header) string { return h.Lock })
	check("Machines", true, func(h *record.Header) string { return h.Machine })
	for _, name := range packageNames(groups) {
		check("Versions of "+name, true, func(h *record.Header) string { return h.Packages[name] })
	}
	check("Time limits", true, timeScale)
	check("Python versions", false, func(h *record.Header) string { return h.Python })
	check("Budgets", false, func(h *record.Header) string {
		if h.Budget == 0 || h.Unit != "" { // of another unit
			return ""
		}
		return strconv.Itoa(h.Budget)
	})
	return doubts, comparable
}

// timeScale is the factor on limits of time of a run that has such limits.
func timeScale(h *record.Header) string {
	if h.Models[""] == "none" || h.Family == record.Learned {
		return ""
	}
	return fmt.Sprintf("× %g", h.Factor())
}

// scaleNote names the factor on limits of time that all runs have, unless it is 1.
func scaleNote(groups []*group) string {
	scale := ""
	for _, r := range runsOf(groups) {
		switch own := timeScale(&r.Header); {
		case own == "":
		case scale != "" && own != scale: // compareHeaders tells it
			return ""
		default:
			scale = own
		}
	}
	if scale == "" || scale == "× 1" {
		return ""
	}
	return "Time limits " + scale + " (--time-scale)."
}

// packageNames are the packages of trusted Python that any run names.
func packageNames(groups []*group) []string {
	seen := map[string]bool{}
	for _, r := range runsOf(groups) {
		for name := range r.Header.Packages {
			seen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func splitNames(groups []*group) []string {
	seen := map[string]bool{}
	for _, r := range runsOf(groups) {
		for split := range r.Header.Data {
			seen[split] = true
		}
	}
	return sortedNumbers(seen)
}

// sortedNumbers orders keys by length and then by text, so that 500 comes before 1000.
func sortedNumbers[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// seedNotes says which means stand on few seeds, and what such numbers of seeds cannot show.
func seedNotes(groups []*group) []string {
	var out []string
	most := 0
	for _, g := range groups {
		if !g.Baseline() {
			most = max(most, len(g.Finished()))
		}
	}
	several := len(tasksOf(groups)) > 1
	for _, g := range groups {
		name := g.title()
		if several {
			name += " on " + g.task.Title
		}
		if g.Baseline() && !g.Learned() {
			continue
		}
		doubtful := 0
		for _, r := range g.Runs {
			doubtful += r.Doubtful
			switch {
			case !r.Finished():
				out = append(out, fmt.Sprintf(
					"%s: seed %d is unfinished (%d of %d %s) and left out.",
					name, r.Header.Seed, r.Evaluations, r.Header.Budget, unit(r)))
			case r.Best == nil:
				out = append(out, fmt.Sprintf(
					"%s: seed %d found no program with a score and is left out.",
					name, r.Header.Seed))
			case r.Journal && r.Result.Stopped != "budget" && len(r.Result.Warnings) == 0:
				out = append(out, fmt.Sprintf(
					"%s: seed %d stopped early (%s) after %d evaluations.",
					name, r.Header.Seed, render.OneLine(r.Result.Stopped), r.Evaluations))
			}
		}
		if doubtful > 0 {
			out = append(out, fmt.Sprintf("%s: %s near the time limit are doubtful: on another "+
				"machine they may have had a score, or none.", name, count(doubtful, "evaluation")))
		}
		if n := len(g.Finished()); n == len(g.Runs) && n < most {
			out = append(out,
				fmt.Sprintf("%s: %s only, others have up to %d.", name, count(n, "seed"), most))
		}
		if splits := untested(g); len(splits) > 0 {
			out = append(out, fmt.Sprintf(
				"%s: seed %d has the best program, which was not tested on %s; other seeds were.",
				name, g.Winner().Header.Seed, strings.Join(splits, ", ")))
		}
		if !g.SameConfig() {
			out = append(out,
				fmt.Sprintf("%s: its seeds were run with different settings (run.json).", name))
		}
	}
	return out
}

// untested are the test splits that the winner lacks and another seed has.
func untested(g *group) (splits []string) {
	for _, r := range g.Finished() {
		for split := range r.Result.Tests {
			if g.Winner().Result.Tests[split] == nil && !slices.Contains(splits, split) {
				splits = append(splits, split)
			}
		}
	}
	slices.Sort(splits)
	return splits
}

// unit is what a run's budget counts.
func unit(r *results.Run) string { return cmp.Or(r.Header.Unit, "evaluations") }

// rankNote says when no two rows have enough seeds for a rank test to tell them apart.
func rankNote(groups []*group) []string {
	var sizes []int
	p, fewest, most := 1.0, 0, 0
	for _, g := range groups {
		n := len(g.Finished())
		if g.Baseline() || n == 0 {
			continue
		}
		for _, m := range sizes {
			p = min(p, results.SmallestP(m, n))
		}
		if sizes = append(sizes, n); len(sizes) == 1 || n < fewest {
			fewest = n
		}
		most = max(most, n)
	}
	if len(sizes) < 2 || p <= 0.05 {
		return nil
	}
	seeds := count(most, "seed")
	if fewest < most {
		seeds = fmt.Sprintf("%d to %s", fewest, seeds)
	}
	return []string{
		fmt.Sprintf("%s: no rank test can reach p < 0.05 (smallest possible: %.2g).", seeds, p),
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// runWarnings repeats what the runs themselves doubt, equal remarks of several seeds joined.
func runWarnings(groups []*group) []string {
	type key struct{ row, text string }
	var order []key
	seeds := map[key][]string{}
	for _, g := range groups {
		for _, r := range g.Runs {
			for _, w := range r.Warnings {
				k := key{g.title(), render.OneLine(w.Reason)}
				if seeds[k] == nil {
					order = append(order, k)
				}
				if s := strconv.FormatUint(r.Header.Seed, 10); !slices.Contains(seeds[k], s) {
					seeds[k] = append(seeds[k], s)
				}
			}
		}
	}
	var out []string
	for i, k := range order {
		if i == maxWarnings {
			out = append(out, fmt.Sprintf("… and %s more.", count(len(order)-i, "warning")))
			break
		}
		what := "seed "
		if len(seeds[k]) > 1 {
			what = "seeds "
		}
		out = append(out, fmt.Sprintf("%s, %s%s: %s.", k.row, what, strings.Join(seeds[k], ", "),
			strings.TrimSuffix(k.text, ".")))
	}
	return out
}
