package results

import (
	"math"
	"math/rand/v2"
	"testing"
)

func points(values ...float64) (out []SeedValue) {
	for _, v := range values {
		out = append(out, SeedValue{Value: v})
	}
	return out
}

func TestJudge(t *testing.T) {
	rule := Rule{Looks: []int{5, 8}, Alpha: 0.05, Pairs: 1}
	high, low := points(6, 7, 8, 9, 10, 6, 7, 8), points(1, 2, 3, 4, 5, 1, 2, 3)
	failed := points(1, 2, 3, 4, 5)
	failed[0] = SeedValue{Failed: true}
	for _, c := range []struct {
		name   string
		a, b   []SeedValue
		paired bool
		want   Verdict
	}{
		{"no seed", nil, nil, false, Verdict{Next: 5}},
		{"before the first look", high[:4], low[:7], false, Verdict{Next: 5}},
		{"apart at the first look", high, low, false, Verdict{5, 2. / 252, 1, 0}},
		{"the other way round", low, high, false, Verdict{5, 2. / 252, -1, 0}},
		{"not yet", low[:5], low[:7], false, Verdict{5, 1, 0, 8}},
		{"never", low, low, false, Verdict{8, 1, 0, 0}},
		{"a failed seed is the worst, far below zero too", points(-9, -8, -7, -6, -5), failed,
			false, Verdict{5, 0.1507936507936508, 0, 8}},
		{"failed seeds are alike", []SeedValue{{Failed: true}}, []SeedValue{{Failed: true}}, true,
			Verdict{1, 1, 0, 2}},
		{"paired, after every seed", high[:3], low[:3], true, Verdict{3, 2.5, 0, 4}},
		{"seven of seven", points(1, 1, 1, 1, 1, 1, 1, 0), points(0, 0, 0, 0, 0, 0, 0, 0), true,
			Verdict{7, 26.8125, 1, 0}},
	} {
		got := rule.Judge(c.a, c.b, c.paired)
		if math.Abs(got.P-c.want.P) < 1e-9 {
			got.P = c.want.P
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestFalseSeparations repeatedly draws two rows without a difference. The rule must separate them
// as often as in simulations with more draws, within three standard errors.
func TestFalseSeparations(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	row := func(n int) (out []SeedValue) {
		for range n {
			out = append(out, SeedValue{Value: r.NormFloat64()})
		}
		return out
	}
	rule := Rule{Looks: []int{5, 8, 12, 20}, Alpha: 0.05, Pairs: 1}
	for _, c := range []struct {
		name   string
		paired bool
		draws  int
		want   float64
	}{{"ranks", false, 500, 0.035}, {"signs", true, 4000, 0.021}} {
		wrong := 0
		for range c.draws {
			if rule.Judge(row(20), row(20), c.paired).Better != 0 {
				wrong++
			}
		}
		share := float64(wrong) / float64(c.draws)
		if se := math.Sqrt(c.want / float64(c.draws)); math.Abs(share-c.want) > 3*se {
			t.Errorf("%s: share of false separations %v, want %v", c.name, share, c.want)
		}
	}
}

func TestSeedsNeeded(t *testing.T) {
	for _, c := range []struct {
		theta float64
		k     int
		want  float64
	}{
		{0.7602, 100, 20}, {0.8556, 100, 11}, {0.9214, 100, 8}, // shifts of 1, 1.5 and 2 sd
		{1, 3, 7}, {1, 5, 6}, {0.5, 5, math.Inf(1)},
	} {
		if got := SeedsNeeded(c.theta, c.k); got != c.want {
			t.Errorf("SeedsNeeded(%v, %d) = %v, want %v", c.theta, c.k, got, c.want)
		}
	}
}
