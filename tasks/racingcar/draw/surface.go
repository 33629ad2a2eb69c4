package draw

const (
	width   = 1000 // of the stock drawing's surface, pixels
	height  = 800
	size    = 96  // of the observation, width and height
	panel   = 100 // the surface's lowest rows, which the instruments cover
	corners = 8   // the largest number of corners of a polygon
)

// A point of the surface, truncated to whole pixels.
type point struct{ x, y int }

// A colour is a number in the surface's palette.
type colour = uint8

const (
	black colour = iota
	field
	grass
	road0
	road1
	road2
	white
	red
	hull
	stripe
	blue
	violet
	green
	colours // the number of colours

	mixed colour = 0xff // a cell with more than one colour
)

// palette has red in the lowest byte, then green, then blue.
var palette = [colours]uint32{
	black: 0, field: rgb(102, 204, 102), grass: rgb(102, 230, 102),
	road0: rgb(102, 102, 102), road1: rgb(104, 104, 104), road2: rgb(107, 107, 107),
	white: rgb(255, 255, 255), red: rgb(255, 0, 0), hull: rgb(204, 0, 0),
	stripe: rgb(77, 77, 77), blue: rgb(0, 0, 255), violet: rgb(51, 0, 255), green: rgb(0, 255, 0),
}

func rgb(r, g, b uint32) uint32 { return r | g<<8 | b<<16 }

// A surface is the picture of 1000×800 pixels before it is reduced to 96×96.
//
// A row is divided into 96 cells; each ends where the reduction emits a column. A cell has one
// colour, or it is mixed. The surface keeps pixels only for mixed cells: in a typical frame, 4,000
// of 76,800 cells. Painting therefore touches pixels only along the edges of shapes, and reducing
// reads only these.
type surface struct {
	palette [128]uint32
	cells   [height * size]colour  // row-major
	pixels  [height * width]uint32 // valid in mixed cells

	// Painting the world turns it upside down, as the stock drawing does afterwards, and omits the
	// rows that the panel will cover.
	flipped bool
	top     int // the first row that is painted

	crossings [height][corners]int // where a polygon's edges cross a row
	crossed   [height]int          // number of crossings; 0 between polygons
}

// row returns the position in memory of row y of a shape.
func (s *surface) row(y int) int {
	if s.flipped {
		return height - 1 - y
	}
	return y
}

// span paints a row from left to right, inclusive, clipped to the surface.
func (s *surface) span(row, left, right int, c colour) {
	if left > right {
		left, right = right, left
	}
	left, right = max(left, 0), min(right, width-1)
	if left > right {
		return
	}
	cells := s.cells[row*size:][:size]
	first, last := int(cellOf[left]), int(cellOf[right])
	if left > cellStart[first] {
		s.part(row, first, left, min(right, cellStart[first+1]-1), c)
		first++
	}
	if first > last {
		return
	}
	if right < cellStart[last+1]-1 {
		s.part(row, last, cellStart[last], right, c)
		last--
	}
	if first <= last {
		copy(cells[first:last+1], plain[c][:])
	}
}

// plain has rows of cells of one colour, to copy from.
var plain = func() (p [256][size]colour) {
	for c := range p {
		for k := range p[c] {
			p[c][k] = colour(c)
		}
	}
	return p
}()

// part paints some pixels of one cell.
func (s *surface) part(row, cell, left, right int, c colour) {
	switch s.cells[row*size+cell] {
	case c:
		return
	case mixed:
	default:
		s.mix(row, cell)
	}
	v := s.palette[c]
	px := s.pixels[row*width+left : row*width+right+1]
	for i := range px {
		px[i] = v
	}
}

// mix gives a cell of one colour its pixels.
func (s *surface) mix(row, cell int) {
	v := s.palette[s.cells[row*size+cell]]
	px := s.pixels[row*width+cellStart[cell] : row*width+cellStart[cell+1]]
	for i := range px {
		px[i] = v
	}
	s.cells[row*size+cell] = mixed
}

// blend blends a colour into a pixel of row y with weight 0 to 255, unless the span that is about
// to be painted covers the pixel.
func (s *surface) blend(y, x int, c colour, weight uint32) {
	if weight < 2 {
		return // 255·1 >> 8 is 0
	}
	if xs := &s.crossings[y]; s.crossed[y] == 2 && xs[0] <= x && x <= xs[1] {
		return
	}
	row, cell := s.row(y), int(cellOf[x])
	switch s.cells[row*size+cell] {
	case c:
		return
	case mixed:
	default:
		s.mix(row, cell)
	}
	a := weight - 1 // 255·weight >> 8
	d, v := s.pixels[row*width+x], s.palette[c]
	rb := ((d&0xff00ff)*(256-a) + (v&0xff00ff)*a) >> 8 & 0xff00ff
	g := ((d>>8&0xff)*(256-a) + (v>>8&0xff)*a) & 0xff00
	s.pixels[row*width+x] = rb | g
}
