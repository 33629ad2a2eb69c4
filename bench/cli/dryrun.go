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

	"github.com/pacebench/pacebench/data"
)

// dryRun shows what a suite would do and cost.
func (c *console) dryRun(o options, s *suite) error {
	p, err := s.predict(o)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	models := map[string]bool{}
	for _, r := range p.rows {
		if r.model != "" {
			models[r.model] = true
		}
	}
	if len(models) == 1 {
		fmt.Fprintf(c.out, "Model: %s\n", slices.Collect(maps.Keys(models))[0])
	}
	fmt.Fprintln(c.out)
	writeForecasts(c.out, p.rows, &p.total, len(models) > 1, c.columns)
	fmt.Fprintf(c.out, "\nTo do: what is not finished in %s.\n"+
		"Hours: %s (--jobs), %s at once (--cells), at most %s at once (--concurrency),\n"+
		"and the limits of --rpm, --tpm and profiles.\n"+
		"Answers come at %.0f tokens a second where no run here says more.\n"+
		"USD: prices of the models' profiles.\n",
		filepath.ToSlash(o.Out), counted(o.Jobs, "worker"), counted(o.atOnce(), "cell"),
		counted(o.Concurrency, "request"), data.ExpectedCosts().TokensPerSecond)
	if p.total.unpriced {
		fmt.Fprintln(c.out, "?: a model without a price; "+
			"price_in and price_out in its profile tell it (docs/models.md).")
	}
	if p.lacking != nil {
		fmt.Fprintf(c.out, "Not set: %s. Export what you need, or give --model offline.\n",
			strings.Join(p.lacking, ", "))
	}
	if p.paired {
		fmt.Fprintln(c.out,
			"Paired: what variants take from the first one of their method is counted in full.")
	}
	for _, r := range p.failed {
		fmt.Fprintln(c.out, "Failed before:", r)
	}
	for _, r := range p.refused {
		fmt.Fprintln(c.out, "Refused:", r)
	}
	if p.failed != nil && !o.Retry {
		fmt.Fprintln(c.out, "--retry tries failed cells again.")
	}
	fmt.Fprintln(c.out, "Nothing was asked, evaluated or written.")
	return nil
}

// writeForecasts writes the table: the rows of a task and a model under their names, then the
// total. What rows are estimated from is left out where lines have no room for it.
func writeForecasts(
	w io.Writer, rows []*forecast, total *forecast, severalModels bool, columns int) {
	heading := func(f *forecast) string {
		if severalModels && f.model != "" {
			return f.task + ", " + f.model
		}
		return f.task
	}
	groups := map[string][]*forecast{}
	var headings []string
	for _, f := range rows {
		h := heading(f)
		if groups[h] == nil {
			headings = append(headings, h)
		}
		groups[h] = append(groups[h], f)
	}
	lines := [][]string{{"METHOD", "CELLS", "TO DO", "EVALS", "REQUESTS", "TOKENS", "HOURS", "USD",
		"ESTIMATED FROM"}}
	for _, h := range headings {
		lines = append(lines, []string{h})
		for _, f := range groups[h] {
			lines = append(lines, append([]string{"  " + f.method}, f.cellsOfLine()...))
		}
	}
	lines = append(lines, nil, append([]string{total.task}, total.cellsOfLine()...))
	last := len(lines[0]) - 1
	widths := make([]int, last+1)
	length := -2
	for j := range widths {
		for _, l := range lines {
			if len(l) > 1 {
				widths[j] = max(widths[j], utf8.RuneCountInString(l[j]))
			}
		}
		length += widths[j] + 2
	}
	if length > columns {
		last--
	}
	for _, l := range lines {
		var b strings.Builder
		for j, text := range l[:min(len(l), last+1)] {
			pad := ""
			if len(l) > 1 {
				pad = strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			}
			switch {
			case j == 0:
				b.WriteString(text + pad)
			case j < len(widths)-1: // a number
				b.WriteString("  " + pad + text)
			default:
				b.WriteString("  " + text)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// cellsOfLine are the columns behind the name.
func (f *forecast) cellsOfLine() []string {
	todo := strconv.Itoa(f.cells - f.finished)
	for _, part := range []struct {
		n    int
		what string
	}{{f.begun, "begun"}, {f.refused, "refused"}, {f.failed, "failed"}} {
		if part.n > 0 {
			todo += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	usd := fmt.Sprintf("%.2f", f.usd)
	if f.unpriced {
		usd += " + ?"
	}
	return []string{strconv.Itoa(f.cells), todo,
		short(f.evaluations), short(f.requests), short(f.tokens),
		fmt.Sprintf("%.1f", f.hours), usd, f.source}
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
