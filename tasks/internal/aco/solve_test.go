package aco

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

func read(t *testing.T, name string, into any) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Read(t, "testdata/"+name), into))
}

// weight returns the stored weight of an edge.
func weight(w weights, i, j int) float64 {
	switch w := w.(type) {
	case *table:
		return w.w[i*w.stride+j]
	case *blocks:
		return w.w[i*w.stride+int(w.place[i*w.n+j])]
	}
	panic("another sampler")
}

// TestPheromoneOverManyUpdates compares the stored pheromone, which never decays, with pheromone
// that decays, over enough updates for two renewals.
func TestPheromoneOverManyUpdates(t *testing.T) {
	const n = 60
	in := tsp.Draw(3, 1, n)[0]
	eta := inverse(in)
	for name, sampler := range samplers {
		c := newColony(tour(in), sampler(eta, n), Settings{Ants: 4, Decay: 0.9}, 3)
		tau := power(0)(in)
		for update := range 2*renewAfter + 7 {
			c.walk(Stream{}, update)
			for i := range tau {
				tau[i] *= 0.9
			}
			for _, a := range c.ants {
				for at, city := range a.Path {
					next := a.Path[(at+1)%n]
					tau[int(city)*n+int(next)] += 1 / a.value
					tau[int(next)*n+int(city)] += 1 / a.value
				}
			}
			c.update()
		}
		for i := range n {
			for j := range n {
				want := tau[i*n+j] * eta[i*n+j]
				got := weight(c.weights, i, j) * c.decayed
				if i != j && math.Abs(got-want) > 1e-11*want {
					t.Fatalf("%s: weight %d,%d is %v, want %v", name, i, j, got, want)
				}
			}
		}
		if b, ok := c.weights.(*blocks); ok {
			kept, tails := slices.Clone(b.sums), slices.Clone(b.tail)
			for i := range n {
				b.sum(i)
			}
			for i, want := range append(b.sums, b.tail...) {
				if got := append(kept, tails...)[i]; math.Abs(got-want) > 1e-12*want {
					t.Fatalf("sum %d is kept as %v, entries add up to %v", i, got, want)
				}
			}
		}
	}
}

// TestOneStepHasItsDistribution draws the step after one city many times, for sets of visited
// cities that make every branch likely: head, block, rejection, scan.
func TestOneStepHasItsDistribution(t *testing.T) {
	for name := range samplers {
		for _, h := range []string{"inv", "inv4", "pace"} {
			for _, visited := range []int{0, 5, 30, 70, 84} {
				// without and with the scan of the last cities
				for _, least := range []int{0, few} {
					what := fmt.Sprintf("%s/%s/%d visited/%d", name, h, visited, least)
					t.Run(what, func(t *testing.T) { drawSteps(t, name, h, visited, least) })
				}
			}
		}
	}
}

