package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pacebench/pacebench/bench/results"
)

const (
	figureWidth  = 6.4 * vg.Inch
	figureHeight = 3.5 * vg.Inch
	pngDPI       = 200
)

// palette holds ten colours that stay apart for readers with colour-blindness and in grey: those of
// Okabe and Ito without its yellow, which is invisible on white, and three of Paul Tol's. Each has
// its own dash pattern.
var palette = []struct {
	color  color.NRGBA
	dashes []vg.Length
}{
	{rgb(0x0072B2), nil},
	{rgb(0xD55E00), []vg.Length{7, 2}},
	{rgb(0x009E73), []vg.Length{3, 2}},
	{rgb(0xCC79A7), []vg.Length{8, 2, 2, 2}},
	{rgb(0xE69F00), []vg.Length{1.5, 1.5}},
	{rgb(0x56B4E9), []vg.Length{10, 3}},
	{rgb(0x777777), []vg.Length{5, 2, 1, 2, 1, 2}},
	{rgb(0x882255), []vg.Length{4, 1}},
	{rgb(0x999933), []vg.Length{10, 2, 3, 2}},
	{rgb(0x6A5ACD), []vg.Length{2, 3}},
}

var (
	ink  = rgb(0x222222)
	grid = rgb(0xE3E3E3)
)

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

// WriteSVG draws the figure as SVG on white.
func (f *Figure) WriteSVG(w io.Writer) error { return f.writeSVG(w, color.White) }

func (f *Figure) writeSVG(w io.Writer, background color.Color) error {
	c := vgsvg.NewWith(vgsvg.UseWH(figureWidth, figureHeight))
	if err := f.draw(draw.New(c), background); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	// The font is rarely installed where the picture is looked at: name what has its widths.
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	return err
}

// WritePNG draws the figure as PNG.
func (f *Figure) WritePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(figureWidth, figureHeight), vgimg.UseDPI(pngDPI))
	if err := f.draw(draw.New(c), color.White); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// draw puts the plot on the left and its legend on the right of the canvas, never over the data.
func (f *Figure) draw(c draw.Canvas, background color.Color) error {
	p := plot.New()
	p.BackgroundColor = nil
	if background != nil {
		c.SetColor(background)
		c.Fill(c.Rectangle.Path())
	}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.X, f.Y
	p.Title.TextStyle.Font = sans(11)
	p.Title.Padding = vg.Points(6)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(10), sans(9)
		a.Label.TextStyle.Color, a.Tick.Label.Color, a.Color, a.Tick.Color = ink, ink, ink, ink
		a.Label.Padding = vg.Points(3)
		a.Padding = 0
		a.LineStyle.Width, a.Tick.LineStyle.Width = vg.Points(0.6), vg.Points(0.6)
		a.Tick.Length = vg.Points(4)
	}
	p.Title.TextStyle.Color = ink
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, f.XMax, f.YMin, f.YMax
	if p.X.Max <= 0 {
		p.X.Max = 1
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = grid, grid
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	p.Add(g)

	lines := make([]*plotter.Line, len(f.Series))
	order := f.drawingOrder()
	for _, i := range order {
		band, line, err := f.Series[i].plotters()
		if err != nil {
			return fmt.Errorf("figure %s: %w", f.Name, err)
		}
		lines[i] = line
		if band != nil {
			p.Add(band)
		}
	}
	for _, i := range order { // all lines above all bands
		p.Add(lines[i])
	}
	// Add widens the axes to all data; the range is ours.
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, math.Max(f.XMax, 1e-9), f.YMin, f.YMax

	legend := plot.NewLegend()
	legend.TextStyle.Font, legend.TextStyle.Color = sans(9), ink
	legend.Top, legend.Left = true, true
	legend.ThumbnailWidth, legend.Padding = vg.Points(24), vg.Points(4)
	legend.YPosition = draw.PosCenter
	widest := vg.Length(0)
	for _, i := range f.legendOrder() {
		legend.Add(f.Series[i].Label, lines[i])
		widest = max(widest, legend.TextStyle.Width(f.Series[i].Label))
	}
	room := widest + legend.ThumbnailWidth + vg.Points(20)
	p.Draw(draw.Crop(c, vg.Points(4), -room, vg.Points(4), -vg.Points(6)))
	legend.Draw(draw.Crop(c, figureWidth-room+vg.Points(6), 0, 0, -vg.Points(30)))
	return nil
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// plotters are the band, nil for one seed, and the line of a series: steps, because a best-so-far
// value holds until it is beaten.
func (s Series) plotters() (*plotter.Polygon, *plotter.Line, error) {
	style := palette[s.Style%len(palette)]
	line, err := plotter.NewLine(steps(s.Points, func(p results.Point) float64 { return p.Mean }))
	if err != nil {
		return nil, nil, err
	}
	line.LineStyle = draw.LineStyle{Color: style.color, Width: vg.Points(1.6), Dashes: style.dashes}
	if s.Seeds < 2 {
		return nil, line, nil
	}
	ring := steps(s.Points, func(p results.Point) float64 { return p.High })
	low := steps(s.Points, func(p results.Point) float64 { return p.Low })
	slices.Reverse(low)
	band, err := plotter.NewPolygon(append(ring, low...))
	if err != nil {
		return nil, nil, err
	}
	tint := style.color
	tint.A = 0x26
	band.Color, band.LineStyle.Width = tint, 0
	return band, line, nil
}

func steps(points []results.Point, y func(results.Point) float64) plotter.XYs {
	var out plotter.XYs
	for i, p := range points {
		if i > 0 {
			out = append(out, plotter.XY{X: p.X, Y: y(points[i-1])})
		}
		out = append(out, plotter.XY{X: p.X, Y: y(p)})
	}
	return out
}

// drawingOrder draws the first colour of the palette last, on top.
func (f *Figure) drawingOrder() []int {
	order := f.indices()
	slices.SortStableFunc(order, func(a, b int) int { return f.Series[b].Style - f.Series[a].Style })
	return order
}

// legendOrder lists the series as their lines end, from top to bottom.
func (f *Figure) legendOrder() []int {
	order := f.indices()
	end := func(i int) float64 { s := f.Series[i]; return s.Points[len(s.Points)-1].Mean }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(end(b), end(a)) })
	return order
}

func (f *Figure) indices() []int {
	out := make([]int, len(f.Series))
	for i := range out {
		out[i] = i
	}
	return out
}

// ticks are four to eight labelled steps of 1, 2 or 5 times a power of ten.
func ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*m) <= 7 {
			step *= m
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var out []plot.Tick
	k := math.Ceil(low/step - 1e-9)
	for ; len(out) < 20 && k*step <= high+1e-9*step; k++ { // bounded: steps below the last bit of low never end
		out = append(out, plot.Tick{Value: k * step, Label: strings.Replace(strconv.FormatFloat(k*step+0, 'f', digits, 64), "-", "−", 1)})
	}
	return out
}
