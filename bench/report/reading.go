package report

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/pacebench/pacebench/bench/report/render"
)

// readingText says how to read tables and figures, a paragraph for each term.
//
//go:embed reading.txt
var readingText string

const readingTitle = "How to read these tables"

// A Paragraph says what a term of the tables means, or what else is noted of a table.
type Paragraph struct{ Term, Text string }

// reading is how to read the tables, and behind it the notes that have no room below them.
func reading(tables []Artifact[*Table]) (out []Paragraph) {
	add := func(text string) {
		term, text, _ := strings.Cut(strings.Join(strings.Fields(text), " "), ": ")
		out = append(out, Paragraph{term, text})
	}
	for text := range strings.SplitSeq(readingText, "\n\n") {
		add(text)
	}
	for _, t := range tables {
		if _, others := t.Value.Below(); len(others) > 0 {
			p := Paragraph{Term: t.Value.Title}
			for _, n := range others {
				p.Text += " " + n.Marked("Best")
			}
			out = append(out, p)
		}
	}
	return out
}

// writeReading writes the same as text.
func (r *Report) writeReading(w io.Writer) error {
	var b strings.Builder
	b.WriteString(readingTitle + "\n")
	for _, p := range r.Reading {
		b.WriteString("\n" + render.Wrap(p.Term+": "+strings.TrimSpace(p.Text), render.TextWidth, ""))
	}
	_, err := fmt.Fprint(w, b.String())
	return err
}
