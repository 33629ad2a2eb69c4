package results_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

func small(seed uint64) resultstest.Run {
	return resultstest.Run{Task: "tsp-construct", Method: "eoh", Models: resultstest.Mini,
		Seed: seed, Budget: 30, Evaluations: 30, Start: 12, Floor: 6}
}

// edit changes a file of a run.
func edit(t testing.TB, dir, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Write(t, path, change(string(must.Read(t, path))))
}

func TestReadLeavesOutWhatItCannotRead(t *testing.T) {
	changed := func(name string, change func(string) string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { edit(t, dir, name, change) }
	}
	add := func(text string) func(*testing.T, string) {
		return changed("journal.jsonl", func(s string) string { return s + text })
	}
	line := func(n int, text string) func(*testing.T, string) {
		return changed("journal.jsonl", func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			lines[n] = text + "\n"
			return strings.Join(lines, "")
		})
	}
	whole := func(text string) func(string) string { return func(string) string { return text } }
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, dir string)
		reason string // "" means that the run is kept
	}{
		{"nothing spoilt", add(""), ""},
		{"a torn last line", add(`{"step":{"numb`), ""},
		{"a garbled last line with its newline", add("\x00\x00\x00\n"), ""},
		{"a garbled line in the middle", line(5, "{"), "journal.jsonl:6"},
		{"a line of another kind", line(5, `{"x":1}`), "not a record"},
		{"no header", line(0, `{"note":{"kind":"x","value":1}}`), "not a header"},
		{"another format", changed("journal.jsonl",
			strings.NewReplacer(`"format":1`, `"format":99`).Replace), "format 99"},
		{"an empty journal", changed("journal.jsonl", whole("")), "empty"},
		{"a result that is not JSON", changed("result.json", whole("{")), "result.json"},
		{"a result of another run", changed("result.json",
			strings.NewReplacer(`"seed": 1`, `"seed": 7`).Replace), "another run"},
		{"a result that is a directory", func(t *testing.T, dir string) {
			must.Do(t, os.Remove(filepath.Join(dir, "result.json")),
				os.Mkdir(filepath.Join(dir, "result.json"), 0o755))
		}, "result.json"},
		{"only run.json", func(t *testing.T, dir string) {
			must.Do(t, os.Remove(filepath.Join(dir, "result.json")),
				os.Remove(filepath.Join(dir, "journal.jsonl")))
		}, "has not begun"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			c.spoil(t, small(1).Write(t, root))
			small(2).Write(t, root)
			s, err := results.Read(nil, root)
			must.Do(t, err)
			if kept := len(s.Runs) == 2; kept != (c.reason == "") {
				t.Errorf("%d runs kept", len(s.Runs))
			}
			var got []string
			for _, w := range s.Warnings {
				got = append(got, w.String())
			}
			if c.reason != "" && (len(got) != 1 || !strings.Contains(got[0], c.reason)) ||
				c.reason == "" && len(got) > 0 {
				t.Errorf("warnings %q, want one with %q", got, c.reason)
			}
		})
	}
}

func TestReadDirectories(t *testing.T) {
	root := t.TempDir()
	small(1).Write(t, root)
	if _, err := results.Read(nil, filepath.Join(root, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent directory: error %v, want fs.ErrNotExist", err)
	}
	empty := t.TempDir()
	s, err := results.Read(nil, empty)
	if err != nil || len(s.Runs) != 0 || len(s.Warnings) != 1 {
		t.Errorf("an empty directory: %v, %v, want one warning", s, err)
	}
	twice, err := results.Read(nil, root, root+"/tsp-construct", root)
	if err != nil || len(twice.Runs) != 1 || len(twice.Warnings) != 0 {
		t.Errorf("overlapping directories: %d runs, %v, %v; want the run once", len(twice.Runs),
			twice.Warnings, err)
	}
	link := filepath.Join(empty, "link")
	must.Do(t, os.Symlink(root, link))
	if s, err := results.Read(nil, link); err != nil || len(s.Runs) != 1 ||
		!strings.HasPrefix(s.Runs[0].Dir, link) {
		t.Errorf("a link to a results directory is not followed: %v, %v", s, err)
	}
}

// TestCopiesOfARunCountOnce: of two runs of one method, model and seed, Read keeps the finished
// run, otherwise the run with the larger budget, otherwise the longer run, in any order of their
// directories.
func TestCopiesOfARunCountOnce(t *testing.T) {
	larger, longer, shorter := small(1), small(1), small(1)
	larger.Budget, longer.Evaluations, shorter.Evaluations = 40, 12, 10
	larger.Evaluations = 40
	for _, c := range []struct {
		left, kept resultstest.Run
		why        string
	}{
		{small(1), small(1), ""},
		{small(1), larger, ", which has a budget of 40 instead of 30"},
		{longer, small(1), ", which is finished"},
		{shorter, longer, ", which has 12 evaluations instead of 10"},
	} {
		for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
			if c.why == "" && names[0] == "a" {
				continue // of equal runs, the first one is kept
			}
			root := t.TempDir()
			left := c.left.Write(t, filepath.Join(root, names[0]))
			kept := c.kept.Write(t, filepath.Join(root, names[1]))
			s, err := results.Read(nil, root)
			if err != nil || len(s.Runs) != 1 || len(s.Warnings) != 1 {
				t.Fatal(err, s.Runs, s.Warnings)
			}
			want := left + ": left out: the same method, model and seed as " + kept + c.why
			if got := s.Warnings[0].String(); s.Runs[0].Dir != kept || got != want {
				t.Errorf("%s is kept: %s\nwant %s", s.Runs[0].Dir, got, want)
			}
		}
	}
}

