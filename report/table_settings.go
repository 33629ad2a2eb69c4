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

// budget returns the budget of the group's runs: "1000 evaluations", or "10 to 1000 requests".
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

// settingsTable has the settings of every method that was run, from the headers of its runs.
func settingsTable(groups []*group) *Table {
	groups = where(groups, (*group).asks)
	type setting struct{ method, budget, config string }
	all := gather(groups, func(g *group) setting {
		return setting{g.Method, g.budget(), flat(g.Runs[0].Header.Config)}
	})
	slices.SortStableFunc(all, func(a, b line) int { return compareRows(a[0], b[0]) })
	title := func(own line) string {
		for _, other := range all {
			if other[0] != own[0] && other[0].Method == own[0].Method {
				return own[0].title() + " on " + strings.Join(titlesOf(own), ", ")
			}
		}
		return own[0].title()
	}
	t := newTable("settings", "Settings of the methods", all,
		func(own line) Row { return Row{ID: own[0].Row()} },
		text("row", "Method", title),
		words("budget", "Budget", 0.17, func(own line) string { return own[0].budget() }),
		words("settings", "Settings", 0.58, func(own line) string {
			return flat(own[0].Runs[0].Header.Config)
		}))
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
