package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/report/render"
)

// budget is what the group's runs may use: "1000 evaluations", or "10 to 1000 requests".
func (g *group) budget() string {
	what, of := "evaluations", func(h record.Header) int { return h.Budget }
	if h := g.Runs[0].Header; h.Requests > 0 && h.Requests <= h.Budget {
		what, of = "requests", func(h record.Header) int { return h.Requests }
	}
	var all []int
	for _, r := range g.Runs {
		all = append(all, of(r.Header))
	}
	least, most := slices.Min(all), slices.Max(all)
	if least < most {
		return fmt.Sprintf("%d to %d %s", least, most, what)
	}
	return fmt.Sprintf("%d %s", most, what)
}

// settingsTable has the settings of every method that was run, as its runs' headers have them.
func settingsTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && !g.Baseline() })
	t := &Table{Name: "settings", Title: "Settings of the methods", Columns: []Column{
		{ID: "row", Title: "Method", Text: true},
		{ID: "budget", Title: "Budget", Text: true, Share: 0.17},
		{ID: "settings", Title: "Settings", Text: true, Share: 0.58},
	}}
	type setting struct{ method, budget, config string }
	all := gather(groups, func(g *group) setting {
		return setting{g.Method, g.budget(), flat(g.Runs[0].Header.Config)}
	})
	slices.SortStableFunc(all, func(a, b []*group) int { return compareRows(a[0], b[0]) })
	for i, own := range all {
		g := own[0]
		title := g.title()
		for j, other := range all {
			if j != i && other[0].Method == g.Method {
				title = g.title() + " on " + strings.Join(titlesOf(own), ", ")
			}
		}
		t.Rows = append(t.Rows, Row{ID: g.Row(), Cells: []Cell{render.Words(title),
			render.Words(g.budget()), render.Words(flat(g.Runs[0].Header.Config))}})
	}
	disclose(t, groups)
	return t
}

// flat writes a JSON object of settings in one line: "population 20, window 4".
func flat(config json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(config))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	var parts []string
	for dec.More() {
		name, err := dec.Token()
		var value any
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		parts = append(parts,
			strings.NewReplacer("-", " ", "_", " ").Replace(fmt.Sprint(name))+" "+flatValue(value))
	}
	return render.OneLine(strings.Join(parts, ", "))
}

func flatValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return cmp.Or(v, "none")
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, flatValue(x))
		}
		return cmp.Or(strings.Join(parts, " "), "none")
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, k+" "+flatValue(v[k]))
		}
		return cmp.Or(strings.Join(parts, " "), "none")
	}
	return fmt.Sprint(v)
}
