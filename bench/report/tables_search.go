package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/results"
)

// lineageTable is the best program's line of first parents; nil where parents are not noted.
func lineageTable(r *results.Run, digits int) *Table {
	t := &Table{Name: "lineage", Title: "Line of the best program", Columns: []Column{
		{ID: "evaluation", Title: "Evaluation"}, {ID: "operator", Title: "Operator", Text: true}, {ID: "parents", Title: "Parents", Text: true},
		{ID: "focus", Title: "EAP handed on", Text: true}, {ID: "value", Title: "Training", Digits: digits},
	}}
	for _, a := range r.Lineage {
		var parents []string
		for _, p := range a.Parents {
			parents = append(parents, fmt.Sprint(p))
		}
		value := Cell{}
		if a.Scored {
			value = number(a.Value)
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			number(float64(a.Evaluation)), words("%s", a.Operator), words("%s", strings.Join(parents, ", ")), words("%s", a.Focus), value,
		}})
	}
	return t
}

// eapTable is the genealogy of a run's EAPs, the most used first; nil for methods without them.
func eapTable(r *results.Run) *Table {
	if len(r.EAPs) == 0 {
		return nil
	}
	t := &Table{
		Name: "eaps", Title: fmt.Sprintf("EAPs (%d)", len(r.EAPs)),
		Columns: []Column{
			{ID: "name", Title: "EAP", Text: true}, {ID: "origin", Title: "Origin", Text: true}, {ID: "birth", Title: "Born at"},
			{ID: "exposures", Title: "Exposures"}, {ID: "trials", Title: "Trials"}, {ID: "improvements", Title: "Improved"},
			{ID: "mean", Title: "Posterior mean", Digits: 2}, {ID: "programs", Title: "Programs"}, {ID: "best", Title: "In the best", Text: true},
		},
		Notes: []Note{{Remark, "Exposures: offspring that had it as their focus. Trials and improved: of those, evaluated and better than their parent. Programs: members of the population, over the whole run, that called it."}},
	}
	eaps := slices.Clone(r.EAPs)
	slices.SortStableFunc(eaps, func(a, b results.EAP) int { return b.Programs - a.Programs })
	for _, e := range eaps {
		origin := e.Origin
		if e.From > 0 {
			origin += fmt.Sprintf(" of %d", e.From)
		}
		in := ""
		if e.InBest {
			in = "yes"
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			words("%s", e.Name), words("%s", origin), number(float64(e.Birth)), number(float64(e.Exposures)), number(float64(e.Trials)),
			number(float64(e.Improvements)), number(e.Mean()), number(float64(e.Programs)), words("%s", in),
		}})
	}
	return t
}

// operatorTable says how often each operator failed, and how often it helped.
func operatorTable(r *results.Run) *Table {
	t := &Table{
		Name: "operators", Title: "Operators",
		Columns: []Column{
			{ID: "operator", Title: "Operator", Text: true}, {ID: "steps", Title: "Proposals"}, {ID: "requests", Title: "Requests"},
			{ID: "discarded", Title: "Discarded (%)", Digits: 1}, {ID: "evaluated", Title: "Evaluated"}, {ID: "faults", Title: "Faults (%)", Digits: 1},
			{ID: "improved", Title: "Beat the parent (%)", Digits: 1}, {ID: "best", Title: "New best"},
		},
		Notes: []Note{{Remark, "Discarded: proposals without a program to evaluate, unparsable or refused by their contract, repairs included. Beat the parent: of the evaluated programs whose first parent is noted."}},
	}
	share := func(n, of int) Cell {
		if of == 0 {
			return Cell{}
		}
		return number(100 * float64(n) / float64(of))
	}
	for _, o := range r.Operators {
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			words("%s", o.Name), number(float64(o.Steps)), number(float64(o.Requests)), share(o.Discarded, o.Steps), number(float64(o.Evaluated)),
			share(o.Faults, o.Evaluated), share(o.Improved, o.Parents), number(float64(o.Best)),
		}})
	}
	return t
}

// purposeTable is the token report of one run.
func purposeTable(r *results.Run) *Table {
	t := &Table{Name: "purposes", Title: "Tokens by purpose", Columns: []Column{
		{ID: "purpose", Title: "Purpose", Text: true}, {ID: "requests", Title: "Requests"}, {ID: "prompt", Title: "Prompt"},
		{ID: "completion", Title: "Completion"}, {ID: "total", Title: "Total"}, {ID: "share", Title: "Share (%)", Digits: 1},
	}}
	_, priced := r.Cost()
	if priced {
		t.Title = "Tokens and costs by purpose"
		t.Columns = append(t.Columns, Column{ID: "usd", Title: "USD", Digits: 4})
	}
	all := r.Tokens().Total()
	for _, p := range r.Purposes() {
		u := r.Usage[p].Usage
		cells := []Cell{
			words("%s", p), number(float64(r.Usage[p].Requests)), number(float64(u.Prompt)), number(float64(u.Completion)), number(float64(u.Total())), {},
		}
		if all > 0 {
			cells[5] = number(100 * float64(u.Total()) / float64(all))
		}
		for i := 2; i < 5; i++ {
			cells[i].Estimated = u.Estimated
		}
		if priced {
			cells = append(cells, costOf(*r.Usage[p].Cost, true, u.Estimated))
		}
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	return t
}
