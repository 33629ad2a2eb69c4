package report

import (
	"maps"

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

// portions are the roles of a group's requests, if it has several, each before its purposes.
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
