package report

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// FuzzReport checks that reading any results directory gives an error or a run, and that a run can
// be reported.
func FuzzReport(f *testing.F) {
	tiny := resultstest.Run{Task: "tsp-construct", Method: "eoh", Models: resultstest.Mini, Seed: 1,
		Budget: 2, Evaluations: 2, Start: 12, Floor: 6}
	dir := tiny.Write(f, f.TempDir())
	journal := must.Read(f, filepath.Join(dir, "journal.jsonl"))
	f.Add(journal)
	f.Add(journal[:len(journal)/2])
	f.Add([]byte(`{"header":{"format":1,"task":"t","method":"m"}}` + "\n" +
		`{"step":{"evaluations":[{"evaluation":-1,"score":1e308},{"score":-1e308}]}}` + "\n" +
		`{"note":{"kind":"admission","value":{"eap":0}}}` + "\n" +
		`{"note":{"kind":"trial","value":{"eap":0,"alpha":1,"beta":1}}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := filepath.Join(t.TempDir(), "run")
		must.Do(t, os.Mkdir(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "journal.jsonl"), data, 0o644))
		s, err := (&results.Reader{}).Read(dir)
		must.Do(t, err)
		for _, r := range s.Runs {
			r.Result = &record.Result{Header: r.Header, Totals: r.Totals}
		}
		for _, table := range Tables(s, Options{All: true}) {
			must.Do(t, render.Print(io.Discard, table, render.TextWidth))
		}
		for _, figure := range Figures(s, Options{All: true}) {
			must.Do(t, figure.WriteSVG(io.Discard))
		}
		newReport(s, Labels{}, nil, nil)
	})
}
