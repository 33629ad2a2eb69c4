package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/results/resultstest"
	"github.com/pacebench/pacebench/internal/golden"
)

// collect reads ./results after changing to a directory where fill has written it, so that no
// absolute path is shown.
func collect(t *testing.T, fill func(t testing.TB, root string)) *results.Store {
	t.Helper()
	t.Chdir(t.TempDir())
	fill(t, "results")
	s, err := results.Read(nil, "results")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// printed stands for the numbers of the paper.
func printed(table, row, column string) (string, bool) {
	s, ok := map[string]string{
		"main-tsp-construct pace test200":        "12.064",
		"main-tsp-construct greedy test50":       "6.938",
		"main-control pace racing-car/train":     "92.40 ± 7.69",
		"main-control pace bipedal-walker/train": "67.06 ± 72.63",
		"ablation-pace pace@ts=false tsp-aco":    "5.815 ± 0.025",
		"tokens pace tsp-aco":                    "1.85 ± 0.33 M",
	}[table+" "+row+" "+column]
	return s, ok
}

func TestTablesGolden(t *testing.T) {
	s := collect(t, resultstest.Study)
	var b [3]bytes.Buffer
	for _, table := range Tables(s, Options{Published: printed, Labels: labels}) {
		fmt.Fprintf(&b[0], "--- %s\n", table.Name)
		fmt.Fprintf(&b[2], "--- %s\n", table.Name)
		if err := Print(&b[0], table); err != nil {
			t.Fatal(err)
		}
		if err := WriteLaTeX(&b[1], table); err != nil {
			t.Fatal(err)
		}
		if err := WriteCSV(&b[2], table); err != nil {
			t.Fatal(err)
		}
	}
	golden.Text(t, "testdata/tables.txt", b[0].String())
	golden.Text(t, "testdata/tables.tex", b[1].String())
	golden.Text(t, "testdata/tables.csv", b[2].String())
}

func TestFiguresGolden(t *testing.T) {
	var b strings.Builder
	for _, f := range Figures(collect(t, resultstest.Study), labels) {
		fmt.Fprintf(&b, "--- %s\n%s | %s | %s\nx to %.6g, y from %.6g to %.6g\n", f.Name, f.Title, f.X, f.Y, f.XMax, f.YMin, f.YMax)
		for _, s := range f.Series {
			fmt.Fprintf(&b, "%s, style %d, %d seeds, %d points\n", s.Label, s.Style, s.Seeds, len(s.Points))
			for i, p := range s.Points {
				if i%8 == 0 || i == len(s.Points)-1 { // enough to see a change
					fmt.Fprintf(&b, "  %.6g: %.6g in [%.6g, %.6g]\n", p.X, p.Mean, p.Low, p.High)
				}
			}
		}
		for _, n := range f.Notes {
			fmt.Fprintf(&b, "* %s\n", n.Text)
		}
	}
	golden.Text(t, "testdata/figures.txt", b.String())
}

var svgBody = regexp.MustCompile(`(?s)(<svg [^>]*>).*?</svg>`)

func TestPageGolden(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		resultstest.Run{Task: "tsp-construct", Method: "pace", Models: resultstest.Offline, Seed: 1, Budget: 60, Evaluations: 60, Start: 12, Floor: 6, Tests: resultstest.TSPTests(6, 12, 19, 27)}.Write(t, root)
		resultstest.Run{Task: "tsp-construct", Method: "eoh", Models: resultstest.Offline, Seed: 1, Budget: 60, Evaluations: 30, Start: 12, Floor: 6}.Write(t, root)
		resultstest.Baseline(t, root, "tsp-construct", "greedy", 6.824, resultstest.TSPTests(6.938, 13.362, 20.794, 28.917))
		if err := os.MkdirAll(filepath.Join(root, "broken"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "broken", "journal.jsonl"), []byte("no JSON\nat all\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := Write(s, "report", Options{Published: printed, Labels: labels}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("report/report.html")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(page), "</style>") // the style is a file of its own
	golden.Text(t, "testdata/page.html", svgBody.ReplaceAllString(body, "$1…</svg>"))
}

func TestWriteTwiceGivesEqualBytes(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		for seed := uint64(1); seed <= 2; seed++ {
			resultstest.Run{Task: "racing-car", Method: "pace", Models: resultstest.Mini, Seed: seed, Budget: 60, Evaluations: 60, Start: 5, Floor: 97}.Write(t, root)
			resultstest.Run{Task: "racing-car", Method: "my-method", Models: resultstest.Mini, Seed: seed, Budget: 60, Evaluations: 60, Start: 5, Floor: 90}.Write(t, root)
		}
	})
	first, err := Write(s, "a", Options{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	again, err := results.Read(nil, "results")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(again, "b", Options{Labels: labels}); err != nil {
		t.Fatal(err)
	}
	pngs := 0
	for _, path := range first {
		one, err1 := os.ReadFile(path)
		two, err2 := os.ReadFile(filepath.Join("b", filepath.Base(path)))
		if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs between two reports of the same runs (%v, %v)", filepath.Base(path), err1, err2)
		}
		if strings.HasSuffix(path, ".png") && bytes.HasPrefix(one, []byte("\x89PNG")) {
			pngs++
		}
	}
	if pngs != 2 {
		t.Errorf("%d pictures, want 2: by evaluations and by tokens", pngs)
	}
}
