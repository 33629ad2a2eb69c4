package tspgls

import (
	"math"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

// known are lengths of the public code, instance by instance.
var known = map[string]map[string][]float64{
	"distance": {
		"train": {
			10.560360212, 10.701890833, 10.849737430, 10.384429739, 10.539013147, 10.411002676,
			11.123696649, 10.717109336, 10.604706840, 10.283216763,
		},
		"test20": {
			4.702867454, 3.176515824, 3.709165349, 4.341573587, 3.906007968, 4.041666131,
			3.666463715, 4.093726355, 3.976966730, 3.334610896,
		},
		"test50": {
			5.847412082, 5.790718903, 6.076953838, 5.841043544, 6.002375341, 5.421631543,
			5.199664213, 5.437628065, 5.873252790, 5.839142669,
		},
	},
	"zeros": {
		"train": {
			10.883843026, 10.826482044, 10.913156863, 10.832908303, 10.694858784, 10.355558415,
			11.520722231, 10.932378295, 10.715896182, 10.552128775,
		},
		"test20": {
			4.702867454, 3.176515824, 3.709165349, 4.341573587, 3.906007968, 4.041666131,
			3.666463715, 4.093726355, 3.976966730, 3.334610896,
		},
		"test50": {
			5.847412082, 5.790718903, 6.076953838, 5.853735269, 6.027825594, 5.421631543,
			5.199664213, 5.437628065, 5.873252790, 5.839142669,
		},
	},
}

// means are over all instances of a split.
var means = map[string]map[string]float64{
	"distance": {"train": 10.617516362, "test20": 3.836448142, "test50": 5.685538466},
	"zeros":    {"train": 10.822793292, "test20": 3.841632291, "test50": 5.687287495},
}

// TestLengthsAreThePublicCodes to nine digits. The quick tier has the template's guide, and the
// small instances of the other guide.
func TestLengthsAreThePublicCodes(t *testing.T) {
	for name, splits := range known {
		for split, lengths := range splits {
			if name == "zeros" && split != "test20" && !tasktest.Long() {
				continue
			}
			t.Run(name+"/"+split, func(t *testing.T) {
				mean, count := 0.0, data.Splits[data.Index(split)].Instances
				for k := range count {
					got := solve(t, name, split, k)
					mean += got / float64(count)
					if k < len(lengths) && math.Abs(got-lengths[k]) > 1e-9 {
						t.Errorf("instance %d: %.9f, want %.9f", k, got, lengths[k])
					}
				}
				if want := means[name][split]; math.Abs(mean-want) > 1e-9 {
					t.Errorf("mean %.9f, want %.9f", mean, want)
				}
			})
		}
	}
}

func solve(t testing.TB, name, split string, instance int) float64 {
	t.Helper()
	cities, err := data.Instance(split, instance)
	must.Do(t, err)
	guide := cities.Matrix(itself)
	if name == "zeros" {
		clear(guide)
	}
	length, err := Solve(t.Context(), split, instance, guide)
	must.Do(t, err)
	return length
}

// BenchmarkTraining is one evaluation of the template's guide, without Python.
func BenchmarkTraining(b *testing.B) {
	colonytest.CPU(b, func() error {
		for k := range 10 {
			solve(b, "distance", "train", k)
		}
		return nil
	})
}
