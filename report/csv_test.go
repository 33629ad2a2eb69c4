package report

import (
	"bytes"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/report/figure"

	"github.com/pacebench/pacebench/report/render"
)

// TestFormulas: what begins like a formula is text in the CSV of tables and figures.
func TestFormulas(t *testing.T) {
	var table, drawn bytes.Buffer
	err := render.WriteCSV(&table, &Table{
		Columns: []Column{{ID: "row", Text: true}, {ID: "=score"}},
		Rows: []Row{{
			ID: "@SUM(1+1)", Models: "+cmd", Remarks: []string{"-2+3"},
			Cells: []Cell{{Words: `=HYPERLINK("http://evil.example")`}, {Mean: -2.5, N: 1}},
		}},
	})
	must.Do(t, err)
	f := &figure.Figure{Data: [][]string{{"operator", "score"}, {"=1+1", "-2.5"}}}
	must.Do(t, f.WriteData(&drawn))
	want := "row,models,remarks,name,'=score\n" +
		"'@SUM(1+1),'+cmd,'-2+3,\"'=HYPERLINK(\"\"http://evil.example\"\")\",-2.5\n"
	if got := table.String(); got != want {
		t.Errorf("table:\n%swant\n%s", got, want)
	}
	if got := drawn.String(); got != "operator,score\n'=1+1,-2.5\n" {
		t.Errorf("figure:\n%s", got)
	}
}
