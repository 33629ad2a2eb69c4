package bipedal_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

// walk returns the trace of n steps: position 0.1 i, height 2 - 0.01 i, velocity 0.3, the left foot
// on the ground at even steps, torques (0.6, 0, 0.8, 0) and reward 0.25.
func walk(n int, ended string) string {
	var rows []string
	for i := range n {
		x, y := 14.0/3+0.1*float64(i), 10.0/3+2-0.01*float64(i)
		row := fmt.Sprintf("[%.17g,%.17g,0.01,-0.02,0.3,-0.0001,%d,0,0.6,0,0.8,0,0.25]",
			x, y, 1-i%2)
		rows = append(rows, row)
	}
	return fmt.Sprintf(`{"ended":%q,"steps":[%s]}`, ended, strings.Join(rows, ","))
}

func TestEvidence(t *testing.T) {
	p := tasktest.Artists(t, walk(111, "fell"))
	banner := "Return 27.75    Displacement 11.00    End: fell, 111 steps"
	golden.Same(t, "banner", []string{banner}, p.Texts)
	if len(p.Axes) != 4 || p.Size != [2]float64{9, 7} {
		t.Fatalf("%d panels on %v inches", len(p.Axes), p.Size)
	}
	for k, want := range []struct {
		title string
		value func(i int) float64
	}{
		{"Forward position", func(i int) float64 { return 0.1 * float64(i) }},
		{"Torso height", func(i int) float64 { return 2 - 0.01*float64(i) }},
		{"Forward velocity", func(int) float64 { return 0.3 }},
		{"Torque", func(int) float64 { return 1 }},
	} {
		a := p.Axes[k]
		var line tasktest.Points
		for i := range 111 {
			line = append(line, [2]float64{float64(i), want.value(i)})
		}
		near := cmpopts.EquateApprox(0, 2e-6)
		if diff := cmp.Diff(line, a.Lines[0], near); a.Title != want.title || diff != "" {
			t.Errorf("panel %d is %q (-want +got):\n%s", k, a.Title, diff)
		}
	}
	for k, y := range map[int]float64{0: 84, 2: 0} { // the goal, and standing still
		if line := p.Axes[k].Lines[1]; line[0][1] != y || line[1][1] != y {
			t.Errorf("the dashed line of panel %d is %v, want y = %v", k, line, y)
		}
	}
	if y := p.Axes[3].Limits[1]; y[0] > 0 || y[1] < 2 {
		t.Errorf("the torque's axis is %v, want 0 to 2", y)
	}
	if n := len(p.Axes[1].Polygons); n != 56 {
		t.Errorf("%d contacts shaded, want 56", n)
	}

	if len(p.Files) != 2 || !p.Repeated {
		t.Fatalf("%d files, drawn again with the same bytes: %v", len(p.Files), p.Repeated)
	}
	c, err := png.DecodeConfig(bytes.NewReader(p.Files[0]))
	if err != nil || c.Width != 900 || c.Height != 700 {
		t.Errorf("the picture has %d×%d pixels, %v", c.Width, c.Height, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(p.Files[1]), "\n"), "\n")
	if len(lines) != 12 {
		t.Fatalf("%d records, want 12", len(lines))
	}
	for j, line := range lines {
		i := int(math.Round(float64(j) * 110 / 11))
		want := fmt.Sprintf("step %d: position %.3f, height %.3f, "+
			"observation[0..3] 0.010 -0.020 0.300 0.000, contacts %d 0, "+
			"torques 0.600 0.000 0.800 0.000, reward 0.250",
			i, 0.1*float64(i), 2-0.01*float64(i), 1-i%2)
		if line != want {
			t.Errorf("record %d is %q, want %q", j, line, want)
		}
	}
}

// TestRecords checks that a short walk has one record for each step.
func TestRecords(t *testing.T) {
	for _, n := range []int{1, 11} {
		p := tasktest.Artists(t, walk(n, "time limit"))
		if got := strings.Count(string(p.Files[1]), "\n"); got != n {
			t.Errorf("%d steps have %d records", n, got)
		}
		steps := fmt.Sprintf("End: time limit, %d steps", n)
		if n == 1 {
			steps = "End: time limit, 1 step"
		}
		if !strings.HasSuffix(p.Texts[0], steps) {
			t.Errorf("%d steps have the banner %q", n, p.Texts[0])
		}
	}
}

// TestTraceOfAnEpisode lets the real robot fall.
func TestTraceOfAnEpisode(t *testing.T) {
	p := tasktest.Artists(t, "limp")
	var trace struct {
		Ended string
		Steps [][13]float64
	}
	must.Do(t, json.Unmarshal(p.Trace, &trace))
	if trace.Ended != "fell" || len(trace.Steps) != 115 {
		t.Errorf("%s after %d steps, want a fall after 115", trace.Ended, len(trace.Steps))
	}
	want := "Return -92.01    Displacement 2.38    End: fell, 115 steps"
	if p.Texts[0] != want {
		t.Errorf("the banner is %q, want %q", p.Texts[0], want)
	}
	if n := strings.Count(string(p.Files[1]), "\n"); n != 12 {
		t.Errorf("%d records, want 12", n)
	}
}
