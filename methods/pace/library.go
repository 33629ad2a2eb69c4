package pace

import (
	"cmp"
	"slices"
)

// An EAP is an executable algorithmic primitive: a function with its description, the docstring. It
// is immutable once admitted; a changed function is another EAP.
type EAP struct {
	ID          int // index in the library, from 0, in the order of admission
	Name        string
	Source      string   // the function definition, ending in a line feed
	Imports     []string // import lines that it needs in addition to the task's imports
	Fingerprint string   // equal if only names, docstrings, annotations and numbers differ
	Origin      string   // E1, E2 or E3
	From        int      // E2: the evaluation of its source algorithm
}

// A library is the set E of admitted EAPs. It only grows.
type library struct {
	arms []*Arm // by age
}

// admit adds an EAP with the prior Beta(1,1) and gives it its ID.
func (l *library) admit(e *EAP) {
	e.ID = len(l.arms)
	l.arms = append(l.arms, &Arm{EAP: e, Alpha: 1, Beta: 1})
}

// eaps returns the EAPs, oldest first, for jobs that run concurrently with the search.
func (l *library) eaps() []*EAP { return eapsOf(l.arms) }

func eapsOf(arms []*Arm) []*EAP { return each(arms, func(a *Arm) *EAP { return a.EAP }) }

func (l *library) of(eaps []*EAP) []*Arm {
	return each(eaps, func(e *EAP) *Arm { return l.arms[e.ID] })
}

// outside returns the arms that an algorithm does not call, oldest first.
func (l *library) outside(a *Algorithm) []*Arm {
	return slices.DeleteFunc(slices.Clone(l.arms), func(arm *Arm) bool {
		return slices.Contains(a.Calls, arm.EAP)
	})
}

// top returns the k EAPs that performed best: the tried EAPs by posterior mean, then the untried.
// Ties go to the EAP with more trials, then to the older. The prior mean of an untried EAP, 1/2, is
// above the mean of most tried EAPs, but it is no evidence.
func (l *library) top(k int) []*EAP {
	arms := slices.Clone(l.arms)
	slices.SortStableFunc(arms, func(a, b *Arm) int {
		return cmp.Or(cmp.Compare(min(b.Trials, 1), min(a.Trials, 1)),
			cmp.Compare(b.Mean(), a.Mean()), cmp.Compare(b.Trials, a.Trials))
	})
	return eapsOf(arms[:min(k, len(arms))])
}

// weakest returns the EAP with the lowest posterior mean among an algorithm's calls, the oldest
// among equals.
func (l *library) weakest(a *Algorithm) *EAP {
	return slices.MinFunc(l.of(a.Calls), func(a, b *Arm) int {
		return cmp.Compare(a.Mean(), b.Mean())
	}).EAP
}

func names(eaps []*EAP) []string { return each(eaps, func(e *EAP) string { return e.Name }) }
func ids(eaps []*EAP) []int      { return each(eaps, func(e *EAP) int { return e.ID }) }

func each[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// union merges sets of EAPs, oldest first.
func union(sets ...[]*EAP) []*EAP {
	all := slices.Concat(sets...)
	slices.SortFunc(all, func(a, b *EAP) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(all)
}

func shared(a, b []*EAP) []*EAP {
	return slices.DeleteFunc(slices.Clone(a), func(e *EAP) bool { return !slices.Contains(b, e) })
}

func without(set []*EAP, drop ...*EAP) []*EAP {
	return slices.DeleteFunc(slices.Clone(set), func(e *EAP) bool {
		return slices.Contains(drop, e)
	})
}
