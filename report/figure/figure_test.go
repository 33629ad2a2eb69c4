package figure

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{0, 1000, []string{"0", "200", "400", "600", "800", "1000"}},
		{5.83, 6.52, []string{"5.9", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5"}},
		{-50, 60, []string{"−40", "−20", "0", "20", "40", "60"}},
		{1, 1, nil},
		{0, math.Inf(1), nil},
	} {
		var got []string
		for _, tick := range ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		golden.Same(t, fmt.Sprintf("ticks(%g, %g)", c.low, c.high), c.want, got)
	}
	var mirrored []string
	for _, tick := range Ticks(-6.04, -5.98, -1) {
		mirrored = append(mirrored, tick.Label)
	}
	golden.Same(t, "mirrored ticks",
		[]string{"6.04", "6.03", "6.02", "6.01", "6.00", "5.99", "5.98"}, mirrored)
	if n := len(ticks(1e17, 1e17+64)); n > 20 {
		t.Errorf("%d ticks where steps are below the last bit", n)
	}
}

// TestFiguresTakeAnyText: names come from models and files. Figures can be drawn with any names,
// and drawing twice gives equal figures.
func TestFiguresTakeAnyText(t *testing.T) {
	f := &Figure{
		Title:  "α − ± \x00 <b>&amp; 進化 \U0001F600 " + strings.Repeat("long ", 40),
		Data:   [][]string{{"a"}},
		Legend: []Entry{{Text: strings.Repeat("w", 200), Look: LookOf(0), Line: true}},
		Panels: []Panel{{X: Span("×10³", 0, math.NaN()), Y: Span("y", 1, 1), Height: 80,
			Shapes: []plot.Plotter{Writing(0, 1, "\"; ) \\ (")}}},
	}
	for name, write := range map[string]func(io.Writer) error{
		"SVG": f.WriteSVG, "PNG": f.WritePNG, "PDF": f.WritePDF,
	} {
		var one, two bytes.Buffer
		if err := write(&one); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := write(&two); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: drawing twice gives different bytes (%v)", name, err)
		}
	}
}

// TestLegendsKeepWithinTheWidth: entries that do not fit continue in another row.
func TestLegendsKeepWithinTheWidth(t *testing.T) {
	f := &Figure{}
	for n := range 12 {
		f.Legend = append(f.Legend, Entry{
			Text: strings.Repeat("w", 3*n), Look: LookOf(n), Line: true,
		})
	}
	for _, row := range f.legendRows() {
		width := -float64(apart)
		for _, e := range row {
			width += float64(e.width())
		}
		if len(row) > 1 && width > float64(figureWidth-2*margin) {
			t.Errorf("a row of the legend is %g points wide", width)
		}
	}
}
