package film

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"

	"github.com/pacebench/pacebench/bench"
)

// maxSide bounds the sides of a frame, in pixels; no environment draws larger frames.
const maxSide = 4096

// Image returns the frame in an array of shape (height, width, 3), uint8, RGB. It scales the frame
// to width pixels, unless width is 0. Both sides are even, because videos need even sides.
func Image(a bench.Array, width int) (*image.RGBA, error) {
	if a.DType != "uint8" || len(a.Shape) != 3 || a.Shape[2] != 3 {
		return nil, fmt.Errorf("a frame is %s of shape %v, not uint8 of shape (height, width, 3)",
			a.DType, a.Shape)
	}
	h, w := a.Shape[0], a.Shape[1]
	if h < 2 || w < 2 || h > maxSide || w > maxSide || len(a.Data) != 3*h*w {
		return nil, fmt.Errorf("a frame has %d×%d pixels in %d bytes: the sides must be 2 to %d "+
			"pixels, with 3 bytes per pixel", w, h, len(a.Data), maxSide)
	}
	whole := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		copy(whole.Pix[4*i:], a.Data[3*i:3*i+3])
		whole.Pix[4*i+3] = 255
	}
	if width == 0 {
		width = w
	}
	height := int(math.Round(float64(h) * float64(width) / float64(w)))
	width, height = max(2, width&^1), max(2, height&^1)
	if width == w && height == h {
		return whole, nil
	}
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(small, small.Rect, whole, whole.Rect, draw.Src, nil)
	return small, nil
}

// Spread chooses up to count frames, or their data, evenly spaced from the first to the last.
func Spread[T any](frames []T, count int) (some []T) {
	count = min(count, len(frames))
	for j := range count {
		i := 0
		if count > 1 {
			i = int(math.Round(float64(j) * float64(len(frames)-1) / float64(count-1)))
		}
		some = append(some, frames[i])
	}
	return some
}

// Strip returns the frames side by side, with white gaps.
func Strip(frames []*image.RGBA) *image.RGBA {
	const gap = 4
	count := len(frames)
	size := frames[0].Rect.Size()
	strip := image.NewRGBA(image.Rect(0, 0, count*(size.X+gap)-gap, size.Y))
	draw.Draw(strip, strip.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for j, f := range frames {
		at := image.Rect(0, 0, size.X, size.Y).Add(image.Pt(j*(size.X+gap), 0))
		draw.Draw(strip, at, f, image.Point{}, draw.Src)
	}
	return strip
}
