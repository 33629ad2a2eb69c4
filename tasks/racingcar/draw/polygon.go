package draw

import "slices"

// bounds returns the lowest and the highest row of a polygon.
func bounds(p []point) (low, high int) {
	low, high = p[0].y, p[0].y
	for _, q := range p[1:] {
		low, high = min(low, q.y), max(high, q.y)
	}
	return low, high
}

// cross records where row y crosses an edge.
func (s *surface) cross(y, x int) {
	s.crossings[y][s.crossed[y]] = x
	s.crossed[y]++
}

// outlined paints a polygon and its anti-aliased outline, as outline and then gfxPolygon do. It
// finds the filling first, because the filling covers half of the outline's pixels: see blend.
func (s *surface) outlined(p []point, c colour) {
	from, to := s.gfxSpans(p)
	s.outline(p, c)
	s.gfxFill(from, to, c)
}

// gfxPolygon paints a polygon as pygame.gfxdraw's filled_polygon does (SDL_gfx). A polygon that is
// one row high paints nothing.
func (s *surface) gfxPolygon(p []point, c colour) {
	from, to := s.gfxSpans(p)
	s.gfxFill(from, to, c)
}

// gfxSpans stores in crossings the ends of the spans that gfxPolygon paints in rows from…to.
func (s *surface) gfxSpans(p []point) (from, to int) {
	ymin, ymax := bounds(p)
	from, to = max(ymin, s.top), min(ymax, height-1)
	if from > to {
		return from, to
	}
	a := p[len(p)-1]
	for _, b := range p {
		s.gfxEdge(a, b, ymax, from, to)
		a = b
	}
	for y := from; y <= to; y++ {
		xs := s.crossings[y][:s.crossed[y]]
		if len(xs) == 2 {
			if xs[0] > xs[1] {
				xs[0], xs[1] = xs[1], xs[0]
			}
		} else {
			slices.Sort(xs)
		}
		for i := 0; i+1 < len(xs); i += 2 {
			left, right := xs[i]+1, xs[i+1]-1
			xs[i], xs[i+1] = left>>16+left>>15&1, right>>16+right>>15&1
		}
	}
	return from, to
}

// gfxFill paints the spans and forgets them.
func (s *surface) gfxFill(from, to int, c colour) {
	for y := from; y <= to; y++ {
		xs := s.crossings[y][:s.crossed[y]]
		for i := 0; i+1 < len(xs); i += 2 {
			s.span(s.row(y), xs[i], xs[i+1], c)
		}
		s.crossed[y] = 0
	}
}

// gfxEdge records the crossings of an edge with rows from…to, in 1/65536 of a pixel. The last row
// of an edge counts only if it is the last row of the polygon, ymax.
func (s *surface) gfxEdge(a, b point, ymax, from, to int) {
	if a.y > b.y {
		a, b = b, a
	}
	dx, dy := b.x-a.x, b.y-a.y
	if dy == 0 {
		return
	}
	if b.y != ymax {
		to = min(to, b.y-1)
	}
	to, from = min(to, b.y), max(from, a.y)
	if from > to {
		return
	}
	// quotient is 65536·(y−a.y) div dy, updated with its remainder.
	quotient, rest := 65536*(from-a.y)/dy, 65536*(from-a.y)%dy
	step, stepRest := 65536/dy, 65536%dy
	for y := from; y <= to; y++ {
		s.cross(y, quotient*dx+65536*a.x)
		quotient, rest = quotient+step, rest+stepRest
		if rest >= dy {
			quotient, rest = quotient+1, rest-dy
		}
	}
}

// polygon paints a polygon as pygame.draw.polygon does.
func (s *surface) polygon(p []point, c colour) {
	ymin, ymax := bounds(p)
	from, to := max(ymin, s.top), min(ymax, height-1)
	if from > to {
		return
	}
	if ymin == ymax {
		left, right := p[0].x, p[0].x
		for _, q := range p[1:] {
			left, right = min(left, q.x), max(right, q.x)
		}
		s.span(s.row(ymin), left, right, c)
		return
	}
	a := p[len(p)-1]
	for _, b := range p {
		s.edge(a, b, ymax, from, to)
		a = b
	}
	for y := from; y <= to; y++ {
		xs := s.crossings[y][:s.crossed[y]]
		slices.Sort(xs)
		for i := 0; i+1 < len(xs); i += 2 {
			s.span(s.row(y), xs[i], xs[i+1], c)
		}
		s.crossed[y] = 0
	}
	a = p[len(p)-1]
	for _, b := range p {
		if a.y == b.y && ymin < a.y && a.y < ymax && from <= a.y && a.y <= to {
			s.span(s.row(a.y), a.x, b.x, c)
		}
		a = b
	}
}

// edge records the crossings of an edge with rows from…to, in pixels.
func (s *surface) edge(a, b point, ymax, from, to int) {
	if a.y > b.y {
		a, b = b, a
	}
	if a.y == b.y {
		return
	}
	if b.y != ymax {
		to = min(to, b.y-1)
	}
	to, from = min(to, b.y), max(from, a.y)
	dx, dy, x := float64(b.x-a.x), float64(b.y-a.y), float64(a.x)
	for y := from; y <= to; y++ {
		s.cross(y, int(float64(float64(float64(y-a.y)*dx)/dy)+x))
	}
}
