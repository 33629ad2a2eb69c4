package aco

import (
	"math/bits"
	"math/rand/v2"
)

// A Stream names the random numbers of one solve. Every ant of every iteration has its own
// generator, derived from the name, the iteration and the ant.
type Stream struct {
	Seed      uint64 // the task's seed
	Family    uint64 // the index of the split, so that every split has its own streams
	Instance  int
	Replicate int // 0 is the replicate that a search sees
}

// seed sets the generator of one ant. It mixes the parts one by one with SplitMix64, so that
// streams whose names differ in one part have unrelated numbers. A test pins the numbers, because
// another derivation would change every score.
func (s Stream) seed(g *rand.PCG, iteration, ant int) {
	h := uint64(0)
	for _, part := range [...]uint64{
		s.Seed, s.Family, uint64(s.Instance), uint64(s.Replicate), uint64(iteration), uint64(ant),
	} {
		h = mix(h ^ part)
	}
	g.Seed(mix(h), mix(h+golden))
}

const golden = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio, SplitMix64's increment

// mix is one step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// uniform returns a number in [0, 1) with 53 random bits.
func uniform(g *rand.PCG) float64 { return float64(g.Uint64()>>11) / (1 << 53) }

// below returns a number in [0, n). Its bias is below n/2^64.
func below(g *rand.PCG, n int) int {
	high, _ := bits.Mul64(g.Uint64(), uint64(n))
	return int(high)
}
