package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

const (
	offlineNote = "Offline model: a program synthesiser, not an LLM. Its numbers show that " +
		"pacebench works; they say nothing about LLMs."
	unsafeNote = "Unsafe sandbox: these runs had no complete sandbox (--unsafe-sandbox), so " +
		"a candidate could have changed files and scores."
	// maxWarnings bounds the number of warnings under a table, so that the notes stay short. A
	// run's page lists all its warnings.
	maxWarnings = 12
)

// disclose adds to a table's title and notes what changes the meaning of its numbers: models,
// unsafe sandboxes and a factor on time limits.
func disclose(t *Table, groups []*group) {
	t.Title += tags(groups)
	unsafe := where(groups, (*group).Unsafe)
	if n := len(unsafe); n > 0 && n < len(groups) {
		t.Note(render.UnsafeRows, "Unsafe sandbox: "+listed(unsafe)+".")
	}
	t.Note(render.Conditions, scaleNote(groups))
}

// tags returns the end of a title: the models, and whether a sandbox was unsafe.
func tags(groups []*group) string {
	text := captionModels(models(groups))
	if slices.ContainsFunc(groups, (*group).Unsafe) {
		text += " [unsafe sandbox]"
	}
	return text
}

// complete adds models, doubts and footnotes to a table. Rows that cannot be compared lose their
// rivals, so that Table.Mark marks none of them.
func complete(t *Table, groups []*group, footnotes ...string) {
	disclose(t, groups)
	t.Note(render.Footnote, footnotes...)
	doubts, comparable := compareHeaders(groups)
	kind := render.Conditions
	if !comparable {
		kind = render.Incomparable
		for i := range t.Rows {
			t.Rows[i].Rivals = ""
		}
		t.Note(render.Incomparable, "These rows cannot be compared: their runs were made under "+
			"different conditions. No row is marked as the best.")
	}
	t.Note(kind, doubts...)
	t.Note(render.Conditions, settingsNotes(groups)...)
	t.Note(render.Seeds, seedNotes(groups)...)
	t.Note(render.Chosen, chosenNote(groups))
	if list, differ := seedList(groups); differ {
		t.Note(render.Seeds, "Seeds differ: "+list+".")
	} else if list != "" {
		t.Note(render.SeedList, "Seeds: "+list+".")
	}
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Spread && c.Better != 0 }) {
		t.Note(render.Seeds, rankNote(groups)...)
	}
	t.Note(render.RunWarning, runWarnings(groups, false)...)
	t.Note(render.UnusedParts, runWarnings(groups, true)...)
}