// TestRunAgreesWithTheEngine: a reader that skips texts gives the same totals as the engine's
// reader.
func TestRunAgreesWithTheEngine(t *testing.T) {
	run := small(1)
	run.Method, run.Pad = "pace", 20_000 // text that the reader skips
	dir := run.Write(t, t.TempDir())
	s, err := results.Read(nil, dir)
	if err != nil || len(s.Runs) != 1 {
		t.Fatal(err, s)
	}
	got := s.Runs[0]
	l, err := record.Load(dir)
	must.Do(t, err)
	want := l.Summarize()
	golden.Same(t, "best", want.Best, got.Best)
	golden.Same(t, "usage", want.Usage, got.Usage)
	golden.Same(t, "faults", want.Faults, got.Faults)
	if want.Evaluations != got.Evaluations || want.Asked != got.Asked {
		t.Errorf("evaluations %d, requests %d; the engine has %d and %d", got.Evaluations,
			got.Asked, want.Evaluations, want.Asked)
	}
	if got.Idea() != "A thought." { // from a long reply
		t.Errorf("Idea() = %q", got.Idea())
	}
}

// TestWarningsOfARun: a run with a defect, such as a note that pacebench does not write, is kept
// with a warning, so that a table never loses a run silently.
func TestWarningsOfARun(t *testing.T) {
	inPart, foreign := small(1), small(1)
	inPart.Tests = map[string]float64{"test": 80}
	foreign.Method, foreign.Evaluations, foreign.Budget = "pace", 60, 60
	for _, c := range []struct {
		run   resultstest.Run
		file  string
		edits []string // pairs of texts: old, new
		want  []string // the beginnings of the warnings
	}{
		{small(1), "result.json", []string{`"evaluations": 30`, `"evaluations": 29`},
			[]string{"result.json counts 29 evaluations, the journal 30"}},
		{inPart, "result.json", []string{`"values": [`, `"failed": [{"instance": 0, ` +
			`"kind": "raised", "detail": "seed 10"}], "values": [`},
			[]string{"its best program's test ran on 0 of 1 instances: " +
				"instance 0 failed, raised: seed 10"}},
		{foreign, "journal.jsonl",
			[]string{`"alpha":`, `"a":`, `"kind":"admission"`, `"kind":"admitted"`},
			[]string{`note "admitted": an unknown kind; skipped: `,
				`note "trial": its fields do not match this kind of note; skipped: `}},
	} {
		root := t.TempDir()
		edit(t, c.run.Write(t, root), c.file, strings.NewReplacer(c.edits...).Replace)
		s, err := results.Read(nil, root)
		if err != nil || len(s.Runs) != 1 {
			t.Fatal(err, s.Warnings)
		}
		var got []string
		for _, w := range s.Runs[0].Warnings {
			got = append(got, w.Reason)
		}
		slices.Sort(got)
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("warnings %q, want %q", got, c.want)
		}
	}
}

func TestResultWithoutItsJournal(t *testing.T) {
	root := t.TempDir()
	dir := small(1).Write(t, root)
	edit(t, dir, "result.json",
		strings.NewReplacer(`"evaluations": 30`, `"journal": "00", "evaluations": 30`).Replace)
	must.Do(t, os.Remove(filepath.Join(dir, "journal.jsonl")))
	s, err := results.Read(nil, root)
	want := results.Warning{Path: dir,
		Reason: "left out: its journal is missing: nothing confirms the numbers of " +
			"result.json"}
	if err != nil || len(s.Runs) != 0 || len(s.Warnings) != 1 || s.Warnings[0] != want {
		t.Fatal(err, s.Warnings, s.Runs)
	}
	// Without the journal's digest, the result looks like a baseline's result. Reader.Baseline says
	// that it is a search.
	edit(t, dir, "result.json", strings.NewReplacer(`"journal": "00", `, "").Replace)
	r := results.Reader{Baseline: func(h record.Header) bool { return h.Method == "greedy" }}
	s, err = r.Read(root)
	if err != nil || len(s.Runs) != 0 || len(s.Warnings) != 1 || s.Warnings[0] != want {
		t.Fatal(err, s.Warnings, s.Runs)
	}
}

func TestRunsOfTheWorkingDirectory(t *testing.T) {
	root := t.TempDir()
	run := filepath.Join("task", "method", "model", "1")
	must.Do(t, os.MkdirAll(filepath.Join(root, run), 0o755))
	must.Write(t, filepath.Join(root, run, "run.json"), "")
	t.Chdir(root)
	for _, dir := range []string{".", "./", "task"} {
		dirs, warnings, err := results.RunDirs(dir)
		if err != nil || len(warnings) > 0 || len(dirs) != 1 || dirs[0] != run {
			t.Errorf("RunDirs(%s) = %v, %v, %v", dir, dirs, warnings, err)
		}
	}
}
