// Package tune searches for better values of a program's constants. It needs no model, and no
// method uses it. Start at Search.
package tune

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

const (
	step    = 0.2 // standard deviation of the logarithms in the first draws of CMA-ES
	control = 0.3 // standard deviation of the logarithms in all draws of Draw
)

// reach is the largest change of a logarithm: a factor of ten.
var reach = math.Ln10

// A Score returns the score of the program with the given values. Larger scores are better, and ok
// is false if the program fails. A search ends after an error.
type Score func(values []float64) (score float64, ok bool, err error)

// Search evaluates evals vectors by CMA-ES (Krause et al. 2016). It starts from the vector at,
// whose score is was. It searches the logarithms of the factors on the values of at, so each value
// keeps its sign and the scales of the values do not matter. A failing vector gets a score 1 below
// the worst so far.
//
// If the values do not affect the score, the covariance matrix becomes singular and the search may
// end early.
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
	// gonum draws only from the covariance and never multiplies by the step size, so the covariance
	// must contain the first spread. With a step size of 1, gonum's updates fit the draws.
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

// untilError ends a search only after an error.
type untilError struct{ err *error }

func (untilError) Init(int) {}

func (u untilError) Converged(*optimize.Location) optimize.Status {
	if *u.err != nil {
		return optimize.Failure
	}
	return optimize.NotTerminated
}

// Draw evaluates evals random vectors around at, as a control.
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
