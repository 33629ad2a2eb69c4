package explain

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Margin returns a part for each line of the program's source, or -1 for a line where no part
// begins. If several parts begin on a line, it prefers the part with the largest significant
// effect, then a part that is needed to run, then a part that changes any value, then the outermost
// part.
func (e *Explained) Margin(source string) []int {
	out := slices.Repeat([]int{-1}, strings.Count(source, "\n")+1)
	best := make([]float64, len(out))
	for i, part := range e.Plan.Parts.Parts {
		at := part.Line - 1
		if at < 0 || at >= len(out) {
			continue
		}
		shown, _ := e.Shown(i)
		rank := 0.0
		switch {
		case math.IsNaN(shown.Mean):
			rank = 1
		case shown.Significant():
			rank = 2 + math.Abs(shown.Mean)
		case !e.Unchanged(i):
			rank = 0.5
		}
		if out[at] < 0 || rank > best[at] {
			out[at], best[at] = i, rank
		}
	}
	return out
}

// Tau returns Kendall's tau-b between the posterior means and the effects of EAPs, and the number
// of these EAPs; ok is false if fewer than three EAPs have an effect, or if all posterior means or
// all effects are equal.
func (e *Explained) Tau() (tau float64, n int, ok bool) {
	own := slices.DeleteFunc(slices.Clone(e.Credit), func(k Credit) bool {
		return math.IsNaN(k.Effect)
	})
	concordant, x, y := 0, 0, 0 // x and y: pairs that are not tied
	for i, k := range own {
		for _, l := range own[:i] {
			a, b := cmp.Compare(k.Posterior, l.Posterior), cmp.Compare(k.Effect, l.Effect)
			concordant, x, y = concordant+a*b, x+a*a, y+b*b
		}
	}
	return float64(concordant) / math.Sqrt(float64(x)*float64(y)), len(own), len(own) > 2 && x*y > 0
}

// Visible returns the median of the smallest visible effects on the training split, over the parts
// that change a value; ok is false if there is no such part, or the split has too few instances.
func (e *Explained) Visible() (effect float64, ok bool) {
	var all []float64
	for _, x := range e.Effects[e.Splits[0]] {
		if x.Visible > 0 { // 0: the part changes no value
			all = append(all, x.Visible)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}
