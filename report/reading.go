package report

import (
	_ "embed"
	"io"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/report/render"
)

// readingText explains the terms of tables and figures, each in one paragraph.
//
//go:embed reading.txt
var readingText string

const readingTitle = "How to read these tables"

// readingOf lists, by the term of a paragraph, the kinds of tables that the paragraph explains.
// Paragraphs without an entry are in all reports.
var readingOf = map[string][]string{
	"Validation, Optimism":              {"tests"},
	"Found at":                          {"seeds", "programs"},
	"Requests and tokens":               {"usage"},
	"Seeds and intervals":               {"stats", "pairs"},
	"Pools":                             {"null"},
	"Targets":                           {"targets"},
	"Equal evaluations, tokens and USD": {"equal"},
	"Seeds against evaluations":         {"frontier"},
	"Pairs of methods":                  {"pairs", "null", "improvement"},
	"Methods on all tasks":              {"methods"},
	"Improvement over tasks":            {"improvement"},
	"Paired differences":                {"paired"},
	"Operators":                         {"operators", "failures"},
	"Best programs":                     {"programs"},
	"Settings":                          {"settings"},
}

// A Paragraph explains a term of the tables, or has the notes on a table.
type Paragraph struct{ Term, Text string }

// reading returns paragraphs that explain the tables, and then the notes that had no room below
// their tables.
func reading(tables []Artifact[*Table]) (out []Paragraph) {
	add := func(text string) {
		term, text, _ := strings.Cut(strings.Join(strings.Fields(text), " "), ": ")
		out = append(out, Paragraph{term, text})
	}
	for text := range strings.SplitSeq(readingText, "\n\n") {
		term, _, _ := strings.Cut(text, ": ")
		kinds := readingOf[term]
		if kinds == nil || slices.ContainsFunc(tables, func(t Artifact[*Table]) bool {
			kind, _, _ := strings.Cut(t.Value.Name, "-")
			return slices.Contains(kinds, kind)
		}) {
			add(text)
		}
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

func (r *Report) writeReading(w io.Writer) error {
	text := readingTitle + "\n"
	for _, p := range r.Reading {
		text += "\n" + render.Wrap(p.Term+": "+p.Text, render.TextWidth, "")
	}
	_, err := io.WriteString(w, text)
	return err
}
