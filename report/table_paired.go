package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// pairedTable has the variants of one task that share their beginning with a base, and the
// differences from the base. It is nil without such variants.
func pairedTable(label task, s *results.Store, groups []*group) *Table {
	own := where(groups, func(g *group) bool {
		return slices.ContainsFunc(g.Finished(), func(r *results.Run) bool {
			return r.Header.Paired != ""
		})
	})
	if len(own) == 0 {
		return nil
	}
	bases := s.Bases()
	_, arrow := label.direction(own)
	baseOf := func(g *group) *group {
		for _, r := range g.Finished() {
			for _, h := range groups {
				if b := bases[r]; b != nil && slices.Contains(h.Runs, b) {
					return h
				}
			}
		}
		return nil
	}
	fields := []field[*group]{
		text("row", "Variant", (*group).title),
		text("base", "Base", func(g *group) string {
			if b := baseOf(g); b != nil {
				return b.title()
			}
			return "missing"
		}),
		modelField(own, func(g *group) *group { return g }),
	}
	add := func(id, title string, data bool, of func(*results.Run) (float64, bool)) {
		sample := func(g *group) results.Sample { return g.Differences(bases, of) }
		bound := func(end, title string, pick func(low, high float64) float64) field[*group] {
			c := Column{ID: id + "/" + end, Title: title, Digits: label.Digits, Data: data}
			return field[*group]{c, func(g *group) Cell {
				low, high, ok := sample(g).MeanInterval()
				c := orMissing(pick(low, high), ok)
				c.Signed = true
				return c
			}}
		}
		c := Column{ID: id, Title: title + arrow, Spread: true, Digits: label.Digits, Data: data}
		fields = append(fields,
			field[*group]{c, func(g *group) Cell {
				c := spread(sample(g))
				c.Signed = true
				return c
			}},
			bound("low", "Low", func(low, _ float64) float64 { return low }),
			bound("high", "High", func(_, high float64) float64 { return high }))
	}
	add("train", "Training", false, (*results.Run).Train)
	if anyRescored(runsOf(own)) {
		add("fresh", "Re-evaluated", false, (*results.Run).Fresh)
	}
	for _, split := range label.splitsOf(runsOf(own), nil) {
		add(split.Name, split.Title, true,
			func(r *results.Run) (float64, bool) { return r.Test(results.ByTraining, split.Name) })
	}
	shared := func(id, title string, part, all func(*results.Run) int) field[*group] {
		return share(id, title, func(g *group) (n, sum int) {
			for _, r := range g.Finished() {
				n, sum = n+part(r), sum+all(r)
			}
			return n, sum
		})
	}
	fields = append(fields,
		whole("pairs", "Pairs", func(g *group) int {
			return g.Differences(bases, (*results.Run).Train).N
		}),
		shared("shared_requests", "Requests",
			(*results.Run).SharedRequests,
			func(r *results.Run) int { return r.Asked }),
		shared("shared_tokens", "Tokens", (*results.Run).SharedTokens,
			func(r *results.Run) int { return r.Tokens().Total() }))

	t := newTable("paired-"+label.key, "Paired differences on "+label.Title, own,
		func(g *group) Row { return g.row(g.Row()) }, fields...)
	var lost []string
	for _, g := range own {
		for _, r := range g.Finished() {
			if r.Header.Paired != "" && bases[r] == nil {
				lost = append(lost, fmt.Sprintf("%s, seed %d", g.title(), r.Header.Seed))
			}
		}
	}
	complete(t, own)
	if len(lost) > 0 {
		t.Note(render.Seeds, "These runs share their beginning with a run that is not in these "+
			"directories: "+strings.Join(lost, "; ")+".")
	}
	return t
}

// sharedNote returns a note for tables of tokens: the tokens that paired runs did not pay for.
func sharedNote(groups []*group) string {
	runs, tokens := 0, 0
	for _, r := range runsOf(groups) {
		if n := r.SharedTokens(); n > 0 {
			runs, tokens = runs+1, tokens+n
		}
	}
	if runs == 0 {
		return ""
	}
	return fmt.Sprintf("Paired runs (%d) also count the requests that they share with their "+
		"base, so that variants are comparable. Only the base paid for %d of these tokens.",
		runs, tokens)
}
