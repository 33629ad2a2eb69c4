package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
)

// A failure is never a number: if a number replaces the score of a failed evaluation or the mean of
// a failed test, no command shows it.
func TestAFailureIsNeverANumber(t *testing.T) {
	const mark = "987654" // in journals and results, but never read after a fault
	root, out := t.TempDir(), t.TempDir()
	dir := resultstest.Run{
		Task: "tsp-construct", Method: "eoh", Models: resultstest.Mini, Seed: 1, Budget: 30,
		Evaluations: 30, Start: 12, Floor: 6, Tests: map[string]float64{"test50": 7},
		TestFault: "test200",
	}.Write(t, root)
	nulls := map[string]string{"journal.jsonl": `"score":`, "result.json": `"mean": `}
	for name, null := range nulls {
		path := filepath.Join(dir, name)
		data := must.Read(t, path)
		marked := bytes.ReplaceAll(data, []byte(null+"null"), []byte(null+mark+".5"))
		if bytes.Equal(marked, data) {
			t.Fatalf("%s holds no failure", name)
		}
		if name == "result.json" { // its digest of the journal is wrong now
			marked = bytes.Replace(marked, []byte(`"journal"`), []byte(`"older"`), 1)
		}
		must.Write(t, path, marked)
	}
	shown := map[string][]byte{}
	for _, args := range [][]string{
		{"report", root, "--out", filepath.Join(out, "report")},
		{"export", root, "--out", filepath.Join(out, "export")},
		{"inspect", dir, "--json"}, {"inspect", dir, "--why"},
	} {
		shown[strings.Join(args, " ")] = []byte(mustRun(t, args...))
	}
	must.Do(t, filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		shown[path], err = os.ReadFile(path)
		return err
	}))
	for name, data := range shown {
		if bytes.Contains(data, []byte(mark)) {
			t.Errorf("%s shows the number of a failure", filepath.Base(name))
		}
	}
	report := shown["report "+root+" --out "+filepath.Join(out, "report")]
	if !bytes.Contains(report, []byte("fault: timeout")) || len(shown) < 20 {
		t.Errorf("%d outputs, of which the report is\n%s", len(shown), report)
	}
}
