package suite

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// BenchmarkJobs evaluates the programs of recorded runs with one worker and with two. It alternates
// between them, so that a varying machine speed affects both equally. It reports the median seconds
// of each and their ratio. It needs two idle cores.
func BenchmarkJobs(b *testing.B) {
	env := pyenv.ForTest(b)
	var runs []*record.Loaded
	for _, method := range []string{"randsample", "eoh", "pace"} {
		dir := b.TempDir()
		name := tspconstruct.Name + "-" + method + ".jsonl.gz"
		f, err := os.Open(filepath.Join("..", "cli", "testdata", "recorded", name))
		must.Do(b, err)
		defer f.Close()
		z, err := gzip.NewReader(f)
		must.Do(b, err)
		journal, err := io.ReadAll(z)
		must.Do(b, err)
		must.Write(b, filepath.Join(dir, "journal.jsonl"), journal)
		l, err := record.Load(dir)
		must.Do(b, err)
		runs = append(runs, l)
	}
	task := tspconstruct.Task()
	var backends [2]*Backend
	for i := range backends {
		cfg := sandbox.Config{Python: env.Python, Workers: i + 1}
		workers, err := sandbox.Open(b.Context(), cfg)
		must.Do(b, err)
		defer workers.Close()
		backends[i] = &Backend{Sandboxes: map[string]*Sandbox{"": {Env: env, Workers: workers}}}
	}
	var seconds [2][]float64
	for b.Loop() {
		for i, w := range backends {
			start := time.Now()
			for _, l := range runs {
				_, _, err := recheckAll(b.Context(), w.Evaluator(task, 1, nil), l,
					Options{Jobs: i + 1, TimeScale: 1}, func(int) {})
				must.Do(b, err)
			}
			seconds[i] = append(seconds[i], time.Since(start).Seconds())
		}
	}
	for i := range seconds {
		slices.Sort(seconds[i])
	}
	one, two := seconds[0][len(seconds[0])/2], seconds[1][len(seconds[1])/2]
	b.ReportMetric(one, "jobs1-s")
	b.ReportMetric(two, "jobs2-s")
	b.ReportMetric(one/two, "ratio")
	b.ReportMetric(0, "ns/op")
}
