package tsp

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOrdersAreByDistanceThenIndex(t *testing.T) {
	grid := make(Instance, 0, 49)
	for i := range 49 { // many equal distances, and cities that coincide
		grid = append(grid, Point{float64(i % 7 / 2), float64(i / 7)})
	}
	near := make(Instance, 40) // distances that differ only in the bits that a key gives up
	for i := range near {
		near[i] = Point{X: 1 - float64(40-i)*0x1p-53}
	}
	near[0] = Point{}
	for name, in := range map[string]Instance{
		"drawn": Draw(7, 1, 120)[0], "grid": grid, "near": near, "two": Draw(7, 1, 2)[0], "one": Draw(7, 1, 1)[0],
	} {
		for i, got := range in.Orders() {
			want := make([]int32, 0, len(in))
			for j := range in {
				if j != i {
					want = append(want, int32(j))
				}
			}
			slices.SortStableFunc(want, func(a, b int32) int {
				da, db := in.Distance(i, int(a)), in.Distance(i, int(b))
				switch {
				case da < db:
					return -1
				case da > db:
					return 1
				}
				return 0
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s: order of city %d is %v, want %v", name, i, got, want)
			}
		}
	}
}

func TestMatrixIsSymmetricWithTheDiagonalAskedFor(t *testing.T) {
	in := Draw(1, 1, 9)[0]
	m := in.Matrix(1)
	for i := range in {
		for j := range in {
			want := in.Distance(i, j)
			if i == j {
				want = 1
			}
			if m[i*9+j] != want {
				t.Errorf("entry %d,%d is %v, want %v", i, j, m[i*9+j], want)
			}
		}
	}
}

func TestCheckNamesTheFirstMistake(t *testing.T) {
	for _, c := range []struct {
		name string
		tour []int32
		want string
	}{
		{"a permutation is a tour", []int32{2, 0, 1}, ""},
		{"too short", []int32{0, 1}, "tour of 2 cities, want 3"},
		{"a city twice", []int32{0, 1, 1}, "city 1 visited twice"},
		{"a city that is not there", []int32{0, 1, 3}, "city 3 at place 2 of a tour of 3"},
		{"a negative city", []int32{-1, 1, 2}, "city -1 at place 0 of a tour of 3"},
	} {
		got := ""
		if err := Check(c.tour, 3); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: Check(%v) = %q, want %q", c.name, c.tour, got, c.want)
		}
		if _, err := Audit(make(Instance, 3), c.tour); (err == nil) != (c.want == "") {
			t.Errorf("%s: Audit(%v) says %v, Check %q", c.name, c.tour, err, c.want)
		}
	}
}

func TestAuditAgreesWithLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Draw(rapid.Uint32().Draw(t, "seed"), 1, rapid.IntRange(2, 60).Draw(t, "n"))[0]
		cities := make([]int32, len(in))
		for i := range cities {
			cities[i] = int32(i)
		}
		tour := rapid.Permutation(cities).Draw(t, "tour")
		if err := Check(tour, len(in)); err != nil {
			t.Fatal(err)
		}
		want, err := Audit(in, tour)
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Length(tour); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("length %v, audited %v", got, want)
		}
	})
}
