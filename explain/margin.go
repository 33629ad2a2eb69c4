package explain

import (
	"math"
	"slices"
	"strings"
)

// Margin returns one text for each line of the program's source: the verdicts on the parts that
// begin there, and "" for a line without parts. The first part of a line is the outermost; a line
// with more parts shows the part with the largest effect.
func (e *Explained) Margin(source string, digits int) []string {
	out := make([]string, strings.Count(source, "\n")+1)
	best := make([]float64, len(out))
	for i, part := range e.Plan.Parts.Parts {
		at := part.Line - 1
		if at < 0 || at >= len(out) {
			continue
		}
		shown, _ := e.Shown(i)
		rank := 0.0 // what is seen counts more than what is not
		switch {
		case math.IsNaN(shown.Mean):
			rank = 1
		case shown.Significant():
			rank = 2 + math.Abs(shown.Mean)
		case !e.Unchanged(i):
			rank = 0.5
		}
		if out[at] == "" || rank > best[at] {
			out[at], best[at] = e.Verdict(i, digits), rank
		}
	}
	return out
}

// Tau is Kendall's tau-b between posterior means and effects of EAPs, and the number of EAPs; ok is
// false if fewer than three EAPs have both, or if all of one are equal.
func (e *Explained) Tau() (tau float64, n int, ok bool) {
	var credits, effects []float64
	for _, k := range e.Credit {
		if !math.IsNaN(k.Effect) {
			credits, effects = append(credits, k.Posterior), append(effects, k.Effect)
		}
	}
	if n = len(credits); n < 3 {
		return 0, n, false
	}
	concordant := 0.0
	x, y := 0.0, 0.0 // pairs that are not tied
	for i := range n {
		for j := range i {
			a, b := sign(credits[i]-credits[j]), sign(effects[i]-effects[j])
			concordant += a * b
			x, y = x+a*a, y+b*b
		}
	}
	return concordant / math.Sqrt(x*y), n, x*y > 0
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Visible is the median over the parts of the smallest visible effect on the training split; ok is
// false if its instances are too few for any effect.
func (e *Explained) Visible() (effect float64, ok bool) {
	var all []float64
	for _, x := range e.Effects[e.Splits[0]] {
		if !math.IsNaN(x.Visible) {
			all = append(all, x.Visible)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}
