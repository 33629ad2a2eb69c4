package aco

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkSolve(b *testing.B) {
	for _, sampler := range []string{"plain", "blocks"} {
		for _, n := range []int{50, 100, 200, 500, 1000} {
			in := tsp.Draw(5678, 1, n)[0]
			for _, h := range []struct {
				name string
				eta  func(tsp.Instance) []float64
			}{{"inverse", inverse}, {"peaked", peaked}} {
				b.Run(fmt.Sprintf("%v/n=%d/%s", sampler, n, h.name), func(b *testing.B) {
					eta := h.eta(in)
					Floor(eta)
					start := cpu()
					for b.Loop() {
						w := samplers[sampler](eta, n)
						_, err := solve(
							context.Background(), tour(in), w, Standard, Stream{}, Options{})
						must.Do(b, err)
					}
					b.ReportMetric((cpu()-start).Seconds()/float64(b.N), "cpu-s/solve")
				})
			}
		}
	}
}
