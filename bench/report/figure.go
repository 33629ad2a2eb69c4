package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench/results"
)

// A Figure is a picture of some runs, and what is written of it.
type Figure struct {
	Name    string // stem of its file names: "convergence-tsp-construct-evaluations"
	Task    string
	Title   string // in the picture: what it shows, and what must be seen before any number
	Caption string // for a paper: what lines, bands and marks are
	Main    bool   // shown on the page; of the others it has links
	Notes   []Note
	Data    [][]string // the numbers that are drawn, below a row of their names

	panels []panel
	legend []entry
}

// Folder is where Write puts the files of figures, below the directory of the report.
const Folder = "figures"

// Figures returns all figures that the runs give, in the order of a paper. For every task and
// model: convergence by evaluations, tokens, USD and time of evaluation (the last two where all
// runs know them), ablations, failures, diversity, and for its methods how operators fared, how
// beliefs in EAPs moved and where EAPs went.
func Figures(s *results.Store, l Labels) []*Figure {
	all := where(l.groups(s), func(g *group) bool { return !g.Baseline() || g.Learned() })
	styles := stylesOf(all, l)
	var out []*Figure
	for _, task := range tasksOf(all) {
		groups := where(all, func(g *group) bool { return g.Task == task.id })
		own := where(groups, func(g *group) bool { return g.Variant == "" })
		learned := where(own, (*group).Learned)
		asked := models(where(groups, func(g *group) bool { return !g.Learned() }))
		if len(asked) == 0 {
			out = append(out, convergence(task.id, learned, styles, results.ByEvaluations))
		}
		for _, m := range asked {
			rows := where(own, func(g *group) bool { return g.Models == m && !g.Learned() })
			suffix := task.id
			if len(asked) > 1 {
				suffix += "-" + fileName(modelTitle(m))
			}
			out = append(out,
				convergence(suffix, slices.Concat(learned, rows), styles, results.ByEvaluations))
			for _, axis := range []results.Axis{results.ByTokens, results.ByCost, results.ByTime} {
				if axisKnown(rows, axis) {
					out = append(out, convergence(suffix, rows, styles, axis))
				}
			}
			out = append(out, searchFigures(suffix, rows, styles)...)
			out = append(out, ablations(suffix, where(groups, func(g *group) bool {
				return g.Models == m && !g.Learned()
			}), styles)...)
		}
	}
	return slices.DeleteFunc(out, func(f *Figure) bool { return f == nil })
}

// stylesOf gives every method a place in the palette: labelled ones theirs, so that a method looks
// the same in every report, and the others what is left.
func stylesOf(groups []*group, l Labels) map[string]int {
	styles, left := map[string]int{}, 0
	for _, m := range l.Methods {
		if m.Style > 0 {
			styles[m.Name], left = m.Style-1, max(left, m.Style)
		}
	}
	for _, g := range groups {
		if _, ok := styles[g.Method]; !ok {
			styles[g.Method] = left
			left++
		}
	}
	return styles
}

// row adds a row to the figure's data.
func (f *Figure) row(values ...any) {
	line := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case float64:
			line[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			line[i] = oneLine(v)
		default:
			line[i] = fmt.Sprint(v)
		}
	}
	f.Data = append(f.Data, line)
}

// WriteData writes the numbers of the figure as CSV.
func (f *Figure) WriteData(w io.Writer) error {
	out := csv.NewWriter(w)
	for _, line := range f.Data {
		if err := out.Write(csvTexts(line)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (f *Figure) note(kind NoteKind, text string) { f.Notes = append(f.Notes, Note{kind, text}) }

// titled begins a figure of some rows of one task and one model: what must be seen is in its title.
func titled(name, what string, groups []*group) *Figure {
	f := &Figure{Name: name, Task: groups[0].Task, Title: groups[0].task.Title + ": " + what}
	if m := models(groups); len(m) == 1 && m[0] != "" {
		f.Title += ", " + modelTitle(m[0])
	}
	if countGroups(groups, (*group).Offline) > 0 {
		f.Title = strings.TrimSuffix(f.Title, ", offline") + " [offline model: not an LLM]"
		f.note(OfflineModel, offlineNote)
	}
	if countGroups(groups, (*group).Unsafe) > 0 {
		f.Title += " [unsafe sandbox]"
		f.note(UnsafeSandbox, unsafeNote)
	}
	return f
}

// seedsText is the number of seeds behind curves: "3 seeds", "2 to 3 seeds".
func seedsText(numbers []int) string {
	low, high := slices.Min(numbers), slices.Max(numbers)
	if low == high {
		return count(low, "seed")
	}
	return fmt.Sprintf("%d to %d seeds", low, high)
}

// bandText says what bands are, for legends.
func bandText(seeds []int) string { return "min–max of " + seedsText(seeds) }

// spreadText says for captions what a sort of marks and their spread are.
func spreadText(marks, spread string, seeds []int) string {
	if slices.Max(seeds) < 2 {
		return marks + ": one seed."
	}
	return fmt.Sprintf("%s: mean over seeds; %s: %s.", marks, spread, bandText(seeds))
}
