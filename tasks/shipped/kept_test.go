package shipped

import (
	"math/big"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// TestPackingsAreKept checks in rational numbers that the stored result of circle26 is a packing,
// and that its radii sum to the score. The circles that the program returns overlap by 1.1e-16, so
// the task shrinks their radii.
func TestPackingsAreKept(t *testing.T) {
	o := score(t, tasktest.Control(t, Task("circle26")), "train", `def construct():
    at = 0.1 + 0.2 * np.arange(5)
    centers = np.array([(x, y) for x in at for y in at] + [(0.2, 0.2)])
    radii = np.full(26, 0.1)
    radii[25] = float.fromhex("0x1.5352e14ca58f7p-5")
    return centers, radii
`)
	if !o.OK() || len(o.Evidence) != 1 || o.Score != 2.541421356237307 {
		t.Fatalf("%v, %v, %d pieces", o.Score, o.Fault, len(o.Evidence))
	}
	var circles [][3]*big.Rat
	sum := new(big.Rat)
	for line := range strings.Lines(string(o.Evidence[0].Data)) {
		var c [3]*big.Rat
		for i, word := range strings.Fields(line) {
			x, err := strconv.ParseFloat(word, 64)
			must.Do(t, err)
			c[i] = new(big.Rat).SetFloat64(x)
		}
		circles = append(circles, c)
		sum.Add(sum, c[2])
	}
	if got, _ := sum.Float64(); len(circles) != 26 || got != o.Score {
		t.Errorf("%d circles with a sum of %v, the score is %v", len(circles), got, o.Score)
	}
	less := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	square := func(a *big.Rat) *big.Rat { return new(big.Rat).Mul(a, a) }
	one := big.NewRat(1, 1)
	for i, c := range circles {
		for _, x := range c[:2] {
			if x.Cmp(c[2]) < 0 || new(big.Rat).Add(x, c[2]).Cmp(one) > 0 {
				t.Errorf("circle %d leaves the square", i)
			}
		}
		for _, d := range circles[:i] {
			apart := square(less(c[0], d[0]))
			apart.Add(apart, square(less(c[1], d[1])))
			if apart.Cmp(square(new(big.Rat).Add(c[2], d[2]))) < 0 {
				t.Errorf("circle %d overlaps another", i)
			}
		}
	}
}

// TestMembers checks that the greedy construction of asp takes the same members as the public code,
// in the same order, for programs with reference values.
func TestMembers(t *testing.T) {
	out, err := exec.Command(pyenv.ForTest(t).Python, "testdata/members.py").CombinedOutput()
	want := `constant 12 448 36 7618e57b0f4644ad
constant 15 2432 74 875895fae4abe747
sum_of_entries 12 448 38 5cd8967242eabde9
sum_of_entries 15 2432 78 76764d7f78009069
adjacent_pairs 12 448 36 68173f88d0e01181
adjacent_pairs 15 2432 72 1e9459d52552c118
`
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
