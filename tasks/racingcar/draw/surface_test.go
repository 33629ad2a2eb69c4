package draw

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// The expected values of this file were made by pygame 2.6.1.

// generator makes the numbers for the bulk vectors.
type generator uint32

func (g *generator) draw() int {
	*g = 1664525**g + 1013904223
	return int(*g >> 8)
}

// newSurface is a black surface with its own palette.
func newSurface(palette ...uint32) *surface {
	s := new(surface)
	copy(s.palette[:], palette)
	return s
}

// flatten makes every cell mixed, so that the palette can change.
func (s *surface) flatten() {
	for i, c := range s.cells {
		if c != mixed {
			s.mix(i/size, i%size)
		}
	}
}

// rgb returns the surface's 800×1000×3 bytes.
func (s *surface) rgb() []byte {
	s.flatten()
	out := make([]byte, 0, len(s.pixels)*3)
	for _, p := range s.pixels {
		out = append(out, byte(p), byte(p>>8), byte(p>>16))
	}
	return out
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// bulk paints 1000 random polygons.
func bulk(paint func(*surface, []point, colour)) *surface {
	const numbers = 100 // colours at a time
	s, g := newSurface(), generator(12345)
	for i := range 1000 {
		c := colour(i%numbers + 1)
		if c == 1 {
			s.flatten()
		}
		p := make([]point, 3+g.draw()%6)
		for j := range p {
			x := g.draw()%1600 - 300
			p[j] = point{x, g.draw()%1400 - 300}
		}
		r, gr := g.draw()%256, g.draw()%256
		s.palette[c] = rgb(uint32(r), uint32(gr), uint32(g.draw()%256))
		paint(s, p, c)
	}
	return s
}

func TestShapesAreThoseOfPygame(t *testing.T) {
	for _, c := range []struct {
		name  string
		paint func(*surface, []point, colour)
		want  string
	}{
		{"filled_polygon", (*surface).gfxPolygon,
			"a90296ecacb522c6b74e43df7ecdc7a6e18178665645ceebadcc74a06bf2bf1e"},
		{"aapolygon", (*surface).outline,
			"7cf7e660f5ebe2655bdbad954c51782a42d2d677358c9e48efdbb83c333f0684"},
		{"draw.polygon", (*surface).polygon,
			"8b0df58ec9d22eadd40c21d3b5b39321de167364c2b09c95d87ca4b73416a355"},
	} {
		if got := digest(bulk(c.paint).rgb()); got != c.want {
			t.Errorf("%s: 1000 polygons have digest %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOutlinedPolygons compares with the stock order: an outline, then the filling.
func TestOutlinedPolygons(t *testing.T) {
	want := bulk(func(s *surface, p []point, c colour) {
		s.outline(p, c)
		s.gfxPolygon(p, c)
	})
	if digest(bulk((*surface).outlined).rgb()) != digest(want.rgb()) {
		t.Error("1000 polygons differ from their outlines and fillings")
	}
}

func TestSpansOfPolygons(t *testing.T) {
	a := []point{{10, 10}, {17, 12}, {14, 19}, {8, 15}}
	b := []point{{10, 10}, {20, 10}, {20, 14}, {13, 14}, {13, 18}, {10, 18}}
	c := []point{{-7, 3}, {5, -4}, {9, 6}}
	gfx, plain := (*surface).gfxPolygon, (*surface).polygon
	for _, c := range []struct {
		paint func(*surface, []point, colour)
		p     []point
		want  string
	}{
		{gfx, a, "10:10-10 11:10-13 12:9-17 13:9-17 14:8-16 " +
			"15:8-16 16:10-15 17:11-15 18:13-14 19:14-14"},
		{plain, a, "10:10-10 11:9-13 12:9-17 13:8-16 14:8-16 " +
			"15:8-15 16:9-15 17:11-14 18:12-14 19:14-14"},
		{gfx, b, "10:10-20 11:10-20 12:10-20 13:10-20 14:10-13 " +
			"15:10-13 16:10-13 17:10-13 18:10-13"},
		{plain, b, "10:10-20 11:10-20 12:10-20 13:10-20 14:10-20 " +
			"15:10-13 16:10-13 17:10-13 18:10-13"},
		{gfx, c, "0:0-7 1:0-7 2:0-7 3:0-8 4:0-8 5:4-9 6:9-9"},
		{plain, c, "0:0-6 1:0-7 2:0-7 3:0-7 4:0-8 5:3-8 6:9-9"},
	} {
		s := newSurface(0, rgb(1, 1, 1))
		c.paint(s, c.p, 1)
		if got := s.spans(); got != c.want {
			t.Errorf("spans of %v mismatch (-want +got):\n%s", c.p, cmp.Diff(c.want, got))
		}
	}
}

// spans writes the first 40 rows' painted pixels as y:left-right.
func (s *surface) spans() string {
	s.flatten()
	var out []string
	for y := range 40 {
		left, right := -1, -1
		for x, p := range s.pixels[y*width:][:width] {
			if p == 0 {
				continue
			}
			if left < 0 {
				left = x
			}
			right = x
		}
		if left >= 0 {
			out = append(out, fmt.Sprintf("%d:%d-%d", y, left, right))
		}
	}
	return strings.Join(out, " ")
}

func TestPixelsOfAnOutline(t *testing.T) {
	for _, c := range []struct {
		p    []point
		want string
	}{
		{[]point{{10, 10}, {17, 13}, {17, 13}},
			"10,10=666668 11,10=667967 12,10=66b166 11,11=668766 12,11=666867 13,11=666e67 " +
				"14,11=669a66 13,12=669a66 14,12=666e67 15,12=666867 16,12=668766 15,13=66b166 " +
				"16,13=667967 17,13=666668"},
		{[]point{{-5, 2}, {6, 5}, {-5, 2}}, // cut, and its start exchanged
			"0,3=666668 1,3=667167 2,3=669366 1,4=669366 2,4=667167 3,4=666667 4,4=667167 " +
				"5,4=669366 4,5=669366 5,5=667167"},
	} {
		s := newSurface(rgb(0x66, 0xcc, 0x66), rgb(0x66, 0x66, 0x68))
		s.outline(c.p, 1)
		s.flatten()
		var got []string
		for i, p := range s.pixels {
			if p != s.palette[0] {
				got = append(got, fmt.Sprintf("%d,%d=%02x%02x%02x", i%width, i/width, p&0xff,
					p>>8&0xff, p>>16))
			}
		}
		golden.Same(t, fmt.Sprintf("outline %v", c.p), c.want, strings.Join(got, " "))
	}
}

func TestReducingIsThatOfPygame(t *testing.T) {
	s, g := newSurface(), generator(12345)
	s.flatten()
	for i := range s.pixels {
		r, gr := g.draw()%256, g.draw()%256
		s.pixels[i] = rgb(uint32(r), uint32(gr), uint32(g.draw()%256))
	}
	const input = "31c15e7cc00cb1d6cb535faa26ac967facd1968167d5ee0c5749cbddfd8e4cba"
	if got := digest(s.rgb()); got != input {
		t.Fatalf("the picture to reduce has digest %s, want %s", got, input)
	}
	out := make([]byte, size*size*3)
	s.reduce(out)
	const want = "f6ff704348ad98aaec394dc15a4346ba14c969334f0ba007d55dd5268b461834"
	if got := digest(out); got != want {
		t.Errorf("the reduced picture has digest %s, want %s; first pixel %v", got, want, out[:3])
	}
}

// Cells of one colour reduce like the same pixels.
func TestReducingCellsIsReducingTheirPixels(t *testing.T) {
	for c := range colours {
		s := newSurface(palette[:]...)
		for i := range s.cells {
			s.cells[i] = c
		}
		compareWithPixels(t, s)
	}
	g := generator(1)
	for range 20 {
		s := newSurface(palette[:]...)
		for range 30 {
			p := make([]point, 4)
			x, y := g.draw()%1200-100, g.draw()%1000-100
			for j := range p {
				p[j] = point{x + g.draw()%300 - 150, y + g.draw()%300 - 150}
			}
			c := colour(g.draw()) % colours
			s.outline(p, c)
			s.gfxPolygon(p, c)
		}
		compareWithPixels(t, s)
	}
}

func compareWithPixels(t *testing.T, s *surface) {
	t.Helper()
	got, want := make([]byte, size*size*3), make([]byte, size*size*3)
	s.reduce(got)
	s.flatten()
	s.reduce(want)
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("row %d, column %d, channel %d is %d by cells, %d by pixels",
				i/3/size, i/3%size, i%3, got[i], want[i])
		}
	}
}
