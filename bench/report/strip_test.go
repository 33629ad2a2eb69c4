package report

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/results/resultstest"
)

// TestStripOnThePage puts a picture beside the best program when the run's directory has one.
func TestStripOnThePage(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 12, 4))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		file []byte
		want bool
	}{
		{"a picture", b.Bytes(), true},
		{"none", nil, false},
		{"something else", []byte("<svg onload=alert(1)>"), false},
		{"more than a picture", append(b.Bytes(), make([]byte, maxStrip)...), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := collect(t, func(t testing.TB, root string) {
				run := resultstest.Run{
					Task: "racing-car", Method: "pace", Models: resultstest.Mini, Seed: 1,
					Budget: 60, Evaluations: 60, Start: 5, Floor: 97,
				}
				dir := run.Write(t, root)
				if c.file == nil {
					return
				}
				if err := os.WriteFile(filepath.Join(dir, "strip.png"), c.file, 0o644); err != nil {
					t.Fatal(err)
				}
			})
			if _, err := Write(s, "report", Options{Labels: labels}); err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile("report/report.html")
			if err != nil {
				t.Fatal(err)
			}
			want := `src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(b.Bytes()) +
				`" width="12" height="4"`
			if got := strings.Contains(string(page), want); got != c.want {
				t.Errorf("the picture is on the page: %v, want %v", got, c.want)
			}
			if strings.Contains(string(page), "onload") {
				t.Error("the page has what is no picture")
			}
			if s, err := results.Read(nil, "results"); err != nil || len(s.Warnings) > 0 {
				t.Errorf("%v, %v", s.Warnings, err)
			}
		})
	}
}
