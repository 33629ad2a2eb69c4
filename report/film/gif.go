package film

import (
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"io"
	"maps"
	"math"
	"slices"
)

// lastShown is how long the last frame stays before the animation begins again, in 1/100 s.
const lastShown = 150

// GIF writes the frames as an endless animation. Each frame except the last is shown for delay
// hundredths of a second. All frames share one palette, because the drawings of an environment have
// few colours.
func GIF(w io.Writer, frames []*image.RGBA, delay int) error {
	table := palette(frames)
	clear := uint8(len(table) - 1) // transparent
	nearest := map[uint32]uint8{}
	var out gif.GIF
	var shown []uint8
	for _, f := range frames {
		p := image.NewPaletted(f.Rect, table)
		for i := range p.Pix {
			c := pixel(f, i)
			n, known := nearest[c]
			if !known {
				n = uint8(table[:clear].Index(colorOf(c)))
				nearest[c] = n
			}
			p.Pix[i] = n
		}
		whole := slices.Clone(p.Pix)
		// Unchanged pixels are transparent, because long runs of one index compress well.
		for i := range shown {
			if p.Pix[i] == shown[i] {
				p.Pix[i] = clear
			}
		}
		shown = whole
		out.Image = append(out.Image, p)
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	out.Delay[len(out.Delay)-1] = lastShown
	return gif.EncodeAll(w, &out)
}

func pixel(f *image.RGBA, i int) uint32 {
	return uint32(f.Pix[4*i])<<16 | uint32(f.Pix[4*i+1])<<8 | uint32(f.Pix[4*i+2])
}

func colorOf(c uint32) color.RGBA {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// palette returns up to 255 opaque colours, and a transparent one as the last. It groups colours by
// their first five bits in each channel, and takes the most frequent colour of each of the largest
// groups, so that areas of one colour keep their exact colour.
func palette(frames []*image.RGBA) color.Palette {
	type group struct {
		pixels, most int
		color        uint32
	}
	counts := map[uint32]int{}
	every := int(math.Ceil(float64(len(frames)) / 48)) // about 48 frames show all colours
	for i := 0; i < len(frames); i += every {
		for k := range len(frames[i].Pix) / 4 {
			counts[pixel(frames[i], k)]++
		}
	}
	groups := map[uint32]*group{}
	for c, n := range counts {
		key := c & 0xF8F8F8
		g := groups[key]
		if g == nil {
			g = &group{}
			groups[key] = g
		}
		g.pixels += n
		if n > g.most || n == g.most && c < g.color {
			g.most, g.color = n, c
		}
	}
	ranked := slices.SortedFunc(maps.Values(groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.pixels, a.pixels), cmp.Compare(a.color, b.color))
	})
	var table color.Palette
	for _, g := range ranked[:min(len(ranked), 255)] {
		table = append(table, colorOf(g.color))
	}
	return append(table, color.RGBA{})
}
