package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench/benchtest"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/internal/golden"
)

// committed are the runs that the repository keeps.
var committed = filepath.Join("..", "..", "results", "routing")

// reportBlock is a table in a page, with the name that the report gives it.
var reportBlock = regexp.MustCompile(
	`(?s)(<!-- made by: pacebench report results/routing, table-([a-z-]+)\.txt -->\n\n` + "```text\n).*?(```\n)")

// TestCommittedResults wants every cell of the suite in full, and holds the tables of the README and
// the pictures of the documentation to the runs.
func TestCommittedResults(t *testing.T) {
	if n := bytesBelow(filepath.Join("..", "..", "results")); n > 20e6 {
		t.Errorf("results/ takes %s", inBytes(n))
	}
	store, err := results.Read(vocabularies(), committed)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range store.Warnings {
		t.Error(w)
	}
	for _, r := range store.Runs {
		if !r.Finished() || r.Journal && (!r.Offline() || r.Evaluations != 1000) {
			t.Errorf("%s: finished %t, offline %t, %d evaluations", r.Dir, r.Finished(), r.Offline(), r.Evaluations)
		}
	}
	plan := succeed(t, "suite", committed+".toml", "--dry-run", "--out", committed)
	if todo := allDone.FindStringSubmatch(plan); todo == nil || todo[1] != strconv.Itoa(len(store.Runs)) {
		t.Errorf("%d runs, and the suite says\n%s", len(store.Runs), plan)
	}

	out := t.TempDir()
	succeed(t, "report", "--no-runs", "--out", out, committed)
	read := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	readme := filepath.Join("..", "..", "README.md")
	tables := 0
	golden.Text(t, readme, reportBlock.ReplaceAllStringFunc(read(readme), func(block string) string {
		tables++
		part := reportBlock.FindStringSubmatch(block)
		return part[1] + read(out, "table-"+part[2]+".txt") + part[3]
	}))
	pictures, err := filepath.Glob(filepath.Join("..", "..", "docs", "images", "figures", "*.svg"))
	if err != nil || tables != 2 || len(pictures) < 8 {
		t.Errorf("%d tables in the README, %d pictures (%v)", tables, len(pictures), err)
	}
	for _, picture := range pictures {
		golden.Text(t, picture, read(out, "figures", filepath.Base(picture)))
	}
}

// allDone is the last line of a dry run that has nothing to do.
var allDone = regexp.MustCompile(`(?m)^total +(\d+) +0 `)

// succeed runs the command and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Main(append([]string{"pacebench"}, args...), strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("%s: status %d\n%s\n%s", args[0], code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestCommittedRunsReplay replays a committed search from its journal; in the long tier the first
// seed of every row.
func TestCommittedRunsReplay(t *testing.T) {
	python.ForTest(t)
	rows := filepath.Join("tsp-construct", "pace")
	if benchtest.Long() {
		rows = filepath.Join("*", "*")
	}
	runs, err := filepath.Glob(filepath.Join(committed, rows, "*", "1"))
	if err != nil || len(runs) == 0 {
		t.Fatal(runs, err)
	}
	succeed(t, append([]string{"verify", "--jobs", "2"}, runs...)...)
}
