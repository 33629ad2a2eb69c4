package draw

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// frames are steps of one episode, seed 1 (action k: steering 0.25 if k div 25 is odd, else −0.125;
// gas 1 if 4 divides k, else 0.5; brake 0.5 if 50 divides k), with the digests of Gymnasium
// 1.2.3's pictures of them: without a road, and with the test road of quads.
var frames = []struct {
	step        int
	view        string // cosine, sine, zoom
	stripes     [4]string
	bars        string
	bodies      string
	score       string // rows 87–91, columns 0–10 of the observation
	bare, quads string
}{
	{
		step:    0,
		view:    "0x1.fba04fb88d1cap-1 0x1.0b1f2630d0abbp-3 0x1.d2f1a9fbe76cap-1",
		stripes: [4]string{"1 1", "1 1", "1 1", "1 1"},
		bars:    "0 0 0 0 0 -0x1.b31b4p-8 0",
		bodies: "2ca65843b98052c25e4c0cbef9957d3f90d45a438ea653c25e4c0cbef9957d3f" +
			"fd395843245a5fc25e4c0cbef9957d3f61685a43f97f60c25e4c0cbef9957d3f" +
			"f18759430b6c59c2938f05be28d07d3f",
		score: score7,
		bare:  "c10d7ba1ffe6087237694cb33c0f0dda35719ef6fbf27c1acea139bd36bb5188",
		quads: "e09639022819a08748ecc2be0f1ccd680bce650bf7519a06fe9548a7f3606453",
	},
	{
		step:    1,
		view:    "0x1.fba2617b37951p-1 0x1.0ae032e9b3a41p-3 0x1.395810624dd30p+0",
		stripes: [4]string{"1 1", "1 1", "", ""},
		bars: "0x1.18796713f3c6ap+1 0 0 0x1.d333333333333p+2 0x1.d333333333333p+2 " +
			"0x1.b52170p-5 0x1.8c67dap-8",
		bodies: "a8a75843605452c24e329ebd313c7f3f0ed65a43f17953c24e329ebd313c7f3f" +
			"923b5843d92d5fc2227005be30d17d3ff8695a43695360c2227005be30d17d3f" +
			"7b895943963f59c2197005be31d17d3f",
		score: score7,
		bare:  "18d4a1c3883017ac3dfcfb4ba5788e2a6d89446713369810632bde45ffd67d9b",
		quads: "88efbedbcfd462f4299cefe2dfa0b37e3d0edf3efdf9799b09edd9f7676cea57",
	},
	{
		step: 50,
		view: "0x1.108f23f5899fcp-1 0x1.b16c4b0244141p-1 0x1.0333333333334p+4",
		stripes: [4]string{"0x1.f93d3801d2f2dp-1 1", "-0x1.49627705ca900p-1 0x1.ebf982bff35fap-2",
			"-1 -0x1.f049ef0591be3p-2", "-1 -0x1.9deb017f11294p-1"},
		bars: "0x1.3d354bd850d2dp+5 0x1.2083b8c2a2a4cp+6 0x1.e91c5c5e39f52p+5 " +
			"0x1.48f0b6aae7b5ep+6 0x1.32bf4fa2ddc9fp+6 -0x1.85225p-3 -0x1.3e692cp+1",
		bodies: "6de66043bde7fec1c48c6ebf90cbb93e3d126243f3e606c2c48c6ebf90cbb93e" +
			"46285e43125a06c238b658bf7547083f17545f4322cd0dc238b658bf7547083f" +
			"99216043979506c226b658bf9247083f",
		score: "0 12 47 0 52 8 1 4 0 6 0 0 135 155 75 147 122 138 175 14 204 15 " +
			"0 142 84 140 60 142 42 138 93 150 15 0 142 111 107 93 136 106 84 111 203 60 " +
			"0 45 114 5 122 32 113 142 15 71 8",
		bare:  "1b08a1d4b725b89eb2d676007a656d60c2f6a4b36ee3ff0ed51bae6aec3ea476",
		quads: "0cf36eca7b6d6e0638a4fe2c928b0fd7de24b88bd54b49626096aea6ebe5e6dc",
	},
	{
		step: 200, // next to the road
		view: "0x1.badaa209d3d97p-5 0x1.ff405633bb90fp-1 0x1.0333333333334p+4",
		stripes: [4]string{"0x1.fb36c462adda8p-6 0x1.e2b80407fd445p-1", "",
			"-1 -0x1.3d178cea647c1p-1", ""},
		bars: "0x1.3b2051ac28469p+3 0x1.425cf768af90bp+3 -0x1.ad74f1727f684p+1 " +
			"0x1.238a6e3d262c7p+7 0x1.1b8958a589fdcp+7 -0x1.853bp-3 -0x1.629068p+2",
		bodies: "0b8c904305f304c124a37dbf89cd0abe449b90430a1928c124a37dbf89cd0abe" +
			"eeed8e4372c007c140a07fbf5a555d3d27fd8e4377e62ac140a07fbf5a555d3d" +
			"27c78f4351e817c12ba07fbf516d5d3d",
		score: "0 7 52 0 46 13 0 3 1 4 0 0 120 148 75 155 136 117 95 136 176 12 " +
			"0 142 60 140 84 143 59 95 42 135 17 0 135 94 107 111 142 45 95 103 87 1 " +
			"0 33 122 5 114 45 25 53 111 142 17",
		bare:  "0b70f44c1817e8f881cdb17782f92881fab9bbc0c455f5898cab6c3e338dfb0b",
		quads: "0b70f44c1817e8f881cdb17782f92881fab9bbc0c455f5898cab6c3e338dfb0b",
	},
}

