package results

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/pacebench/pacebench/record"
)

// A Sample is the mean of some values and their sample standard deviation (n − 1), as the paper
// reports its three runs. SD is NaN with fewer than two values.
type Sample struct {
	Mean, SD float64
	N        int // number of values; 0: there is no mean
	Values   []float64
	Runs     []*Run // the runs with these values, for a sample over runs
}

// NewSample computes the statistics of the values.
func NewSample(values []float64) Sample {
	switch len(values) {
	case 0:
		return Sample{}
	case 1:
		return Sample{Mean: values[0], SD: math.NaN(), N: 1, Values: values}
	}
	mean, sd := stat.MeanStdDev(values, nil)
	return Sample{Mean: mean, SD: sd, N: len(values), Values: values}
}

// SmallestP returns the smallest two-sided p that the rank test of Mann and Whitney can reach for m
// against n values without ties: the two orders that separate the samples, divided by all orders.
func SmallestP(m, n int) float64 {
	orders := 1.0 // (m+n choose n)
	for i := 1; i <= n; i++ {
		orders = orders * float64(m+i) / float64(i)
	}
	return min(1, 2/orders)
}

// SeedsFor returns the smallest number of seeds in each of two rows with which the rank test can
// reach p.
func SeedsFor(p float64) int {
	n := 1
	for SmallestP(n, n) > p {
		n++
	}
	return n
}

// Over returns a sample of the values that number gives for the finished runs, sorted by seed. It
// leaves out runs without a value.
func (g *Group) Over(number func(*Run) (float64, bool)) Sample {
	var values []float64
	var runs []*Run
	for _, r := range g.Finished() {
		if v, ok := number(r); ok {
			values, runs = append(values, v), append(runs, r)
		}
	}
	s := NewSample(values)
	s.Runs = runs
	return s
}

// Train returns the best training value.
func (r *Run) Train() (float64, bool) {
	if r.Best == nil {
		return 0, false
	}
	return r.Best.Value, true
}

// Fresh returns the re-evaluated training value of the best program.
func (r *Run) Fresh() (float64, bool) {
	p, _, ok := r.Rescored()
	return p.Fresh, ok
}

// A Choice is the rule that chooses one of a run's programs for the tests.
type Choice string

// The rules.
const (
	ByTraining   Choice = "train" // the best in training: the paper's rule
	ByValidation Choice = record.Val
)

// Tested returns the outcome of the chosen program on a test split; nil if it is unknown. A run
// without a search has only one program, which both rules choose.
func (r *Run) Tested(by Choice, split string) *record.SplitOutcome {
	switch {
	case r.Result == nil:
		return nil
	case by == ByValidation && r.Journal && !r.Trained():
		return r.Result.ChosenTest(split)
	}
	return r.Result.Tests[split]
}

// Test returns the value of the chosen program on a test split. ok is false if the program has no
// value there.
func (r *Run) Test(by Choice, split string) (float64, bool) {
	o := r.Tested(by, split)
	if o == nil || o.Fault != nil {
		return 0, false
	}
	return o.Mean, true
}

// validated returns the validation of the chosen program; nil if there is none.
func (r *Run) validated(by Choice) *record.ValidatedProgram {
	if r.Result == nil || r.Result.Validation == nil || r.Best == nil {
		return nil
	}
	at := r.Best.Evaluation
	if by == ByValidation {
		at = r.Result.Validation.Chosen
	}
	if p := r.Result.Validation.Program(at); p != nil && p.Val.Fault == nil {
		return p
	}
	return nil
}

// Validation returns the value of the chosen program on the validation split.
func (r *Run) Validation(by Choice) (float64, bool) {
	p := r.validated(by)
	if p == nil {
		return 0, false
	}
	return p.Val.Mean, true
}

// Optimism returns how much better the chosen program is in training than in validation. For a
// noisy task it uses the re-evaluated training value.
func (r *Run) Optimism(by Choice) (float64, bool) {
	p := r.validated(by)
	switch {
	case p == nil:
		return 0, false
	case r.Best.Minimized():
		return p.Val.Mean - p.Train, true
	}
	return p.Train - p.Val.Mean, true
}

// Noise returns the standard deviation of one evaluation, pooled over the seeds with a known noise,
// and the number of these seeds.
func (g *Group) Noise() (noise float64, n int) {
	squares := 0.0
	for _, r := range g.Finished() {
		if _, noise, ok := r.Rescored(); ok {
			squares, n = squares+noise*noise, n+1
		}
	}
	return math.Sqrt(squares / float64(n)), n
}
