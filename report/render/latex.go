package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// pageRows is the number of rows that fit on a page; more rows continue in another table.
const pageRows = 54

// A table wider than latexLine characters is divided by columns into parts of at most latexPart,
// the length of a line of paper.tex in \footnotesize.
const latexLine, latexPart = 120, 110

// WriteLaTeX writes the table as one or more table environments, which need the packages that the
// second line names. A long or wide table continues in another environment. A part that is still
// wider than the line gets a smaller font. Numbers are in plain right-aligned columns, in which
// equal decimals line up; unlike siunitx, they need no options for bold or negative numbers, dashes
// and words.
func WriteLaTeX(w io.Writer, t *Table) error {
	var b strings.Builder
	cols := t.Shown(true)
	packages := "booktabs, graphicx"
	if slices.ContainsFunc(cols, func(j int) bool { return t.Columns[j].Share > 0 }) {
		packages = "array, " + packages
	}
	fmt.Fprintf(&b, "%% %s\n%% packages: %s\n", OneLine(t.Title), packages)
	if t.AnyCell(func(c Cell) bool { return len(c.Runs) > 0 }) {
		fmt.Fprintf(&b, "%% after each number: its runs, each named by the first %d digits of the "+
			"SHA-256 of journal.jsonl (of result.json if a run has no journal)\n", DigestDigits)
	}
	groups, widest := t.latexGroups(cols)
	head := "\\begin{table}[!htbp]\n\\centering\n" + latexSize(widest) +
		"\n\\setlength{\\tabcolsep}{5pt}\n\\setlength{\\belowcaptionskip}{4pt}\n"
	caption := fmt.Sprintf("\\caption{%s.}\n\\label{tab:%s}\n",
		EscapeLaTeX(t.Title), FileName(t.Name))
	var parts []string
	for _, cols := range groups {
		for _, rows := range t.pages(cols) {
			var part strings.Builder
			part.WriteString(head + caption)
			t.latexPart(&part, cols, rows)
			parts = append(parts, part.String())
			caption = fmt.Sprintf("\\addtocounter{table}{-1}\n\\caption{%s, continued.}\n",
				EscapeLaTeX(t.Title))
		}
	}
	b.WriteString(strings.Join(parts, "\\end{table}\n"))
	if below, _ := t.Below(); len(below) > 0 {
		b.WriteString("\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\n")
		for _, n := range below {
			b.WriteString(EscapeLaTeX(n.Marked("Bold")) + "\n")
		}
		b.WriteString("\\end{minipage}\n")
	}
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexPart writes some columns of some rows as a tabular.
func (t *Table) latexPart(b *strings.Builder, cols []int, rows []Row) {
	format := ""
	for _, j := range cols {
		switch col := t.Columns[j]; {
		case col.Share > 0:
			format += fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.2f\\linewidth}", col.Share)
		case col.Text:
			format += "l"
		case col.Spread:
			format += "r@{${}\\pm{}$}l"
		default:
			format += "r"
		}
	}
	b.WriteString("\\sbox0{\\begin{tabular}{@{}" + format + "@{}}\n\\toprule\n")
	t.latexSpans(b, cols)
	var heads []string
	for _, j := range cols {
		heads = append(heads, latexHeading(t.Columns[j]))
	}
	b.WriteString(strings.Join(heads, " & ") + " \\\\\n\\midrule\n")
	for i, row := range rows {
		switch {
		case ruled(rows, i):
			b.WriteString("\\midrule\n")
		case i > 0 && rows[i-1].Published && !row.Published:
			b.WriteString("\\addlinespace[2pt]\n")
		}
		for n, j := range cols {
			if n > 0 {
				b.WriteString("& ")
			}
			b.WriteString(latexCell(row, row.Cells[j], t.Columns[j], t.sdWidth(j)) + " ")
			if runs := row.Cells[j].Runs; len(runs) > 0 {
				b.WriteString("% " + strings.Join(runs, " ") + "\n")
			}
		}
		b.WriteString("\\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}%\n" +
		"\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n")
}

// pages returns the rows in parts that fit a page, divided at rules if there are rules. The parts
// leave out published rows without a cell in the columns.
func (t *Table) pages(cols []int) [][]Row {
	var out [][]Row
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool {
		return r.Published && !slices.ContainsFunc(cols[1:], func(j int) bool {
			return !r.Cells[j].Missing()
		})
	})
	for len(rows) > pageRows {
		cut := pageRows
		for i := pageRows; i > pageRows/2; i-- {
			if ruled(rows, i) {
				cut = i
				break
			}
		}
		for cut > 1 && rows[cut].Published {
			cut--
		}
		out, rows = append(out, rows[:cut]), rows[cut:]
	}
	return append(out, rows)
}

// latexGroups returns the columns of each part of the table, and the width of the widest part in
// characters.
func (t *Table) latexGroups(cols []int) (groups [][]int, widest float64) {
	widths := make([]int, len(cols)) // of the widest cell, in characters
	chars, share := 0, 0.0
	for n, j := range cols {
		col := t.Columns[j]
		if share += col.Share; col.Share == 0 {
			widths[n] = width(col.Title)
			for _, row := range t.Rows {
				widths[n] = max(widths[n], width(row.Cells[j].Plain(col)))
			}
		}
		chars += widths[n] + cellGap
	}
	if share > 0 || chars <= latexLine {
		return [][]int{cols}, float64(chars) / max(0.1, 1-share)
	}
	for _, places := range t.divide(cols, widths, latexPart) {
		var group []int
		chars := 0
		for _, n := range places {
			group, chars = append(group, cols[n]), chars+widths[n]+cellGap
		}
		groups, widest = append(groups, group), max(widest, float64(chars))
	}
	return groups, widest
}

