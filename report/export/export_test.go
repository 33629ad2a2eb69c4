package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
)

func runs(t *testing.T) []*results.Run {
	t.Helper()
	root := t.TempDir()
	resultstest.Run{
		Task: "tsp-construct", Method: "pace", Models: resultstest.Offline, Seed: 1, Budget: 60,
		Evaluations: 60, Start: 7, Floor: 6, Tests: map[string]float64{"test50": 6.2},
	}.Write(t, root)
	s, err := (&results.Reader{}).Read(root)
	if err != nil || len(s.Runs) != 1 {
		t.Fatal(err, s)
	}
	return s.Runs
}

// unitOf is every task's unit here.
func unitOf(string) string { return "length" }

// TestSchema: the documentation names every column of every table.
func TestSchema(t *testing.T) {
	text := must.Read(t, filepath.Join("..", "..", "docs", "results.md"))
	_, schema, _ := strings.Cut(string(text), "## Schema")
	for _, k := range kinds {
		_, part, found := strings.Cut(schema, "\n`"+k.table+"`:")
		if !found {
			t.Fatalf("no table %s", k.table)
		}
		part, _, _ = strings.Cut(part, "\n\n`")
		own := columns(k.row)[len(columns(Key{})):]
		for _, column := range own {
			if !strings.Contains(part, "`"+column[0]+"`") {
				t.Errorf("table %s: no column %s", k.table, column[0])
			}
		}
	}
}

// TestFormats: all formats have the same rows, and in each of them a failed program has no value.
func TestFormats(t *testing.T) {
	rs, dir := runs(t), t.TempDir()
	for _, format := range Formats {
		paths, err := Tables(nil, rs, unitOf, format, filepath.Join(dir, format))
		if err != nil || len(paths) != len(kinds) {
			t.Fatal(paths, err)
		}
	}
	rows, err := parquet.ReadFile[Evaluation](filepath.Join(dir, "parquet", "evaluations.parquet"))
	must.Do(t, err)
	data := must.Read(t, filepath.Join(dir, "csv", "evaluations.csv"))
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(lines) != len(rows)+1 || len(rows) != 60 {
		t.Fatal(len(lines), len(rows), err)
	}
	text := must.Read(t, filepath.Join(dir, "json", "evaluations.json"))
	arrays := strings.Split(strings.TrimSpace(string(text)), "\n")
	var named [][2]string
	if err := json.Unmarshal([]byte(arrays[0]), &named); err != nil || len(arrays) != len(lines) {
		t.Fatal(len(arrays), err)
	}
	for i, name := range lines[0] {
		if named[i][0] != name {
			t.Errorf("json: column %d is %s, want %s", i, named[i], name)
		}
	}
	score := slices.Index(lines[0], "score")
	failed := 0
	for i, row := range rows {
		if diff := cmp.Diff(cells(values(reflect.ValueOf(row), nil)), lines[i+1]); diff != "" {
			t.Fatal(diff)
		}
		var array []any
		must.Do(t, json.Unmarshal([]byte(arrays[i+1]), &array))
		want, err := json.Marshal(values(reflect.ValueOf(row), nil))
		now, err2 := json.Marshal(array)
		if err != nil || err2 != nil || !bytes.Equal(want, now) {
			t.Errorf("json: %s, want %s", now, want)
		}
		if (row.Fault != nil) != (row.Score == nil) ||
			(lines[i+1][score] == "") != (row.Score == nil) {
			t.Errorf("evaluation %d: score %v, fault %v", row.Evaluation, row.Score, row.Fault)
		}
		if row.Fault != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no evaluation of the test's runs has a fault")
	}
	tests, err := parquet.ReadFile[Test](filepath.Join(dir, "parquet", "tests.parquet"))
	if err != nil || len(tests) != 1 || tests[0].Value == nil ||
		*tests[0].Value != rs[0].Result.Tests["test50"].Mean {
		t.Error(tests, err)
	}
}

// TestEffects: an explained run has rows of its parts on each split.
func TestEffects(t *testing.T) {
	rs, dir := runs(t), t.TempDir()
	resultstest.Explain(t, rs[0])
	if _, err := Tables(nil, rs, unitOf, "parquet", dir); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.ReadFile[Effect](filepath.Join(dir, "effects.parquet"))
	if err != nil || len(rows) != 5 {
		t.Fatal(rows, err)
	}
	if x := rows[0]; x.Effect == nil || math.Abs(*x.Effect-1) > 0.1 || *x.Holm > 0.05 ||
		x.Text != "a" || x.Instances != 12 {
		t.Errorf("%+v", x)
	}
	if !rows[1].Unchanged || rows[2].Effect != nil || rows[4].Split != "val" {
		t.Errorf("%+v", rows)
	}
}

// TestFormulas: untrusted text is not a formula in CSV, and is unchanged in Parquet.
func TestFormulas(t *testing.T) {
	const formula = `=HYPERLINK("http://evil.example")`
	score := -2.5
	row := Evaluation{Key: Key{Variant: formula}, Evaluation: -1, Score: &score, Idea: "-1+1",
		Source: "@x\ndef f(): pass"}
	dir := t.TempDir()
	for _, format := range Formats {
		w := &tables{}
		must.Do(t, w.open(format, dir))
		must.Do(t, w.write(rows{"evaluations": {row}}), w.keep())
	}
	written := must.Read(t, filepath.Join(dir, "evaluations.csv"))
	for _, cell := range []string{`,"'=HYPERLINK(""http:`, ",-1,", ",-2.5,",
		",'-1+1,", ",\"'@x\n"} {
		if !strings.Contains(string(written), cell) {
			t.Errorf("no cell %s in\n%s", cell, written)
		}
	}
	read, err := parquet.ReadFile[Evaluation](filepath.Join(dir, "evaluations.parquet"))
	if err != nil || len(read) != 1 || read[0].Variant != formula {
		t.Error(read, err)
	}
}

// TestTablesAreWhole: an export that fails leaves earlier tables unchanged, and removes the drafts
// of a killed export.
func TestTablesAreWhole(t *testing.T) {
	for _, format := range Formats {
		dir := t.TempDir()
		left := filepath.Join(dir, ".runs.csv.12345.draft")
		must.Write(t, left, "")
		must.Write(t, filepath.Join(dir, "runs."+format), "old")
		all := append(runs(t), &results.Run{Dir: "missing"})
		if _, err := Tables(nil, all, unitOf, format, dir); err == nil {
			t.Error("a run that is missing is exported")
		}
		entries, _ := os.ReadDir(dir)
		data, err := os.ReadFile(filepath.Join(dir, "runs."+format))
		if len(entries) != 1 || string(data) != "old" {
			t.Errorf("%s: %v, %q, %v", format, entries, data, err)
		}
	}
}

// TestExportsReplaceEachOther: an export replaces the files of an earlier export in any format, and
// keeps the user's other files.
func TestExportsReplaceEachOther(t *testing.T) {
	rs, dir := runs(t), t.TempDir()
	own := filepath.Join(dir, "notes.csv")
	must.Write(t, own, "")
	names := func() (out []string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	for _, c := range []struct {
		format string
		runs   []*results.Run
	}{{"csv", nil}, {"csv", rs}, {"parquet", rs}} {
		_, err := Tables(nil, c.runs, unitOf, c.format, dir)
		must.Do(t, err)
		want := []string{listFile, "notes.csv"}
		for _, k := range kinds {
			want = append(want, k.table+"."+c.format)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, names()); diff != "" {
			t.Errorf("%s: %s", c.format, diff)
		}
	}
}
