package draw

// outline draws the anti-aliased outline of a polygon as pygame.gfxdraw's aapolygon does (SDL_gfx).
func (s *surface) outline(p []point, c colour) {
	for i, a := range p {
		s.line(a, p[(i+1)%len(p)], c)
	}
}

// The side on which a point is outside the surface.
const (
	left = 1 << iota
	right
	above
	below
)

func outside(p point) (code int) {
	switch {
	case p.x < 0:
		code = left
	case p.x > width-1:
		code = right
	}
	switch {
	case p.y < 0:
		code |= above
	case p.y > height-1:
		code |= below
	}
	return code
}

// clip cuts a line to the surface by Cohen and Sutherland's algorithm with slopes in float32 and
// coordinates truncated at each cut. A cut line is bent a little, as in the stock drawing. It
// reports false for a line outside, and may exchange the ends.
func clip(a, b point) (point, point, bool) {
	for {
		at, bt := outside(a), outside(b)
		if at|bt == 0 {
			return a, b, true
		}
		if at&bt != 0 {
			return a, b, false
		}
		if at == 0 {
			a, b, at = b, a, bt
		}
		slope := float32(1)
		if a.x != b.x {
			slope = float32(b.y-a.y) / float32(b.x-a.x)
		}
		switch {
		case at&left != 0:
			a.y += int(float32(float32(0-a.x) * slope))
			a.x = 0
		case at&right != 0:
			a.y += int(float32(float32(width-1-a.x) * slope))
			a.x = width - 1
		case at&below != 0:
			if a.x != b.x {
				a.x += int(float32(float32(height-1-a.y) / slope))
			}
			a.y = height - 1
		default:
			if a.x != b.x {
				a.x += int(float32(float32(0-a.y) / slope))
			}
			a.y = 0
		}
	}
}

// line draws a line without its end point. It blends each pixel's colour with the existing one by
// the part of the pixel that the line covers.
func (s *surface) line(a, b point, c colour) {
	a, b, ok := clip(a, b)
	if !ok {
		return
	}
	start := a
	if a.y > b.y {
		a, b = b, a
	}
	if b.y+1 < s.top {
		return
	}
	dx, dy := b.x-a.x, b.y-a.y
	if dx == 0 || dy == 0 {
		for y := max(a.y, s.top); y <= b.y; y++ {
			s.span(s.row(y), a.x, b.x, c)
		}
		return
	}
	if start.y >= s.top {
		s.span(s.row(start.y), start.x, start.x, c)
	}
	dir := 1
	if dx < 0 {
		dir, dx = -1, -dx
	}
	var acc uint32 // the fraction of the line's position across its direction
	x, y := a.x, a.y
	if dy > dx {
		step := uint32(dx<<16/dy) << 16
		for range dy - 1 {
			old := acc
			acc += step
			if acc <= old {
				x += dir
			}
			y++
			if y < s.top {
				continue
			}
			weight := acc >> 24
			s.blend(y, x, c, 255-weight)
			if uint(x+dir) < width {
				s.blend(y, x+dir, c, weight)
			}
		}
		return
	}
	step := uint32(dy<<16/dx) << 16
	for range dx - 1 {
		old := acc
		acc += step
		if acc <= old {
			y++
		}
		x += dir
		weight := acc >> 24
		if y >= s.top {
			s.blend(y, x, c, 255-weight)
		}
		if y+1 >= s.top && y+1 < height {
			s.blend(y+1, x, c, weight)
		}
	}
}