const score7 = "0 12 47 0 52 8 25 34 7 10 2 0 135 155 75 147 122 154 162 103 191 54 " +
	"0 142 84 140 60 142 142 132 10 141 0 0 142 111 107 93 136 147 145 37 104 0 " +
	"0 45 114 5 122 32 73 87 38 41 0"

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
	for _, f := range frames {
		state := stateOf(t, f.view, f.stripes, f.bars, f.bodies)
		for _, c := range []struct {
			name string
			r    *Renderer
			want string
		}{{"no road", bare, f.bare}, {"the test road", quads, f.quads}} {
			out := make([]byte, size*size*3)
			c.r.Frame(&state, out)
			paste(t, out, f.score)
			if got := digest(out); got != c.want {
				t.Errorf("step %d with %s has digest %s, want %s", f.step, c.name, got, c.want)
			}
		}
	}
}

// paste puts the score into a frame drawn without it, because the repository has no copy of its
// font.
func paste(t *testing.T, frame []byte, score string) {
	t.Helper()
	for i, v := range numbers(t, score) {
		at := ((87+i/11)*size + i%11) * 3
		frame[at], frame[at+1], frame[at+2] = byte(v), byte(v), byte(v)
	}
}

func stateOf(t *testing.T, view string, stripes [4]string, bars, bodies string) State {
	t.Helper()
	v, b := numbers(t, view), numbers(t, bars)
	st := State{
		Cos: v[0], Sin: v[1], Zoom: v[2],
		Speed: b[0], Omega: [4]float64(b[1:5]), Steer: b[5], Gyro: b[6],
	}
	for i, text := range stripes {
		if text != "" {
			c := numbers(t, text)
			st.Stripes[i] = Stripe{From: c[0], To: c[1], Shown: true}
		}
	}
	raw, err := hex.DecodeString(bodies)
	must.Do(t, err)
	if _, err := binary.Decode(raw, binary.LittleEndian, &st.Bodies); err != nil {
		t.Fatal(err)
	}
	return st
}

func numbers(t *testing.T, text string) (ns []float64) {
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
	f := frames[2]
	var t testing.T
	state := stateOf(&t, f.view, f.stripes, f.bars, f.bodies)
	out := make([]byte, size*size*3)
	b.ReportAllocs()
	for b.Loop() {
		r.Frame(&state, out)
	}
}
