package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// failures shows how the programs of each method fail; nil if no program fails.
func failures(suffix string, groups []*group, looks looks) *figure.Figure {
	groups = where(groups, func(g *group) bool {
		return slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return tried(r) > 0 })
	})
	counts := map[record.FaultKind]int{}
	for _, r := range runsOf(groups) {
		for kind, n := range r.Faults {
			counts[kind] += n
		}
	}
	if len(counts) == 0 {
		return nil
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b record.FaultKind) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	f := titled("failures-"+suffix, "Failures", groups)
	f.Main = true
	f.Row("row", "kind", "seeds", "percent", "lowest", "highest")
	d := figure.DotPlot{Label: "programs that fail (%)"}
	seeds := []int{}
	for _, kind := range kinds {
		r := figure.DotRow{Label: render.OneLine(string(kind))}
		for _, g := range groups {
			var values []float64
			for _, run := range g.Runs {
				if n := tried(run); n > 0 {
					values = append(values, 100*float64(run.Faults[kind])/float64(n))
				}
			}
			seeds = append(seeds, len(values))
			v := figure.DotValue{Look: looks.of(g),
				Mean: record.Mean(values), Low: slices.Min(values), High: slices.Max(values)}
			f.Row(g.title(), string(kind), len(values), v.Mean, v.Low, v.High)
			r.Values = append(r.Values, v)
		}
		d.Rows = append(d.Rows, r)
	}
	for _, g := range groups {
		f.Legend = append(f.Legend, figure.Entry{Text: g.title(), Look: looks.of(g)})
	}
	f.Panels = []figure.Panel{d.Panel()}
	f.Caption = "Shares of all programs. " + spreadText("Marks", "lines", seeds)
	return f
}

// tried counts the programs of a run: charged programs, and programs that Python refused.
func tried(r *results.Run) int {
	if r.Trained() {
		return 0
	}
	return r.Evaluations + r.Faults[record.Syntax]
}
