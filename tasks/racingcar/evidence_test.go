package racingcar_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

// TestEvidence draws a road of one tile and two kerbs, and 83 poses with four fields of view.
func TestEvidence(t *testing.T) {
	var poses []string
	for i := range 82 {
		poses = append(poses, fmt.Sprintf("[%d,0,0]", 2*i))
	}
	poses = append(poses, fmt.Sprintf("[164,0,%v]", -math.Pi/2))
	p := tasktest.Artists(t, `{"tiles":[16,275],"road":[`+
		`[[[0,-5],[9,-5],[9,5],[0,5]],[104,104,104]],`+
		`[[[0,5],[9,5],[9,7],[0,7]],[255,255,255]],[[[9,5],[18,5],[18,7],[9,7]],[255,0,0]]],`+
		`"poses":[`+strings.Join(poses, ",")+`]}`)
	if len(p.Axes) != 1 {
		t.Fatalf("%d panels", len(p.Axes))
	}
	a := p.Axes[0]
	if _, rate, _ := strings.Cut(a.Title, "\n"); rate != "Track completion rate: 5.8 %" {
		t.Errorf("the title is %q", a.Title)
	}
	key := []string{
		"Off-track area (grass)", "Track", "Kerbs (red and white)", "Visual field", "Trajectory",
	}
	golden.Same(t, "legend", key, a.Legend)

	if len(a.Polygons) != 3+4 {
		t.Fatalf("%d polygons, want 3 of the road and 4 fields of view", len(a.Polygons))
	}
	grey := 104.0 / 255
	for i, want := range []struct {
		color   [4]float64
		corners tasktest.Points
	}{
		{
			[4]float64{grey, grey, grey, 1},
			tasktest.Points{{0, -5}, {9, -5}, {9, 5}, {0, 5}, {0, -5}},
		},
		{[4]float64{1, 1, 1, 1}, tasktest.Points{{0, 5}, {9, 5}, {9, 7}, {0, 7}, {0, 5}}},
		{[4]float64{1, 0, 0, 1}, tasktest.Points{{9, 5}, {18, 5}, {18, 7}, {9, 7}, {9, 5}}},
	} {
		got := a.Polygons[i]
		for k := range got.Color {
			if d := got.Color[k] - want.color[k]; d > 1e-5 || d < -1e-5 {
				t.Errorf("polygon %d has the colour %v, want %v", i, got.Color, want.color)
			}
		}
		golden.Same(t, fmt.Sprintf("polygon %d", i), want.corners, got.Corners)
	}
	// If the hull's angle is 0, the car heads up; the last pose heads right. The field is 38 along
	// the car and 46 across, and its centre is 14 ahead.
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	for i, pose := range []int{0, 40, 80, 82} {
		x := float64(2 * pose)
		want := tasktest.Points{
			{x + 23, -5}, {x + 23, 33}, {x - 23, 33}, {x - 23, -5}, {x + 23, -5},
		}
		if pose == 82 {
			want = tasktest.Points{
				{x - 5, -23}, {x + 33, -23}, {x + 33, 23}, {x - 5, 23}, {x - 5, -23},
			}
		}
		got := a.Polygons[3+i]
		golden.Same(t, fmt.Sprintf("field of view %d", i), want, got.Corners, near)
		if got.Color != [4]float64{0.501961, 0, 1, 0.1} {
			t.Errorf("field of view %d has the colour %v", i, got.Color)
		}
	}
	if len(a.Lines) != 1 || len(a.Lines[0]) != 83 || a.Lines[0][82] != [2]float64{164, 0} {
		t.Errorf("the trajectory is %v", a.Lines)
	}
	if len(a.Patches) != 4 {
		t.Fatalf("%d arrows, want 4", len(a.Patches))
	}
	// the tips of the first arrow and of the last: a shaft of 5 or 3, a head of 4
	var up, right float64
	for i := range a.Patches[0] {
		up, right = max(up, a.Patches[0][i][1]), max(right, a.Patches[3][i][0])
	}
	if math.Abs(up-(0.7*5+4)) > 1e-5 || math.Abs(right-(164+0.7*3+4)) > 1e-5 {
		t.Errorf("the arrows end at y = %v and x = %v", up, right)
	}
	check(t, p, [2]int{765, 697}, 25)
}

// check checks that the picture is one PNG of about the given size, with the same bytes when drawn
// again.
func check(t *testing.T, p tasktest.Picture, size [2]int, about int) {
	t.Helper()
	if len(p.Files) != 1 || !bytes.HasPrefix(p.Files[0], []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatalf("%d files, not one PNG", len(p.Files))
	}
	c, err := png.DecodeConfig(bytes.NewReader(p.Files[0]))
	must.Do(t, err)
	for i, n := range [2]int{c.Width, c.Height} {
		if n < size[i]-about || n > size[i]+about {
			t.Errorf("the picture has %d×%d pixels, want about %v", c.Width, c.Height, size)
		}
	}
	if !p.Repeated {
		t.Error("drawing again gave other bytes")
	}
}

// TestTraceOfAnEpisode drives the real car straight ahead.
func TestTraceOfAnEpisode(t *testing.T) {
	p := tasktest.Artists(t, "straight")
	var trace struct {
		Tiles [2]int
		Road  []json.RawMessage
		Poses [][3]float64
	}
	must.Do(t, json.Unmarshal(p.Trace, &trace))
	if trace.Tiles != [2]int{7, 275} || len(trace.Road) < 275 || len(trace.Poses) != 50 {
		t.Errorf("tiles %v, %d polygons, %d poses", trace.Tiles, len(trace.Road), len(trace.Poses))
	}
	// Poses 0, 40 and 49 have a field of view.
	if n := len(p.Axes[0].Polygons) - len(trace.Road); n != 3 {
		t.Errorf("%d fields of view, want 3", n)
	}
	check(t, p, [2]int{765, 697}, 40)
}
