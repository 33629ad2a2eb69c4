package draw

import "encoding/binary"

// The reduction follows the SSE code of pygame.transform.smoothscale: first horizontally, to 8
// bits, then vertically, with separate channels and truncation everywhere.

const one = 1 << 14 // the weight of a whole source pixel

// A cut ends one value of the reduction and begins the next, within source pixel at. counter is the
// pixel's weight (of 16384) in the first value, and rest its weight in the next.
type cut struct{ at, counter, rest int }

// cuts returns where the reduction of n values to 96 emits a value, and the factor of its sums.
func cuts(n int) (cs [size]cut, factor uint64) {
	space := one * n / size
	counter, k := space, 0
	for i := range n {
		if counter > one {
			counter -= one
			continue
		}
		cs[k] = cut{i, counter, one - counter}
		k++
		counter += space - one
	}
	if k != size {
		panic("draw: a reduction to another size")
	}
	return cs, uint64(1 << 30 / space)
}

var (
	columns, across = cuts(width)
	rows, down      = cuts(height)

	// cellOf is the cell of each pixel of a row; cell k has the pixels from cellStart[k] to
	// cellStart[k+1], exclusive.
	cellOf, cellStart = func() (of [width]uint8, start [size + 1]int) {
		for k, c := range columns {
			start[k+1] = c.at + 1
			for x := start[k]; x <= c.at; x++ {
				of[x] = uint8(k)
			}
		}
		return of, start
	}()
)

// A triple is three channels, each in its own 32 bits: red and blue, and green.
type triple struct{ rb, g uint64 }

func spread(p uint32) triple {
	return triple{uint64(p&0xff) | uint64(p>>16&0xff)<<32, uint64(p >> 8 & 0xff)}
}

func (t triple) plus(u triple) triple { return triple{t.rb + u.rb, t.g + u.g} }

// share returns (4·v·weight) >> 16 of each channel.
func (t triple) share(weight int) triple {
	w := uint64(weight)
	return triple{t.rb * w >> 14 & 0x0003ffff_0003ffff, t.g * w >> 14}
}

// times returns (v·factor) >> 16 of each channel.
func (t triple) times(factor uint64) triple {
	return triple{t.rb * factor >> 16 & 0x0000ffff_0000ffff, t.g * factor >> 16}
}

// plainAcross[c] is the value of a cell if it and the cell to its left have colour c. plainDown[c]
// is the value of an observation's pixel if both cells have colour c in all of the pixel's rows.
var plainAcross, plainDown = func() (a [colours]triple, d [colours][3]uint8) {
	for c, v := range palette {
		t := spread(v)
		n := columns[1].at - columns[0].at - 1
		inner, last := t.many(n), t.share(columns[1].counter)
		a[c] = t.share(columns[0].rest).plus(inner).plus(last).times(across)
		t = a[c]
		n = rows[1].at - rows[0].at - 1
		t = t.share(rows[0].rest).plus(t.many(n)).plus(t.share(rows[1].counter)).times(down)
		d[c] = [3]uint8{uint8(t.rb), uint8(t.g), uint8(t.rb >> 32)}
	}
	return a, d
}()

func (t triple) many(n int) triple { return triple{t.rb * uint64(n), t.g * uint64(n)} }

// reduce writes the observation, 96×96×3 bytes.
func (s *surface) reduce(out []uint8) {
	first := 0
	for g, cut := range rows {
		s.reduceRow(out[g*size*3:][:size*3], g, first, cut.at)
		first = cut.at // the next row takes a share of this row
	}
}

const mixedCells = 0x80808080_80808080 // the bit of mixed that no colour has, in eight cells

// reduceRow writes row g of the observation, which depends on the surface's rows first…last.
func (s *surface) reduceRow(out []uint8, g, first, last int) {
	var left, leftDiffers uint64 // the previous word
	for w := 0; w < size; w += 8 {
		// Find in one operation which of eight cells do not have one colour in all rows, the same
		// as the cell to their left.
		word := binary.LittleEndian.Uint64(s.cells[first*size+w:])
		var differs uint64
		for row := first + 1; row <= last; row++ {
			differs |= word ^ binary.LittleEndian.Uint64(s.cells[row*size+w:])
		}
		if w == 0 {
			left = word << 56
		}
		beside := word<<8 | left>>56
		uneven := differs | differs<<8 | leftDiffers>>56 | (word ^ beside) | word&mixedCells
		left, leftDiffers = word, differs
		if uneven == 0 && word == word<<8|word>>56 {
			c := plainDown[colour(word)]
			for k := range 8 {
				o := out[(w+k)*3:][:3]
				o[0], o[1], o[2] = c[0], c[1], c[2]
			}
			continue
		}
		for k := range 8 {
			o := out[(w+k)*3:][:3]
			if uneven>>(8*k)&0xff == 0 {
				c := plainDown[colour(word>>(8*k))]
				o[0], o[1], o[2] = c[0], c[1], c[2]
				continue
			}
			t := s.pixel(g, w+k, first, last)
			o[0], o[1], o[2] = uint8(t.rb), uint8(t.g), uint8(t.rb>>32)
		}
	}
}

// pixel returns one pixel of the observation, from the surface's rows first…last.
func (s *surface) pixel(g, k, first, last int) (acc triple) {
	row := first
	if g > 0 {
		acc = s.cell(row, k).share(rows[g-1].rest)
		row++
	}
	for ; row < last; row++ {
		acc = acc.plus(s.cell(row, k))
	}
	return acc.plus(s.cell(last, k).share(rows[g].counter)).times(down)
}

// cell returns the result of the horizontal reduction for column k of a row.
func (s *surface) cell(row, k int) (acc triple) {
	c := s.cells[row*size+k]
	if k > 0 {
		l := s.cells[row*size+k-1]
		if l == c && c != mixed {
			return plainAcross[c]
		}
		p := s.pixels[row*width+columns[k-1].at]
		if l != mixed {
			p = s.palette[l]
		}
		acc = spread(p).share(columns[k-1].rest)
	}
	if c != mixed {
		t := spread(s.palette[c])
		n := cellStart[k+1] - cellStart[k] - 1
		return acc.plus(t.many(n)).plus(t.share(columns[k].counter)).times(across)
	}
	px := s.pixels[row*width+cellStart[k] : row*width+cellStart[k+1]]
	var rb, g uint32
	for _, p := range px[:len(px)-1] {
		rb += p & 0xff00ff
		g += p >> 8 & 0xff
	}
	acc.rb += uint64(rb&0xffff) | uint64(rb>>16)<<32
	acc.g += uint64(g)
	return acc.plus(spread(px[len(px)-1]).share(columns[k].counter)).times(across)
}
