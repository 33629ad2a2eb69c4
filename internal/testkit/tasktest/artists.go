package tasktest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// A Picture describes with numbers what a task's evidence.py draws from a trace.
type Picture struct {
	Trace    json.RawMessage // the drawn trace
	Size     [2]float64      // inches
	Texts    []string        // outside the panels
	Axes     []Panel
	Files    [][]byte // the files of the evidence
	Repeated bool     // drawing again gave the same bytes
}

// A Panel is one coordinate system; positions are in its own units, to six decimals.
type Panel struct {
	Title    string
	Legend   []string
	Polygons []Polygon
	Patches  []Points
	Lines    []Points
	Limits   Points // ranges: a row for x, a row for y
}

// A Polygon is filled with a colour, RGBA from 0 to 1; its first corner is also its last one.
type Polygon struct {
	Corners Points
	Color   [4]float64
}

// Points are rows of an x and a y.
type Points [][2]float64

//go:embed artists.py
var artists string

// Artists draws a trace with the evidence.py of the package under test. If trace is the name of a
// policy in artists.py, it draws an episode of that policy in the real environment.
func Artists(t *testing.T, trace string) Picture {
	t.Helper()
	env := pyenv.ForTestWith(t, "control")
	cmd := exec.Command(env.Python, "-I", "-B", "-c", artists, "evidence.py", trace)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("artists.py: %v\n%s", err, &stderr)
	}
	var p Picture
	must.Do(t, json.Unmarshal(out, &p))
	return p
}
