package tsp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// A Point is a city in the unit square.
type Point struct{ X, Y float64 }

// An Instance is the cities of one problem, in the order drawn.
type Instance []Point

// A Set is the instances of one split, all of one size.
type Set []Instance

// Draw returns what numpy.random.RandomState(seed).rand(count, n, 2) holds.
func Draw(seed uint32, count, n int) Set {
	from := numpy.NewLegacy(seed)
	set := make(Set, count)
	for i := range set {
		set[i] = make(Instance, n)
		for j := range set[i] {
			x := from.Float64()
			set[i][j] = Point{x, from.Float64()}
		}
	}
	return set
}

// Digest is the lower-case hex SHA-256 of the coordinates as little-endian float64, in the
// order drawn: instance, city, x before y.
func (s Set) Digest() string {
	sum := sha256.New()
	var raw [16]byte
	for _, in := range s {
		for _, p := range in {
			binary.LittleEndian.PutUint64(raw[:8], math.Float64bits(p.X))
			binary.LittleEndian.PutUint64(raw[8:], math.Float64bits(p.Y))
			sum.Write(raw[:])
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
