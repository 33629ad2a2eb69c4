package suite

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// BenchmarkJobs evaluates the programs of recorded runs with one worker and with two. It alternates
// between them, so that a varying machine speed affects both equally. It reports the seconds of
// each and the ratio of the medians. It needs two idle cores.
func BenchmarkJobs(b *testing.B) {
	env := pyenv.ForTest(b)
	var runs []*record.Loaded
	for _, method := range []string{"randsample", "eoh", "pace"} {
		dir := b.TempDir()
		name := tspconstruct.Name + "-" + method + ".jsonl.gz"
		f, err := os.Open(filepath.Join("..", "cli", "testdata", "recorded", name))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		journal, err := io.ReadAll(z)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), journal, 0o644); err != nil {
			b.Fatal(err)
		}
		l, err := record.Load(dir)
		if err != nil {
			b.Fatal(err)
		}
		runs = append(runs, l)
	}
	task := tspconstruct.Task()
	var backends [2]*Backend
	for i := range backends {
		pool, err := sandbox.Open(b.Context(), sandbox.Config{Python: env.Python, Workers: i + 1})
		if err != nil {
			b.Fatal(err)
		}
		defer pool.Close()
		backends[i] = &Backend{Places: map[string]*Place{"": {Env: env, Pool: pool}}}
	}
	var seconds [2][]float64
	for b.Loop() {
		for i, w := range backends {
			start := time.Now()
			for _, l := range runs {
				_, _, err := rescoreAll(b.Context(), w.Evaluator(task, 1, nil), l,
					Options{Jobs: i + 1, TimeScale: 1}, func(int) {})
				if err != nil {
					b.Fatal(err)
				}
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
