package report

import (
	"fmt"
	"maps"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// A portion has the tokens of one purpose, or of all purposes of one role.
type portion struct {
	id    string
	title string
	of    func(*results.Run) int
}

// portions returns the purposes of a group's requests. If they have several roles, each role comes
// before its purposes.
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

// rolesTable has the share of all tokens that each role and each purpose uses, on each task and
// over all tasks.
func rolesTable(groups []*group) *Table {
	groups = where(groups, (*group).asks)
	type part struct {
		portion
		own   line   // the groups of the row, one for each task
		all   *group // the runs of own
		first bool   // the first part of the row, which has the row's name
	}
	var parts []part
	for _, own := range gather(byModels(groups), rowKey) {
		all := &group{Group: &results.Group{Key: own[0].Key, Runs: runsOf(own)}}
		for i, p := range all.portions() {
			parts = append(parts, part{p, own, all, i == 0})
		}
	}
	share := func(p part, g *group) Cell {
		return estimated(g, over(func(r *results.Run) (float64, bool) {
			all := r.Tokens().Total()
			return 100 * float64(p.of(r)) / float64(max(1, all)), all > 0
		})(g))
	}
	fields := append(nameOnce(groups, func(p part) (*group, bool) { return p.own[0], p.first }),
		text("purpose", "Tokens of", func(p part) string { return p.title }))
	for _, task := range tasksOf(groups) {
		c := Column{ID: task.id, Title: task.Title, Digits: 1, Spread: true}
		fields = append(fields, field[part]{c, func(p part) Cell {
			for _, g := range p.own {
				if g.Task == task.id {
					return share(p, g)
				}
			}
			return Cell{}
		}})
	}
	c := Column{ID: "all", Title: "All runs", Digits: 1, Spread: true}
	fields = append(fields, field[part]{c, func(p part) Cell { return share(p, p.all) }})
	t := newTable("roles", "Share of all tokens by role and purpose (%)", parts,
		func(p part) Row {
			return Row{ID: p.all.Row() + "|" + p.id, Models: p.all.Models,
				Section: fmt.Sprint(rowKey(p.own[0])), Remarks: rowRemarks(p.own)}
		}, fields...)
	complete(t, groups)
	return t
}

func portionTitle(role string) string {
	switch role {
	case "algorithm":
		return "programs"
	case "eap":
		return "EAP discovery"
	}
	return render.OneLine(role)
}
