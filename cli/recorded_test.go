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
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/methods"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/racingcar"
)

// TestRecordedRuns replays a recorded run of every method on every task of the paper, without a key
// and without evaluations. The other tasks use the same code. The quick tier replays every other
// pair of a method and a task, so that it includes each method and each task. The long tier replays
// the other pairs. If a run no longer matches, either the code has a bug, or the change is intended
// and the commit says so. `go test ./cli -run RecordedRuns -update` records the runs again.
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
					mustRun(t, "run", "--task", task.Name, "--method", m.Name(),
						"--evals", recordedEvals(task), "--test", "none", "--out", dir)
					pack(t, run+".jsonl.gz", readJournal(t, dir))
					packTexts(t, run+".texts.json.gz", dir)
				}
				dir := recordedRun(t, task.Name, m.Name())
				if out := mustRun(t, "verify", dir); !strings.Contains(out, "replay-exact: ") {
					t.Error(out)
				}
			})
		}
	}
}

// TestAnotherVersionOfAMethod checks that verify names both versions of a method if the current one
// makes another search than the version that made the run.
func TestAnotherVersionOfAMethod(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	run := unpack(t, filepath.Join("testdata", "recorded", "tsp-construct-pace.jsonl.gz"))
	run = bytes.Replace(run, []byte(`"method_version":"2","config":{"population":20,"k":3`),
		[]byte(`"config":{"population":20,"k":2`), 1)
	must.Write(t, filepath.Join(dir, "journal.jsonl"), run)
	out := mustFail(t, "verify", dir)
	if want := dir + ": version 1 of pace made the run, and this pacebench has version 2, " +
		"so it is a different search"; !strings.Contains(out, want) {
		t.Errorf("verify:\n%s\nwant %s", out, want)
	}
}

// TestRecordedSmallModel replays runs with a real language model of 135 million parameters, and
// evaluates their programs again. It checks which program is extracted from each clumsy reply,
// which replies are refused, and how each program fails. `bash scripts/try-llm --update` records
// the runs again; testdata/smollm2/README.md names the origin of the replies.
func TestRecordedSmallModel(t *testing.T) {
	pyenv.ForTest(t)
	for _, method := range []string{"randsample", "pace"} {
		dir := t.TempDir()
		must.Write(t, filepath.Join(dir, "journal.jsonl"),
			unpack(t, filepath.Join("testdata", "smollm2", method+".jsonl.gz")))
		out := mustRun(t, "verify", "--rescore", dir)
		if !strings.Contains(out, "replay-exact: ") ||
			!strings.Contains(out, "re-evaluate-exact: ") {
			t.Error(out)
		}
	}
}

// TestPartsThatTookNoPart checks that a run names the parts of its method that its journal does not
// show, and that a reader knows all notes. The journals were recorded before methods named their
// parts.
func TestPartsThatTookNoPart(t *testing.T) {
	const none = ""
	for name, want := range map[string]struct{ whole, begun string }{
		"tsp-construct-pace": {none, "EAPs (none was admitted), P1, P2, P3, P4"},
		"tsp-construct-reevo": {"mutation, the long-term reflection",
			"crossover, the short-term reflection, mutation, the long-term reflection"},
		"tsp-construct-hsevo": {none, "crossover, the flash reflection, " +
			"the comprehensive reflection, mutation, the harmony search"},
		"tsp-construct-eoh":        {none, "e1, e2, m1, m2"},
		"tsp-construct-mcts-ahd":   {none, "e2, m1, m2, s1"},
		"tsp-construct-funsearch":  {none, none},
		"tsp-construct-bestofn":    {none, "children of the best program"},
		"tsp-construct-randsample": {none, none},
		"bipedal-walker-mles":      {none, "e1, e2, m1_M, m2_M"},
	} {
		whole := unpack(t, filepath.Join("testdata", "recorded", name+".jsonl.gz"))
		begun := bytes.Join(bytes.SplitAfter(whole, []byte("\n"))[:4], nil)
		for i, want := range []string{want.whole, want.begun} {
			var warnings []string
			if want != "" {
				want = "the search never used " + want
				warnings = []string{want}
			}
			dir := t.TempDir()
			must.Write(t, filepath.Join(dir, "journal.jsonl"), [][]byte{whole, begun}[i])
			result, err := record.Summary(dir)
			must.Do(t, err)
			must.Do(t, record.WriteResult(dir, result))
			s, err := suite.ReadResults(dir)
			if err != nil || len(s.Runs) != 1 {
				t.Fatal(err, s.Warnings)
			}
			var got []string
			for _, w := range s.Runs[0].Warnings {
				got = append(got, w.Reason)
			}
			if i == 0 { // a run that has only begun has more warnings
				golden.Same(t, name, warnings, got)
			}
			if s.Runs[0].Unused != want {
				t.Errorf("%s: %q, want %q", name, s.Runs[0].Unused, want)
			}
		}
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
	must.Write(t, filepath.Join(dir, "journal.jsonl"), unpack(t, run+".jsonl.gz"))
	return dir
}

// recordedEvals returns the budget of a recorded run. If evaluations are cheap, it is enough for
// every operator. On Racing Car, where an evaluation draws 4800 pictures, it is enough for the
// first prompts of every method.
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
	for digest, text := range texts {
		must.Write(t, filepath.Join(dir, "blobs", digest), text)
	}
}

func pack(t *testing.T, path string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	must.Do(t, err)
	_, err = w.Write(data)
	must.Do(t, err, w.Close())
	must.Write(t, path, b.Bytes())
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

// A run records the packages of its programs, and is verified with these packages.
func TestRunRecordsItsLock(t *testing.T) {
	env := pyenv.ForTest(t)
	if env.Lock == pyenv.NoLock {
		t.Skip("this Python has the packages of no lock")
	}
	dir := t.TempDir()
	mustRun(t, "run", "--task", "tsp-construct", "--method", "randsample", "--evals", "4",
		"--test", "none", "--out", dir)
	run := filepath.Join(dir, "tsp-construct", "randsample", "offline", "1")
	l, err := record.Load(run)
	must.Do(t, err)
	if h := l.Header; h.Lock != env.Lock || h.NumPy != env.NumPy || h.SciPy != env.SciPy {
		t.Errorf("header: lock %q, NumPy %q, SciPy %q; want %+v",
			h.Lock, h.NumPy, h.SciPy, env)
	}
	out := mustRun(t, "verify", "--rescore", "--env", env.Lock, run)
	if !strings.Contains(out, "re-evaluate-exact: 4 programs") {
		t.Errorf("verify with the run's environment:\n%s", out)
	}

	// Programs that were scored with another NumPy are not scored again with this one.
	path := filepath.Join(run, "journal.jsonl")
	journal := must.Read(t, path)
	old := strings.Replace(string(journal), `"lock":"`+env.Lock+`",`, "", 1)
	old = strings.Replace(old, `"numpy":"`+env.NumPy+`"`, `"numpy":"`+env.NumPy+`9"`, 1)
	must.Write(t, path, old)
	for _, name := range []string{"result.json", "run.json", "journal.crc"} {
		must.Do(t, os.Remove(filepath.Join(run, name)))
	}
	out = mustFail(t, "verify", "--rescore", "--python", env.Python, run)
	if !strings.Contains(out, "scored with NumPy "+env.NumPy+"9") ||
		!strings.Contains(out, "--env") {
		t.Errorf("verify of other packages:\n%s", out)
	}
}
