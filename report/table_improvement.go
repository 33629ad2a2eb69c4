package report

import (
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

func (p tournament) improvementTable() *Table {
	first := func(row int) *group { return p.rows[row][0] }
	type pair = results.Advantage
	pairs := p.field().Advantages()
	fields := []field[pair]{
		text("row", "Better", func(x pair) string { return first(x.A).title() }),
		text("against", "than", func(x pair) string { return first(x.B).title() }),
	}
	for j, task := range p.tasks {
		fields = append(fields,
			number(task.id, task.Title, 2, func(x pair) float64 { return x.Tasks[j] }))
	}
	fields = append(fields, boundedFields([3]string{"improvement", "low", "high"}, "P(better)", 2,
		func(x pair) results.Bounded { return x.Mean })...)
	fields = append(fields, column("separated", "Separated on", 0, func(x pair) Cell {
		return orMissing(float64(x.Apart), !x.Chosen)
	}))
	t := newTable("improvement", "Probability of improvement over tasks", pairs,
		func(x pair) Row { return first(x.A).row(first(x.A).Row() + "|" + first(x.B).Row()) },
		fields...)
	t.Note(render.Footnote, superiorityNote)
	complete(t, slices.Concat(p.rows...))
	return t
}