// drawSteps compares Pearson's statistic of the draws with its quantile at 1e-6, so a correct
// sampler fails in one of the 60 cases for fewer than 1 in 10^4 choices of the seeds.
func drawSteps(t *testing.T, name, heuristic string, visited, least int) {
	const n, draws, from = 90, 10000, 17
	in := tsp.Draw(11, 1, n)[0]
	eta := heuristics[heuristic](in)
	Floor(eta)
	c := newColony(tour(in), samplers[name](eta, n), Settings{Ants: 1, Decay: 0.9}, 1)
	if b, ok := c.weights.(*blocks); ok {
		b.few = least
	}
	a := &c.ants[0]
	Stream{Seed: uint64(visited)}.seed(&a.rnd, 0, 0)
	a.walker.begin()
	a.walker.visit(from)
	// Visit the nearest first, so that the visited cities have most of the weight.
	for _, j := range in.Orders()[from][:visited] {
		a.walker.visit(j)
	}
	p, total := make([]float64, n), 0.0
	for _, j := range a.walker.left {
		p[j] = eta[from*n+int(j)]
		total += p[j]
	}
	stepper := c.weights.(interface{ step(*Ant, int) int32 })
	counts := make([]float64, n)
	for range draws {
		counts[stepper.step(a, from)]++
	}
	statistic, bins, rareWant, rareGot := 0.0, -1, 0.0, 0.0
	for j := range p {
		want := p[j] / total * draws
		if p[j] == 0 && counts[j] > 0 {
			t.Fatalf("visited city %d drawn %v times", j, counts[j])
		}
		if want < 10 {
			rareWant, rareGot = rareWant+want, rareGot+counts[j]
			continue
		}
		statistic += (counts[j] - want) * (counts[j] - want) / want
		bins++
	}
	if rareWant > 10 {
		statistic += (rareGot - rareWant) * (rareGot - rareWant) / rareWant
		bins++
	} else if math.Abs(rareGot-rareWant) > 25 {
		t.Errorf("rare cities drawn %v times, want %v", rareGot, rareWant)
	}
	// Wilson and Hilferty's approximation of the quantile; 4.75 is the normal quantile at 1e-6.
	f := float64(max(bins, 1))
	limit := f * math.Pow(1-2/(9*f)+4.75*math.Sqrt(2/(9*f)), 3)
	if statistic > limit {
		t.Errorf("statistic %.1f with %d degrees of freedom, limit %.1f", statistic, bins, limit)
	}
}

// TestFirstIterationHasItsExactExpectations samples 10^5 ants for each sampler and heuristic.
// Bounds of 4 and 5 standard errors on 6 means and 180 edges give one false alarm in 2000 choices
// of the seed.
func TestFirstIterationHasItsExactExpectations(t *testing.T) {
	var golden struct {
		First map[string]json.RawMessage `json:"exact_first_iteration"`
	}
	read(t, "unit.json", &golden)
	const n, rounds, ants = 6, 100, 1000
	in := tsp.Draw(2024, 1, n)[0]
	for _, h := range []string{"inv", "inv4", "ones"} {
		var want struct {
			Mean  float64     `json:"mean_length,string"`
			SD    float64     `json:"sd_length,string"`
			Edges [][]float64 `json:"edge_probability"`
		}
		must.Do(t, json.Unmarshal(golden.First[h], &want))
		for name, sampler := range samplers {
			w := sampler(heuristics[h](in), n)
			c := newColony(tour(in), w, Settings{Ants: ants, Decay: 0.9}, 1)
			sum, edges := 0.0, [n][n]float64{}
			for r := range rounds {
				c.walk(Stream{Replicate: r}, 0)
				for _, a := range c.ants {
					sum += a.value
					for at, city := range a.Path {
						edges[city][a.Path[(at+1)%n]]++
					}
				}
			}
			const all = rounds * ants
			if got := sum / all; math.Abs(got-want.Mean) > 4*want.SD/math.Sqrt(all) {
				t.Errorf("%s, %s: mean length %v, want %v", name, h, got, want.Mean)
			}
			for i := range n {
				for j := range n {
					p := want.Edges[i][j]
					if got := edges[i][j] / all; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/all) {
						t.Errorf("%s, %s: edge %d,%d in %v of tours, want %v",
							name, h, i, j, got, p)
					}
				}
			}
		}
	}
}

func TestToursAreToursAndBestIsTheBest(t *testing.T) {
	for name, sampler := range samplers {
		for _, n := range []int{2, 3, 9, 10, 25, 130} {
			in := tsp.Draw(uint32(n), 1, n)[0]
			eta := inverse(in)
			seen := math.Inf(1)
			s := Settings{Ants: 7, Iterations: 12, Decay: 0.9}
			w := sampler(eta, n)
			best, err := solve(t.Context(), tour(in), w, s, Stream{}, Options{
				Workers: 3,
				See: func(_ int, tours [][]int32, lengths []float64) {
					for a, tour := range tours {
						length, err := tasktest.Audit(in, tour)
						if err != nil || math.Abs(length-lengths[a]) > 1e-12*length {
							t.Errorf("%s, n=%d: length %v, audited %v, %v",
								name, n, lengths[a], length, err)
						}
						seen = min(seen, lengths[a])
					}
				},
			})
			if err != nil || best != seen {
				t.Errorf("%s, n=%d: best %v, want %v, %v", name, n, best, seen, err)
			}
		}
	}
}

