package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// A pair is two groups of one task, with the better mean first.
type pair struct {
	a, b *group
	*results.Contrast
}

func boundedFields[T any](
	ids [3]string, title string, digits int, of func(T) results.Bounded,
) []field[T] {
	return []field[T]{
		number(ids[0], title, digits, func(v T) float64 { return of(v).At }),
		column(ids[1], "Low", digits, func(v T) Cell { return orMissing(of(v).Low, !of(v).Few) }),
		column(ids[2], "High", digits, func(v T) Cell { return orMissing(of(v).High, !of(v).Few) }),
	}
}

// newPair compares two groups; nil if a group has no value.
func newPair(a, b *group, m measure, better int) *pair {
	c := results.NewContrast(a.Group, b.Group, m.of, better)
	if c == nil {
		return nil
	}
	if c.Swapped {
		a, b = b, a
	}
	return &pair{a, b, c}
}

// pairsOf lists the pairs to compare: two methods with the same models, or a variant and its
// method.
func pairsOf(groups []*group) (out [][2]*group) {
	for i, a := range groups {
		for _, b := range groups[i+1:] {
			same := a.Models == b.Models && a.Lock == b.Lock && !a.Baseline() && !b.Baseline()
			methods := a.Variant == "" && b.Variant == ""
			if same && (methods || a.Method == b.Method && (a.Variant == "" || b.Variant == "")) {
				out = append(out, [2]*group{a, b})
			}
		}
	}
	return out
}

// pairsTable compares the pairs of rows of a task that pairsOf lists. It is nil without two
// comparable rows.
func pairsTable(label task, groups []*group, m measure) *Table {
	if _, comparable := compareHeaders(groups); !comparable {
		return nil
	}
	better, arrow := label.direction(groups)
	var pairs []*pair
	for _, g := range pairsOf(groups) {
		if p := newPair(g[0], g[1], m, better); p != nil {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	var tests []*results.Test
	for _, p := range pairs {
		tests = append(tests, &p.Test)
	}
	results.Adjust(tests)
	tested := where(pairs, func(p *pair) bool { return !p.Chosen })
	fields := []field[*pair]{
		text("row", "Better", func(p *pair) string { return p.a.title() }),
		text("against", "than", func(p *pair) string { return p.b.title() }),
		modelField(groups, func(p *pair) *group { return p.a }),
	}
	for _, f := range boundedFields([3]string{"difference", "difference_low", "difference_high"},
		"Difference", label.Digits, func(p *pair) results.Bounded {
			return p.Difference
		}) {
		fields = append(fields, field[*pair]{f.Column, func(p *pair) Cell {
			c := f.cell(p)
			c.Signed = true
			return c
		}})
	}
	fields = append(fields, boundedFields(
		[3]string{"improvement", "improvement_low", "improvement_high"},
		"P(better)", 2, func(p *pair) results.Bounded { return p.Better })...)
	fields = append(fields,
		column("p", "p", 3, func(p *pair) Cell { return orMissing(p.P, !p.Chosen) }),
		column("holm", "Holm", 3, func(p *pair) Cell { return orMissing(p.Holm, !p.Chosen) }),
		field[*pair]{Column{ID: "smallest", Title: "Smallest p", Digits: 6, Data: true},
			func(p *pair) Cell { return render.Number(p.SmallestP()) }},
		field[*pair]{Column{ID: "needed", Title: "Seeds for p ≤ 0.05", Text: true,
			Data: !slices.ContainsFunc(pairs, func(p *pair) bool { return p.needed() != "" })},
			func(p *pair) Cell { return render.Words(cmp.Or(p.needed(), "–")) }},
		text("separated", "Separated", func(p *pair) string {
			if p.Chosen {
				return "–"
			}
			return map[bool]string{true: "yes", false: "no"}[p.Separated]
		}))
	t := newTable("pairs-"+label.key+m.suffix, fmt.Sprintf("Pairs of methods on %s (%s%s)",
		label.Title, lower(m.title), arrow), pairs, func(p *pair) Row {
		row := p.a.row(p.a.Row() + "|" + p.b.Row())
		row.Section = p.a.Models
		return row
	}, fields...)
	apart := len(where(pairs, func(p *pair) bool { return p.Separated }))
	t.Note(render.Seeds, coverageNote(groups, m, "difference"))
	if len(tested) > 0 {
		t.Note(render.Seeds, holmNote(tested), separable(apart, len(tested)))
	}
	t.Note(render.Footnote, superiorityNote)
	complete(t, groups)
	return t
}

// needed returns the number of seeds in each row that would separate a pair, for both ends of the
// interval of P(better); empty if the estimate has too few seeds.
func (p *pair) needed() string {
	few, most, ok := p.Needed()
	switch {
	case !ok:
		return ""
	case math.IsInf(few, 1):
		return "∞"
	case math.IsInf(most, 1):
		return fmt.Sprintf("≥ %.0f", few)
	}
	return fmt.Sprintf("%.0f–%.0f", few, most)
}

// Power estimates, for each task, how many seeds would separate two rows. It helps to plan runs and
// is not a result.
func Power(s *results.Store, l Labels, a, b string) (lines []string) {
	for _, own := range byTask(l.groups(s)) {
		for _, pair := range pairsOf(searched(own)) {
			if rows := []string{pair[0].Row(), pair[1].Row()}; !slices.Contains(rows, a) ||
				!slices.Contains(rows, b) {
				continue
			}
			measures := measuresOf(own)
			m := measures[len(measures)-1]
			better, _ := own[0].task.direction(own)
			p := newPair(pair[0], pair[1], m, better)
			if p == nil {
				continue
			}
			text := fmt.Sprintf("%s, %s against %s, %d and %d seeds per row: ", own[0].task.Title,
				p.a.title(), p.b.title(), p.Seeds[0], p.Seeds[1])
			switch n := p.needed(); n {
			case "":
				text += fmt.Sprintf("fewer than %d seeds cannot show how many are needed",
					results.FewestPilots)
			case "∞":
				text += "these seeds show no difference that more seeds would separate"
			default:
				text += n + " seeds per row would separate them at p ≤ 0.05 with a chance of 0.8"
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// family is the largest p, adjusted by Holm, at which a pair of a table counts as separated.
const family = 0.05

// holmNote counts the pairs that Holm's p separates, or gives the number of seeds that can separate
// pairs.
func holmNote(pairs []*pair) string {
	apart, least := 0, 1.0
	for _, p := range pairs {
		if least = min(least, p.SmallestP()); p.Holm <= family {
			apart++
		}
	}
	if level := family / float64(len(pairs)); least > level {
		return fmt.Sprintf("p is at least %.2g; Holm's limit for %s is %.2g, which %d seeds per "+
			"row can reach.", least, count(len(pairs), "pair"), level,
			results.SeedsFor(level))
	}
	return fmt.Sprintf("Holm's p is at most %g in %d of %s.", family, apart,
		count(len(pairs), "pair"))
}

var superiorityNote = fmt.Sprintf(
	"The interval of P(better) contains the true value in at least %d %% of cases.",
	results.SuperiorityCoverage)

// separable says how many of all pairs the seeds separate.
func separable(apart, all int) string {
	switch {
	case all == 1 && apart == 1:
		return "The seeds separate the two methods."
	case all == 1:
		return "These seeds do not separate the two methods."
	case apart == 0:
		return fmt.Sprintf("These seeds separate no two methods (%d pairs).", all)
	case apart == all:
		return fmt.Sprintf("The seeds separate all %d pairs.", all)
	}
	return fmt.Sprintf("The seeds separate %d of %d pairs.", apart, all)
}
