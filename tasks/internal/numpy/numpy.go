// Package numpy draws random numbers exactly as NumPy's legacy generator does, and encodes arrays
// as NumPy's buffers. Start at NewLegacy.
package numpy

import (
	"encoding/binary"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// A Legacy draws numbers as NumPy's RandomState(seed) does: MT19937 with the scalar seeding.
type Legacy struct {
	words *prng.MT19937
}

// NewLegacy returns the generator in the state of numpy.random.RandomState(seed).
func NewLegacy(seed uint32) *Legacy {
	words := prng.NewMT19937()
	words.Seed(uint64(seed))
	return &Legacy{words}
}

// Uint32 returns the next 32-bit word.
func (l *Legacy) Uint32() uint32 { return l.words.Uint32() }

// Float64 returns the next double in [0, 1), equal to random_sample(). A double takes two words.
// The numerator is an integer below 2^53, so conversion and division are exact.
func (l *Legacy) Float64() float64 {
	high, low := uint64(l.Uint32()>>5), uint64(l.Uint32()>>6)
	return float64(high<<26|low) / (1 << 53)
}

// Floats returns the next n doubles, equal to random_sample(n).
func (l *Legacy) Floats(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = l.Float64()
	}
	return out
}

// Ints returns n integers, equal to randint(low, high, n) with dtype int64: each is a word under
// the smallest mask that covers the range, drawn again until it is in the range.
func (l *Legacy) Ints(low, high, n int) []int64 {
	most := uint32(high - 1 - low)
	mask := uint32(1)<<bits.Len32(most) - 1
	out := make([]int64, n)
	for i := range out {
		word := l.Uint32() & mask
		for word > most {
			word = l.Uint32() & mask
		}
		out[i] = int64(low) + int64(word)
	}
	return out
}

// Bytes returns the little-endian form of an array, as in NumPy's buffers.
func Bytes[T float64 | int64](values []T) []byte {
	raw := make([]byte, 8*len(values))
	for i, v := range values {
		word := uint64(v)
		if f, ok := any(v).(float64); ok {
			word = math.Float64bits(f)
		}
		binary.LittleEndian.PutUint64(raw[8*i:], word)
	}
	return raw
}

// Clone copies the generator in its current state; the copies are independent.
func (l *Legacy) Clone() *Legacy {
	words := *l.words
	return &Legacy{&words}
}
