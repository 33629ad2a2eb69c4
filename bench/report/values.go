package report

import (
	"math"
	"strings"

	"github.com/pacebench/pacebench/bench"
)

// trainValues are the best training values of the finished runs, by seed.
func trainValues(g *Group) []float64 {
	var out []float64
	for _, r := range g.Finished() {
		out = append(out, r.Best.Value)
	}
	return out
}

// freshValues are the re-evaluated training values of the same programs.
func freshValues(g *Group) []float64 {
	var out []float64
	for _, r := range g.Finished() {
		if p, _, ok := r.Rescored(); ok {
			out = append(out, p.Fresh)
		}
	}
	return out
}

// noiseOf is the standard deviation of one evaluation, pooled over seeds.
func noiseOf(g *Group) Cell {
	squares, n := 0.0, 0
	for _, r := range g.Finished() {
		if _, noise, ok := r.Rescored(); ok {
			squares, n = squares+noise*noise, n+1
		}
	}
	if n == 0 {
		return Cell{}
	}
	return Cell{Mean: math.Sqrt(squares / float64(n)), SD: math.NaN(), N: n}
}

// testValues are the test values of each seed's own best program, failed ones left out.
func testValues(g *Group, split string) []float64 {
	var out []float64
	for _, r := range g.Finished() {
		if o := r.Result.Tests[split]; o != nil && o.Fault == nil {
			out = append(out, o.Mean)
		}
	}
	return out
}

// testOf is what a run's best program does on a test split.
func testOf(r *Run, split string) Cell {
	if r == nil || r.Result == nil {
		return Cell{}
	}
	switch o := r.Result.Tests[split]; {
	case o == nil:
		return Cell{}
	case o.Fault != nil:
		return words("fault: %s", o.Fault.Kind)
	default:
		return number(o.Mean)
	}
}

// seedValues lists the training value of every run, finished or not, in the order of seeds; "…" marks an unfinished one.
func seedValues(g *Group, digits int) Cell {
	var parts []string
	for _, r := range g.Runs {
		switch {
		case r.Best == nil:
			parts = append(parts, "–")
		case !r.Finished():
			parts = append(parts, fixed(r.Best.Value, digits)+"…")
		default:
			parts = append(parts, fixed(r.Best.Value, digits))
		}
	}
	return words("%s", strings.Join(parts, "  "))
}

// bestOf reduces a run's result to what a table shows of its best program.
func bestOf(b *bench.BestResult) (value, evaluation Cell) {
	if b == nil {
		return Cell{}, Cell{}
	}
	if b.Evaluation == 0 { // a row that did not search
		return number(b.Value), Cell{}
	}
	return number(b.Value), number(float64(b.Evaluation))
}
