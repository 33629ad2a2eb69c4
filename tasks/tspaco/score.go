package tspaco

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/sets"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Instances returns the instances of a split. Callers must not change them.
func Instances(split string) (tsp.Set, error) { return data.Set(split) }

// Solve returns the best tour length that the colony finds on one instance of a split with a
// heuristic matrix, n×n and row-major, whose entries are finite and positive. It uses the random
// streams of a candidate's first evaluation, so the same matrix gets the same length.
func Solve(ctx context.Context, split string, instance int, eta []float64) (float64, error) {
	cities, err := data.Instance(split, instance)
	if err != nil {
		return 0, err
	}
	return aco.Solve(ctx, cities, eta, aco.Standard, stream(split, instance, 0), aco.Options{})
}

// Inverse returns the heuristic 1/d of an instance, prepared like a candidate's heuristic.
func Inverse(cities tsp.Instance) []float64 {
	eta := cities.Matrix(1)
	for i, d := range eta {
		eta[i] = 1 / d
	}
	aco.Floor(eta)
	return eta
}

// stream names the random numbers of one solve. The index of the split is the family, so that the
// tests have their own streams. No method is part of the name, so a program has the same score with
// every method.
func stream(split string, instance, replicate int) aco.Stream {
	return aco.Stream{
		Seed: seed, Family: uint64(data.Index(split)), Instance: instance, Replicate: replicate,
	}
}

// score asks a candidate for its matrix and returns the mean tour length over the replicates of one
// evaluation. Evaluation k uses its own block of replicates, so no two evaluations share a
// replicate.
func (c Config) score(
	ctx context.Context, evaluation int, in bench.Instance, f bench.Target,
) (float64, error) {
	cities, err := data.Instance(in.Split, in.Number)
	if err != nil {
		return 0, err
	}
	n := len(cities)
	// The diagonal is 1, so that 1/d is finite everywhere.
	v, err := f.Call(ctx, sets.Array(cities.Matrix(1), n, n))
	if err != nil {
		return 0, err
	}
	eta, err := aco.Heuristic(v, n, n)
	if err != nil {
		return 0, err
	}
	colony, replicates, options := aco.Standard, c.Replicates, aco.Options{}
	if !data.LikeTraining(in.Split) {
		colony.Iterations, replicates, options.Workers = c.Iterations, 1, c.Workers
	}
	if in.Film != nil {
		if err := show(ctx, in, cities, eta, colony); err != nil {
			return 0, err
		}
	}
	sum := 0.0
	for r := range replicates {
		s := stream(in.Split, in.Number, evaluation*replicates+r)
		length, err := aco.Solve(ctx, cities, eta, colony, s, options)
		if err != nil {
			return 0, err
		}
		sum += length
	}
	return sum / float64(replicates), nil
}
