package results

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bases returns, for every paired run, the run whose beginning it shares. It leaves out runs whose
// base is not in the store.
func (s *Store) Bases() map[*Run]*Run {
	byDigest, bases := map[string]*Run{}, map[*Run]*Run{}
	for _, r := range s.Runs {
		byDigest[r.Header.Digest()] = r
	}
	for _, r := range s.Runs {
		if b := byDigest[r.Header.Paired]; b != nil {
			bases[r] = b
		}
	}
	return bases
}

// MeanInterval returns the 95 % interval of the mean of a sample by Student's t, which assumes
// normal values; ok is false for fewer than FewestSeeds values.
func (s Sample) MeanInterval() (low, high float64, ok bool) {
	if s.N < FewestSeeds {
		return 0, 0, false
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(s.N - 1)}.Quantile(0.975)
	half := t * s.SD / math.Sqrt(float64(s.N))
	return s.Mean - half, s.Mean + half, true
}

// Differences returns a sample with one difference for each finished paired run of the group: the
// value of the run minus the value of its base. The function number returns the value of a run.
func (g *Group) Differences(bases map[*Run]*Run, number func(*Run) (float64, bool)) Sample {
	var values []float64
	for _, r := range g.Finished() {
		base := bases[r]
		if base == nil || !base.Finished() {
			continue
		}
		v, ok := number(r)
		w, also := number(base)
		if ok && also {
			values = append(values, v-w)
		}
	}
	return NewSample(values)
}
