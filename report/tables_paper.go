package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// A portion is the tokens of one purpose, or of all purposes of one role.
type portion struct {
	id    string
	title string
	of    func(*results.Run) int
}

// portions are the roles of a group's requests, where there are several, each before its purposes.
func (g *group) portions() (out []portion) {
	all := &results.Run{}
	all.Usage = map[llm.Purpose]record.Tally{}
	for _, r := range g.Runs {
		maps.Copy(all.Usage, r.Usage)
	}
	several, seen := len(rolesOf([]*group{g})) > 1, map[string]bool{}
	for _, p := range all.Purposes() {
		role, operator := p.Role(), p.Operator()
		if several && !seen[role] {
			seen[role] = true
			out = append(out, portion{role, portionTitle(role), func(r *results.Run) int {
				return r.RoleTokens(role)
			}})
		}
		title := portionTitle(role)
		switch {
		case operator != "":
			title += ", " + operator
		case several:
			continue
		}
		out = append(out, portion{string(p), title, func(r *results.Run) int {
			return r.Usage[p].Usage.Total()
		}})
	}
	return out
}

// rolesTable has the share of all tokens that each role and each purpose takes, on each task and
// over the runs on all tasks, with the published share of EAP discovery.
func rolesTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && !g.Baseline() })
	t := &Table{Name: "roles", Title: "Share of all tokens by role and purpose (%)"}
	several := nameColumns(t, groups, "Method", 0)
	at := len(t.Columns)
	t.Columns = append(t.Columns, Column{ID: "purpose", Title: "Tokens of", Text: true})
	tasks := tasksOf(groups)
	for _, task := range tasks {
		t.Columns = append(t.Columns,
			Column{ID: task.id, Title: task.Title, Digits: 1, Spread: true})
	}
	t.Columns = append(t.Columns, Column{ID: "all", Title: "All runs", Digits: 1, Spread: true})
	for i, own := range gather(byModels(groups), rowKey) {
		first := own[0]
		merged := &group{Group: &results.Group{Key: first.Key, Runs: runsOf(own)}}
		for j, p := range merged.portions() {
			row := Row{ID: first.Row() + "|" + p.id, Models: first.Models, Rule: i > 0 && j == 0,
				Remarks: rowRemarks(own), Cells: make([]Cell, len(t.Columns))}
			if j == 0 { // named once
				row.Cells[0] = render.Words(first.title())
				if several {
					row.Cells[1] = render.Words(modelTitle(first.Models))
				}
			}
			row.Cells[at] = render.Words(p.title)
			share := over(func(r *results.Run) (float64, bool) {
				all := r.Tokens().Total()
				return 100 * float64(p.of(r)) / float64(max(1, all)), all > 0
			})
			for k, task := range tasks {
				for _, g := range own {
					if g.Task == task.id {
						row.Cells[at+1+k] = estimated(g, share(g))
					}
				}
			}
			row.Cells[len(row.Cells)-1] = estimated(merged, share(merged))
			t.Rows = append(t.Rows, row)
		}
	}
	complete(t, groups)
	return t
}

// portionTitle names the tokens of a role.
func portionTitle(role string) string {
	switch role {
	case "algorithm":
		return "programs"
	case "eap":
		return "EAP discovery"
	}
	return render.OneLine(role)
}

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

// statusTable says how every row that asks no model was made.
func statusTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.Contains(g.method.Tasks, g.Task)
	})
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Compare(a.methodRank, b.methodRank)
	})
	wrapped := func(share float64, f field[*group]) field[*group] {
		f.Share = share
		return f
	}
	t := newTable("status", "Rows without a language model", groups,
		wrapped(0.16, text("row", "Row", func(g *group) string { return g.method.Title })),
		text("task", "Task", func(g *group) string { return g.task.Title }),
		wrapped(0.38, text("settings", "Settings", func(g *group) string {
			return cmp.Or(flat(g.Runs[0].Header.Config), g.method.Settings)
		})),
		wrapped(0.19, text("status", "Status", (*group).status)))
	for i, g := range groups {
		t.Rows[i].ID, t.Rows[i].Remarks = g.Method+"|"+g.Task, remarks(g)
	}
	disclose(t, groups)
	return t
}

// status says in words what there is of a row that asks no model.
func (g *group) status() string {
	var parts []string
	if g.Learned() {
		parts = append(parts, count(len(g.Finished()), "seed")+" of "+
			fmt.Sprint(g.Runs[0].Header.Budget, " ", unit(g.Runs[0])))
	}
	var tests []string
	for _, s := range g.task.splitsOf(g.Runs, nil) {
		tests = append(tests, s.Title)
	}
	if len(tests) > 0 {
		parts = append(parts, "tested: "+strings.Join(tests, ", "))
	}
	if n := len(g.Runs) - len(g.Finished()); n > 0 {
		parts = append(parts, count(n, "seed")+" unfinished")
	}
	return cmp.Or(strings.Join(parts, "; "), "run")
}

// programsTable has the best program of every task by the methods that have EAPs, with those that
// it calls and what its author says of it.
func programsTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.ContainsFunc(g.Runs, func(r *results.Run) bool {
			return len(r.EAPs) > 0
		})
	})
	t := &Table{Name: "programs", Title: "Best programs"}
	several := nameColumns(t, groups, "Task", 0.13)
	t.Columns = append(t.Columns, Column{ID: "train", Title: "Training", Digits: 3},
		Column{ID: "evaluation", Title: "Found at"},
		Column{ID: "eaps", Title: "EAP calls", Text: true, Share: 0.24},
		Column{ID: "idea", Title: "Description", Text: true, Share: 0.28})
	for _, g := range groups {
		row := Row{ID: g.Task, Models: g.Models, Remarks: remarks(g),
			Cells: []Cell{render.Words(g.task.Title)}}
		if several {
			row.Cells = append(row.Cells, render.Words(modelTitle(g.Models)))
		}
		if r := g.Winner(); r == nil {
			row.Cells = append(row.Cells, make([]Cell, 4)...)
		} else {
			var names []string
			for _, e := range r.EAPs {
				if e.InBest {
					names = append(names, e.Name)
				}
			}
			slices.Sort(names)
			row.Cells = append(row.Cells, render.Number(r.Best.Value), foundAt(r),
				render.Words(cmp.Or(strings.Join(names, ", "), "none")), render.Words(r.Idea()))
		}
		t.Rows = append(t.Rows, row)
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