func TestAnswerDependsOnTheStreamAlone(t *testing.T) {
	const n = 130
	in := tsp.Draw(5, 1, n)[0]
	eta := inverse(in)
	s := Settings{Ants: 10, Iterations: 15, Decay: 0.9}
	for name, sampler := range samplers {
		var got []float64
		for _, workers := range []int{0, 1, 2, 3, 7, 10, 64} {
			v, err := solve(t.Context(), tour(in), sampler(eta, n), s, Stream{Seed: 1},
				Options{Workers: workers})
			must.Do(t, err)
			got = append(got, v)
		}
		if slices.Min(got) != slices.Max(got) {
			t.Errorf("%s: %v for different numbers of workers", name, got)
		}
		for _, other := range []Stream{
			{Seed: 2}, {Seed: 1, Family: 1}, {Seed: 1, Instance: 1}, {Seed: 1, Replicate: 1},
		} {
			w := sampler(eta, n)
			v, err := solve(t.Context(), tour(in), w, s, other, Options{})
			if err != nil || v == got[0] {
				t.Errorf("%s: stream %+v gives %v, %v as well", name, other, v, err)
			}
		}
	}
}

// TestStreamsArePinned pins one ant's numbers, since another derivation would change every score.
func TestStreamsArePinned(t *testing.T) {
	var g rand.PCG
	Stream{Seed: 1234, Family: 7, Instance: 3, Replicate: 2}.seed(&g, 99, 29)
	got := fmt.Sprintf("%016x %v %d", g.Uint64(), uniform(&g), below(&g, 1000))
	if want := "a424683e3bc2c6d6 0.4243449740907863 332"; got != want {
		t.Errorf("numbers %s, want %s", got, want)
	}
}

// TestExtremeWeights walks rows whose entries are all extreme, or up to three hundred orders of
// magnitude apart, for enough iterations that the weights are renewed.
func TestExtremeWeights(t *testing.T) {
	const n = 64
	in := tsp.Draw(1, 1, n)[0]
	for name, sampler := range samplers {
		for _, h := range []struct {
			name string
			eta  func(i, j int) float64
		}{
			{"all 1e300", func(int, int) float64 { return 1e300 }},
			{"all 1e-9", func(int, int) float64 { return 1e-9 }},
			{"one huge column", func(_, j int) float64 {
				return []float64{1e-9, 1e300}[max(0, 1-j)]
			}},
			{"a hundred orders a step", func(_, j int) float64 {
				return math.Pow(10, float64(j%4)*100-9)
			}},
		} {
			eta := make([]float64, n*n)
			for i := range eta {
				eta[i] = h.eta(i/n, i%n)
			}
			s := Settings{Ants: 4, Iterations: 2*renewAfter + 3, Decay: 0.9}
			w := sampler(eta, n)
			best, err := solve(t.Context(), tour(in), w, s, Stream{}, Options{})
			if err != nil || !(best > 5 && best < 40) {
				t.Errorf("%s, %s: best %v, %v", name, h.name, best, err)
			}
		}
	}
}

func TestSolveStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := tsp.Draw(1, 1, 20)[0]
	iterations := 0
	_, err := Solve(ctx, in, inverse(in), Standard, Stream{}, Options{
		See: func(int, [][]int32, []float64) { iterations++; cancel() },
	})
	if !errors.Is(err, context.Canceled) || iterations != 1 {
		t.Errorf("%d iterations, %v", iterations, err)
	}
}

func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 255, 999} {
		for _, mask := range []uint64{math.MaxUint64, 0xff00ff, 0, 3} {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64() & mask
			}
			want := slices.Sorted(slices.Values(keys))
			if got, _ := sorted(keys, make([]uint64, n)); !slices.Equal(got, want) {
				t.Errorf("%d keys in %x are out of order", n, mask)
			}
		}
	}
}
