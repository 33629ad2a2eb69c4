package film_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/report/film"
)

// scene returns a picture of a red square on grass, i pixels from the left.
func scene(w, h, i int) *image.RGBA {
	f := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			f.SetRGBA(x, y, color.RGBA{102, 204, 102, 255})
			if x >= i && x < i+4 && y >= 2 && y < 6 {
				f.SetRGBA(x, y, color.RGBA{204, 0, 0, 255})
			}
		}
	}
	return f
}

func scenes(n int) (frames []*image.RGBA) {
	for i := range n {
		frames = append(frames, scene(24, 10, i))
	}
	return frames
}

// TestGIF puts the animation together as a viewer does: every frame equals the drawn one.
func TestGIF(t *testing.T) {
	frames := scenes(12)
	var b, again bytes.Buffer
	must.Do(t, film.GIF(&b, frames, 5))
	if err := film.GIF(&again, frames, 5); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the same frames gave different bytes, %v", err)
	}
	g, err := gif.DecodeAll(&b)
	must.Do(t, err)
	if len(g.Image) != 12 || g.Delay[0] != 5 || g.Delay[11] <= 5 || g.LoopCount != 0 {
		t.Errorf("%d frames, delays %v, loops %d", len(g.Image), g.Delay, g.LoopCount)
	}
	screen := image.NewRGBA(frames[0].Rect)
	for i, p := range g.Image {
		for y := range 10 {
			for x := range 24 {
				if c := p.At(x, y); c != (color.RGBA{}) {
					screen.Set(x, y, c)
				}
			}
		}
		if !bytes.Equal(screen.Pix, frames[i].Pix) {
			t.Fatalf("frame %d is not what was drawn", i)
		}
	}
}

// TestGIFOfManyColours: if frames have more colours than a palette can have, large areas keep their
// exact colour.
func TestGIFOfManyColours(t *testing.T) {
	f := scene(200, 100, 0)
	for i := range 2000 {
		f.SetRGBA(100+i%100, 20+i/100, color.RGBA{uint8(i), uint8(i / 7), uint8(i * 13), 255})
	}
	var b bytes.Buffer
	must.Do(t, film.GIF(&b, []*image.RGBA{f}, 5))
	g, err := gif.Decode(&b)
	must.Do(t, err)
	for _, at := range []image.Point{{1, 3}, {0, 99}} {
		if got, want := g.At(at.X, at.Y), f.At(at.X, at.Y); got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}

func TestStrip(t *testing.T) {
	for _, c := range []struct {
		frames, count int
		want          []int // left edges of the square in the strip
	}{
		{12, 3, []int{0, 28 + 6, 56 + 11}}, {2, 6, []int{0, 28 + 1}}, {5, 1, []int{0}},
		{1, 6, []int{0}},
	} {
		s := film.Strip(film.Spread(scenes(c.frames), c.count))
		if want := len(c.want)*28 - 4; s.Rect.Dx() != want || s.Rect.Dy() != 10 {
			t.Errorf("%d frames, %d wanted: %v, want width %d", c.frames, c.count, s.Rect, want)
		}
		var left []int
		for x := range s.Rect.Dx() {
			red := func(x int) bool { return s.RGBAAt(x, 3) == color.RGBA{204, 0, 0, 255} }
			if red(x) && (x == 0 || !red(x-1)) {
				left = append(left, x)
			}
		}
		golden.Same(t, fmt.Sprintf("%d frames, %d wanted", c.frames, c.count), c.want, left)
	}
}

func TestImage(t *testing.T) {
	array := func(h, w int) bench.Array {
		a := bench.Array{DType: "uint8", Shape: []int{h, w, 3}}
		for range h * w {
			a.Data = append(a.Data, 102, 204, 103)
		}
		return a
	}
	bytes := func(n int, shape ...int) bench.Array {
		return bench.Array{DType: "uint8", Shape: shape, Data: make([]byte, n)}
	}
	none := image.Point{}
	for _, c := range []struct {
		name  string
		a     bench.Array
		width int
		want  image.Point
	}{
		{"as it is", array(40, 60), 0, image.Pt(60, 40)},
		{"smaller", array(40, 60), 30, image.Pt(30, 20)},
		{"odd sides", array(41, 61), 0, image.Pt(60, 40)},
		{"larger", array(4, 6), 12, image.Pt(12, 8)},
		{"floats", bench.Array{DType: "float64", Shape: []int{2, 2, 3}, Data: make([]byte, 96)},
			0, none},
		{"grey", bytes(4, 2, 2), 0, none},
		{"cut off", bytes(11, 2, 2, 3), 0, none},
		{"negative", bytes(12, -2, -2, 3), 0, none},
		{"huge", bytes(0, 1<<32, 1<<32, 3), 0, none},
	} {
		f, err := film.Image(c.a, c.width)
		if (err != nil) != (c.want == none) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		if got := f.Rect.Size(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := f.RGBAAt(1, 1); got != (color.RGBA{102, 204, 103, 255}) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
