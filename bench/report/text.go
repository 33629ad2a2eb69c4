package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Print writes the table as text, with its title above and its notes below.
func Print(w io.Writer, t *Table) error {
	var b strings.Builder
	lines := t.textCells()
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.On, Bottom: tw.On},
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.On, BetweenRows: tw.Off, BetweenColumns: tw.Off},
				Lines:      tw.Lines{ShowTop: tw.On, ShowBottom: tw.On, ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off), // it would write "GAP  (%)"
		tablewriter.WithTrimSpace(tw.Off),        // numbers are padded so that their points line up
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
	)
	table.Header(lines[0])
	for i, row := range t.Rows {
		if row.Rule && i > 0 {
			if err := table.Append(make([]string, len(lines[0]))); err != nil {
				return err
			}
		}
		if err := table.Append(lines[i+1]); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	out := t.Title + "\n" + trailing.ReplaceAllString(b.String(), "")
	for _, n := range t.Notes {
		out += wrap(n.marked("* Best"), 110, "  ")
	}
	_, err := io.WriteString(w, out)
	return err
}

// textCells writes the heading and every cell so that a column's numbers line up.
func (t *Table) textCells() [][]string {
	out := make([][]string, len(t.Rows)+1)
	for _, j := range t.shown(false) {
		col := t.Columns[j]
		var meanWidth, sdWidth int
		best := false
		for _, row := range t.Rows {
			mean, sd := row.Cells[j].parts(row, col)
			meanWidth, sdWidth = max(meanWidth, width(mean)), max(sdWidth, width(sd))
			best = best || row.Cells[j].Best
		}
		column := make([]string, len(t.Rows))
		widest := 0
		for i, row := range t.Rows {
			c := row.Cells[j]
			s := c.Words
			mean, sd := c.parts(row, col)
			switch {
			case c.missing() && !row.Published:
				s = pad("–", meanWidth)
			case sd != "":
				s = pad(mean, meanWidth) + " ± " + pad(sd, sdWidth)
			case mean != "" && sdWidth > 0:
				s = pad(mean, meanWidth) + strings.Repeat(" ", 3+sdWidth)
			case mean != "":
				s = pad(mean, meanWidth)
			}
			if best && c.Best {
				s += " *"
			} else if best && c.N > 0 {
				s += "  "
			}
			column[i] = s
			widest = max(widest, width(s))
		}
		heading := t.heading(col)
		for _, line := range strings.Split(heading, "\n") {
			widest = max(widest, width(line))
		}
		out[0] = append(out[0], heading)
		for i, s := range column {
			if t.Rows[i].Cells[j].N > 0 && !col.Spread && !best {
				s = pad(s, width(lastLine(heading))) // a short number stands under the end of a long heading
			}
			out[i+1] = append(out[i+1], s)
		}
	}
	return out
}

// parts are a cell's mean and deviation as they are written, empty for words. A published number,
// which is printed text, is taken apart like ours.
func (c Cell) parts(row Row, col Column) (mean, sd string) {
	switch {
	case c.N > 0 && col.Spread:
		return c.mean(col.Digits), c.sd(col.Digits)
	case c.N > 0:
		return c.mean(col.Digits), ""
	case row.Published && !col.Text:
		mean, sd, _ = strings.Cut(c.Words, " ± ")
	}
	return mean, sd
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string { return fmt.Sprintf("%*s", n, s) }

var trailing = regexp.MustCompile(`(?m) +$`)

// wrap breaks a note at spaces and indents it.
func wrap(s string, most int, indent string) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(s) {
		if width(line)+1+width(word) > most && strings.TrimSpace(line) != "" {
			b.WriteString(line + "\n")
			line = indent
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
