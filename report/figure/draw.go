package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figures are as wide as a column of the paper and have text sizes that are legible there.
const (
	figureWidth = 3.3 * vg.Inch
	labelSize   = 7.5
	textSize    = 7
	pngDPI      = 300

	legendLeading = 1.35 * textSize
	margin        = 2
)

// Every PDF has the same dates and the same order of its parts, so that equal figures give equal
// bytes.
func init() {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
}

// A Look is the colour, dashes and mark of one method, operator or EAP in all figures.
type Look struct {
	Color  color.NRGBA
	Dashes []vg.Length
	Glyph  draw.GlyphDrawer
}

var (
	square = corners{4, 45}
	// Diamond is a filled mark.
	Diamond = corners{4, 90}
)

// palette has twelve looks that readers can tell apart in grey and with colour blindness. Six
// colours are by Okabe and Ito, without their yellow, which is invisible on white. Four colours are
// by Paul Tol. Each look has its own dash pattern and its own mark.
var palette = []Look{
	{rgb(0x0072B2), nil, draw.CircleGlyph{}},
	{rgb(0xD55E00), []vg.Length{6, 1.5}, square},
	{rgb(0x009E73), []vg.Length{2.5, 1.5}, corners{3, 90}},
	{rgb(0xCC79A7), []vg.Length{6, 1.5, 1.5, 1.5}, Diamond},
	{rgb(0xE69F00), []vg.Length{1.2, 1.2}, corners{3, -90}},
	{rgb(0x56B4E9), []vg.Length{8, 2}, draw.RingGlyph{}},
	{rgb(0x777777), []vg.Length{4, 1.5, 1, 1.5, 1, 1.5}, draw.CrossGlyph{}},
	{rgb(0x882255), []vg.Length{3, 1}, draw.PlusGlyph{}},
	{rgb(0x999933), []vg.Length{8, 1.5, 2.5, 1.5}, draw.SquareGlyph{}},
	{rgb(0x6A5ACD), []vg.Length{1.5, 2.5}, draw.TriangleGlyph{}},
	{rgb(0x117733), []vg.Length{5, 3}, corners{5, 90}},
	{rgb(0x332288), []vg.Length{3, 1.5, 3, 3}, corners{6, 90}},
}

// LookOf returns a look of the palette, which repeats after twelve.
func LookOf(style int) Look { return palette[style%len(palette)] }

// Hex returns the colour of LookOf(style) for a web page: "#0072b2".
func Hex(style int) string {
	c := LookOf(style).Color
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// Colours that are not in the palette.
var (
	Ink  = rgb(0x222222)
	Grid = rgb(0xE3E3E3)
	Pale = rgb(0xB0B0B0) // for lines in the background
	Dark = rgb(0x555555)
)

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

// tint returns a translucent colour for areas behind lines.
func tint(c color.NRGBA) color.NRGBA {
	c.A = 0x26
	return c
}

// corners is a filled mark with n corners. The direction of the first corner is in degrees.
type corners struct{ n, direction float64 }

func (g corners) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := 1.25 * float64(style.Radius)
	var p vg.Path
	for i := 0.0; i < g.n; i++ {
		angle := (g.direction + 360*i/g.n) * math.Pi / 180
		to := at.Add(vg.Point{X: vg.Length(r * math.Cos(angle)), Y: vg.Length(r * math.Sin(angle))})
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	p.Close()
	c.Fill(p)
}

// thumb returns the width of the look before the text, with the gap between them.
func (e Entry) thumb() vg.Length {
	switch {
	case e.Line || e.Area:
		return 16 + gap
	case e.Look.Glyph != nil:
		return 6 + gap
	}
	return 0
}

// Size returns the picture's width and height.
func (f *Figure) Size() (width, height vg.Length) {
	height = vg.Length(len(f.legendRows()))*legendLeading + 3*margin
	for _, p := range f.Panels {
		height += p.Height
	}
	return figureWidth, height
}

// textStyle places text to the right of a point, at the same height.
var textStyle = draw.TextStyle{Color: Ink, Font: sans(textSize), XAlign: draw.XLeft,
	YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

const (
	gap   = 3 // in the legend, between a look and its text
	apart = 8 // between entries
)

func (e Entry) width() vg.Length {
	return e.thumb() + textStyle.Width(e.Text) + apart
}

// legendRows arranges the legend's entries in rows that are at most as wide as the picture.
func (f *Figure) legendRows() [][]Entry {
	var rows [][]Entry
	used := vg.Length(0)
	for _, e := range f.Legend {
		if n := len(rows); n > 0 && used+e.width() <= figureWidth-2*margin+apart {
			rows[n-1] = append(rows[n-1], e)
			used += e.width()
		} else {
			rows, used = append(rows, []Entry{e}), e.width()
		}
	}
	return rows
}

// draw puts the panels below the legend, so that the legend never covers data.
func (f *Figure) draw(c draw.Canvas, background color.Color) {
	if background != nil {
		c.SetColor(background)
		c.Fill(c.Rectangle.Path())
	}
	y := c.Max.Y - margin
	rows, widest := f.legendRows(), vg.Length(0)
	for _, row := range rows {
		width := vg.Length(-apart)
		for _, e := range row {
			width += e.width()
		}
		widest = max(widest, width)
	}
	for _, row := range rows {
		x := c.Center().X - widest/2
		for _, e := range row {
			e.draw(&c, x, y-legendLeading/2)
			x += e.width()
		}
		y -= legendLeading
	}
	y -= margin
	plots, areas := make([]*plot.Plot, len(f.Panels)), make([]draw.Canvas, len(f.Panels))
	left := vg.Length(0)
	for i, p := range f.Panels {
		plots[i] = p.axes()
		areas[i] = draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X + p.Left + margin, Y: y - p.Height},
			Max: vg.Point{X: c.Max.X - 3*margin, Y: y},
		}}
		left = max(left, plots[i].DataCanvas(areas[i]).Min.X)
		y -= p.Height
	}
	for i, p := range plots { // so that their y axes line up
		areas[i].Min.X += left - p.DataCanvas(areas[i]).Min.X
		p.Draw(areas[i])
	}
}

