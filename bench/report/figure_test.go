package report

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench/results"
)

func TestRangeCutsEarlyValuesOnly(t *testing.T) {
	points := func(values ...float64) []results.Point {
		var out []results.Point
		for i, v := range values {
			out = append(out, results.Point{X: float64(1 + 100*i), Mean: v, Low: v, High: v})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		minimize  bool
		values    []float64
		low, high float64
		cut       bool
	}{
		{"falling: the first program is far above", true, append([]float64{50, 10}, 9, 8, 7, 6, 5, 5, 5, 5, 5), 4.75, 10.25, true},
		{"rising: the first program is far below", false, append([]float64{-90, 0}, 20, 40, 60, 80, 90, 95, 100, 100, 100), -5, 105, true},
		{"flat", true, []float64{7, 7, 7}, 6.93, 7.07, false},
		{"flat at zero", true, []float64{0, 0, 0}, -1, 1, false},
	} {
		p := points(c.values...)
		p[1].X = 4 // the second improvement comes before the search has settled
		f := &Figure{Minimize: c.minimize, XMax: p[len(p)-1].X, Series: []Series{{Points: p}}}
		cut := f.setRange()
		if math.Abs(f.YMin-c.low) > 1e-9 || math.Abs(f.YMax-c.high) > 1e-9 || cut != c.cut {
			t.Errorf("%s: range %g to %g, cut %v; want %g to %g, %v", c.name, f.YMin, f.YMax, cut, c.low, c.high, c.cut)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{0, 1000, []string{"0", "200", "400", "600", "800", "1000"}},
		{5.83, 6.52, []string{"5.9", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5"}},
		{-50, 60, []string{"−40", "−20", "0", "20", "40", "60"}},
		{1, 1, nil},
		{0, math.Inf(1), nil},
	} {
		var got []string
		for _, tick := range ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("ticks(%g, %g) mismatch (-want +got):\n%s", c.low, c.high, diff)
		}
	}
	if n := len(ticks(1e17, 1e17+64)); n > 20 {
		t.Errorf("%d ticks where steps are below the last bit", n)
	}
}
