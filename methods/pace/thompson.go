package pace

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Arm is an EAP with the evidence about it.
type Arm struct {
	*EAP
	Alpha, Beta float64 // posterior, from Beta(1,1); equation 6
	Exposures   int     // offspring whose focus is the EAP, including refused offspring
	Trials      int     // evaluated offspring whose focus is the EAP
}

// Mean returns the posterior mean of the arm's success rate.
func (a *Arm) Mean() float64 { return a.Alpha / (a.Alpha + a.Beta) }

// credit adds one trial's reward, 0 or 1 (equation 6).
func (a *Arm) credit(reward int) {
	a.Trials++
	a.Alpha += float64(reward)
	a.Beta += float64(1 - reward)
}

func (r *search) expose(a *Algorithm) *EAP {
	arm := r.m.focus(r.thompson, r.library.outside(a))
	arm.Exposures++
	return arm.EAP
}

// focus chooses the EAP to pass on among the arms (section "Adaptive EAP Selection"): the oldest
// EAP in its warm-up; otherwise the EAP with the largest draw from its posterior, or, without
// Thompson sampling, any EAP with equal probability. arms must not be empty.
func (m *PACE) focus(r *rand.Rand, arms []*Arm) *Arm {
	for _, a := range arms {
		if a.Exposures < m.Warmup {
			return a
		}
	}
	if !m.TS {
		return arms[r.IntN(len(arms))]
	}
	return arms[floats.MaxIdx(m.beliefs(r, arms))] // the first of equals
}

// designate chooses the EAPs that a crossover must call: each parent's EAP with the highest draw
// (design decision D7). Each EAP has one draw, so both parents may designate the same EAP. If K is
// 1, the only designated EAP is the best that the parents share.
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
		return of[floats.MaxIdx(their)].EAP
	}
	if m.K == 1 {
		return []*EAP{best(shared(a.Calls, b.Calls))}
	}
	return union([]*EAP{best(a.Calls), best(b.Calls)})
}

// beliefs draws one number for each arm: from its posterior, or uniformly without Thompson
// sampling.
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

// trial counts an evaluated offspring as a trial of its focus. The trial is a success if the score
// is strictly above the first parent's score, and a failure otherwise, even if the program has no
// score (design decision D9).
func (r *search) trial(o *offspring) {
	reward := 0
	if o.outcome.OK() && o.outcome.Score > o.plan.parents[0].Score {
		reward = 1
	}
	arm := r.library.arms[o.plan.focus.ID]
	arm.credit(reward)
	r.s.Note(Trial{
		Operator: o.plan.operator, EAP: arm.ID, Name: arm.Name, Parent: o.plan.parents[0].ID,
		Child:  o.child.ID,
		Reward: reward, Alpha: arm.Alpha, Beta: arm.Beta,
	})
}
