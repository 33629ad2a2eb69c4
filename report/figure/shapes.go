package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pacebench/pacebench/record/results"
)

// shapes draws all shapes of a panel as one plotter without a size, because gonum would move the
// axes to make room for sizes.
type shapes []plot.Plotter

func (s shapes) Plot(c draw.Canvas, p *plot.Plot) {
	for _, one := range s {
		one.Plot(c, p)
	}
}

// An area is a polygon without an edge. Gonum's polygons always have an edge.
type area struct {
	ring  plotter.XYs
	color color.Color
}

func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	ring := make([]vg.Point, len(a.ring))
	for i, at := range a.ring {
		ring[i] = vg.Point{X: x(at.X), Y: y(at.Y)}
	}
	c.FillPolygon(a.color, c.ClipPolygonXY(ring))
}

// Box returns a filled rectangle.
func Box(x1, y1, x2, y2 float64, color color.Color) plot.Plotter {
	return area{plotter.XYs{{X: x1, Y: y1}, {X: x2, Y: y1}, {X: x2, Y: y2}, {X: x1, Y: y2}}, color}
}

// Shade returns a colour for a share: pale for 0, dark for 1.
func Shade(share float64) color.Color {
	mix := func(from, to uint8) uint8 {
		return uint8(float64(from) + share*(float64(to)-float64(from)))
	}
	pale, dark := rgb(0xF0F0F0), palette[0].Color
	return color.NRGBA{mix(pale.R, dark.R), mix(pale.G, dark.G), mix(pale.B, dark.B), 0xFF}
}

// line joins points by straight lines. The width is in points.
func line(xys plotter.XYs, color color.Color, width float64, dashes []vg.Length) *plotter.Line {
	return &plotter.Line{XYs: xys,
		LineStyle: draw.LineStyle{Color: color, Width: vg.Points(width), Dashes: dashes}}
}

// Segment returns a straight line. The width is in points.
func Segment(x1, y1, x2, y2 float64, color color.Color, width float64,
	dashes ...vg.Length) plot.Plotter {
	return line(plotter.XYs{{X: x1, Y: y1}, {X: x2, Y: y2}}, color, width, dashes)
}

// Dots returns marks. The radius is in points.
func Dots(l Look, radius float64, at ...plotter.XY) plot.Plotter {
	return &plotter.Scatter{XYs: at, GlyphStyle: draw.GlyphStyle{
		Color: l.Color, Radius: vg.Points(radius), Shape: l.Glyph,
	}}
}

func Dot(l Look, radius, x, y float64) plot.Plotter {
	return Dots(l, radius, plotter.XY{X: x, Y: y})
}

// Writing returns a text to the right of a point, at the same height.
func Writing(x, y float64, s string) plot.Plotter {
	return &plotter.Labels{XYs: plotter.XYs{{X: x, Y: y}}, Labels: []string{s},
		TextStyle: []text.Style{textStyle}}
}

// path returns a line through points. It is straight from point to point, or in steps, in which a
// value holds until the next point.
func path(points []results.Point, steps bool, of func(results.Point) float64) plotter.XYs {
	var out plotter.XYs
	for i, p := range points {
		if steps && i > 0 {
			out = append(out, plotter.XY{X: p.X, Y: of(points[i-1])})
		}
		out = append(out, plotter.XY{X: p.X, Y: of(p)})
	}
	return out
}

func mean(p results.Point) float64 { return p.Mean }

// band returns the area between the low and the high values of points.
func band(points []results.Point, color color.Color, steps bool) plot.Plotter {
	ring := path(points, steps, func(p results.Point) float64 { return p.High })
	low := path(points, steps, func(p results.Point) float64 { return p.Low })
	slices.Reverse(low)
	return area{append(ring, low...), color}
}

const (
	curveWidth = 1.2 // of a line, in points
	curveMarks = 5   // on a line
)

