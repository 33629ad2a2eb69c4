package view

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
)

// writeReport writes a report and returns its files, the page first.
func writeReport(t *testing.T, s *results.Store) []string {
	t.Helper()
	paths, err := report.Write(s, "out/report", report.Options{
		Printed: data.Published, Published: true, All: true,
		Labels: report.Labels{Tasks: resultstest.Tasks, Methods: resultstest.Methods},
	}, func(w io.Writer, r *report.Report) error {
		return WriteReport(w, r, "report", "runs/index.html")
	})
	must.Do(t, err)
	return paths
}

var svgBody = regexp.MustCompile(`(?s)(<svg [^>]*>).*?</svg>`)

func TestReportGolden(t *testing.T) {
	s := resultstest.Collect(t, func(t testing.TB, root string) {
		resultstest.Run{
			Task: "tsp-construct", Method: "pace", Models: resultstest.Offline, Seed: 1, Budget: 60,
			Evaluations: 60, Start: 12, Floor: 6, Tests: resultstest.TSPTests(6, 12, 19, 27),
		}.Write(t, root)
		resultstest.Run{Task: "tsp-construct", Method: "eoh", Models: resultstest.Offline, Seed: 1,
			Budget: 60, Evaluations: 30, Start: 12, Floor: 6}.Write(t, root)
		resultstest.Baseline(t, root, "tsp-construct", "greedy", 6.824,
			resultstest.TSPTests(6.938, 13.362, 20.794, 28.917))
		must.Do(t, os.MkdirAll(filepath.Join(root, "broken"), 0o755))
		must.Write(t, filepath.Join(root, "broken", "journal.jsonl"), "no JSON\nat all\n")
	})
	page := must.Read(t, writeReport(t, s)[0])
	_, body, _ := strings.Cut(string(page), "</style>") // the style is a file of its own
	golden.Text(t, "testdata/report.html", svgBody.ReplaceAllString(body, "$1…</svg>"))
}

// formula matches a cell of a CSV file that a spreadsheet would run.
var formula = regexp.MustCompile(`(?m)(^|,)"?[=@]`)

// TestForeignNamesInAReport: names in results are untrusted, and must not break a file of a report.
func TestForeignNamesInAReport(t *testing.T) {
	for _, path := range writeReport(t, resultstest.Collect(t, func(t testing.TB, root string) {
		for i, name := range []string{
			"<script>alert(1)</script>", "../../../etc", "a\x1b[31mb\u202e", "日本", "=HYPERLINK(1)",
		} {
			resultstest.Run{
				Task: "tsp-construct", Method: "pace",
				Models: map[string]string{"": "<img src=x>", "eap": "../x"},
				Seed:   uint64(i), Budget: 30, Evaluations: 30, Start: 12, Floor: 6,
				Change: func(h *record.Header) { h.Task, h.Method, h.Variant = name, name, name },
			}.Write(t, root)
		}
	})) {
		if dir := filepath.Dir(path); dir != "out/report" && dir != "out/report/figures" {
			t.Errorf("a file outside the report: %s", path)
		}
		text, form := string(must.Read(t, path)), filepath.Ext(path)
		if form == ".png" || form == ".pdf" {
			continue
		}
		for _, bad := range []string{"<script", "<img", "\x1b", "\u202e"} {
			markup := form == ".html" || form == ".svg"
			if (markup || bad[0] != '<') && strings.Contains(text, bad) {
				t.Errorf("%s contains %q", path, bad)
			}
		}
		if found := formula.FindString(text); form == ".csv" && found != "" {
			t.Errorf("%s has a formula after %q", path, found)
		}
	}
}
