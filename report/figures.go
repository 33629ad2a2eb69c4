package report

import (
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// Folder is where Write puts the files of figures, below the directory of the report.
const Folder = "figures"

// Figures returns the figures that papers show, for every task and model: convergence by
// evaluations, ablations, effects of parts in explained programs, and pools of control runs with
// the seeds of the rows. With Options.All it also returns convergence by tokens, USD and time (if
// they are known for all runs), the share of targets reached, evaluations to targets, seeds against
// evaluations (also with Options.Frontier), failures, diversity, and for each method the success of
// its operators, the posterior means of its EAPs and their survival.
func Figures(s *results.Store, o Options) []*figure.Figure {
	l := o.Labels
	rows := l.groups(s)
	all := where(rows, func(g *group) bool { return !g.Baseline() || g.Trained() })
	looks := looksOf(all, l)
	var out []*figure.Figure
	for _, groups := range byTask(all) {
		task := groups[0].task
		known := references(task, rows)
		own := where(groups, func(g *group) bool { return g.Variant == "" })
		trained := where(own, (*group).Trained)
		asked := models(where(groups, func(g *group) bool { return !g.Trained() }))
		if len(asked) == 0 {
			out = append(out, convergence(task.key, trained, looks, results.ByEvaluations, known))
		}
		for _, m := range asked {
			rows := where(own, func(g *group) bool { return g.Models == m && !g.Trained() })
			suffix := task.key
			if len(asked) > 1 {
				suffix += "-" + render.FileName(modelTitle(m))
			}
			out = append(out, convergence(
				suffix, slices.Concat(trained, rows), looks, results.ByEvaluations, known))
			for _, axis := range []*results.Axis{results.ByTokens, results.ByCost, results.ByTime} {
				if o.All && axisKnown(rows, axis) {
					out = append(out, convergence(suffix, rows, looks, axis, known))
				}
			}
			if o.All {
				out = append(out, ecdf(suffix, rows, looks), runtime(suffix, rows, looks))
				out = append(out, searchFigures(suffix, rows, looks)...)
			}
			if o.All || o.Frontier {
				out = append(out, frontierFigure(suffix, rows, o.fewestSeeds()))
			}
			all := where(groups, func(g *group) bool { return g.Models == m && !g.Trained() })
			for _, g := range all {
				out = append(out, effects(suffix+"-"+render.FileName(g.Row()), g, looks))
			}
			out = append(out, ablations(suffix, all, looks)...)
		}
	}
	out = append(out, o.nullFigures(s)...)
	return slices.DeleteFunc(out, func(f *figure.Figure) bool { return f == nil })
}

// looks has the place of each method in the palette.
type looks map[string]int

func (l looks) of(g *group) figure.Look { return figure.LookOf(l[g.Method]) }

// Styles returns the places in the palette of all labelled searches and trained rows, so that a
// method looks the same in every report and on the pages of its runs.
func (l Labels) Styles() map[string]int {
	out, taken := map[string]int{}, map[int]bool{}
	for _, m := range l.Methods {
		if m.Style > 0 {
			out[m.Name], taken[m.Style-1] = m.Style-1, true
		}
	}
	next := 0
	for _, m := range l.Methods {
		if _, ok := out[m.Name]; ok || len(m.Tasks) > 0 {
			continue // rows without a search are not in figures
		}
		for taken[next] {
			next++
		}
		out[m.Name], taken[next] = next, true
	}
	return out
}

// looksOf adds the methods without a label to the styles.
func looksOf(groups []*group, l Labels) looks {
	out := looks(l.Styles())
	for _, g := range groups {
		if _, ok := out[g.Method]; !ok {
			out[g.Method] = len(out)
		}
	}
	return out
}

// titled returns a figure with only a name, the task and a title like a table's. The groups have
// one task and one model.
func titled(name, what string, groups []*group) *figure.Figure {
	return &figure.Figure{Name: name, Task: groups[0].Task,
		Title: what + " on " + groups[0].task.Title + tags(groups)}
}

// seedsText returns the number of seeds behind curves: "3 seeds", "2 to 3 seeds".
func seedsText(numbers []int) string {
	low, high := slices.Min(numbers), slices.Max(numbers)
	if low == high {
		return count(low, "seed")
	}
	return fmt.Sprintf("%d to %d seeds", low, high)
}

func bandText(seeds []int) string { return "min–max of " + seedsText(seeds) }

func spreadText(marks, spread string, seeds []int) string {
	if slices.Max(seeds) < 2 {
		return marks + ": one seed."
	}
	return fmt.Sprintf("%s: mean over seeds; %s: %s.", marks, spread, bandText(seeds))
}

// searchFigures returns the figures of the searches of one task and one model: failures and
// diversity of all methods, each method's operators, and the EAPs of methods that have EAPs.
func searchFigures(suffix string, groups []*group, looks looks) []*figure.Figure {
	out := []*figure.Figure{failures(suffix, groups, looks), diversity(suffix, groups, looks)}
	for _, g := range groups {
		name := suffix + "-" + render.FileName(g.Method)
		out = append(out, operators(name, g), posteriors(name, g), genealogy(name, g))
	}
	return out
}
