package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
)

// planWidth is the width of a plan in a file or a pipe. 80 columns fit everywhere.
const planWidth = 80

// dryRun shows the runs of a suite and their cost.
func (c *console) dryRun(ctx context.Context, o suite.Options, s *suite.Suite) error {
	p, err := s.Predict(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	models := map[string]bool{}
	for _, r := range p.Rows {
		if r.Model != "" {
			models[r.Model] = true
		}
	}
	if len(models) == 1 {
		fmt.Fprintf(c.out, "Model: %s\n", slices.Collect(maps.Keys(models))[0])
	}
	fmt.Fprintln(c.out)
	columns := c.width(planWidth)
	err = printForecasts(c.out, p.Rows, &p.Total, len(models) > 1, columns)
	if err != nil {
		return err
	}
	say := func(format string, args ...any) {
		fmt.Fprint(c.out, render.Wrap(fmt.Sprintf(format, args...), columns, ""))
	}
	say("To do: everything that is not finished in %s.", filepath.ToSlash(o.Out))
	say("Hours: with %s (--jobs), %s (--runs) and at most %s (--concurrency) at a time, "+
		"within the limits of --rpm, --tpm and profiles. "+
		"Without measured runs, a model is assumed to answer at %.0f tokens a second.",
		counted(o.Jobs, "worker"), counted(o.AtOnce(), "run"),
		counted(o.Concurrency, "request"), data.ExpectedCosts().TokensPerSecond)
	say("USD: from the prices in the profiles of the models.")
	if p.Total.Unasked {
		say("?: unknown until this method has a run on this task.")
	}
	if p.Total.Unpriced && !p.Total.Unasked {
		say("?: a model without a price; " +
			"set price_in and price_out in its profile (pacebench docs models).")
	}
	if p.Lacking != nil {
		say("Not set: %s. Export what you need, or give --model offline.",
			strings.Join(p.Lacking, ", "))
	}
	if p.Paired {
		say("Paired: requests that variants share with their base are counted in full.")
	}
	for _, r := range p.Failed {
		say("Failed before: %s", r)
	}
	for _, r := range p.Refused {
		say("Refused: %s", r)
	}
	if p.Failed != nil && !o.Retry {
		say("--retry tries failed runs again.")
	}
	if p.Tried {
		fmt.Fprintln(c.out, "Templates of tasks in Python were scored. No request was made.")
		return nil
	}
	fmt.Fprintln(c.out, "No request, evaluation or file was made.")
	return nil
}

// printForecasts prints a table for each task and model, with equal widths, and the total. It
// leaves out the source of the estimates if the lines have no room for it.
func printForecasts(w io.Writer, rows []*suite.Forecast, total *suite.Forecast, severalModels bool,
	columns int) error {
	titles := []string{"Method", "Runs", "To do", "Evals", "Requests", "Tokens", "Hours", "USD",
		"Estimated from"}
	widths := suite.Map(titles, utf8.RuneCountInString)
	var tables []*render.Table
	add := func(title, name string, f *suite.Forecast) {
		words := append([]string{name}, columnsOf(f)...)
		i := slices.IndexFunc(tables, func(t *render.Table) bool { return t.Title == title })
		if i < 0 {
			i = len(tables)
			tables = append(tables, &render.Table{Title: title})
		}
		cells := make([]render.Cell, len(words))
		for j, word := range words {
			widths[j] = max(widths[j], utf8.RuneCountInString(word))
			cells[j].Words = word
		}
		tables[i].Rows = append(tables[i].Rows, render.Row{Cells: cells})
	}
	for _, f := range rows {
		title := f.Task
		if severalModels && f.Model != "" {
			title += ", " + f.Model
		}
		add(title, f.Method, f)
	}
	add("All runs", total.Task, total)
	length, last := 2*len(widths), len(titles)-1
	for _, width := range widths {
		length += width
	}
	sources := length <= columns
	if !sources {
		length -= widths[last] + 2
	}
	if length <= columns {
		titles[0] = fmt.Sprintf("%-*s", widths[0], titles[0])
		titles[last] = fmt.Sprintf("%-*s", widths[last], titles[last])
	}
	for _, t := range tables {
		for j, title := range titles {
			col := render.Column{Title: title, Text: j == 0 || j == last}
			col.Data = j == last && !sources
			if !col.Text { // numbers are aligned at the right
				col.Title = fmt.Sprintf("%*s", widths[j], title)
			}
			t.Columns = append(t.Columns, col)
			for _, r := range t.Rows {
				if !col.Text {
					r.Cells[j].Words = fmt.Sprintf("%*s", widths[j], r.Cells[j].Words)
				}
			}
		}
		if err := render.Print(w, t, columns); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// columnsOf returns the cells of a row that follow the name.
func columnsOf(f *suite.Forecast) []string {
	todo := strconv.Itoa(f.Runs - f.Finished)
	for _, part := range []struct {
		n    int
		what string
	}{{f.Begun, "begun"}, {f.Refused, "refused"}, {f.Failed, "failed"}} {
		if part.n > 0 {
			todo += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return []string{strconv.Itoa(f.Runs), todo, short(f.Evaluations),
		atLeast(short(f.Requests), f.Requests, f.Unasked),
		atLeast(short(f.Tokens), f.Tokens, f.Unasked),
		atLeast(fmt.Sprintf("%.1f", f.Hours), f.Hours, f.Untimed),
		atLeast(fmt.Sprintf("%.2f", f.Usd), f.Usd, f.Unpriced), f.Source}
}

// atLeast marks a sum with an unknown part as a lower bound; if no part is known, it returns "?".
func atLeast(text string, known float64, partly bool) string {
	switch {
	case !partly:
		return text
	case known == 0:
		return "?"
	}
	return "≥ " + text
}

// short formats a number for people: 950, 12k, 4.56M.
func short(n float64) string {
	switch {
	case n >= 999_500:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
