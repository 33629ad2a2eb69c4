package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

var collect = resultstest.Collect

func noPage(io.Writer, *Report) error { return nil }

// TestStudy reports every kind of run that is in the paper's tables.
func TestStudy(t *testing.T) {
	s := collect(t, resultstest.Study)
	tables := Tables(s, everything)
	for _, r := range s.Runs { // results and journals have the same totals
		if len(r.Warnings) > 0 {
			t.Errorf("%s: %v", r.Dir, r.Warnings)
		}
	}

	// The golden files have every table as text. For a default report they have the names of the
	// tables, and the first table, whose tests are means over the seeds. Three tables show how
	// LaTeX and CSV write shared headings, spreads, marks, published numbers, differences, words
	// and notes.
	t.Run("tables", func(t *testing.T) {
		var text, few, tex, csv bytes.Buffer
		for _, table := range tables {
			fmt.Fprintf(&text, "--- %s\n", table.Name)
			must.Do(t, render.Print(&text, table, render.TextWidth))
			if slices.Contains([]string{"main-control", "pairs-tsp-construct", "programs"},
				table.Name) {
				must.Do(t, render.WriteLaTeX(&tex, table), render.WriteCSV(&csv, table))
			}
		}
		for i, table := range Tables(s, Options{Labels: labels, Printed: data.Published}) {
			if fmt.Fprintf(&few, "--- %s\n", table.Name); i == 0 {
				must.Do(t, render.Print(&few, table, render.TextWidth))
			}
		}
		golden.Text(t, "testdata/tables.txt", text.String())
		golden.Text(t, "testdata/default.txt", few.String())
		golden.Text(t, "testdata/tables.tex", tex.String())
		golden.Text(t, "testdata/tables.csv", csv.String())
	})
	t.Run("figures", func(t *testing.T) {
		var b strings.Builder
		names := map[string]bool{}
		for _, f := range Figures(s, Options{Labels: labels, All: true}) {
			if names[f.Name] || f.Name != render.FileName(f.Name) {
				t.Errorf("%s: the name of two figures, or not the name of a file", f.Name)
			}
			names[f.Name] = true
			for i, row := range f.Data {
				if len(row) != len(f.Data[0]) {
					t.Errorf("%s: row %d and the head differ in length", f.Name, i)
				}
			}
			describe(&b, f)
			inPDFs(t, f)
		}
		golden.Text(t, "testdata/figures.txt", b.String())
	})
	for _, table := range tables {
		fitsTheTerminal(t, table)
		hasNumbersAsNumbers(t, table)
	}
}

func describe(b *strings.Builder, f *figure.Figure) {
	fmt.Fprintf(b, "--- %s\n%s\n", f.Name, f.Title)
	for _, p := range f.Panels {
		fmt.Fprintf(b, "%s from %.6g to %.6g; %q from %.6g to %.6g\n",
			p.X.Label, p.X.Min, p.X.Max, p.Y.Label, p.Y.Min, p.Y.Max)
	}
	var legend []string
	for _, e := range f.Legend {
		legend = append(legend, e.Text)
	}
	fmt.Fprintf(b, "[%s]\n", strings.Join(legend, " | "))
	for i, row := range f.Data {
		if i < 3 || i%8 == 0 || i == len(f.Data)-1 { // enough to see a change
			fmt.Fprintf(b, "  %s\n", strings.Join(row, ", "))
		}
	}
	fmt.Fprintf(b, "%s\n", f.Caption)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// inPDFs fails the test if the figure has a text that PDFs cannot show. Their fonts have only the
// characters of Windows 1252.
func inPDFs(t *testing.T, f *figure.Figure) {
	var svg bytes.Buffer
	must.Do(t, f.WriteSVG(&svg))
	text := strings.ReplaceAll(tag.ReplaceAllString(svg.String(), ""), "−", "–")
	if _, err := charmap.Windows1252.NewEncoder().String(text); err != nil {
		t.Errorf("%s: %v", f.Name, err)
	}
}

// fitsTheTerminal: no line of a table is wider than the terminal, and no cell is lost.
func fitsTheTerminal(t *testing.T, table *Table) {
	var wide bytes.Buffer
	must.Do(t, render.Print(&wide, table, 1000))
	for _, columns := range []int{80, 100, 120} {
		var b bytes.Buffer
		must.Do(t, render.Print(&b, table, columns))
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > columns {
				t.Errorf("%s: a line of %d columns, the terminal has %d: %s",
					table.Name, n, columns, line)
			}
		}
		words := strings.Fields(b.String())
		for _, word := range strings.Fields(wide.String()) {
			if !slices.Contains(words, word) && !strings.HasPrefix(word, "──") {
				t.Errorf("%s in %d columns has no %q", table.Name, columns, word)
			}
		}
	}
}

// hasNumbersAsNumbers: in a CSV file a column of numbers holds numbers or nothing.
func hasNumbersAsNumbers(t *testing.T, table *Table) {
	var b bytes.Buffer
	must.Do(t, render.WriteCSV(&b, table))
	lines, err := csv.NewReader(&b).ReadAll()
	must.Do(t, err)
	words := []string{"row", "models", "remarks", "name"}
	for _, c := range table.Columns {
		if c.Text {
			words = append(words, c.ID, c.ID+"_published")
		}
	}
	for _, line := range lines[1:] {
		for j, text := range line {
			if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" &&
				!slices.Contains(words, lines[0][j]) {
				t.Errorf("%s, %s: %q is no number", table.Name, lines[0][j], text)
			}
		}
	}
}

func TestWriteTwiceGivesEqualBytes(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		for seed := range uint64(2) {
			resultstest.Run{Task: "racing-car", Method: "pace", Models: resultstest.Mini,
				Seed: seed + 1, Budget: 60, Evaluations: 60, Start: 5, Floor: 97}.Write(t, root)
		}
	})
	first, err := Write(s, "a", Options{Labels: labels, All: true}, noPage)
	must.Do(t, err)
	again, err := (&results.Reader{}).Read("results")
	must.Do(t, err)
	_, err = Write(again, "b", Options{Labels: labels, All: true}, noPage)
	must.Do(t, err)
	for _, path := range first {
		if !bytes.Equal(must.Read(t, path), must.Read(t, "b"+strings.TrimPrefix(path, "a"))) {
			t.Errorf("%s differs between two reports of the same runs", path)
		}
	}
}
