package mctsahd

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

func filled(size int, scores ...float64) *elite {
	e := &elite{size: size}
	for i, s := range scores {
		e.add(&Candidate{ID: i + 1, Code: fmt.Sprint(i), Score: s})
	}
	return e
}

func TestSurvival(t *testing.T) {
	e := filled(4, -9, -7, -9)
	if len(e.members) != 0 || len(e.buffer) != 3 {
		t.Fatalf("%d members, %d waiting; want 0, 3", len(e.members), len(e.buffer))
	}
	e.survive()
	golden.Same(t, "of equal scores the older stays; members", []int{2, 1}, ids(e.members))
	for i, s := range []float64{-7, -6, -5, -4} { // the last one fills the buffer
		e.add(&Candidate{ID: 10 + i, Code: fmt.Sprint("x", i), Score: s})
	}
	golden.Same(t, "members", []int{13, 12, 11, 2}, ids(e.members))
}

func TestPartnerLaw(t *testing.T) {
	for _, n := range []int{4, 20} {
		e := &elite{size: 20}
		for i := range n {
			e.members = append(e.members,
				&Candidate{ID: i, Code: fmt.Sprint(i), Score: float64(-i)})
		}
		for _, current := range []int{-1, 1} { // no member, then the second
			r := rand.New(rand.NewPCG(1, uint64(n)))
			counts, weights := make([]float64, n), pop.Weights(n, 1)
			for range 20_000 {
				counts[e.partner(r, &Candidate{Code: fmt.Sprint(current)}).ID]++
			}
			if current >= 0 {
				weights[current] = 0
			}
			methodtest.Follows(t, fmt.Sprintf("%d members", n), counts, weights)
		}
	}
}

func TestNoPartner(t *testing.T) {
	e := filled(1, -7)
	if e.hasPartner(e.members[0]) || e.partner(rand.New(rand.NewPCG(1, 2)), e.members[0]) != nil {
		t.Error("a program is its own partner")
	}
}
