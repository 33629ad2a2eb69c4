package racingcar

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

//go:embed testdata/compare.py
var comparison string

// driver is a scorer with its own policies; Go and Gymnasium both draw its observations.
var driver = &bench.Scorer{
	Packages: "control",
	Modules:  map[string]string{"view": view, "compare": comparison},
	Main:     "compare",
}

type drive struct {
	Policy string `json:"policy"`
	Seed   int    `json:"seed"`
	Steps  int    `json:"steps"` // at most
	Every  int    `json:"every"` // observations from one stock drawing to the next
}

// run calls a function of compare.py and passes its questions to ask.
func run(
	t *testing.T, hosts bench.Hosts, function string, job any,
	ask func(context.Context, []bench.Value) ([]bench.Value, error),
) (result []bench.Value, err error) {
	t.Helper()
	err = hosts.Lend(t.Context(), driver, func(h bench.Host) (err error) {
		result, err = h.Call(t.Context(), function, job, ask)
		return err
	})
	return result, err
}

// TestNativeObservationsAreTheStockOnes compares every pixel of every observation. In the long
// tier, each policy of driver drives a whole episode.
func TestNativeObservationsAreTheStockOnes(t *testing.T) {
	drives := []drive{{"careful", 1, 70, 1}, {"held", 23, 40, 1}}
	if tasktest.Long() {
		drives = nil
		for i, p := range []string{"careful", "held", "weaving", "straight", "spinning"} {
			drives = append(drives, drive{p, 1 + i, 1000, 1})
		}
	}
	hosts := tasktest.Control(t, Task()).Hosts
	t.Run("drives", func(t *testing.T) {
		for _, d := range drives {
			t.Run(fmt.Sprintf("%s-%d", d.Policy, d.Seed), func(t *testing.T) {
				t.Parallel()
				draw, frames := decode(), 0
				_, err := run(t, hosts, "episode", d,
					func(_ context.Context, v []bench.Value) ([]bench.Value, error) {
						frames++
						_, err := draw(v)
						return nil, err
					})
				if err != nil {
					t.Error(err)
				}
				if frames < min(d.Steps, 60)/2 {
					t.Errorf("only %d observations", frames)
				}
			})
		}
	})
	t.Run("refusal", func(t *testing.T) {
		_, err := run(t, hosts, "refusal", nil, nil)
		for _, part := range []string{"scales pictures with GENERIC, not SSE", "renderer=stock"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("with another way of scaling pictures: %v, want %q in it", err, part)
			}
		}
	})
	t.Run("scores", func(t *testing.T) {
		if !tasktest.Long() {
			t.Skip("long: scripts/test-long runs it")
		}
		got, err := run(t, hosts, "scores", map[string]int{"from": -200, "to": 1100}, nil)
		must.Do(t, err)
		const want = "de89facca931c5c01ff7d9e79257a6a888b8271a0668c47a92e7054583edf92b"
		if digest := string(got[0].(bench.Array).Data); digest != want {
			t.Errorf("the texts of the scores have digest %s, want %s", digest, want)
		}
	})
}

// packed is a state in view.py's format, with the numbers of shapes that were touched.
func packed(t *testing.T, touched ...uint16) bench.Array {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, state{Cos: 1, Zoom: 16.2, Score: 7})
	must.Do(t, err)
	for _, n := range touched {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return bytesOf(b, len(b))
}

func bytesOf(b []byte, shape ...int) bench.Array {
	return bench.Array{DType: "uint8", Shape: shape, Data: b}
}

// TestWhatAViewMaySend checks that invalid values from a view, and a different stock drawing, give
// clear errors.
func TestWhatAViewMaySend(t *testing.T) {
	none, text := bench.None{}, bytesOf(make([]byte, 42*75), 42, 75)
	road := bench.Array{DType: "float64", Shape: []int{1, 4, 2}, Data: make([]byte, 64)}
	grey, pink := bytesOf([]byte{104, 104, 104}, 1, 3), bytesOf([]byte{255, 1, 255}, 1, 3)
	other := bytesOf(make([]byte, 96*96*3), 96, 96, 3)
	for _, c := range []struct {
		name   string
		values []bench.Value
		want   string // in the error; empty: none
	}{
		{"a first observation", []bench.Value{packed(t), text, road, grey, none}, ""},
		{"a tile that was touched", []bench.Value{packed(t, 0), text, road, grey, none}, ""},
		{"a tile that is not there", []bench.Value{packed(t, 9), text, road, grey, none},
			"a road of 1 shapes has no shape 9"},
		{"no road", []bench.Value{packed(t), text, none, none, none}, "no road"},
		{"no text", []bench.Value{packed(t), none, road, grey, none}, "no picture of the score 7"},
		{
			"an unknown colour",
			[]bench.Value{packed(t), text, road, pink, none}, "colour [255 1 255]",
		},
		{"too few values", []bench.Value{packed(t)}, "1 values, not 5"},
		{"a short state", []bench.Value{bytesOf([]byte{1}, 1), text, road, grey, none}, "1 bytes"},
		{"another stock drawing", []bench.Value{packed(t), text, road, grey, other},
			"observation 0: native drawing and stock drawing differ in "},
	} {
		a, err := decode()(c.values)
		switch {
		case c.want == "" && (err != nil || len(a.Data) != 96*96*3):
			t.Errorf("%s: %d bytes, %v", c.name, len(a.Data), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
}
