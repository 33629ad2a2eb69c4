package report

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pacebench/pacebench/bench/results"
)

// Figures have the width of a column of the paper and are set in sizes that stay legible there.
const (
	figureWidth = 3.3 * vg.Inch
	titleSize   = 8
	labelSize   = 7.5
	textSize    = 7
	pngDPI      = 300

	titleLeading  = 1.25 * titleSize
	legendLeading = 1.35 * textSize
	margin        = 2
)

// Every PDF has the same dates and the same order of its parts, so that equal figures are equal
// bytes.
func init() {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
}

// A look is how one method, operator or EAP is drawn in all figures.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}

var (
	square  = corners{4, 45}
	diamond = corners{4, 90}
)

// palette holds ten looks that stay apart for readers with colour-blindness and in grey: the
// colours of Okabe and Ito without their yellow, which is invisible on white, and three of Paul
// Tol's. Each has its own dash pattern and its own mark.
var palette = []look{
	{rgb(0x0072B2), nil, draw.CircleGlyph{}},
	{rgb(0xD55E00), []vg.Length{6, 1.5}, square},
	{rgb(0x009E73), []vg.Length{2.5, 1.5}, corners{3, 90}},
	{rgb(0xCC79A7), []vg.Length{6, 1.5, 1.5, 1.5}, diamond},
	{rgb(0xE69F00), []vg.Length{1.2, 1.2}, corners{3, -90}},
	{rgb(0x56B4E9), []vg.Length{8, 2}, draw.RingGlyph{}},
	{rgb(0x777777), []vg.Length{4, 1.5, 1, 1.5, 1, 1.5}, draw.CrossGlyph{}},
	{rgb(0x882255), []vg.Length{3, 1}, draw.PlusGlyph{}},
	{rgb(0x999933), []vg.Length{8, 1.5, 2.5, 1.5}, draw.SquareGlyph{}},
	{rgb(0x6A5ACD), []vg.Length{1.5, 2.5}, draw.TriangleGlyph{}},
}

func lookOf(style int) look { return palette[style%len(palette)] }

var (
	ink  = rgb(0x222222)
	grid = rgb(0xE3E3E3)
	pale = rgb(0xB0B0B0) // what is drawn for completeness
	dark = rgb(0x555555)
)

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

// tint is a colour for areas behind lines.
func tint(c color.NRGBA) color.NRGBA {
	c.A = 0x26
	return c
}

// corners is a filled mark with so many corners, the first in this direction (in degrees).
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

// A panel is one pair of axes. What is drawn first lies below.
type panel struct {
	x, y   axis
	height vg.Length // with the axes' labels
	left   vg.Length // room beside a y axis without labels
	shapes []shape
}

// An axis has its range and where it is labelled: by default at four to eight round numbers.
type axis struct {
	label    string
	min, max float64
	ticks    []plot.Tick
	bare     bool // no line and no ticks
}

// A shape is drawn in the coordinates of its panel.
type shape interface {
	plot(c *draw.Canvas, x, y func(float64) vg.Length)
}

type (
	// band is the area between the low and the high of points.
	band struct {
		points []results.Point
		color  color.NRGBA
		steps  bool
	}
	// curve is a line through the means of points, with marks at so many places, from the share of
	// their distance that shift says.
	curve struct {
		points []results.Point
		look   look
		width  vg.Length
		steps  bool
		marks  int
		shift  float64
		end    float64 // of the x axis
	}
	// dots are marks at points.
	dots struct {
		xys    plotter.XYs
		look   look
		radius vg.Length
	}
	// segment is a straight line.
	segment struct {
		x1, y1, x2, y2 float64
		color          color.NRGBA
		width          vg.Length
		dashes         []vg.Length
	}
	// writing is set to the right of a point, at its height.
	writing struct {
		x, y float64
		text string
	}
)

func (b band) plot(c *draw.Canvas, x, y func(float64) vg.Length) {
	ring := path(b.points, b.steps, x, y, func(p results.Point) float64 { return p.High })
	low := path(b.points, b.steps, x, y, func(p results.Point) float64 { return p.Low })
	for i := len(low) - 1; i >= 0; i-- {
		ring = append(ring, low[i])
	}
	c.FillPolygon(b.color, c.ClipPolygonXY(ring))
}

func (v curve) plot(c *draw.Canvas, x, y func(float64) vg.Length) {
	mean := func(p results.Point) float64 { return p.Mean }
	style := draw.LineStyle{Color: v.look.color, Width: v.width, Dashes: v.look.dashes}
	c.StrokeLines(style, c.ClipLinesXY(path(v.points, v.steps, x, y, mean))...)
	if v.look.glyph == nil {
		return
	}
	glyph := draw.GlyphStyle{Color: v.look.color, Radius: vg.Points(2), Shape: v.look.glyph}
	if !v.steps {
		for _, p := range v.points {
			c.DrawGlyph(glyph, vg.Point{X: x(p.X), Y: y(p.Mean)})
		}
		return
	}
	for i := range v.marks {
		at := (float64(i) + v.shift) * v.end / float64(v.marks)
		for k, p := range v.points {
			last := len(v.points) - 1
			if p.X <= at && (k == last && p.X == at || k < last && v.points[k+1].X > at) {
				c.DrawGlyph(glyph, vg.Point{X: x(at), Y: y(p.Mean)})
			}
		}
	}
}

