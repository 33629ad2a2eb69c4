package racingcar

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/tasks/racingcar/draw"
)

// view is the Python module that sends the state of the world instead of its picture.
//
//go:embed view.py
var view string

// decode returns a function that draws the observations of one episode. Each observation is valid
// until the next call.
func decode() func([]bench.Value) (bench.Array, error) {
	d := &decoder{
		scores: map[int32]*draw.Picture{},
		frame:  bench.Array{DType: "uint8", Shape: []int{96, 96, 3}, Data: make([]byte, 96*96*3)},
	}
	return d.observation
}

// A decoder draws the observations of one episode.
type decoder struct {
	renderer *draw.Renderer
	scores   map[int32]*draw.Picture
	count    int // observations drawn
	frame    bench.Array
}

// state has the values that change with each step, in the format of view.py.
type state struct {
	Cos, Sin, Zoom float64
	Bodies         [5]draw.Body
	Stripes        [4]struct{ From, To float64 } // NaN: hidden
	Speed          float64
	Omega          [4]float64
	Steer, Gyro    float64
	Score          int32
}

// observation draws the five values of a view: state, picture of the score, road, colours and stock
// drawing. If there is a stock drawing, it compares the two drawings.
func (d *decoder) observation(values []bench.Value) (bench.Array, error) {
	if len(values) != 5 {
		return bench.Array{}, fmt.Errorf("%d values, not 5", len(values))
	}
	var arrays [5]*bench.Array
	for i, v := range values {
		switch v := v.(type) {
		case bench.Array:
			arrays[i] = &v
		case bench.None:
		default:
			return bench.Array{}, fmt.Errorf("value %d is a %T", i, v)
		}
	}
	packed, text, road, colours, stock := arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]
	if road != nil && colours != nil {
		r, err := renderer(road.Data, colours.Data)
		if err != nil {
			return bench.Array{}, err
		}
		d.renderer = r
	}
	if packed == nil || d.renderer == nil {
		return bench.Array{}, fmt.Errorf("no state, or no road before the first state")
	}
	if err := d.draw(packed.Data, text); err != nil {
		return bench.Array{}, err
	}
	if stock != nil {
		if err := compare(d.frame.Data, stock.Data, d.count); err != nil {
			return bench.Array{}, err
		}
	}
	d.count++
	return d.frame, nil
}

// draw draws a packed state. text is the picture of the score, which is sent once for each score.
func (d *decoder) draw(packed []byte, text *bench.Array) error {
	var s state
	n, err := binary.Decode(packed, binary.LittleEndian, &s)
	if err != nil {
		return fmt.Errorf("a state of %d bytes: %w", len(packed), err)
	}
	for touched := packed[n:]; len(touched) >= 2; touched = touched[2:] {
		if err := d.renderer.Visit(int(binary.LittleEndian.Uint16(touched))); err != nil {
			return err
		}
	}
	if text != nil && len(text.Shape) == 2 {
		grey := append([]byte{}, text.Data...)
		d.scores[s.Score] = &draw.Picture{Width: text.Shape[1], Grey: grey}
	}
	if d.scores[s.Score] == nil {
		return fmt.Errorf("no picture of the score %d", s.Score)
	}
	shown := draw.State{
		Cos: s.Cos, Sin: s.Sin, Zoom: s.Zoom, Bodies: s.Bodies, Speed: s.Speed, Omega: s.Omega,
		Steer: s.Steer, Gyro: s.Gyro, Score: d.scores[s.Score],
	}
	for i, st := range s.Stripes {
		shown.Stripes[i] = draw.Stripe{From: st.From, To: st.To, Shown: !math.IsNaN(st.From)}
	}
	d.renderer.Frame(&shown, d.frame.Data)
	return nil
}

// renderer reads a road of n shapes as n×4×2 float64, and its colours as n×3 uint8.
func renderer(road, colours []byte) (*draw.Renderer, error) {
	shapes := make([]draw.Shape, len(road)/64)
	if _, err := binary.Decode(road, binary.LittleEndian, shapes); err != nil {
		return nil, fmt.Errorf("a road of %d bytes: %w", len(road), err)
	}
	rgb := make([][3]uint8, len(colours)/3)
	for i := range rgb {
		rgb[i] = [3]uint8(colours[3*i:])
	}
	return draw.New(shapes, rgb)
}

// compare returns an error if the native and the stock drawing of an observation differ.
func compare(native, stock []byte, count int) error {
	if len(stock) != len(native) {
		return fmt.Errorf("the stock drawing has %d bytes, not %d", len(stock), len(native))
	}
	differ, first := 0, 0
	for i := range native {
		if native[i] != stock[i] {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ > 0 {
		return hint.Add(fmt.Errorf(
			"observation %d: native drawing and stock drawing differ in %d of %d bytes, "+
				"first at row %d, column %d: %d and %d",
			count, differ, len(native), first/3/96, first/3%96, native[first], stock[first]),
			"--set renderer=stock scores with the stock drawing; please report this machine")
	}
	return nil
}
