package render

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// TextWidth is the width of text tables in files, in columns of a terminal.
const TextWidth = 100

const noteIndent = "  "

// Print writes the table as text, with its title above and its notes below, in lines of at most the
// given number of columns. Columns of words wrap, and a table that is still too wide is divided
// into several, each with the names of the rows. Only a single word can be longer than a line.
func Print(w io.Writer, t *Table, columns int) error {
	var b strings.Builder
	b.WriteString(Wrap(t.Title, columns, ""))
	for i, block := range t.blocks(columns) {
		if i > 0 {
			b.WriteString("\n")
		}
		if err := t.printBlock(&b, block); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	below, _ := t.Below()
	for _, n := range below {
		b.WriteString(Wrap(n.Marked("* Best"), columns, noteIndent))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printBlock writes some columns of the table: the heading, then the rows.
func (t *Table) printBlock(w io.Writer, lines [][]string) error {
	var b strings.Builder
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.On, Bottom: tw.On},
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.On, BetweenRows: tw.Off,
					BetweenColumns: tw.Off},
				Lines: tw.Lines{ShowTop: tw.On, ShowBottom: tw.On, ShowHeaderLine: tw.On},
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
		if ruled(t.Rows, i) {
			if err := table.Append(make([]string, len(lines[0]))); err != nil {
				return err
			}
		}
		if row.Published && strings.Join(lines[i+1][1:], "") == "" {
			continue // it has no cell in these columns
		}
		if err := table.Append(lines[i+1]); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	_, err := io.WriteString(w, trailing.ReplaceAllString(b.String(), ""))
	return err
}

// narrow is the smallest width of a wrapped column of words, because narrower columns are hard to
// read. A table that is still too wide is divided.
const narrow = 18

// cellGap is the number of spaces around a cell.
const cellGap = 2

// blocks returns the cells as text, heading first, in as many tables as the width requires.
func (t *Table) blocks(columns int) [][][]string {
	lines := t.textCells()
	shown := t.Shown(false)
	least := make([]int, len(shown))
	for j, k := range shown {
		if least[j] = columnWidth(lines, j); t.Columns[k].Text {
			least[j] = min(least[j], max(narrow, longestWord(lines, j)))
		}
	}
	var out [][][]string
	for _, places := range t.divide(shown, least, columns) {
		block := make([][]string, len(lines))
		for i, line := range lines {
			for _, j := range places {
				block[i] = append(block[i], line[j])
			}
		}
		fit(block, columns, func(n int) bool { return t.Columns[shown[places[n]]].Text })
		out = append(out, block)
	}
	return out
}

// fit wraps the widest columns of words until the lines fit into the width, or no column can
// shrink.
func fit(lines [][]string, columns int, words func(j int) bool) {
	widths := make([]int, len(lines[0]))
	excess := -columns
	for j := range widths {
		widths[j] = columnWidth(lines, j)
		excess += widths[j] + cellGap
	}
	for most := math.MaxInt; excess > 0; {
		widest := -1
		for j, w := range widths {
			if words(j) && w > narrow && w <= most && (widest < 0 || w > widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		before := widths[widest]
		for i := range lines {
			lines[i][widest] = wrapCell(lines[i][widest], max(narrow, before-excess))
		}
		if widths[widest] = columnWidth(lines, widest); widths[widest] >= before {
			most = before - 1 // it cannot shrink, because one word is as long
		}
		excess -= before - widths[widest]
	}
}

// longestWord returns the smallest width to which a column can be wrapped.
func longestWord(lines [][]string, j int) int {
	longest := 0
	for _, line := range lines {
		for word := range strings.FieldsSeq(line[j]) {
			longest = max(longest, width(word))
		}
	}
	return longest
}

// divide groups columns so that the width of each group is at most `most`, if that is possible, and
// returns indices in shown. Each group begins with the columns of words at the left, which name the
// rows.
func (t *Table) divide(shown, widths []int, most int) [][]int {
	all := make([]int, len(shown))
	for j := range all {
		all[j] = j
	}
	names := 1
	for names < len(shown) && t.Columns[shown[names]].Text && !t.Columns[shown[names]].Wide {
		names++
	}
	total := func(places ...[]int) (sum int) {
		for _, j := range slices.Concat(places...) {
			sum += widths[j] + cellGap
		}
		return sum
	}
	groups := [][]int{all[:names:names]}
	for at := names; at < len(all); {
		end := at + 1 // columns under one heading stay together if they fit
		for end < len(all) && t.Columns[shown[at]].Span != "" && t.spans() &&
			t.Columns[shown[end]].Span == t.Columns[shown[at]].Span {
			end++
		}
		if total(all[:names], all[at:end]) > most {
			end = at + 1
		}
		last := len(groups) - 1
		if len(groups[last]) > names && total(groups[last], all[at:end]) > most {
			groups, last = append(groups, all[:names:names]), last+1
		}
		groups[last] = append(groups[last], all[at:end]...)
		at = end
	}
	return groups
}

func columnWidth(lines [][]string, j int) int {
	widest := 0
	for _, line := range lines {
		for part := range strings.SplitSeq(line[j], "\n") {
			widest = max(widest, width(strings.TrimRight(part, " ")))
		}
	}
	return widest
}

// wrapCell breaks the words of a cell into lines; a cell that fits keeps its spaces.
func wrapCell(s string, most int) string {
	if width(s) <= most {
		return s
	}
	return strings.TrimSuffix(Wrap(strings.ReplaceAll(s, "\n", " "), most, ""), "\n")
}

// textCells writes the heading and every cell so that a column's numbers line up.
func (t *Table) textCells() [][]string {
	out := make([][]string, len(t.Rows)+1)
	for _, j := range t.Shown(false) {
		col := t.Columns[j]
		var meanWidth, sdWidth int
		best := false
		for _, row := range t.Rows {
			mean, sd := row.Cells[j].written(col)
			meanWidth, sdWidth = max(meanWidth, width(mean)), max(sdWidth, width(sd))
			best = best || row.Cells[j].Best
		}
		column := make([]string, len(t.Rows))
		widest := 0
		for i, row := range t.Rows {
			c := row.Cells[j]
			s := c.Words
			mean, sd := c.written(col)
			switch {
			case c.Missing() && !row.Published && !col.Text:
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
				// Align a short number with the end of a long heading.
				s = pad(s, width(lastLine(heading)))
			}
			out[i+1] = append(out[i+1], s)
		}
	}
	return out
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string { return fmt.Sprintf("%*s", n, s) }

var trailing = regexp.MustCompile(`(?m) +$`)

// Wrap breaks a text at spaces and indents it.
func Wrap(s string, most int, indent string) string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && width(lines[n-1])+1+width(word) <= most {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, indent+word)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