// settingsNotes names the settings of variants that are the rows of their methods.
func settingsNotes(groups []*group) (notes []string) {
	set := where(groups, func(g *group) bool { return g.settings != "" })
	for _, own := range gather(set, func(g *group) string { return g.settings }) {
		var rows []string
		for _, g := range own {
			rows = with(rows, g.on(groups))
		}
		notes = append(notes, strings.Join(rows, "; ")+": "+
			render.OneLine(strings.ReplaceAll(own[0].settings, ",", ", "))+".")
	}
	return notes
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

// compareHeaders lists the conditions that differ between the runs of a table. Rows with different
// task versions, instances, packages, classes of arithmetic or time limits cannot be compared,
// because their scores mean different things.
func compareHeaders(groups []*group) (doubts []string, comparable bool) {
	comparable = true
	check := func(what string, fatal bool, value func(*record.Header) string) {
		tasks := byTask(groups)
		for _, own := range tasks {
			rows := map[string][]string{}
			for _, g := range own {
				for _, r := range g.Runs {
					if v := value(&r.Header); v != "" {
						rows[v] = with(rows[v], g.title())
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
			if len(tasks) > 1 {
				note = own[0].task.Title + ": " + note
			}
			comparable = comparable && !fatal
			doubts = append(doubts, note)
		}
	}
	check("Task versions", true, func(h *record.Header) string { return h.Version })
	splits := merged(groups, func(h *record.Header) map[string]string { return h.Data })
	for _, split := range sortedNumbers(splits) {
		check("Instances of "+split, true, func(h *record.Header) string {
			d := h.Data[split]
			return d[:min(len(d), 8)]
		})
	}
	check("NumPy versions", true, func(h *record.Header) string { return h.NumPy })
	check("SciPy versions", true, func(h *record.Header) string { return h.SciPy })
	check("Locks of packages", true, func(h *record.Header) string { return h.Lock })
	check("Classes of arithmetic", true, func(h *record.Header) string { return h.Class() })
	packages := merged(groups, func(h *record.Header) map[string]string { return h.Packages })
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		check("Versions of "+name, true, func(h *record.Header) string { return h.Packages[name] })
	}
	check("Time limits", true, timeScale)
	check("Python versions", false, func(h *record.Header) string { return h.Python })
	check("Budgets", false, func(h *record.Header) string {
		if h.Budget == 0 || h.Unit != "" { // no budget, or one in another unit
			return ""
		}
		return strconv.Itoa(h.Budget)
	})
	return doubts, comparable
}

// timeScale returns the factor on the time limits of a run; empty for a run without such limits.
func timeScale(h *record.Header) string {
	if h.Models[""] == "none" || h.Family == record.Trained {
		return ""
	}
	return fmt.Sprintf("× %g", h.Factor())
}

// scaleNote returns a note if all runs have the same factor on time limits and it is not 1.
func scaleNote(groups []*group) string {
	scale := ""
	for _, r := range runsOf(groups) {
		switch own := timeScale(&r.Header); {
		case own == "":
		case scale != "" && own != scale: // compareHeaders reports it
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

// merged joins the maps of all runs. Callers use only the keys of the result.
func merged(groups []*group, of func(*record.Header) map[string]string) map[string]string {
	out := map[string]string{}
	for _, r := range runsOf(groups) {
		maps.Copy(out, of(&r.Header))
	}
	return out
}

// sortedNumbers orders keys by length and then by text, so that 500 comes before 1000.
func sortedNumbers[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), results.NaturalOrder)
}

// seedNotes names the seeds that are left out or stopped early, the rows with evaluations near the
// time limit, and the rows whose seeds have different settings.
func seedNotes(groups []*group) []string {
	var out []string
	for _, g := range groups {
		if g.Baseline() && !g.Trained() {
			continue
		}
		name := g.on(groups)
		say := func(format string, args ...any) {
			out = append(out, name+": "+fmt.Sprintf(format, args...))
		}
		doubtful := 0
		for _, r := range g.Runs {
			doubtful += r.Doubtful
			switch seed := r.Header.Seed; {
			case !r.Finished():
				say("seed %d is unfinished (%d of %d %s) and left out.", seed, r.Evaluations,
					r.Header.Budget, unit(r))
			case r.Best == nil:
				say("seed %d found no program with a score and is left out.", seed)
			case r.Journal && r.Result.Stopped != "budget" && len(r.Result.Warnings) == 0:
				say("seed %d stopped early (%s) after %d evaluations.", seed,
					render.OneLine(r.Result.Stopped), r.Evaluations)
			}
		}
		if doubtful > 0 {
			say("%s ended near the time limit; on another machine the outcome may differ.",
				count(doubtful, "evaluation"))
		}
		if !g.SameConfig() {
			say("its seeds were run with different settings (run.json).")
		}
	}
	return out
}

// chosenNote names the rows whose seeds may have been chosen, and the statistics that are left out.
func chosenNote(groups []*group) string {
	own := where(groups, func(g *group) bool { return g.Chosen() != "" })
	if len(own) == 0 {
		return ""
	}
	var parts []string
	for _, same := range gather(own, (*group).Chosen) {
		var names []string
		for _, g := range same {
			names = append(names, g.on(groups))
		}
		parts = append(parts, strings.Join(names, "; ")+" ("+same[0].Chosen()+")")
	}
	return "Seeds may have been chosen: " + strings.Join(parts, "; ") + ". Their p, Holm's p and " +
		"marks are left out."
}

// seedList lists the seeds of the rows by task, and reports whether rows of one task differ.
func seedList(groups []*group) (text string, differ bool) {
	tasks := byTask(where(groups, func(g *group) bool { return !g.Baseline() || g.Trained() }))
	var parts, titled []string
	for _, own := range tasks {
		var lists []string
		same := gather(own, func(g *group) string { return ranges(g.Seeds()) })
		for _, rows := range same {
			list := ranges(rows[0].Seeds())
			if len(same) > 1 {
				list += " (" + listed(rows) + ")"
				differ = true
			}
			lists = append(lists, list)
		}
		text := strings.Join(lists, ", ")
		parts, titled = with(parts, text), append(titled, own[0].task.Title+" "+text)
	}
	if len(parts) > 1 {
		return strings.Join(titled, "; "), differ
	}
	return strings.Join(parts, ""), differ
}

// ranges writes ascending numbers as ranges: "1–3, 5".
func ranges(numbers []uint64) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := fmt.Sprint(numbers[i])
		if last > i {
			part += fmt.Sprintf("–%d", numbers[last])
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ", ")
}

func unit(r *results.Run) string { return cmp.Or(r.Header.Unit, "evaluations") }

// rankNote returns a note if no two rows have enough seeds for a rank test to separate them.
func rankNote(groups []*group) []string {
	var sizes []int
	p := 1.0
	for _, g := range groups {
		n := len(g.Finished())
		if g.Baseline() || n == 0 {
			continue
		}
		for _, m := range sizes {
			p = min(p, results.SmallestP(m, n))
		}
		sizes = append(sizes, n)
	}
	if len(sizes) < 2 || p <= 0.05 {
		return nil
	}
	return []string{fmt.Sprintf("%s: no rank test can reach p < 0.05 (smallest possible: %.2g).",
		seedsText(sizes), p)}
}

// count writes a number with its noun: "1 run", "3 runs".
var count = hint.Counted

// seedsNamed names seeds: "seed 1", "seeds 1, 2".
func seedsNamed(seeds []string) string {
	if len(seeds) > 1 {
		return "seeds " + strings.Join(seeds, ", ")
	}
	return "seed " + strings.Join(seeds, "")
}

// runWarnings repeats either the warnings about unused parts of a method or all other warnings of
// the runs. Equal warnings of several seeds are joined.
func runWarnings(groups []*group, unused bool) []string {
	type warning struct{ row, text, seed string } // row names the task if there are several tasks
	var all []warning
	for _, g := range groups {
		for _, r := range g.Runs {
			for _, w := range r.Warnings {
				if (w.Reason == r.Unused) != unused {
					continue
				}
				all = append(all, warning{g.on(groups), render.OneLine(w.Reason),
					strconv.FormatUint(r.Header.Seed, 10)})
			}
		}
	}
	same := gather(all, func(w warning) warning { return warning{w.row, w.text, ""} })
	var out []string
	for i, own := range same {
		if i == maxWarnings {
			out = append(out, fmt.Sprintf("… and %s more.", count(len(same)-i, "warning")))
			break
		}
		var seeds []string
		for _, w := range own {
			seeds = with(seeds, w.seed)
		}
		out = append(out, fmt.Sprintf("%s, %s: %s.", own[0].row, seedsNamed(seeds),
			strings.TrimSuffix(own[0].text, ".")))
	}
	return out
}
