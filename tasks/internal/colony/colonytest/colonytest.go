// Package colonytest measures colonies: the results of many solves with one heuristic, and the time
// of an evaluation. Start at Watch.
package colonytest

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/colony"
)

// A Study is the results of replicates on a training set for one program, as means over the
// instances.
type Study struct {
	Objective   []float64 // best value of the colony
	First, Last []float64 // ants' mean value in the first and in the last iteration
}

// Watch returns the colony's task in a form that solves every instance n times, and the Study that
// it fills. The ants' means detect errors: the first shows a wrong mask, the last a wrong deposit.
func Watch[T any](c *colony.Colony[T], runs int) (*bench.Task, *Study) {
	t, s := c.Task(), &Study{
		make([]float64, runs), make([]float64, runs), make([]float64, runs),
	}
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		instance, err := c.Sets.Instance(in.Split, in.Number)
		if err != nil {
			return bench.Measure{}, err
		}
		args, shape := c.Ask(instance)
		v, err := f.Call(ctx, args...)
		if err != nil {
			return bench.Measure{}, err
		}
		eta, err := aco.Heuristic(v, shape...)
		share := 1 / float64(c.Sets.Splits[0].Instances)
		for r := 0; r < runs && err == nil; r++ {
			var best float64
			best, err = c.Solve(ctx, in, eta, r,
				func(iteration int, _ [][]int32, values []float64) {
					mean := 0.0
					for _, v := range values {
						mean += v / float64(len(values))
					}
					switch iteration {
					case 0:
						s.First[r] += mean * share
					case c.Settings.Iterations - 1:
						s.Last[r] += mean * share
					}
				})
			s.Objective[r] += best * share
		}
		return bench.Measure{}, err
	}
	return t, s
}

// Evaluation is one training evaluation of a heuristic, without Python.
func Evaluation[T any](b *testing.B, c *colony.Colony[T], heuristic func(in T) []float64) {
	train := c.Sets.Splits[0]
	CPU(b, func() error {
		for number := range train.Instances {
			instance, err := c.Sets.Instance(train.Name, number)
			if err != nil {
				return err
			}
			eta := heuristic(instance)
			aco.Floor(eta)
			in := bench.Instance{Split: train.Name, Number: number}
			if _, err := c.Solve(b.Context(), in, eta, 0, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// CPU measures the processor time of an evaluation, because other processes may use the machine. It
// does one-time work before.
func CPU(b *testing.B, evaluate func() error) {
	seconds := func() float64 {
		var u syscall.Rusage
		if err := errors.Join(evaluate(), syscall.Getrusage(syscall.RUSAGE_SELF, &u)); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	start, last, rounds := seconds(), 0.0, 0
	for b.Loop() {
		last = seconds()
		rounds++
	}
	b.ReportMetric((last-start)/float64(rounds), "cpu-s/op")
}
