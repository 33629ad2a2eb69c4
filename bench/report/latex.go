package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteLaTeX writes the table as a table environment that needs the package booktabs only. Numbers
// stand in plain right-aligned columns: with equal decimals their points line up, and a bold or a
// negative number, a dash or a word needs none of the options that siunitx has for them.
func WriteLaTeX(w io.Writer, t *Table) error {
	cols := t.shown(true)
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% packages: booktabs\n", oneLine(t.Title))
	b.WriteString("\\begin{table}[t]\n\\centering\n" + t.latexSize(cols) + "\n\\setlength{\\tabcolsep}{5pt}\n\\setlength{\\belowcaptionskip}{4pt}\n")
	fmt.Fprintf(&b, "\\caption{%s.}\n\\label{tab:%s}\n", escapeLaTeX(t.Title), fileName(t.Name))
	b.WriteString("\\begin{tabular}{@{}")
	for _, j := range cols {
		switch col := t.Columns[j]; {
		case col.Text:
			b.WriteString("l")
		case col.Spread:
			b.WriteString("r@{${}\\pm{}$}l")
		default:
			b.WriteString("r")
		}
	}
	b.WriteString("@{}}\n\\toprule\n")
	t.latexSpans(&b, cols)
	var heads []string
	for _, j := range cols {
		heads = append(heads, latexHeading(t.Columns[j]))
	}
	b.WriteString(strings.Join(heads, " & ") + " \\\\\n\\midrule\n")
	for i, row := range t.Rows {
		if row.Rule && i > 0 {
			b.WriteString("\\midrule\n")
		}
		var cells []string
		for _, j := range cols {
			cells = append(cells, latexCell(row, row.Cells[j], t.Columns[j], t.sdWidth(j)))
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	if len(t.Notes) > 0 {
		b.WriteString("\\par\\medskip\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n")
		for _, n := range t.Notes {
			b.WriteString(escapeLaTeX(n.marked("Bold")) + "\\par\n")
		}
		b.WriteString("\\end{minipage}\n")
	}
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexSize is the font size at which the table has a chance to fit a line; ours, from the
// characters of its widest cells.
func (t *Table) latexSize(cols []int) string {
	chars := 0
	for _, j := range cols {
		widest := width(t.Columns[j].Title)
		for _, row := range t.Rows {
			widest = max(widest, width(row.Cells[j].plain(t.Columns[j])))
		}
		chars += widest + 2
	}
	switch {
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
			if span == "" {
				i++
				break
			}
		}
		if span == "" {
			for n := from; n < at; n++ {
				cells = append(cells, "")
			}
			continue
		}
		cells = append(cells, fmt.Sprintf("\\multicolumn{%d}{c}{%s}", at-from, escapeLaTeX(span)))
		rules = append(rules, fmt.Sprintf("\\cmidrule(lr){%d-%d}", from, at-1))
	}
	if len(rules) > 0 {
		fmt.Fprintf(b, "%s \\\\\n%s\n", strings.Join(cells, " & "), strings.Join(rules, ""))
	}
}

func latexHeading(c Column) string {
	title := escapeLaTeX(c.Title)
	if strings.HasPrefix(c.Title, "n=") {
		title = "$n=" + escapeLaTeX(c.Title[2:]) + "$"
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

// sdWidth is the length of a column's longest deviation.
func (t *Table) sdWidth(j int) int {
	w := 0
	for _, row := range t.Rows {
		if c := row.Cells[j]; c.N > 1 {
			w = max(w, len(c.sd(t.Columns[j].Digits)))
		}
	}
	return w
}

// latexCell writes a cell; a deviation shorter than the column's longest is filled up on the left,
// so that points line up.
func latexCell(row Row, c Cell, col Column, sdWidth int) string {
	style := func(s string) string {
		switch {
		case c.Best:
			return "\\textbf{" + s + "}"
		case row.Published:
			return "\\textit{" + s + "}"
		}
		return s
	}
	if c.N == 1 && col.Spread {
		return "\\multicolumn{1}{r@{}}{" + style(escapeLaTeX(c.mean(col.Digits))) + "} &"
	}
	if c.N > 0 && col.Spread {
		return style(escapeLaTeX(c.mean(col.Digits))) + " & " + style(strings.Repeat("\\phantom{0}", sdWidth-len(c.sd(col.Digits)))+escapeLaTeX(c.sd(col.Digits)))
	}
	if mean, sd := c.parts(row, col); row.Published && sd != "" && col.Spread {
		return style(escapeLaTeX(mean)) + " & " + style(escapeLaTeX(sd))
	}
	s := "--"
	switch {
	case c.N > 0:
		s = style(escapeLaTeX(c.mean(col.Digits)))
	case c.Words != "":
		s = style(escapeLaTeX(c.Words))
	case col.Text, row.Published:
		s = ""
	}
	if col.Spread {
		return "\\multicolumn{2}{c}{" + s + "}"
	}
	return s
}

// latexRunes are the characters that our own wording uses or that LaTeX gives a meaning.
var latexRunes = map[rune]string{
	'\\': `\textbackslash{}`, '&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`, '{': `\{`, '}': `\}`,
	'~': `$\sim$`, '^': `\textasciicircum{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'±': `$\pm$`, '×': `$\times$`, '−': `$-$`, '–': `--`, '—': `---`, '…': `\dots{}`,
	'↓': `$\downarrow$`, '↑': `$\uparrow$`, '³': `$^3$`, '⁶': `$^6$`, '·': `$\cdot$`, 'α': `$\alpha$`, 'β': `$\beta$`,
}

// escapeLaTeX makes text safe inside a paragraph. Letters that pdfLaTeX cannot set without further
// packages become "?".
func escapeLaTeX(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch text, ok := latexRunes[r]; {
		case r == '"':
			b.WriteString("''") // \textquotedbl needs another font encoding
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
