// Package tune searches better values for a program's constants. Start at Search. It asks no model,
// and no method knows of it.
package tune

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

const (
	step    = 0.2 // standard deviation of the first draws of CMA-ES, of the logarithm
	control = 0.3 // and of all draws of Draw
)

// reach is the largest change of a logarithm: a factor of ten.
var reach = math.Ln10

// A Score is what a program has with other values, larger is better; not ok where it fails. After
// an error nothing more is asked.
type Score func(values []float64) (score float64, ok bool, err error)

// Search asks for the scores of so many vectors by CMA-ES (Krause et al. 2016), which begins at
// the positive values at, with score was. It changes logarithms, so signs stay and scales do not
// matter. A vector that fails is worse by 1 than the worst so far.
//
// With values of which no change has an effect the search may end before: its matrix is singular
// then.
func Search(score Score, at []float64, was float64, evals int, src rand.Source) (err error) {
	worst := -was
	p := optimize.Problem{Func: func(z []float64) float64 {
		if err != nil {
			return worst + 1
		}
		var s float64
		var ok bool
		if s, ok, err = score(moved(at, z)); err != nil || !ok {
			return worst + 1
		}
		worst = max(worst, -s)
		return -s
	}}
	// gonum draws from the covariance alone and never multiplies by the step size, so the first
	// spread must stand in the covariance; with a step size of 1 its updates fit the draws.
	first := mat.NewSymDense(len(at), nil)
	for i := range at {
		first.SetSym(i, i, step*step)
	}
	var spread mat.Cholesky
	spread.Factorize(first)
	_, _ = optimize.Minimize(p, make([]float64, len(at)), &optimize.Settings{
		FuncEvaluations: evals, Converger: untilError{&err},
	}, &optimize.CmaEsChol{
		InitStepSize: 1, InitCholesky: &spread,
		Population: 4 + int(3*math.Log(float64(len(at)))), StopLogDet: math.NaN(), Src: src,
	})
	return err
}

// untilError ends a search after an error alone.
type untilError struct{ err *error }

func (untilError) Init(int) {}

func (u untilError) Converged(*optimize.Location) optimize.Status {
	if *u.err != nil {
		return optimize.Failure
	}
	return optimize.NotTerminated
}

// Draw asks for the scores of as many random vectors around at: the control.
func Draw(score Score, at []float64, evals int, src rand.Source) error {
	r, z := rand.New(src), make([]float64, len(at))
	for range evals {
		for i := range z {
			z[i] = control * r.NormFloat64()
		}
		if _, _, err := score(moved(at, z)); err != nil {
			return err
		}
	}
	return nil
}

// moved multiplies values by exp(z), within a factor of ten.
func moved(at, z []float64) []float64 {
	out := make([]float64, len(at))
	for i, x := range at {
		out[i] = x * math.Exp(min(max(z[i], -reach), reach))
	}
	return out
}
