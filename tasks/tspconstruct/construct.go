package tspconstruct

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// A Rule chooses the next city of a tour. unvisited holds at least two cities, nearest to
// current first; it is overwritten after the call. An error ends the tour.
type Rule func(current int, unvisited []int32) (int, error)

// Measure builds the tour of a rule on one instance of a split and returns its length.
func Measure(split string, instance int, rule Rule) (float64, error) {
	p, err := prepare(split, instance)
	if err != nil {
		return 0, err
	}
	tour, err := p.build(rule)
	if err != nil {
		return 0, fmt.Errorf("%s, instance %d: %w", split, instance, err)
	}
	return p.cities.Length(tour), nil
}

// Instances is the number of instances of a split.
func Instances(split string) (int, error) {
	set, ok := data.Set(split)
	if !ok {
		return 0, fmt.Errorf("%s has no split %q", Name, split)
	}
	return len(set), nil
}

// A prepared instance has everything that does not depend on the rule. It is read only.
type prepared struct {
	cities tsp.Instance
	orders [][]int32
	matrix func() []byte // the distance matrix as NumPy holds it
}

// training keeps the prepared training instances: a search builds tours on them a thousand
// times over. Those of the test splits would fill half a gigabyte and are used once a run.
var training = sync.OnceValue(func() []prepared {
	set, _ := data.Set(train)
	all := make([]prepared, len(set))
	for i, cities := range set {
		all[i] = prepareCities(cities)
		all[i].matrix = sync.OnceValue(all[i].matrix)
	}
	return all
})

func prepareCities(cities tsp.Instance) prepared {
	return prepared{cities, cities.Orders(), func() []byte { return tsp.Bytes(cities.Matrix(0)) }}
}

func prepare(split string, instance int) (prepared, error) {
	set, ok := data.Set(split)
	if !ok {
		return prepared{}, fmt.Errorf("%s has no split %q", Name, split)
	}
	if instance < 0 || instance >= len(set) {
		return prepared{}, fmt.Errorf("%s has no instance %d in split %s", Name, instance, split)
	}
	if split == train {
		return training()[instance], nil
	}
	return prepareCities(set[instance]), nil
}

// build constructs a tour from city 0: n-2 calls of the rule, then the last city left.
func (p prepared) build(rule Rule) ([]int32, error) {
	n := len(p.cities)
	tour := make([]int32, 1, n)
	visited := make([]bool, n)
	visited[0] = true
	unvisited := make([]int32, 0, n)
	for current := 0; len(tour) < n; {
		unvisited = unvisited[:0]
		for _, city := range p.orders[current] {
			if !visited[city] {
				unvisited = append(unvisited, city)
			}
		}
		next := int(unvisited[0])
		if len(unvisited) > 1 {
			var err error
			if next, err = rule(current, unvisited); err != nil {
				return nil, err
			}
		}
		switch {
		case next < 0 || next >= n:
			return nil, bench.Faultf(bench.Invalid, "call %d returned %d, not one of %d cities", len(tour), next, n)
		case visited[next]:
			return nil, bench.Faultf(bench.Invalid, "call %d returned city %d, which is visited", len(tour), next)
		}
		visited[next] = true
		tour = append(tour, int32(next))
		current = next
	}
	return tour, nil
}

// score lets a candidate build the tour of one instance and measures it from the
// coordinates, never from the matrix, which the candidate may have written to.
func score(ctx context.Context, split string, instance int, f bench.Target, see observer) (float64, error) {
	p, err := prepare(split, instance)
	if err != nil {
		return 0, err
	}
	n := len(p.cities)
	matrix, err := f.Upload(ctx, bench.Array{DType: "float64", Shape: []int{n, n}, Data: p.matrix()})
	if err != nil {
		return 0, err
	}
	// One buffer and one shape serve all calls: an array crosses the border as a copy.
	raw, shape := make([]byte, 8*n), make([]int, 1)
	args := []bench.Value{bench.Int(0), bench.Int(0), nil, matrix}
	calls := 0
	tour, err := p.build(func(current int, unvisited []int32) (int, error) {
		calls++
		for i, city := range unvisited {
			binary.LittleEndian.PutUint64(raw[8*i:], uint64(city))
		}
		shape[0] = len(unvisited)
		args[0] = bench.Int(current)
		args[2] = bench.Array{DType: "int64", Shape: shape, Data: raw[:8*len(unvisited)]}
		v, err := f.Call(ctx, args...)
		if err != nil {
			return 0, err
		}
		next, ok := v.(bench.Int)
		if !ok {
			return 0, bench.Faultf(bench.Invalid, "call %d returned %s, not a city's index", calls, tsp.Kind(v))
		}
		return int(next), nil
	})
	if err != nil {
		return 0, err
	}
	length := p.cities.Length(tour)
	if see != nil {
		see(split, instance, tour, length)
	}
	return length, nil
}
