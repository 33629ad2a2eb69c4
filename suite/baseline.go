package suite

import (
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite/status"
)

// runBaseline scores a baseline. Like a search, it writes result.json, but it writes no journal.
func (w *Backend) runBaseline(ctx context.Context, p *Planned, dir string, line *status.Line) (
	*record.Result, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := bench.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	var known map[string]*record.SplitOutcome // outcomes from an earlier command, by split
	if old := (runDir{dir}).result(); old != nil && reflect.DeepEqual(old.Header, p.Header) {
		known = old.Tests
		if old.Lacks(p.Tests) == nil {
			return old, nil
		}
	}
	line.Begin()
	r, err := w.computeBaseline(ctx, p, known, line)
	if err != nil {
		return nil, err
	}
	return r, record.WriteResult(dir, r)
}

// computeBaseline scores the baseline on the training split and on those of p.Tests that are not in
// known.
func (w *Backend) computeBaseline(ctx context.Context, p *Planned,
	known map[string]*record.SplitOutcome, line *status.Line) (*record.Result, error) {
	r := &record.Result{
		Header: p.Header, Stopped: "method", Tests: map[string]*record.SplitOutcome{},
	}
	maps.Copy(r.Tests, known)
	line.Doing("computing " + p.Task.Splits[0].Name)
	train, err := w.valuesOf(ctx, p, p.Task.Splits[0].Name, line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	value := record.Mean(train)
	r.Best = &record.BestResult{Score: p.Task.Goal.Score(value), Value: value}
	for _, s := range p.Tests {
		if r.Tests[s] != nil {
			continue
		}
		line.Doing("computing " + s)
		values, err := w.valuesOf(ctx, p, s, line)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", p.Name(), s, err)
		}
		r.Tests[s] = &record.SplitOutcome{Mean: record.Mean(values), Values: values}
	}
	return r, nil
}

// valuesOf returns the values of a baseline on a split.
func (w *Backend) valuesOf(ctx context.Context, p *Planned, split string, line *status.Line) (
	[]float64, error) {
	if p.Baseline.Program == "" {
		return p.Baseline.Run(ctx, split)
	}
	evaluator := w.Evaluator(p.Task, p.Header.Factor(), line.Candidate)
	o, err := evaluator.Score(ctx, split, program.Program{Source: p.Baseline.Program})
	if err == nil && o.Fault != nil {
		err = o.Fault
	}
	return o.Values, err
}
