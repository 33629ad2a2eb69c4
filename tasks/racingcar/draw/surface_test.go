package draw

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

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

// TestOutlinedPolygons compares outlined with the stock order: an outline, then the filling.
func TestOutlinedPolygons(t *testing.T) {
	want := bulk(func(s *surface, p []point, c colour) {
		s.outline(p, c)
		s.gfxPolygon(p, c)
	})
	if digest(bulk((*surface).outlined).rgb()) != digest(want.rgb()) {
		t.Error("1000 polygons differ from their outlines and fillings")
	}
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

// TestReducingCellsIsReducingTheirPixels checks that cells of one colour reduce like their pixels.
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
