package draw

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// A frame is a step of one episode, seed 1 (action k: steering 0.25 if k div 25 is odd, else
// −0.125; gas 1 if 4 divides k, else 0.5; brake 0.5 if 50 divides k), with the digests of
// Gymnasium 1.2.3's pictures of it: without a road, and with the test road of quads.
// Step 200 is next to the road.
type frame struct {
	Step        int
	View        string // cosine, sine, zoom
	Stripes     [4]string
	Bars        string
	Bodies      string
	Score       string // rows 87–91, columns 0–10 of the observation
	Bare, Quads string
}

func frames(tb testing.TB) (all []frame) {
	tb.Helper()
	must.Do(tb, json.Unmarshal(must.Read(tb, "testdata/frames.json"), &all))
	return all
}

// quads is a road of 64 shapes around the episode's first frames.
func quads() (road []Shape, colours [][3]uint8) {
	kinds := [][3]uint8{
		{102, 102, 102}, {104, 104, 104}, {107, 107, 107}, {255, 255, 255}, {255, 0, 0},
	}
	for i := range 64 {
		x, y := 176+12*float64(i%8), -96+14*float64(i/8)
		road = append(road, Shape{
			{x, y}, {x + 11.5, y + 2.25}, {x + 9.75, y + 12.5}, {x - 1.5, y + 10.25},
		})
		colours = append(colours, kinds[i%5])
	}
	return road, colours
}

func TestFramesAreThoseOfGymnasium(t *testing.T) {
	road, colours := quads()
	bare, err := New(nil, nil)
	must.Do(t, err)
	quads, err := New(road, colours)
	must.Do(t, err)
	for _, f := range frames(t) {
		state := stateOf(t, f)
		for _, c := range []struct {
			name string
			r    *Renderer
			want string
		}{{"no road", bare, f.Bare}, {"the test road", quads, f.Quads}} {
			out := make([]byte, size*size*3)
			c.r.Frame(&state, out)
			paste(t, out, f.Score)
			if got := digest(out); got != c.want {
				t.Errorf("step %d with %s has digest %s, want %s", f.Step, c.name, got, c.want)
			}
		}
	}
}

// paste puts the score into a frame drawn without it, because the repository has no copy of the
// score's font.
func paste(t *testing.T, frame []byte, score string) {
	t.Helper()
	for i, v := range numbers(t, score) {
		at := ((87+i/11)*size + i%11) * 3
		frame[at], frame[at+1], frame[at+2] = byte(v), byte(v), byte(v)
	}
}

func stateOf(t testing.TB, f frame) State {
	t.Helper()
	v, b := numbers(t, f.View), numbers(t, f.Bars)
	st := State{
		Cos: v[0], Sin: v[1], Zoom: v[2],
		Speed: b[0], Omega: [4]float64(b[1:5]), Steer: b[5], Gyro: b[6],
	}
	for i, text := range f.Stripes {
		if text != "" {
			c := numbers(t, text)
			st.Stripes[i] = Stripe{From: c[0], To: c[1], Shown: true}
		}
	}
	raw, err := hex.DecodeString(f.Bodies)
	must.Do(t, err)
	if _, err := binary.Decode(raw, binary.LittleEndian, &st.Bodies); err != nil {
		t.Fatal(err)
	}
	return st
}

func numbers(t testing.TB, text string) (ns []float64) {
	t.Helper()
	for f := range strings.FieldsSeq(text) {
		if strings.Contains(f, "0x") && !strings.Contains(f, "p") {
			t.Fatalf("a hexadecimal number without its exponent: %s", f)
		}
		n, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(n) {
			t.Fatalf("no number: %q", f)
		}
		ns = append(ns, n)
	}
	return ns
}

func BenchmarkFrame(b *testing.B) {
	road, colours := quads()
	r, err := New(road, colours)
	must.Do(b, err)
	state := stateOf(b, frames(b)[2])
	out := make([]byte, size*size*3)
	b.ReportAllocs()
	for b.Loop() {
		r.Frame(&state, out)
	}
}
