package tsp_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

func TestOrdersAreByDistanceThenIndex(t *testing.T) {
	grid := make(tsp.Instance, 0, 49)
	for i := range 49 { // many equal distances, and cities that coincide
		grid = append(grid, tsp.Point{X: float64(i % 7 / 2), Y: float64(i / 7)})
	}
	near := make(tsp.Instance, 40) // distances that differ only in the bits that a key drops
	for i := range near {
		near[i] = tsp.Point{X: 1 - float64(40-i)*0x1p-53}
	}
	near[0] = tsp.Point{}
	for name, in := range map[string]tsp.Instance{
		"drawn": tsp.Draw(7, 1, 120)[0], "grid": grid, "near": near,
		"two": tsp.Draw(7, 1, 2)[0], "one": tsp.Draw(7, 1, 1)[0],
	} {
		for i, got := range in.Orders() {
			want := make([]int32, 0, len(in))
			for j := range in {
				if j != i {
					want = append(want, int32(j))
				}
			}
			slices.SortStableFunc(want, func(a, b int32) int {
				return cmp.Compare(in.Distance(i, int(a)), in.Distance(i, int(b)))
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s: order of city %d is %v, want %v", name, i, got, want)
			}
		}
	}
}

func TestAuditAgreesWithLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := tsp.Draw(rapid.Uint32().Draw(t, "seed"), 1, rapid.IntRange(2, 60).Draw(t, "n"))[0]
		cities := make([]int32, len(in))
		for i := range cities {
			cities[i] = int32(i)
		}
		tour := rapid.Permutation(cities).Draw(t, "tour")
		want, err := tasktest.Audit(in, tour)
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Length(tour); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("length %v, audited %v", got, want)
		}
	})
}