func (d dots) plot(c *draw.Canvas, x, y func(float64) vg.Length) {
	for _, p := range d.xys {
		c.DrawGlyph(draw.GlyphStyle{Color: d.look.color, Radius: d.radius, Shape: d.look.glyph},
			vg.Point{X: x(p.X), Y: y(p.Y)})
	}
}

func (s segment) plot(c *draw.Canvas, x, y func(float64) vg.Length) {
	style := draw.LineStyle{Color: s.color, Width: s.width, Dashes: s.dashes}
	c.StrokeLines(style,
		c.ClipLinesXY([]vg.Point{{X: x(s.x1), Y: y(s.y1)}, {X: x(s.x2), Y: y(s.y2)}})...)
}

func (w writing) plot(c *draw.Canvas, x, y func(float64) vg.Length) {
	style := textStyle(textSize, draw.XLeft, draw.YCenter)
	c.FillText(style, vg.Point{X: x(w.x), Y: y(w.y)}, w.text)
}

// path joins points by straight lines, or by steps: a value holds until the next point.
func path(
	points []results.Point, steps bool, x, y func(float64) vg.Length,
	of func(results.Point) float64,
) []vg.Point {
	var out []vg.Point
	for i, p := range points {
		if steps && i > 0 {
			out = append(out, vg.Point{X: x(p.X), Y: y(of(points[i-1]))})
		}
		out = append(out, vg.Point{X: x(p.X), Y: y(of(p))})
	}
	return out
}

// An entry of the legend is a look, drawn as a line, as a mark or as an area, with its text.
// Without a look it heads those that follow.
type entry struct {
	text string
	look look
	line bool
	area bool
}

// thumb is the width of what stands before the text.
func (e entry) thumb() vg.Length {
	switch {
	case e.line || e.area:
		return 16 + gap
	case e.look.glyph != nil:
		return 6 + gap
	}
	return 0
}

// WriteSVG draws the figure as SVG on white.
func (f *Figure) WriteSVG(w io.Writer) error { return f.writeSVG(w, color.White) }

func (f *Figure) writeSVG(w io.Writer, background color.Color) error {
	width, height := f.size()
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	f.draw(draw.New(c), background)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	// The font is rarely installed where the picture is looked at: name what has its widths.
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	return err
}

// WritePNG draws the figure as PNG.
func (f *Figure) WritePNG(w io.Writer) error {
	width, height := f.size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))
	f.draw(draw.New(c), color.White)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// WritePDF draws the figure as PDF with its fonts embedded.
func (f *Figure) WritePDF(w io.Writer) error {
	width, height := f.size()
	c := vgpdf.New(width, height)
	f.draw(draw.New(latin{c}), nil)
	_, err := c.WriteTo(w)
	return err
}

// latin is a PDF whose texts are in the encoding of its fonts, Windows 1252. What that lacks is
// written as a question mark.
type latin struct{ *vgpdf.Canvas }

func (c latin) FillString(f font.Face, at vg.Point, s string) {
	s = strings.ReplaceAll(s, "−", "–")
	encoded, err := encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()).String(s)
	if err != nil {
		encoded = strings.Repeat("?", len(s))
	}
	c.Canvas.FillString(f, at, strings.ReplaceAll(encoded, "\x1a", "?"))
}

// SetColor hands a colour on whose parts are not multiplied by its opacity: vgpdf takes them as
// they are, and bands would be dark.
func (c latin) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black
	}
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(clr).(color.NRGBA)))
}

// straight is a colour that is not multiplied by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return 0x101 * uint32(s.R), 0x101 * uint32(s.G), 0x101 * uint32(s.B), 0x101 * uint32(s.A)
}

// size is that of the picture.
func (f *Figure) size() (width, height vg.Length) {
	height = vg.Length(len(f.titleLines()))*titleLeading +
		vg.Length(len(f.legendRows()))*legendLeading + 3*margin
	for _, p := range f.panels {
		height += p.height
	}
	return figureWidth, height
}

