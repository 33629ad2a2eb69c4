package report

import (
	_ "embed"
	"io"
	"strings"

	"github.com/pacebench/pacebench/report/render"
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
			var texts []string
			for _, n := range others {
				texts = append(texts, n.Marked("Best"))
			}
			out = append(out, Paragraph{t.Value.Title, strings.Join(texts, " ")})
		}
	}
	return out
}

// writeReading writes the same as text.
func (r *Report) writeReading(w io.Writer) error {
	text := readingTitle + "\n"
	for _, p := range r.Reading {
		text += "\n" + render.Wrap(p.Term+": "+p.Text, render.TextWidth, "")
	}
	_, err := io.WriteString(w, text)
	return err
}
