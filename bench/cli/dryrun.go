package cli

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench/suite"
	"github.com/pacebench/pacebench/data"
)

// dryRun shows what a suite would do and cost.
func (c *console) dryRun(o suite.Options, s *suite.Suite) error {
	p, err := s.Predict(o)
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
	writeForecasts(c.out, p.Rows, &p.Total, len(models) > 1, c.columns)
	fmt.Fprintf(c.out, "\nTo do: what is not finished in %s.\n"+
		"Hours: %s (--jobs), %s at once (--runs), at most %s at once (--concurrency),\n"+
		"and the limits of --rpm, --tpm and profiles.\n"+
		"Answers come at %.0f tokens a second where no run here says more.\n"+
		"USD: prices of the models' profiles.\n",
		filepath.ToSlash(o.Out), counted(o.Jobs, "worker"), counted(o.AtOnce(), "run"),
		counted(o.Concurrency, "request"), data.ExpectedCosts().TokensPerSecond)
	if p.Total.Unpriced {
		fmt.Fprintln(c.out, "?: a model without a price; "+
			"price_in and price_out in its profile tell it (docs/models.md).")
	}
	if p.Lacking != nil {
		fmt.Fprintf(c.out, "Not set: %s. Export what you need, or give --model offline.\n",
			strings.Join(p.Lacking, ", "))
	}
	if p.Paired {
		fmt.Fprintln(c.out,
			"Paired: what variants take from the first one of their method is counted in full.")
	}
	for _, r := range p.Failed {
		fmt.Fprintln(c.out, "Failed before:", r)
	}
	for _, r := range p.Refused {
		fmt.Fprintln(c.out, "Refused:", r)
	}
	if p.Failed != nil && !o.Retry {
		fmt.Fprintln(c.out, "--retry tries failed runs again.")
	}
	fmt.Fprintln(c.out, "Nothing was asked, evaluated or written.")
	return nil
}

// writeForecasts writes the table: the rows of a task and a model under their names, then the
// total. What rows are estimated from is left out where lines have no room for it.
func writeForecasts(
	w io.Writer, rows []*suite.Forecast, total *suite.Forecast, severalModels bool, columns int) {
	groups := map[string][][]string{}
	var headings []string
	for _, f := range rows {
		heading := f.Task
		if severalModels && f.Model != "" {
			heading += ", " + f.Model
		}
		if groups[heading] == nil {
			headings = append(headings, heading)
		}
		groups[heading] = append(groups[heading],
			append([]string{"  " + f.Method}, columnsOf(f)...))
	}
	lines := [][]string{{"METHOD", "RUNS", "TO DO", "EVALS", "REQUESTS", "TOKENS", "HOURS", "USD",
		"ESTIMATED FROM"}}
	for _, h := range headings {
		lines = append(append(lines, []string{h}), groups[h]...)
	}
	lines = append(lines, nil, append([]string{total.Task}, columnsOf(total)...))
	shown, length := len(lines[0]), -2
	widths := make([]int, shown)
	for j := range widths {
		for _, l := range lines {
			if len(l) > 1 {
				widths[j] = max(widths[j], utf8.RuneCountInString(l[j]))
			}
		}
		length += widths[j] + 2
	}
	if length > columns {
		shown--
	}
	widths[0] = -widths[0] // names stand at the left, numbers at the right
	widths[len(widths)-1] = 0
	for _, l := range lines {
		var b strings.Builder
		for j, text := range l[:min(len(l), shown)] {
			fmt.Fprintf(&b, "%*s  ", widths[j], text)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// columnsOf are the columns behind the name.
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
	usd := fmt.Sprintf("%.2f", f.Usd)
	if f.Unpriced {
		usd += " + ?"
	}
	return []string{strconv.Itoa(f.Runs), todo,
		short(f.Evaluations), short(f.Requests), short(f.Tokens),
		fmt.Sprintf("%.1f", f.Hours), usd, f.Source}
}

// short is a number for people: 950, 12.3k, 4.56M.
func short(n float64) string {
	switch {
	case n >= 999_500:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
