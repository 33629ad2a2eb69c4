package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/report/render"
)

// modelTables returns a table like the paper's model-allocation for every method that was run with
// several models in one world (group.world).
func (o Options) modelTables(groups []*group) []*Table {
	var out []*Table
	type base struct{ method, world string }
	var bases []base
	for _, g := range groups {
		if g.Variant == "" && !g.Baseline() {
			bases = with(bases, base{g.Method, g.world})
		}
	}
	for _, b := range bases {
		own := where(groups, func(g *group) bool {
			return g.Method == b.method && g.world == b.world && g.Variant == "" && !g.Baseline()
		})
		paper := "models-" + b.method
		own = where(own, func(g *group) bool { // only tasks with several models
			return slices.ContainsFunc(own, func(h *group) bool {
				return h.Task == g.Task && h.Models != g.Models
			})
		})
		byModels := func(g *group) string { return g.Models }
		if len(gather(own, byModels)) < 2 {
			continue
		}
		name := paper
		if b.world != "" {
			name += "-" + render.FileName(b.world)
		}
		roles := modelRoles(own)
		model := func(id, title string, i int) field[line] {
			return text(id, title, func(own line) string {
				return shortModel(own[0].modelNames(roles)[i])
			})
		}
		fields := []field[line]{model("row", "Algorithm", 0)}
		for i, role := range roles {
			fields = append(fields, model("model-"+role, roleTitle(role), i+1))
		}
		fields = append(fields, joined(o.taskFields(own))...)
		printed := o.printed(paper)
		place := func(g *group) int { // in the paper's table, or after its rows
			i := slices.IndexFunc(printed.Rows, func(r data.Row) bool {
				return r.ID == g.modelRow(roles)
			})
			if i < 0 {
				return len(printed.Rows)
			}
			return i
		}
		slices.SortStableFunc(own, func(a, b *group) int {
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Models, b.Models))
		})
		t := newTable(name, "Models for "+own[0].method.Title, gather(own, byModels),
			func(own line) Row {
				return Row{ID: own[0].modelRow(roles), Models: own[0].Models, Rivals: "all"}
			}, fields...)
		t.Paper = paper
		complete(t, own)
		out = append(out, t)
	}
	return out
}

// modelNames returns the model of the algorithm and the models of the roles.
func (g *group) modelNames(roles []string) []string {
	models := g.Runs[0].Header.Models
	names := []string{models[""]}
	for _, role := range roles {
		names = append(names, cmp.Or(models[role], models[""]))
	}
	return names
}

// modelRow names a row by its models, as the paper does: "gpt-4o-mini|deepseek-v4-flash".
func (g *group) modelRow(roles []string) string {
	names := g.modelNames(roles)
	for i, n := range names {
		names[i] = plainModel(n)
	}
	return strings.Join(names, "|")
}

// modelRoles lists the roles, except algorithm, that have requests or a model of their own.
func modelRoles(groups []*group) []string {
	roles := rolesOf(groups)
	for _, g := range groups {
		for role := range g.Runs[0].Header.Models {
			roles = with(roles, role)
		}
	}
	roles = slices.DeleteFunc(roles, func(r string) bool { return r == "" || r == "algorithm" })
	slices.Sort(roles)
	return roles
}
