package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestCommittedResults wants the table of TSP-Construct in full, three seeds of 1000 evaluations
// for each method, and holds the table and the picture of the README to the runs.
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
	seeds := map[string][]uint64{}
	for _, r := range store.Runs {
		if !r.Finished() || r.Journal && (!r.Offline() || r.Evaluations != 1000) {
			t.Errorf("%s: finished %t, offline %t, %d evaluations", r.Dir, r.Finished(), r.Offline(), r.Evaluations)
		}
		cell := r.Header.Task + "/" + r.Key().Row()
		seeds[cell] = append(seeds[cell], r.Header.Seed)
	}
	wanted, err := findSuite("tsp-construct")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range wanted.Group {
		for _, method := range g.Methods {
			got := seeds[g.Tasks[0]+"/"+method]
			if !slices.Equal(got, []uint64{1, 2, 3}) && len(got) != 1 { // a baseline has one row
				t.Errorf("%s: seeds %v", method, got)
			}
		}
	}

	out := t.TempDir()
	var stdout, stderr bytes.Buffer
	args := []string{"pacebench", "report", "--no-runs", "--out", out, committed}
	if code := Main(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("status %d\n%s", code, stderr.String())
	}
	readme := filepath.Join("..", "..", "README.md")
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	golden.Text(t, readme, reportBlock.ReplaceAllStringFunc(string(page), func(block string) string {
		blocks++
		part := reportBlock.FindStringSubmatch(block)
		table, err := os.ReadFile(filepath.Join(out, "table-"+part[2]+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		return part[1] + string(table) + part[3]
	}))
	if blocks == 0 {
		t.Error("README shows no table of the committed runs")
	}
	picture := "convergence-tsp-construct-evaluations.svg"
	figure, err := os.ReadFile(filepath.Join(out, "figures", picture))
	if err != nil {
		t.Fatal(err)
	}
	golden.Text(t, filepath.Join("..", "..", "docs", "images", "figures", picture), string(figure))
}

// TestCommittedRunsReplay replays a committed search from its journal; in the long tier all of
// them.
func TestCommittedRunsReplay(t *testing.T) {
	python.ForTest(t)
	runs := []string{committed}
	if !benchtest.Long() {
		runs, _ = filepath.Glob(filepath.Join(committed, "tsp-construct", "pace", "*", "1"))
	}
	args := append([]string{"pacebench", "verify", "--jobs", "2"}, runs...)
	var stdout, stderr bytes.Buffer
	if code := Main(args, strings.NewReader(""), &stdout, &stderr); code != 0 || len(runs) == 0 {
		t.Fatalf("status %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}
