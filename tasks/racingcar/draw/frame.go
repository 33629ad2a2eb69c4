package draw

import "fmt"

// A State is the part of a frame, apart from the track, that changes with each step.
//
// Rotations are given as cosines and sines, because the results of Go and of the C library differ
// in the last bit for a quarter of all angles.
type State struct {
	Cos, Sin, Zoom float64    // the camera: it turns by minus the hull's angle
	Bodies         [5]Body    // the wheels, in Gymnasium's order, and the hull
	Stripes        [4]Stripe  // on the wheels
	Speed          float64    // the hull's speed, world units per second
	Omega          [4]float64 // the wheels' angular velocities, rad/s
	Steer, Gyro    float64    // angle of the front left wheel's joint; hull's angular velocity
	Score          *Picture
}

// A Body is the transform of one of Box2D's bodies.
type Body struct{ X, Y, Sin, Cos float32 }

// A Stripe is the mark that shows a wheel turning, between two cosines; some are hidden.
type Stripe struct {
	From, To float64
	Shown    bool
}

// A Picture is grey text, row-major.
type Picture struct {
	Width int
	Grey  []uint8
}

// A Shape is one quadrilateral of the road, the field or the grass, in world units.
type Shape [4]Point

// A Point is a point in the world.
type Point struct{ X, Y float64 }

// A Renderer draws the frames of one track. Only one goroutine at a time may use it.
type Renderer struct {
	s       surface
	road    []Shape
	colours []colour
}

// New returns a Renderer of a road, whose shapes are painted in the given order. rgb has the colour
// of each shape.
func New(road []Shape, rgb [][3]uint8) (*Renderer, error) {
	r := &Renderer{road: road, colours: make([]colour, len(road))}
	if len(rgb) != len(road) {
		return nil, fmt.Errorf("%d shapes of the road have %d colours", len(road), len(rgb))
	}
	copy(r.s.palette[:], palette[:])
	for i, c := range rgb {
		n, ok := roadColours[c]
		if !ok {
			return nil, fmt.Errorf("shape %d of the road has the unknown colour %v", i, c)
		}
		r.colours[i] = n
	}
	return r, nil
}

var roadColours = map[[3]uint8]colour{
	{102, 102, 102}: road0, {104, 104, 104}: road1, {107, 107, 107}: road2,
	{255, 255, 255}: white, {255, 0, 0}: red,
}

// Visit gives a shape of the road the colour of a tile that the car has touched.
func (r *Renderer) Visit(shape int) error {
	if shape < 0 || shape >= len(r.road) {
		return fmt.Errorf("a road of %d shapes has no shape %d", len(r.road), shape)
	}
	r.colours[shape] = road0
	return nil
}

// Frame draws the observation, 96×96×3 bytes, RGB, row-major, into out.
func (r *Renderer) Frame(st *State, out []uint8) {
	c := newCamera(st)
	r.s.flipped, r.s.top = true, panel
	copy(r.s.cells[:], night[:])
	r.world(&c)
	r.car(&c, st)
	r.s.flipped, r.s.top = false, 0
	r.instruments(st)
	r.s.reduce(out)
}

// night is a black surface: nothing is painted outside the playfield.
var night [height * size]colour

// A camera converts points in the world to pixels.
type camera struct{ cos, sin, zoom, x, y float64 }

func newCamera(st *State) camera {
	c := camera{cos: st.Cos, sin: st.Sin, zoom: st.Zoom}
	h := st.Bodies[4]
	p := c.turn(Point{float64(-float64(h.X) * c.zoom), float64(-float64(h.Y) * c.zoom)})
	c.x, c.y = 500+p.X, 200+p.Y
	return c
}

func (c *camera) turn(p Point) Point {
	return Point{
		float64(c.cos*p.X) - float64(c.sin*p.Y),
		float64(c.sin*p.X) + float64(c.cos*p.Y),
	}
}

// pixel truncates toward zero, as both of pygame's modules do.
func (c *camera) pixel(p Point) point {
	p = c.turn(p)
	return point{int(float64(p.X*c.zoom) + c.x), int(float64(p.Y*c.zoom) + c.y)}
}

// Variables, not constants, so that each quotient is rounded as Python rounds it.
var (
	playfield float64 = 2000 / 6.0 // half its width, world units
	patch             = playfield / 20
)

// ground is the field and its 400 patches of grass.
var ground = func() []Shape {
	f := playfield
	shapes := []Shape{{{f, f}, {f, -f}, {-f, -f}, {-f, f}}}
	for i := -20; i < 20; i += 2 {
		for j := -20; j < 20; j += 2 {
			x, y := float64(patch*float64(i)), float64(patch*float64(j))
			shapes = append(shapes,
				Shape{{x + patch, y}, {x, y}, {x, y + patch}, {x + patch, y + patch}})
		}
	}
	return shapes
}()

// world paints the field, the grass and the road.
func (r *Renderer) world(c *camera) {
	r.paint(c, &ground[0], field)
	for i := range ground[1:] {
		if near(c.pixel(ground[i+1][0])) {
			r.paint(c, &ground[i+1], grass)
		}
	}
	for i := range r.road {
		if near(c.pixel(r.road[i][0])) {
			r.paint(c, &r.road[i], r.colours[i])
		}
	}
}

