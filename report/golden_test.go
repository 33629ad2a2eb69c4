package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

var collect = resultstest.Collect

// noPage stands in for the page of a report.
func noPage(io.Writer, *Report) error { return nil }

// TestTablesGolden has every table as text, and what a report has by default: the names of its
// tables, and the first one, with tests as the mean over the seeds.
func TestTablesGolden(t *testing.T) {
	s := collect(t, resultstest.Study)
	for name, o := range map[string]Options{
		"tables": everything, "default": {Labels: labels, Printed: data.Published},
	} {
		var b strings.Builder
		for i, table := range Tables(s, o) {
			if fmt.Fprintf(&b, "--- %s\n", table.Name); i > 0 && !o.All {
				continue
			}
			must.Do(t, render.Print(&b, table, render.TextWidth))
		}
		golden.Text(t, "testdata/"+name+".txt", b.String())
	}
}

// TestFormsGolden has what LaTeX and CSV have rules of their own for: shared headings, spreads,
// marks, published numbers and differences, words, notes.
func TestFormsGolden(t *testing.T) {
	var tex, text bytes.Buffer
	for _, table := range Tables(collect(t, resultstest.Study), everything) {
		if !slices.Contains([]string{"main-control", "pairs-tsp-construct", "programs"},
			table.Name) {
			continue
		}
		must.Do(t, render.WriteLaTeX(&tex, table))
		must.Do(t, render.WriteCSV(&text, table))
	}
	golden.Text(t, "testdata/tables.tex", tex.String())
	golden.Text(t, "testdata/tables.csv", text.String())
}

func TestFiguresGolden(t *testing.T) {
	var b strings.Builder
	for _, f := range Figures(collect(t, resultstest.Study), Options{Labels: labels, All: true}) {
		fmt.Fprintf(&b, "--- %s\n%s\n", f.Name, f.Title)
		for _, p := range f.Panels {
			fmt.Fprintf(&b, "%s from %.6g to %.6g; %q from %.6g to %.6g\n",
				p.X.Label, p.X.Min, p.X.Max, p.Y.Label, p.Y.Min, p.Y.Max)
		}
		var legend []string
		for _, e := range f.Legend {
			legend = append(legend, e.Text)
		}
		fmt.Fprintf(&b, "[%s]\n", strings.Join(legend, " | "))
		for i, row := range f.Data {
			if i < 3 || i%8 == 0 || i == len(f.Data)-1 { // enough to see a change
				fmt.Fprintf(&b, "  %s\n", strings.Join(row, ", "))
			}
		}
		fmt.Fprintf(&b, "%s\n", f.Caption)
	}
	golden.Text(t, "testdata/figures.txt", b.String())
}

func TestWriteTwiceGivesEqualBytes(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		for seed := uint64(1); seed <= 2; seed++ {
			resultstest.Run{Task: "racing-car", Method: "pace", Models: resultstest.Mini,
				Seed: seed, Budget: 60, Evaluations: 60, Start: 5, Floor: 97}.Write(t, root)
			resultstest.Run{Task: "racing-car", Method: "my-method", Models: resultstest.Mini,
				Seed: seed, Budget: 60, Evaluations: 60, Start: 5, Floor: 90}.Write(t, root)
		}
	})
	first, err := Write(s, "a", Options{Labels: labels, All: true}, noPage)
	must.Do(t, err)
	again, err := (&results.Reader{}).Read("results")
	must.Do(t, err)
	if _, err := Write(again, "b", Options{Labels: labels, All: true}, noPage); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, path := range first {
		name := strings.TrimPrefix(path, "a")
		one, err1 := os.ReadFile(path)
		two, err2 := os.ReadFile("b" + name)
		if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs between two reports of the same runs (%v, %v)", name, err1, err2)
		}
		for form, magic := range map[string]string{
			".png": "\x89PNG", ".pdf": "%PDF-1", ".svg": "<?xml", ".csv": "row,",
		} {
			if strings.Contains(name, "convergence") && filepath.Ext(name) == form &&
				bytes.HasPrefix(one, []byte(magic)) {
				kinds[form]++
			}
		}
	}
	// By evaluations, tokens and time.
	want := map[string]int{".png": 3, ".pdf": 3, ".svg": 3, ".csv": 3}
	golden.Same(t, "figures of convergence by form", want, kinds)
}
