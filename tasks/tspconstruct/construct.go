package tspconstruct

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// A Rule chooses the next city of a tour. unvisited has at least two cities, nearest to current
// first; it is overwritten after the call. An error ends the tour.
type Rule func(current int, unvisited []int32) (int, error)

// Measure builds a rule's tour on one instance of a split and returns its length.
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

// A prepared instance has everything that does not depend on the rule. It is read-only.
type prepared struct {
	cities tsp.Instance
	orders [][]int32     // by city: the other cities, nearest first
	matrix func() []byte // the distance matrix in NumPy's format
	nearby func() []byte // orders as int32 in NumPy's format
}

// training keeps the prepared training instances, because a search builds a thousand tours on each.
// Test instances are not kept: they would take half a gigabyte, and a run uses them only once.
var training = sync.OnceValue(func() []prepared {
	set, _ := data.Set(train)
	all := make([]prepared, len(set))
	for i, cities := range set {
		all[i] = prepareCities(cities)
		all[i].matrix, all[i].nearby = sync.OnceValue(all[i].matrix), sync.OnceValue(all[i].nearby)
	}
	return all
})

func prepareCities(cities tsp.Instance) prepared {
	orders := cities.Orders()
	return prepared{
		cities, orders,
		func() []byte { return numpy.Bytes(cities.Matrix(0)) },
		func() (raw []byte) {
			for _, row := range orders {
				for _, city := range row {
					raw = binary.LittleEndian.AppendUint32(raw, uint32(city))
				}
			}
			return raw
		},
	}
}

func prepare(split string, instance int) (prepared, error) {
	cities, err := data.Instance(split, instance)
	switch {
	case err != nil:
		return prepared{}, err
	case split == train:
		return training()[instance], nil
	}
	return prepareCities(cities), nil
}

// build constructs a tour from city 0 with n-2 calls of the rule; the last city needs no call.
// After an error it returns the tour so far.
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
				return tour, err
			}
		}
		switch {
		case next < 0 || next >= n:
			return tour, bench.Faultf(bench.Invalid,
				"call %d returned %d, not one of %d cities", len(tour), next, n)
		case visited[next]:
			return tour, bench.Faultf(bench.Invalid,
				"call %d returned city %d, which is visited", len(tour), next)
		}
		visited[next] = true
		tour = append(tour, int32(next))
		current = next
	}
	return tour, nil
}

// score lets a candidate build the tour of one instance. It measures the tour from the coordinates,
// because the candidate may have changed the matrix.
func score(ctx context.Context, in bench.Instance, f bench.Target) (float64, error) {
	p, err := prepare(in.Split, in.Number)
	if err != nil {
		return 0, err
	}
	if in.Film != nil {
		if err := p.showNearest(in.Film); err != nil {
			return 0, err
		}
	}
	n := len(p.cities)
	matrix, err := f.Upload(ctx,
		bench.Array{DType: "float64", Shape: []int{n, n}, Data: p.matrix()})
	if err != nil {
		return 0, err
	}
	ask := p.byCalls(ctx, f, matrix)
	// A picture also shows the partial tour of a failed program, which a loop does not return.
	if l, loops := f.(bench.Looper); loops && in.Film == nil {
		if ask, err = p.byLoop(ctx, l, matrix); err != nil {
			return 0, err
		}
	}
	calls := 0
	tour, err := p.build(func(current int, unvisited []int32) (int, error) {
		calls++
		v, err := ask(current, unvisited)
		if err != nil {
			return 0, err
		}
		next, ok := v.(bench.Int)
		if !ok {
			return 0, bench.Faultf(
				bench.Invalid, "call %d returned %s, not a city's index", calls, programs.Kind(v))
		}
		return int(next), nil
	})
	if in.Film != nil {
		if err := p.show(in.Film, "this program", tour); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, err
	}
	return p.cities.Length(tour), nil
}

// showNearest shows the tour of the nearest-neighbour rule for comparison.
func (p prepared) showNearest(film *bench.Film) error {
	tour, err := p.build(func(_ int, unvisited []int32) (int, error) {
		return int(unvisited[0]), nil
	})
	if err != nil {
		return err
	}
	return p.show(film, "nearest neighbour", tour)
}

// show shows a tour with its length, or the partial tour that was built before an error.
func (p prepared) show(film *bench.Film, whose string, tour []int32) error {
	title := fmt.Sprintf("%s: %.4f", whose, p.cities.Length(tour))
	if len(tour) < len(p.cities) {
		title = fmt.Sprintf("%s, until it failed: %d of %d cities", whose, len(tour), len(p.cities))
	}
	return film.Show(bench.Picture{Title: title, Pixels: p.cities.Picture(tour)})
}

// An asker returns a candidate's answer to one question.
type asker func(current int, unvisited []int32) (bench.Value, error)

// byCalls sends the questions to the process one by one. byLoop gets the same answers in less time,
// and tests compare the two.
func (p prepared) byCalls(ctx context.Context, f bench.Target, matrix bench.Handle) asker {
	// All calls share one buffer and one shape, because arrays are copied to the process.
	raw, shape := make([]byte, 8*len(p.cities)), make([]int, 1)
	args := []bench.Value{bench.Int(0), bench.Int(0), nil, matrix}
	return func(current int, unvisited []int32) (bench.Value, error) {
		for i, city := range unvisited {
			binary.LittleEndian.PutUint64(raw[8*i:], uint64(city))
		}
		shape[0] = len(unvisited)
		args[0] = bench.Int(current)
		args[2] = bench.Array{DType: "int64", Shape: shape, Data: raw[:8*len(unvisited)]}
		return f.Call(ctx, args...)
	}
}

// byLoop gets all answers from questions.py and returns them one by one. There is one answer for
// each call, unless the candidate has tampered with the loop: then there are too few or too many
// answers.
func (p prepared) byLoop(
	ctx context.Context, f bench.Looper, matrix bench.Handle) (asker, error) {
	n := len(p.cities)
	orders := bench.Array{DType: "int32", Shape: []int{n, n - 1}, Data: p.nearby()}
	first, last, err := f.Loop(ctx, matrix, orders)
	return func(int, []int32) (v bench.Value, err error) {
		switch {
		case len(first) > 0:
			v, first = bench.Int(first[0]), first[1:]
		case last != nil:
			v, last = last, nil
		default:
			err = bench.Faultf(bench.Crashed, "left the loop that calls it")
		}
		return v, err
	}, err
}
