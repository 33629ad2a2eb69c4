package pace

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// focus chooses the EAP to hand on among the arms (section "Adaptive EAP Selection"): one that is
// still warming up, the oldest first; otherwise the one with the largest draw from its posterior.
// Without Thompson sampling every arm is equally likely. There must be an arm.
func (m *PACE) focus(r *rand.Rand, arms []*Arm) *Arm {
	if !m.TS {
		return arms[r.IntN(len(arms))]
	}
	for _, a := range arms {
		if a.Exposures < m.Warmup {
			return a
		}
	}
	return largestDraw(arms, m.beliefs(r, arms))
}

// designate chooses the EAPs that a crossover must call: of each parent the one with the highest
// draw (design decision D7). The draws are one per EAP, so the two may be the same. With k = 1 they
// have to be: it is then the best one that the parents share.
func (m *PACE) designate(r *rand.Rand, l *library, a, b *Algorithm) []*EAP {
	arms := l.of(union(a.Calls, b.Calls))
	draws := m.beliefs(r, arms)
	best := func(calls []*EAP) *EAP {
		var of []*Arm
		var their []float64
		for i, arm := range arms {
			if slices.Contains(calls, arm.EAP) {
				of, their = append(of, arm), append(their, draws[i])
			}
		}
		return largestDraw(of, their).EAP
	}
	if m.K == 1 {
		return []*EAP{best(shared(a.Calls, b.Calls))}
	}
	return union([]*EAP{best(a.Calls), best(b.Calls)})
}

// beliefs draws one number per arm: from its posterior, or uniformly without Thompson sampling.
func (m *PACE) beliefs(r *rand.Rand, arms []*Arm) []float64 {
	draws := make([]float64, len(arms))
	for i, a := range arms {
		if m.TS {
			draws[i] = distuv.Beta{Alpha: a.Alpha, Beta: a.Beta, Src: r}.Rand()
		} else {
			draws[i] = r.Float64()
		}
	}
	return draws
}

// largestDraw is the arm with the largest draw, the first of equals.
func largestDraw(arms []*Arm, draws []float64) *Arm {
	best := 0
	for i, d := range draws {
		if d > draws[best] {
			best = i
		}
	}
	return arms[best]
}