// Curve returns a line of steps with its marks, on an x axis that extends to end. n is the index of
// the line among the lines of a panel. Each of these lines has its marks at different places.
func Curve(points []results.Point, l Look, n, of int, end float64) []plot.Plotter {
	shift := (float64(n) + 0.5) / float64(of)
	var marks plotter.XYs
	for i := range curveMarks {
		at := (float64(i) + shift) * end / curveMarks
		for k, p := range points {
			last := len(points) - 1
			if p.X <= at && (k == last && p.X == at || k < last && points[k+1].X > at) {
				marks = append(marks, plotter.XY{X: at, Y: p.Mean})
			}
		}
	}
	return []plot.Plotter{line(path(points, true, mean), l.Color, curveWidth, l.Dashes),
		Dots(l, 2, marks...)}
}

// Thin returns a pale line of steps.
func Thin(points []results.Point) plot.Plotter {
	return line(path(points, true, mean), Pale, 0.6, nil)
}

// A Series is one line of a figure with its band.
type Series struct {
	Label  string
	Look   Look
	Seeds  int
	Points []results.Point
}

// Lines adds a panel of lines and their legend, in the given order. bands is the legend's text for
// the bands. Lines are drawn over bands, and the first line over all others. Lines are straight
// from mark to mark, or in steps.
func (f *Figure) Lines(all []Series, p Panel, steps bool, bands string) {
	banded := false
	for _, s := range slices.Backward(all) {
		if s.Seeds > 1 {
			banded = true
			p.Shapes = append(p.Shapes, band(s.Points, tint(s.Look.Color), steps))
		}
	}
	for i, s := range slices.Backward(all) {
		if steps {
			p.Shapes = append(p.Shapes, Curve(s.Points, s.Look, i, len(all), p.X.Max)...)
			continue
		}
		xys := path(s.Points, false, mean)
		p.Shapes = append(p.Shapes, line(xys, s.Look.Color, curveWidth, s.Look.Dashes),
			Dots(s.Look, 2, xys...))
	}
	f.Panels = append(f.Panels, p)
	for _, s := range all {
		if !slices.ContainsFunc(f.Legend, func(old Entry) bool { return old.Text == s.Label }) {
			f.Legend = append(f.Legend, Entry{Text: s.Label, Look: s.Look, Line: true})
		}
	}
	if banded {
		f.Legend = append(f.Legend, Entry{Text: bands, Look: Look{Color: Grid}, Area: true})
	}
}

// A DotPlot has a row for every label, with a mark and a line from low to high for every value.
type DotPlot struct {
	Label     string // of the x axis
	Low, High float64
	Rows      []DotRow
}

type DotRow struct {
	Label  string
	Values []DotValue
}

// A DotValue is a mark with its line, and the seeds' values, which are small rings.
type DotValue struct {
	Look            Look
	Mean, Low, High float64
	Seeds           []float64
}

const (
	dotHeight = 6 // of a value, in points
	rowGap    = 5 // between rows

	// AxisRoom is the height of the labels of the x axis, in points.
	AxisRoom = 28
)

// Panel lays the rows out from top to bottom. Without High it chooses the end of the axis.
func (d DotPlot) Panel() Panel {
	high, y := d.High, 0.0
	p := Panel{X: Span(d.Label, d.Low, 0), Y: Axis{Ticks: []plot.Tick{}}}
	for i, r := range d.Rows {
		if i > 0 {
			y -= rowGap
		}
		p.Y.Ticks = append(p.Y.Ticks,
			plot.Tick{Value: y - dotHeight*float64(len(r.Values))/2, Label: r.Label})
		for _, v := range r.Values {
			at := y - dotHeight/2
			var rings plotter.XYs
			for _, s := range v.Seeds {
				rings = append(rings, plotter.XY{X: s, Y: at})
			}
			p.Shapes = append(p.Shapes, Segment(v.Low, at, v.High, at, v.Look.Color, 0.9),
				Dots(Look{Color: v.Look.Color, Glyph: draw.RingGlyph{}}, 1.6, rings...),
				Dots(v.Look, 2.2, plotter.XY{X: v.Mean, Y: at}))
			if d.High == 0 {
				high = max(high, v.High)
			}
			y -= dotHeight
		}
	}
	if d.High == 0 {
		high *= 1.05
	}
	p.X.Max = high
	p.Y.Min, p.Y.Max = y-rowGap/2, rowGap/2
	p.Height = vg.Points(p.Y.Max-p.Y.Min) + AxisRoom
	return p
}

func Span(label string, low, high float64) Axis { return Axis{Label: label, Min: low, Max: high} }
