package tsp

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"

	"github.com/pacebench/pacebench/bench"
)

// side is the width and the height of a picture, in pixels.
const side = 600

// Colours of Okabe and Ito, which people with any kind of colour vision can distinguish.
var (
	lineColour  = color.RGBA{0, 114, 178, 255}
	cityColour  = color.RGBA{40, 40, 40, 255}
	startColour = color.RGBA{213, 94, 0, 255}
)

// Picture draws a tour over the cities and marks its first city. It leaves a partial tour open.
func (in Instance) Picture(tour []int32) bench.Array {
	const margin = 15
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range out.Pix {
		out.Pix[i] = 255
	}
	at := func(city int32) (x, y float32) {
		p := in[city]
		return float32(margin + (side-2*margin)*p.X), float32(margin + (side-2*margin)*(1-p.Y))
	}
	edges := vector.NewRasterizer(side, side)
	for i, city := range tour {
		if i+1 == len(tour) && len(tour) < len(in) {
			break
		}
		x0, y0 := at(city)
		x1, y1 := at(tour[(i+1)%len(tour)])
		length := float32(math.Hypot(float64(x1-x0), float64(y1-y0)))
		if length == 0 {
			continue
		}
		dx, dy := 1.25*(y1-y0)/length, 1.25*(x0-x1)/length // across the line, half its width long
		edges.MoveTo(x0+dx, y0+dy)
		edges.LineTo(x1+dx, y1+dy)
		edges.LineTo(x1-dx, y1-dy)
		edges.LineTo(x0-dx, y0-dy)
		edges.ClosePath()
	}
	edges.Draw(out, out.Rect, image.NewUniform(lineColour), image.Point{})
	dot := float32(max(1.5, 5-float64(len(in))/200))
	for city := range in {
		x, y := at(int32(city))
		square(out, x, y, dot, cityColour)
	}
	if len(tour) > 0 {
		x, y := at(tour[0])
		square(out, x, y, 8, startColour)
	}
	return pixels(out)
}

// square fills a square around a point.
func square(out *image.RGBA, x, y, half float32, c color.RGBA) {
	for i := int(x - half); i <= int(x+half); i++ {
		for j := int(y - half); j <= int(y+half); j++ {
			out.SetRGBA(i, j, c)
		}
	}
}

// ramp has five colours of viridis, from rare to certain, whose steps look even, also in print.
var ramp = [][3]float64{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}

// Preferences draws a heuristic matrix, n×n and row-major with positive entries, as the
// probabilities that an ant that begins in the row's city goes to the column's city next: dark for
// 1 in 10,000 and less, bright for certain. The cities are in the given order; the diagonal is
// white.
func Preferences(eta []float64, order []int32) bench.Array {
	n := len(order)
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	colours := make([]color.RGBA, n*n)
	for i, from := range order {
		row, largest := eta[int(from)*n:int(from+1)*n], 0.0
		for j, v := range row {
			if j != int(from) {
				largest = max(largest, v)
			}
		}
		sum := 0.0
		for j, v := range row {
			if j != int(from) {
				sum += v / largest // scaled: a sum of huge entries is not finite
			}
		}
		for j, to := range order {
			colours[i*n+j] = color.RGBA{255, 255, 255, 255}
			if to != from {
				colours[i*n+j] = shade(1 + math.Log10(row[to]/largest/sum)/4)
			}
		}
	}
	for y := range side {
		for x := range side {
			out.SetRGBA(x, y, colours[y*n/side*n+x*n/side])
		}
	}
	return pixels(out)
}

// shade returns a colour of the ramp: the first at 0, the last at 1.
func shade(at float64) color.RGBA {
	at = min(max(at, 0), 1) * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	mix := func(c int) uint8 {
		return uint8(math.Round(ramp[i][c] + (at-float64(i))*(ramp[i+1][c]-ramp[i][c])))
	}
	return color.RGBA{mix(0), mix(1), mix(2), 255}
}

// pixels returns the red, green and blue of a picture as an array for bench.Picture.
func pixels(p *image.RGBA) bench.Array {
	a := bench.Array{DType: "uint8", Shape: []int{p.Rect.Dy(), p.Rect.Dx(), 3}}
	for i := 0; i < len(p.Pix); i += 4 {
		a.Data = append(a.Data, p.Pix[i:i+3]...)
	}
	return a
}