func textStyle(size vg.Length, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{Color: ink, Font: sans(size), XAlign: x, YAlign: y,
		Handler: plot.DefaultTextHandler}
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// titleLines breaks the title where it is wider than the picture.
func (f *Figure) titleLines() []string {
	style := textStyle(titleSize, draw.XCenter, draw.YTop)
	var lines []string
	for _, word := range strings.Fields(f.Title) {
		n := len(lines)
		if n > 0 && style.Width(lines[n-1]+" "+word) < figureWidth-2*margin {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

const (
	gap   = 3 // in the legend, between a look and its text
	apart = 8 // between entries
)

func (e entry) width() vg.Length {
	return e.thumb() + textStyle(textSize, draw.XLeft, draw.YCenter).Width(e.text) + apart
}

// legendRows lays the legend's entries out in rows as wide as the picture.
func (f *Figure) legendRows() [][]entry {
	var rows [][]entry
	used := vg.Length(0)
	for _, e := range f.legend {
		if n := len(rows); n > 0 && used+e.width() <= figureWidth-2*margin+apart {
			rows[n-1] = append(rows[n-1], e)
			used += e.width()
		} else {
			rows, used = append(rows, []entry{e}), e.width()
		}
	}
	return rows
}

// draw sets the title, the legend and the panels below each other: the legend never covers data.
func (f *Figure) draw(c draw.Canvas, background color.Color) {
	if background != nil {
		c.SetColor(background)
		c.Fill(c.Rectangle.Path())
	}
	y := c.Max.Y - margin
	for _, line := range f.titleLines() {
		style := textStyle(titleSize, draw.XCenter, draw.YTop)
		c.FillText(style, vg.Point{X: c.Center().X, Y: y}, line)
		y -= titleLeading
	}
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
	plots, areas := make([]*plot.Plot, len(f.panels)), make([]draw.Canvas, len(f.panels))
	left := vg.Length(0)
	for i, p := range f.panels {
		plots[i] = p.axes()
		areas[i] = draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X + p.left + margin, Y: y - p.height},
			Max: vg.Point{X: c.Max.X - 3*margin, Y: y},
		}}
		left = max(left, plots[i].DataCanvas(areas[i]).Min.X)
		y -= p.height
	}
	for i, p := range plots { // their y axes stand on one line
		areas[i].Min.X += left - p.DataCanvas(areas[i]).Min.X
		p.Draw(areas[i])
	}
}

func (e entry) draw(c *draw.Canvas, x, y vg.Length) {
	right := x + e.thumb() - gap
	if e.area {
		c.FillPolygon(e.look.color, []vg.Point{
			{X: x, Y: y - 3}, {X: right, Y: y - 3}, {X: right, Y: y + 3}, {X: x, Y: y + 3},
		})
	}
	if e.line {
		c.StrokeLine2(draw.LineStyle{
			Color: e.look.color, Width: vg.Points(1.2), Dashes: e.look.dashes,
		}, x, y, right, y)
	}
	if e.look.glyph != nil {
		style := draw.GlyphStyle{Color: e.look.color, Radius: vg.Points(2), Shape: e.look.glyph}
		c.DrawGlyphNoClip(style, vg.Point{X: (x + right) / 2, Y: y})
	}
	style := textStyle(textSize, draw.XLeft, draw.YCenter)
	c.FillText(style, vg.Point{X: x + e.thumb(), Y: y}, e.text)
}

// axes sets the axes with a grid behind the shapes.
func (p panel) axes() *plot.Plot {
	g := plot.New()
	g.BackgroundColor = nil
	for _, a := range []struct {
		to   *plot.Axis
		from axis
	}{{&g.X, p.x}, {&g.Y, p.y}} {
		to := a.to
		to.Label.Text = a.from.label
		to.Label.TextStyle.Font, to.Tick.Label.Font = sans(labelSize), sans(textSize)
		to.Label.TextStyle.Color, to.Tick.Label.Color, to.Color, to.Tick.Color = ink, ink, ink, ink
		to.Label.Padding, to.Padding = vg.Points(1.5), 0
		to.LineStyle.Width, to.Tick.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
		to.Tick.Length = vg.Points(2.5)
		to.Min, to.Max = a.from.min, a.from.max
		if to.Max <= to.Min {
			to.Max = to.Min + 1
		}
		to.Tick.Marker = plot.TickerFunc(ticks)
		if a.from.ticks != nil {
			to.Tick.Marker = plot.ConstantTicks(a.from.ticks)
		}
		if a.from.bare {
			to.Tick.Marker, to.LineStyle.Width = plot.ConstantTicks(nil), 0
		}
	}
	lines := plotter.NewGrid()
	lines.Vertical.Color, lines.Horizontal.Color = grid, grid
	lines.Vertical.Width, lines.Horizontal.Width = vg.Points(0.4), vg.Points(0.4)
	g.Add(lines, shapes(p.shapes))
	return g
}

// shapes draws all shapes of a panel.
type shapes []shape

func (s shapes) Plot(c draw.Canvas, g *plot.Plot) {
	x, y := g.Transforms(&c)
	for _, one := range s {
		one.plot(&c, x, y)
	}
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
	// Bounded: steps below the last bit of low never end.
	for ; len(out) < 20 && k*step <= high+1e-9*step; k++ {
		label := strconv.FormatFloat(k*step+0, 'f', digits, 64)
		out = append(out, plot.Tick{Value: k * step, Label: strings.Replace(label, "-", "−", 1)})
	}
	return out
}