// near reports whether a shape with a corner at p may be visible. A shape with a corner more than m
// pixels outside the surface is not visible, because the diagonal of a patch of grass, the widest
// shape except the field, is 382 pixels.
func near(p point) bool {
	const m = 400
	return p.x >= -m && p.x < width+m && p.y >= panel-m && p.y < height+m
}

// paint paints a shape of the world.
func (r *Renderer) paint(c *camera, sh *Shape, col colour) {
	var p [4]point
	for i, q := range sh {
		p[i] = c.pixel(q)
	}
	left, right := min(p[0].x, p[1].x, p[2].x, p[3].x), max(p[0].x, p[1].x, p[2].x, p[3].x)
	lower, upper := min(p[0].y, p[1].y, p[2].y, p[3].y), max(p[0].y, p[1].y, p[2].y, p[3].y)
	if right < 0 || left >= width || upper < panel || lower >= height {
		return
	}
	r.s.outlined(p[:], col)
}

// The polygons of the car's bodies, in float32 as Box2D keeps them.
var (
	wheel = [][2]float32{{.28, -.54}, {.28, .54}, {-.28, .54}, {-.28, -.54}}
	hulls = [][][2]float32{
		{{1.2, 2.2}, {1.2, 2.6}, {-1.2, 2.6}, {-1.2, 2.2}},
		{{.4, .4}, {.3, 2.4}, {-.3, 2.4}, {-.4, .4}},
		{{1, -.8}, {1, -.2}, {.5, .4}, {-.5, .4}, {-1, -.2}, {-1, -.8}, {-.4, -1.8}, {.4, -1.8}},
		{{1, -2.4}, {1, -1.8}, {-1, -1.8}, {-1, -2.4}},
	}
)

// car paints the wheels with their stripes, and the hull. Skid marks are not in an observation.
func (r *Renderer) car(c *camera, st *State) {
	for i, s := range st.Stripes {
		r.part(c, &st.Bodies[i], wheel, black)
		if s.Shown {
			from, to := stripeEdge(s.From), stripeEdge(s.To)
			r.part(c, &st.Bodies[i], [][2]float32{{-.28, from}, {.28, from}, {.28, to}, {-.28, to}},
				stripe)
		}
	}
	for _, p := range hulls {
		r.part(c, &st.Bodies[4], p, hull)
	}
}

// stripeEdge returns the position of a stripe's edge with this cosine on a wheel of radius 27,
// scaled by 0.02.
func stripeEdge(cos float64) float32 { return float32(float64(27*cos) * 0.02) }

// part paints a polygon of a body, which Box2D moves into the world in float32.
func (r *Renderer) part(c *camera, b *Body, poly [][2]float32, col colour) {
	var p [corners]point
	for i, q := range poly {
		x := float32(float32(b.Cos*q[0])-float32(b.Sin*q[1])) + b.X
		y := float32(float32(b.Sin*q[0])+float32(b.Cos*q[1])) + b.Y
		p[i] = c.pixel(Point{float64(x), float64(y)})
	}
	r.s.polygon(p[:len(poly)], col)
}

// instruments paints the panel: speed, wheels, steering, gyroscope and the score.
func (r *Renderer) instruments(st *State) {
	r.s.polygon([]point{{1000, 800}, {1000, 700}, {0, 700}, {0, 800}}, black)
	upright := func(place int, shown, v float64, c colour) {
		if !visible(shown) {
			return
		}
		y := int(height - (20 + float64(20*v)))
		left, right := place*25, (place+1)*25
		r.s.polygon([]point{{left, y}, {right, y}, {right, 780}, {left, 780}}, c)
	}
	level := func(place int, shown, v float64, c colour) {
		if !visible(shown) {
			return
		}
		x := int(float64((float64(place) + v) * 25))
		r.s.polygon([]point{{place * 25, 720}, {x, 720}, {x, 760}, {place * 25, 760}}, c)
	}
	upright(5, st.Speed, float64(0.02*st.Speed), white)
	for i, c := range []colour{blue, blue, violet, violet} {
		upright(7+i, st.Omega[i], float64(0.01*st.Omega[i]), c)
	}
	level(20, st.Steer, float64(-10*st.Steer), green)
	level(30, st.Gyro, float64(-0.8*st.Gyro), red)
	r.score(st.Score)
}

func visible(v float64) bool { return v > 1e-4 || v < -1e-4 }

// score copies the text, centred at (60, 750).
func (r *Renderer) score(p *Picture) {
	if p == nil || p.Width == 0 {
		return
	}
	rows := len(p.Grey) / p.Width
	left, top := 60-p.Width/2, 750-rows/2
	for y := range rows {
		row := top + y
		for k := int(cellOf[left]); k <= int(cellOf[left+p.Width-1]); k++ {
			if r.s.cells[row*size+k] != mixed {
				r.s.mix(row, k)
			}
		}
		px := r.s.pixels[row*width+left:][:p.Width]
		for i, g := range p.Grey[y*p.Width:][:p.Width] {
			px[i] = uint32(g) * 0x010101
		}
	}
}
