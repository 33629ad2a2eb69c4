package tsp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// A Legacy draws numbers as NumPy's RandomState(seed) does: MT19937 with the scalar seeding,
// two 32-bit words to a double.
type Legacy struct {
	words *prng.MT19937
}

// NewLegacy returns the generator in the state of numpy.random.RandomState(seed).
func NewLegacy(seed uint32) *Legacy {
	words := prng.NewMT19937()
	words.Seed(uint64(seed))
	return &Legacy{words}
}

// Float64 returns the next double in [0, 1), equal to random_sample(). The numerator is an
// integer below 2^53, so both steps are exact.
func (l *Legacy) Float64() float64 {
	high, low := uint64(l.words.Uint32()>>5), uint64(l.words.Uint32()>>6)
	return float64(high<<26|low) / (1 << 53)
}

// A Point is a city in the unit square.
type Point struct{ X, Y float64 }

// An Instance is the cities of one problem, in the order drawn.
type Instance []Point

// A Set is the instances of one split, all of one size.
type Set []Instance

// Draw returns what numpy.random.RandomState(seed).rand(count, n, 2) holds.
func Draw(seed uint32, count, n int) Set {
	from := NewLegacy(seed)
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
