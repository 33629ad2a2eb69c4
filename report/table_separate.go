package report

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

func (o Options) separateTables(label task) (out []*Table) {
	for _, s := range o.Separations {
		if s.Task == label.id {
			t := SeparateTable(o.Labels, s)
			if len(out) > 0 {
				t.Name += "-" + render.FileName(s.Suite)
			}
			out = append(out, t)
		}
	}
	return out
}

// SeparateTable shows the last look at each pair of a declared comparison. It compares the p of
// independent rows with the level, and the e-value of paired rows with the evidence that is needed.
func SeparateTable(l Labels, s results.Separation) *Table {
	row := func(name string) string {
		method, variant, _ := strings.Cut(name, "@")
		return l.group(&results.Group{
			Key: results.Key{Task: s.Task, Method: method, Variant: variant},
		}).title()
	}
	decision := func(p results.SeparatedPair) string {
		switch {
		case p.Better > 0:
			return row(p.A) + " is better"
		case p.Better < 0:
			return row(p.B) + " is better"
		case p.Next > 0 && !s.Capped:
			return fmt.Sprintf("open: next look at %d seeds", p.Next)
		}
		return "not separated"
	}
	used := func(p results.SeparatedPair) results.Use {
		a, b := s.Used[p.A], s.Used[p.B]
		return results.Use{Seeds: a.Seeds + b.Seeds, USD: a.USD + b.USD,
			Unpriced: a.Unpriced + b.Unpriced}
	}
	var costs []float64
	for _, u := range s.Used {
		costs = append(costs, u.USD)
	}
	digits := usdDigits(2, costs)
	seen := func(n func(results.SeparatedPair) float64) func(results.SeparatedPair) Cell {
		return func(p results.SeparatedPair) Cell { return orMissing(n(p), p.Seeds > 0) }
	}
	fields := []field[results.SeparatedPair]{
		text("row", "Row", func(p results.SeparatedPair) string { return row(p.A) }),
		text("against", "against", func(p results.SeparatedPair) string { return row(p.B) }),
		whole("look", "Look", func(p results.SeparatedPair) int { return p.Seeds }),
		{Column{ID: "p", Title: "p or E", Digits: 4},
			seen(func(p results.SeparatedPair) float64 { return p.P })},
		number("level", "Level", 4, func(p results.SeparatedPair) float64 {
			if p.Paired {
				return s.Rule.Evidence()
			}
			return s.Rule.Level()
		}),
		text("decision", "Decision", decision),
		whole("seeds", "Runs", func(p results.SeparatedPair) int { return used(p).Seeds }),
		column("usd", "USD", digits, func(p results.SeparatedPair) Cell {
			u := used(p)
			switch {
			case u.Unpriced == 0 && u.Seeds > 0:
				return render.Number(u.USD)
			case u.USD > 0:
				return render.Words("≥ " + render.Fixed(u.USD, digits))
			}
			return Cell{}
		}),
	}
	label := l.task(s.Task)
	t := newTable("separate-"+label.key, fmt.Sprintf("Seeds until separated on %s (%s, looks %s)",
		label.Title, s.Suite, strings.Trim(fmt.Sprint(s.Rule.Looks), "[]")),
		s.Pairs, func(p results.SeparatedPair) Row { return Row{ID: p.A + "|" + p.B} }, fields...)
	text := fmt.Sprintf("Declared before the first run (plan %.12s): the chance that any "+
		"decision in this table is wrong is at most %g.", s.Digest, s.Rule.Alpha)
	if s.Unchained {
		text = fmt.Sprintf("The headers of the runs do not name this plan (%.12s): nothing shows "+
			"that it was declared before them, or that it is unchanged. Its rule allows wrong "+
			"decisions with a chance of %g.", s.Digest, s.Rule.Alpha)
	}
	if s.MaxUSD > 0 {
		text += fmt.Sprintf(" The cost is limited to %g USD.", s.MaxUSD)
	}
	t.Note(render.Footnote, text)
	return t
}
