package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

func TestElide(t *testing.T) {
	for _, c := range []struct{ in, want, why string }{
		{`{"a":"1234","b":"12345"}`, `{"a":"1234","b":""}`, "longer than four bytes"},
		{`{"a":"\"\"\"x"}`, `{"a":""}`, "escaped quotes do not end a string"},
		{`{"a":"\\","b":1}`, `{"a":"\\","b":1}`, "an escaped backslash does not escape the quote"},
		{`{"a":"12345`, `{"a":"12345`, "a torn string stays torn"},
		{`[1,2]`, `[1,2]`, "no string"},
	} {
		if got := string(elide(nil, []byte(c.in), 4)); got != c.want {
			t.Errorf("elide(%s) = %s, want %s: %s", c.in, got, c.want, c.why)
		}
	}
}

// What elide keeps is JSON whenever it was, and numbers survive.
func FuzzElide(f *testing.F) {
	f.Add([]byte(`{"step":{"number":3,"requests":[{"request":{"purpose":"a/b","user":[{"text":"x\\\"y\n"}]}}]}}`))
	f.Add([]byte(`{"a":"\\\\\"","b":["",{"c":-1.5e3}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		out := elide(nil, line, 3)
		if len(out) > len(line) {
			t.Errorf("elide(%q) grew to %q", line, out)
		}
		if json.Valid(line) != json.Valid(out) && json.Valid(line) {
			t.Errorf("elide(%q) = %q is no JSON", line, out)
		}
		whole := elide(nil, line, len(line))
		if !bytes.Equal(whole, line) {
			t.Errorf("elide(%q) with room for all = %q", line, whole)
		}
	})
}

// Whatever lies in a results directory, reading it is an error or a run, and a run can be reported.
func FuzzSkim(f *testing.F) {
	tiny := small(1)
	tiny.budget, tiny.evaluations = 2, 2
	dir := tiny.write(f, f.TempDir())
	journal, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(journal)
	f.Add(journal[:len(journal)/2])
	f.Add([]byte(`{"header":{"format":1,"task":"t","method":"m"}}` + "\n" + `{"step":{"evaluations":[{"evaluation":-1,"score":1e308},{"score":-1e308}]}}` + "\n" +
		`{"note":{"kind":"admission","value":{"eap":0}}}` + "\n" + `{"note":{"kind":"trial","value":{"eap":0,"alpha":1,"beta":1}}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &Run{Faults: map[bench.FaultKind]int{}, Usage: map[llm.Purpose]bench.Tally{}}
		if err := r.skim(bytes.NewReader(data)); err != nil {
			return
		}
		r.Result = &bench.Result{Header: r.Header, Best: r.Best}
		s := &Store{Runs: []*Run{r}}
		for _, table := range s.Tables(Options{}) {
			var b strings.Builder
			if err := Print(&b, table); err != nil {
				t.Fatal(err)
			}
		}
		for _, figure := range s.Figures() {
			var b bytes.Buffer
			if err := figure.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
		}
		newRunSection(r, "report")
	})
}

// BenchmarkCollect reads runs of 1000 evaluations whose steps have the size of PACE's: prompts of 8 KiB with Python in them, replies of 2 KiB.
func BenchmarkCollect(b *testing.B) {
	root := b.TempDir()
	var size int64
	const runs = 10
	for seed := range uint64(runs) {
		dir := synthetic{task: "tsp-construct", method: "pace", models: mini, seed: seed, budget: 1000, evaluations: 1000, start: 12, floor: 6, pad: 8192}.write(b, root)
		info, err := os.Stat(filepath.Join(dir, "journal.jsonl"))
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		s, err := Collect(root)
		if err != nil || len(s.Runs) != runs {
			b.Fatal(err, s)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*runs), "ms/run")
}