func (e Entry) draw(c *draw.Canvas, x, y vg.Length) {
	right := x + e.thumb() - gap
	if e.Area {
		c.FillPolygon(e.Look.Color, []vg.Point{
			{X: x, Y: y - 3}, {X: right, Y: y - 3}, {X: right, Y: y + 3}, {X: x, Y: y + 3},
		})
	}
	if e.Line {
		c.StrokeLine2(draw.LineStyle{
			Color: e.Look.Color, Width: vg.Points(1.2), Dashes: e.Look.Dashes,
		}, x, y, right, y)
	}
	if e.Look.Glyph != nil {
		style := draw.GlyphStyle{Color: e.Look.Color, Radius: vg.Points(2), Shape: e.Look.Glyph}
		c.DrawGlyphNoClip(style, vg.Point{X: (x + right) / 2, Y: y})
	}
	c.FillText(textStyle, vg.Point{X: x + e.thumb(), Y: y}, e.Text)
}

// axes returns the axes of the panel, with a grid behind the shapes.
func (p Panel) axes() *plot.Plot {
	g := plot.New()
	g.BackgroundColor = nil
	for _, a := range []struct {
		to   *plot.Axis
		from Axis
	}{{&g.X, p.X}, {&g.Y, p.Y}} {
		to := a.to
		to.Label.Text = a.from.Label
		to.Label.TextStyle.Font, to.Tick.Label.Font = sans(labelSize), sans(textSize)
		to.Label.TextStyle.Color, to.Tick.Label.Color, to.Color, to.Tick.Color = Ink, Ink, Ink, Ink
		to.Label.Padding, to.Padding = vg.Points(1.5), 0
		to.LineStyle.Width, to.Tick.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
		to.Tick.Length = vg.Points(2.5)
		to.Min, to.Max = a.from.Min, a.from.Max
		if to.Max <= to.Min {
			to.Max = to.Min + 1
		}
		to.Tick.Marker = plot.TickerFunc(ticks)
		if a.from.Ticks != nil {
			to.Tick.Marker = plot.ConstantTicks(a.from.Ticks)
		}
		if a.from.Bare {
			to.Tick.Marker, to.LineStyle.Width = plot.ConstantTicks(nil), 0
		}
	}
	lines := plotter.NewGrid()
	lines.Vertical.Color, lines.Horizontal.Color = Grid, Grid
	lines.Vertical.Width, lines.Horizontal.Width = vg.Points(0.4), vg.Points(0.4)
	g.Add(lines, shapes(p.Shapes))
	return g
}

func ticks(low, high float64) []plot.Tick { return Ticks(low, high, 1) }

// Ticks returns about four to eight labelled ticks. They are multiples of a step, which is 1, 2 or
// 5 times a power of ten. Labels show the values times sign, with enough decimals to differ.
func Ticks(low, high float64, sign int) []plot.Tick {
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
	// The limit of 20 ends the loop if a step is smaller than the last bit of low.
	for ; len(out) < 20 && k*step <= high+1e-9*step; k++ {
		label := strconv.FormatFloat(float64(sign)*k*step+0, 'f', digits, 64)
		out = append(out, plot.Tick{Value: k * step, Label: strings.Replace(label, "-", "−", 1)})
	}
	return out
}
