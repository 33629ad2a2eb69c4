package tsp_test

import (
	"bytes"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// at returns the colour at a position of a picture.
func at(p bench.Array, x, y int) [3]byte {
	return [3]byte(p.Data[3*(y*p.Shape[1]+x):])
}

// TestPicture checks the colours at the edges of a tour around a square. Only a tour with all
// cities is closed.
func TestPicture(t *testing.T) {
	in := tsp.Instance{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}
	whole, part := in.Picture([]int32{0, 1, 2, 3}), in.Picture([]int32{0, 1, 2})
	blue, white, orange := [3]byte{0, 114, 178}, [3]byte{255, 255, 255}, [3]byte{213, 94, 0}
	for _, c := range []struct {
		name        string
		x, y        int
		whole, part [3]byte
	}{
		{"start", 15, 585, orange, orange}, {"first edge, below", 300, 585, blue, blue},
		{"second edge, right", 585, 300, blue, blue}, {"third edge, above", 300, 15, blue, white},
		{"last edge, left", 15, 300, blue, white}, {"inside", 300, 300, white, white},
	} {
		if got := at(whole, c.x, c.y); got != c.whole {
			t.Errorf("%s of the whole tour: %v, want %v", c.name, got, c.whole)
		}
		if got := at(part, c.x, c.y); got != c.part {
			t.Errorf("%s of a part: %v, want %v", c.name, got, c.part)
		}
	}
	if !bytes.Equal(whole.Data, in.Picture([]int32{0, 1, 2, 3}).Data) {
		t.Error("the same tour has another picture")
	}
	in.Picture(nil)
	tsp.Instance{{}, {}}.Picture([]int32{0, 1}) // both at one place
}

// TestPreferences checks that a certain edge is bright and a rare edge is dark, for entries of any
// size, and that rows and columns follow the order.
func TestPreferences(t *testing.T) {
	eta := []float64{
		1, 1e300, 1e-9,
		1, 1, 1,
		1e-9, 1e-9, 1,
	}
	p := tsp.Preferences(eta, []int32{2, 0, 1})
	bright, dark, white := [3]byte{253, 231, 37}, [3]byte{68, 1, 84}, [3]byte{255, 255, 255}
	for _, c := range []struct {
		row, column int
		want        [3]byte
	}{{1, 2, bright}, {1, 0, dark}, {0, 0, white}, {1, 1, white}} {
		if got := at(p, 200*c.column+100, 200*c.row+100); got != c.want {
			t.Errorf("row %d, column %d: %v, want %v", c.row, c.column, got, c.want)
		}
	}
	if at(p, 300, 100) != at(p, 500, 100) || at(p, 300, 100) == bright {
		t.Error("equal entries have other colours, or the colour of certainty")
	}
}
