// Package figure draws figures as PDF, SVG and PNG: panels below a legend, as wide as a column of a
// paper. It draws gonum's plotters. Equal figures give equal bytes.
package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pacebench/pacebench/report/render"
)

// A Figure is a picture of some runs, with its texts.
type Figure struct {
	Name    string // stem of its file names: "convergence-tsp-construct-evaluations"
	Task    string
	Title   string     // the subject, and disclosures such as an offline model
	Caption string     // text after the title: the meaning of lines, bands and marks
	Main    bool       // shown on the page, which has links to the others
	Data    [][]string // a row of names, and below it the numbers that are drawn

	Panels []Panel // below each other
	Legend []Entry
}

// A Panel is one pair of axes. Later shapes cover earlier ones.
type Panel struct {
	X, Y   Axis
	Height vg.Length // with the axes' labels
	Left   vg.Length // room left of a y axis without labels
	Shapes []plot.Plotter
}

// An Axis has a range and labels; by default, the labels are four to eight round numbers.
type Axis struct {
	Label    string
	Min, Max float64
	Ticks    []plot.Tick
	Bare     bool // no line and no ticks
}

// An Entry of the legend is a look, drawn as a line, as a mark or as an area, with its text.
// Without a look it is the heading of the entries after it.
type Entry struct {
	Text string
	Look Look
	Line bool
	Area bool
}

// Row adds a row to the figure's data.
func (f *Figure) Row(values ...any) {
	line := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case float64:
			line[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			line[i] = render.OneLine(v)
		default:
			line[i] = fmt.Sprint(v)
		}
	}
	f.Data = append(f.Data, line)
}

// Rows adds the points of series to the figure's data, below the names of the columns.
func (f *Figure) Rows(x string, all []Series) {
	f.Row("row", "seeds", x, "mean", "lowest", "highest")
	for _, s := range all {
		for _, p := range s.Points {
			f.Row(s.Label, s.Seeds, p.X, p.Mean, p.Low, p.High)
		}
	}
}

// WriteData writes the numbers of the figure as CSV.
func (f *Figure) WriteData(w io.Writer) error { return render.CSV(w, f.Data) }

// WriteSVG draws the figure as SVG on white.
func (f *Figure) WriteSVG(w io.Writer) error { return f.WriteSVGOn(w, color.White) }

// WriteSVGOn draws the figure as SVG on a background; nil means a transparent background.
func (f *Figure) WriteSVGOn(w io.Writer, background color.Color) error {
	width, height := f.Size()
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	f.draw(draw.New(c), background)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	// Few machines have the font, so name fonts with the same widths, too.
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	return err
}

// WritePNG draws the figure as PNG.
func (f *Figure) WritePNG(w io.Writer) error {
	width, height := f.Size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))
	f.draw(draw.New(c), color.White)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// WritePDF draws the figure as PDF with its fonts embedded.
func (f *Figure) WritePDF(w io.Writer) error {
	width, height := f.Size()
	c := vgpdf.New(width, height)
	f.draw(draw.New(latin{c}), nil)
	_, err := c.WriteTo(w)
	return err
}

// latin is a PDF whose texts are in the encoding of its fonts, Windows 1252. Other
// characters become question marks.
type latin struct{ *vgpdf.Canvas }

func (c latin) FillString(f font.Face, at vg.Point, s string) {
	s = strings.ReplaceAll(s, "−", "–")
	encoded, err := encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()).String(s)
	if err != nil {
		encoded = strings.Repeat("?", len(s))
	}
	c.Canvas.FillString(f, at, strings.ReplaceAll(encoded, "\x1a", "?"))
}

// SetColor passes the colour on without premultiplied opacity: vgpdf would not undo the
// multiplication, and would draw bands that are too dark.
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
