package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/methods"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/racingcar"
)

// TestRecordedRuns replays a recorded run of every method on every task of the paper, without a key
// and without evaluations. The other tasks use the same code. The quick tier takes every other
// pair, with each method and each task, and the long tier the rest. If a run no longer matches,
// either the code has a bug, or the change is intended and the commit says so. `go test ./cli -run
// RecordedRuns -update` records the runs again.
func TestRecordedRuns(t *testing.T) {
	pyenv.ForTest(t)
	for i, task := range tasks.Paper() {
		for j, m := range methods.All() {
			if !suite.Fits(m, task) || !benchtest.Sampled(i+j, 2) && !*golden.Update {
				continue
			}
			t.Run(task.Name+"/"+m.Name(), func(t *testing.T) {
				if *golden.Update {
					run := recordedPath(task.Name, m.Name())
					dir := t.TempDir()
					out, err := process(t, "run", "--task", task.Name, "--method", m.Name(),
						"--evals", recordedEvals(task), "--test", "none",
						"--out", dir).CombinedOutput()
					if err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					pack(t, run+".jsonl.gz", readJournal(t, dir))
					packTexts(t, run+".texts.json.gz", dir)
				}
				dir := recordedRun(t, task.Name, m.Name())
				out, err := process(t, "verify", dir).CombinedOutput()
				if err != nil || !bytes.Contains(out, []byte("replay-exact: ")) {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// TestAnotherVersionOfAMethod checks that the version identifies a run that the present method does
// not repeat.
func TestAnotherVersionOfAMethod(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	run := unpack(t, filepath.Join("testdata", "recorded", "tsp-construct-pace.jsonl.gz"))
	run = bytes.Replace(run, []byte(`"method_version":"2","config":{"population":20,"k":3`),
		[]byte(`"config":{"population":20,"k":2`), 1)
	must.Write(t, filepath.Join(dir, "journal.jsonl"), run)
	out, err := process(t, "verify", dir).CombinedOutput()
	if want := dir + ": version 1 of pace made it, and this pacebench has version 2, " +
		"so it is a different search"; err == nil || !strings.Contains(string(out), want) {
		t.Errorf("verify: %v\n%s\nwant %s", err, out, want)
	}
}

func recordedPath(task, method string) string {
	return filepath.Join("testdata", "recorded", task+"-"+method)
}

// recordedRun unpacks a recorded run into its own directory.
func recordedRun(t *testing.T, task, method string) string {
	t.Helper()
	dir, run := t.TempDir(), recordedPath(task, method)
	unpackTexts(t, run+".texts.json.gz", dir)
	journal := filepath.Join(dir, "journal.jsonl")
	must.Write(t, journal, unpack(t, run+".jsonl.gz"))
	return dir
}

// TestPartsThatTookNoPart checks that a run names the parts of its method that its journal does not
// show. The journals were recorded before methods named their parts.
func TestPartsThatTookNoPart(t *testing.T) {
	const none = ""
	for name, want := range map[string]struct{ whole, begun string }{
		"tsp-construct-pace": {none, "EAPs (none was admitted), P1, P2, P3, P4"},
		"tsp-construct-eoh":  {none, "e1, e2, m1, m2"},
		"tsp-construct-reevo": {"mutation, the long-term reflection",
			"crossover, the short-term reflection, mutation, the long-term reflection"},
		"tsp-construct-hsevo": {none, "crossover, the flash reflection, " +
			"the comprehensive reflection, mutation, the harmony search"},
		"tsp-construct-mcts-ahd":   {none, "e2, m1, m2, s1"},
		"tsp-construct-funsearch":  {none, none},
		"tsp-construct-bestofn":    {none, "children of the best program"},
		"tsp-construct-randsample": {none, none},
		"bipedal-walker-mles":      {none, "e1, e2, m1_M, m2_M"},
	} {
		journal := unpack(t, filepath.Join("testdata", "recorded", name+".jsonl.gz"))
		lines := bytes.SplitAfter(journal, []byte("\n"))
		for _, c := range []struct {
			journal []byte
			want    string
		}{{journal, want.whole}, {bytes.Join(lines[:4], nil), want.begun}} {
			dir := t.TempDir()
			err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), c.journal, 0o644)
			var result *record.Result
			if err == nil {
				result, err = record.Summary(dir)
			}
			if err == nil {
				err = record.WriteResult(dir, result)
			}
			must.Do(t, err)
			s, err := suite.ReadResults(dir)
			if err != nil || len(s.Runs) != 1 {
				t.Fatal(err, s.Warnings)
			}
			want := c.want
			if want != "" {
				want = "the search never used " + want
			}
			said := slices.ContainsFunc(s.Runs[0].Warnings, func(w results.Warning) bool {
				return w.Reason == want
			})
			if s.Runs[0].Unused != want || said != (want != "") {
				t.Errorf("%s: %q and %v, want %q", name, s.Runs[0].Unused, s.Runs[0].Warnings, want)
			}
		}
	}
}

// recordedEvals is enough for every operator where evaluations are cheap. On Racing Car, with 4800
// pictures each, it is enough for the first prompts of every method.
func recordedEvals(task *bench.Task) string {
	if task.Name == racingcar.Name {
		return "12"
	}
	return "60"
}

// packTexts keeps the evidence texts of a run, which prompts contain. Prompts contain only digests
// of pictures.
func packTexts(t *testing.T, path, out string) {
	t.Helper()
	blobs, err := filepath.Glob(filepath.Join(out, "*", "*", "*", "*", "blobs", "*"))
	must.Do(t, err)
	texts := map[string]string{}
	for _, b := range blobs {
		data := must.Read(t, b)
		if strings.HasPrefix(http.DetectContentType(data), "text/plain") {
			texts[filepath.Base(b)] = string(data)
		}
	}
	if len(texts) == 0 {
		return
	}
	data, err := json.Marshal(texts)
	must.Do(t, err)
	pack(t, path, data)
}

// unpackTexts writes the texts from packTexts, if any, next to a journal in dir.
func unpackTexts(t *testing.T, path, dir string) {
	t.Helper()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return
	}
	var texts map[string]string
	must.Do(t, json.Unmarshal(unpack(t, path), &texts))
	must.Do(t, os.MkdirAll(filepath.Join(dir, "blobs"), 0o755))
	for digest, text := range texts {
		blob := filepath.Join(dir, "blobs", digest)
		must.Write(t, blob, text)
	}
}

func pack(t *testing.T, path string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o644)
	}
	must.Do(t, err)
}

func unpack(t testing.TB, path string) []byte {
	t.Helper()
	data, err := unzipped(path)
	if err != nil {
		t.Fatalf("no recorded run: %v", err)
	}
	return data
}

func unzipped(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
