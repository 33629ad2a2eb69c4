package report

import "github.com/pacebench/pacebench/report/figure"

// diversity returns the figure of the mean distance between each method's possible parents; nil if
// no method records it.
func diversity(suffix string, groups []*group, looks looks) *figure.Figure {
	all, of, end := looks.curves(groups, (*group).Diversity)
	if len(all) == 0 {
		return nil
	}
	f := titled("diversity-"+suffix, "Diversity of parents", of)
	f.Main = true
	f.Rows("evaluations", all)
	most := 0.01
	for _, s := range all {
		for _, p := range s.Points {
			most = max(most, p.High)
		}
	}
	f.Lines(all, figure.Panel{
		X: figure.Span("evaluations", 0, end), Height: curveHeight,
		Y: figure.Span("mean distance of two parents", 0, 1.05*most),
	}, true, bandText(seedsOf(all)))
	f.Caption = "Mean distance of two possible parents: 0 for equal text, 1 for no pair of " +
		"neighbouring tokens in common. " + spreadText("Lines", "bands", seedsOf(all))
	noteUnfinished(f, of)
	return f
}