// latexSize returns the largest font size at which a line of paper.tex holds the characters.
func latexSize(chars float64) string {
	switch {
	case chars > 135:
		return "\\tiny"
	case chars > 110:
		return "\\scriptsize"
	case chars > 90:
		return "\\footnotesize"
	}
	return "\\small"
}

// latexSpans writes the line of shared headings with their rules.
func (t *Table) latexSpans(b *strings.Builder, cols []int) {
	var cells, rules []string
	at := 1
	for i := 0; i < len(cols); {
		span, from := t.Columns[cols[i]].Span, at
		for ; i < len(cols) && t.Columns[cols[i]].Span == span; i++ {
			at++
			if t.Columns[cols[i]].Spread {
				at++
			}
		}
		if span == "" {
			cells = append(cells, make([]string, at-from)...)
			continue
		}
		cells = append(cells, fmt.Sprintf("\\multicolumn{%d}{c}{%s}", at-from, EscapeLaTeX(span)))
		rules = append(rules, fmt.Sprintf("\\cmidrule(lr){%d-%d}", from, at-1))
	}
	if len(rules) > 0 {
		fmt.Fprintf(b, "%s \\\\\n%s\n", strings.Join(cells, " & "), strings.Join(rules, ""))
	}
}

func latexHeading(c Column) string {
	title := EscapeLaTeX(c.Title)
	if strings.HasPrefix(c.Title, "n=") {
		title = "$n=" + EscapeLaTeX(c.Title[2:]) + "$"
	}
	if c.Underline {
		title = "\\underline{" + title + "}"
	}
	switch {
	case c.Text:
		return title
	case c.Spread:
		return "\\multicolumn{2}{c}{" + title + "}"
	}
	return "\\multicolumn{1}{c}{" + title + "}"
}

func (t *Table) sdWidth(j int) int {
	w := 0
	for _, row := range t.Rows {
		_, sd := row.Cells[j].written(t.Columns[j])
		w = max(w, len(sd))
	}
	return w
}

// latexCell writes a cell. A deviation that is shorter than the column's longest one is padded on
// the left, so that decimal points line up.
func latexCell(row Row, c Cell, col Column, sdWidth int) string {
	if row.Published && strings.HasPrefix(c.Words, " ") {
		return "\\quad\\textit{" + EscapeLaTeX(strings.TrimSpace(c.Words)) + "}"
	}
	style := func(s string) string {
		switch {
		case c.Best:
			return "\\textbf{" + s + "}"
		case row.Published:
			return "\\textit{" + s + "}"
		}
		return s
	}
	mean, sd := c.written(col)
	s := style(EscapeLaTeX(mean))
	switch {
	case sd != "":
		room := strings.Repeat("\\phantom{0}", sdWidth-len(sd))
		return s + " & " + style(room+EscapeLaTeX(sd))
	case mean != "" && col.Spread:
		return "\\multicolumn{1}{r@{}}{" + s + "} &"
	case mean != "":
		return s
	case c.Words != "":
		s = style(EscapeLaTeX(c.Words))
		if col.Share > 0 { // names of functions can break nowhere else
			s = strings.ReplaceAll(s, "\\_", "\\_\\allowbreak{}")
		}
	case col.Text, row.Published:
		s = ""
	default:
		s = "--"
	}
	if col.Spread {
		return "\\multicolumn{2}{c}{" + s + "}"
	}
	return s
}

// latexRunes has LaTeX for the special characters in pacebench's texts, and for the characters that
// have a meaning in LaTeX.
var latexRunes = map[rune]string{
	'\\': `\textbackslash{}`, '&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`,
	'{': `\{`, '}': `\}`, '"': "''", // \textquotedbl needs another font encoding
	'~': `$\sim$`, '^': `\textasciicircum{}`, '<': `\textless{}`, '>': `\textgreater{}`,
	'|': `\textbar{}`,
	'±': `$\pm$`, '×': `$\times$`, '≤': `$\le$`, '−': `$-$`, '–': `--`, '—': `---`, '…': `\dots{}`,
	'≥': `$\ge$`, '∞': `$\infty$`, '†': `\dag{}`, '²': `$^2$`, 'ε': `$\varepsilon$`,
	'↓': `$\downarrow$`, '↑': `$\uparrow$`, '³': `$^3$`, '⁶': `$^6$`, '·': `$\cdot$`,
	'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'λ': `$\lambda$`,
}

// EscapeLaTeX makes text safe inside a paragraph. Letters that pdfLaTeX cannot set without further
// packages become "?".
func EscapeLaTeX(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch text, ok := latexRunes[r]; {
		case i == 0 && (r == '[' || r == '*'): // otherwise the \\ before it would read an argument
			b.WriteString("{" + string(r) + "}")
		case ok:
			b.WriteString(text)
		case r == '-' && strings.HasPrefix(s[i+1:], "-"):
			b.WriteString("-{}") // two hyphens would become a dash
		case r == '-' && leadsNumber(s, i):
			b.WriteString("$-$")
		case r < ' ':
			b.WriteByte(' ')
		case r < 0x7f || r >= 'À' && r <= 'ÿ' && !strings.ContainsRune("ÐðÞþ", r):
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

// leadsNumber reports whether the hyphen at s[i] is the sign of a number.
func leadsNumber(s string, i int) bool {
	return (i == 0 || s[i-1] == ' ') && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
}
