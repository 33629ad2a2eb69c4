package suite

import (
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/status"
)

// runRow computes a baseline's row: no search, no journal, the same result.json as a cell.
func (w *Backend) runRow(ctx context.Context, cl *Cell, dir string, line *status.Cell) (
	*record.Result, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := bench.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	var known map[string]*record.SplitOutcome // splits that an earlier command computed
	if old := (state{dir}).result(); old != nil && old.Version == cl.Header.Version {
		known = old.Tests
		if reflect.DeepEqual(old.Header, cl.Header) && lacks(old, cl.Tests) == nil {
			return old, nil
		}
	}
	line.Begin()
	r, err := w.computeRow(ctx, cl, known, line)
	if err != nil {
		return nil, err
	}
	return r, record.WriteResult(dir, r)
}

// computeRow computes the row on its training split and on the test splits that are not known.
func (w *Backend) computeRow(ctx context.Context, cl *Cell, known map[string]*record.SplitOutcome,
	line *status.Cell) (*record.Result, error) {
	r := &record.Result{
		Header: cl.Header, Stopped: "method", Tests: map[string]*record.SplitOutcome{},
	}
	maps.Copy(r.Tests, known)
	line.Doing("computing " + cl.Task.Splits[0].Name)
	train, err := w.valuesOf(ctx, cl, cl.Task.Splits[0].Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cl.Name(), err)
	}
	value := record.Mean(train)
	r.Best = &record.BestResult{Score: cl.Task.Goal.Score(value), Value: value}
	for _, s := range cl.Tests {
		if r.Tests[s] != nil {
			continue
		}
		line.Doing("computing " + s)
		values, err := w.valuesOf(ctx, cl, s)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", cl.Name(), s, err)
		}
		r.Tests[s] = &record.SplitOutcome{Mean: record.Mean(values), Values: values}
	}
	return r, nil
}

// valuesOf are the values of a row on a split.
func (w *Backend) valuesOf(ctx context.Context, cl *Cell, split string) ([]float64, error) {
	if cl.Row.Program == "" {
		return cl.Row.Run(ctx, split)
	}
	evaluator := w.Evaluator(cl.Task, cl.Header.Factor())
	o, err := evaluator.Score(ctx, split, program.Program{Source: cl.Row.Program})
	if err == nil && o.Fault != nil {
		err = o.Fault
	}
	return o.Values, err
}
