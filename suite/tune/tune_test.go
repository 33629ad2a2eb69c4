package tune

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

func source(seed byte) rand.Source { return rand.NewChaCha8([32]byte{seed}) }

// quadratic has its best score, 0, at 1.25 and 2. It fails if the first value is above 4.
func quadratic(v []float64) (float64, bool) {
	return -(v[0]-1.25)*(v[0]-1.25) - (v[1]-2)*(v[1]-2), v[0] <= 4
}

// keep remembers the vectors and the best score.
func keep(tried *[][]float64, best *float64) Score {
	*best = math.Inf(-1)
	return func(v []float64) (float64, bool, error) {
		*tried = append(*tried, v)
		s, ok := quadratic(v)
		if ok {
			*best = max(*best, s)
		}
		return s, ok, nil
	}
}

func TestSearch(t *testing.T) {
	at := []float64{0.5, 3}
	was, _ := quadratic(at)
	var ends []float64
	for seed := range byte(21) {
		var tried, again [][]float64
		var best, same float64
		must.Do(t, Search(keep(&tried, &best), at, was, 200, source(seed)))
		must.Do(t, Search(keep(&again, &same), at, was, 200, source(seed)))
		if len(tried) != 200 || !reflect.DeepEqual(tried, again) || best != same {
			t.Errorf("seed %d: %d vectors, or the second search differs", seed, len(tried))
		}
		ends = append(ends, best)
	}
	slices.Sort(ends)
	if ends[0] < -5e-3 || ends[10] < -1e-3 {
		t.Errorf("the searches end at %v", ends)
	}
}

func TestDraw(t *testing.T) {
	var tried [][]float64
	var best float64
	must.Do(t, Draw(keep(&tried, &best), []float64{0.5, 3}, 500, source(1)))
	var sum, squares float64
	for _, v := range tried {
		z := math.Log(v[1] / 3)
		sum, squares = sum+z, squares+z*z
	}
	if len(tried) != 500 || math.Abs(sum/500) > 0.05 || math.Abs(squares/500-0.09) > 0.02 {
		t.Errorf("%d draws, mean %v, squares %v", len(tried), sum/500, squares/500)
	}
}

// A search ends if every vector fails or no value matters. Values stay within a factor of ten.
func TestNothingBetter(t *testing.T) {
	for name, score := range map[string]Score{
		"fails":   func([]float64) (float64, bool, error) { return 0, false, nil },
		"is flat": func([]float64) (float64, bool, error) { return 1, true, nil },
		"grows":   func(v []float64) (float64, bool, error) { return v[0], true, nil },
	} {
		for _, n := range []int{1, 2, 40} {
			at := slices.Repeat([]float64{7}, n)
			err := Search(func(v []float64) (float64, bool, error) {
				if slices.Min(v) < 0.7-1e-9 || slices.Max(v) > 70+1e-9 {
					t.Errorf("%s: %v", name, v)
				}
				return score(v)
			}, at, 1, 2000, source(1))
			if err != nil {
				t.Errorf("%s, %d values: %v", name, n, err)
			}
		}
	}
}

// A search makes no evaluation after an error.
func TestError(t *testing.T) {
	broken, asked := errors.New("broken"), 0
	score := func([]float64) (float64, bool, error) {
		asked++
		return 0, false, broken
	}
	if err := Search(score, []float64{1}, 0, 200, source(1)); err != broken || asked != 1 {
		t.Errorf("%v after %d", err, asked)
	}
	if err := Draw(score, []float64{1}, 200, source(1)); err != broken || asked != 2 {
		t.Errorf("%v after %d", err, asked)
	}
}
