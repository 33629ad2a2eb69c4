package render_test

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/report/render"
)

// TestThreeLinesBelowATable: three lines below a table have the most important notes. Below returns
// the other notes separately.
func TestThreeLinesBelowATable(t *testing.T) {
	long := strings.Repeat("long ", 50)
	for _, c := range []struct {
		name          string
		notes         []render.Note
		below, others string
	}{
		{"none", nil, "", ""},
		{"in the order of their kinds", []render.Note{
			{render.Footnote, "c"}, {render.Incomparable, "a"}, {render.Seeds, "b"},
		}, "abc", ""},
		{"one too many", []render.Note{
			{render.Footnote, "d"}, {render.Seeds, "b"}, {render.Incomparable, "a"},
			{render.Seeds, "c"},
		}, `ab2 more notes: see "How to read these tables".`, "cd"},
		{"a long one gives way", []render.Note{
			{render.Seeds, long}, {render.Footnote, "b"}, {render.Incomparable, "a"},
		}, `ab1 more note: see "How to read these tables".`, long},
	} {
		text := func(notes []render.Note) (s string) {
			for _, n := range notes {
				s += n.Text
			}
			return s
		}
		below, others := (&render.Table{Notes: c.notes}).Below()
		if text(below) != c.below || text(others) != c.others {
			t.Errorf("%s: below %q, others %q", c.name, text(below), text(others))
		}
	}
}
