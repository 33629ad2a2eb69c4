// Package bppaco is the task BPP-ACO: design the function that says how well two items go together
// in a bin, for an ant colony that packs bins. Start at Task, or at Solve for a matrix made in Go.
package bppaco

import (
	"context"
	"embed"
	"math"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/sets"
)

// Name is the task's name on the command line and in results.
const Name = "bpp-aco"

const capacity = 150 // a bin's capacity

// seed is the seed of NumPy's generator for the colony; replicate k uses seed+k.
const seed = 1234

// data has MCTS-AHD's sets. Their seeds are the lengths of the words "train", "test" and "val".
var data = &sets.Sets[[]int64]{
	Task:   Name,
	Splits: sets.Read(sources),
	Draw: sets.Together(func() map[string][][]int64 {
		train, test, drawn := numpy.NewLegacy(5), numpy.NewLegacy(4), map[string][][]int64{}
		val := numpy.NewLegacy(3)
		draw := func(name string, from *numpy.Legacy, count, items int) {
			for range count {
				drawn[name] = append(drawn[name], from.Ints(20, 101, items))
			}
		}
		draw("train", train, 5, 500)
		draw("test500", test, 64, 500)
		draw("test1000", test, 64, 1000)
		draw("val120", val, 64, 120) // not a split; only advances the generator
		draw(record.Val, val, 64, 500)
		return drawn
	}),
	Arrays: func(items []int64) [][]byte { return [][]byte{numpy.Bytes(items)} },
}

// Items returns the items of an instance. Callers must not change them.
func Items(split string, instance int) ([]int64, error) { return data.Instance(split, instance) }

// iterations returns the number of the colony's iterations on a split.
func iterations(split string) int {
	if data.LikeTraining(split) {
		return 15
	}
	return 100
}

// generators has, by split, NumPy's generator states at the start of each instance. They do not
// depend on the candidate, because the colony draws one number for each item that an ant packs.
var generators = map[string]func() []*numpy.Legacy{}

func init() {
	for _, split := range data.Splits {
		generators[split.Name] = sync.OnceValue(func() []*numpy.Legacy {
			return series(split.Name, seed, split.Instances)
		})
	}
}

func series(split string, seed uint32, instances int) (all []*numpy.Legacy) {
	from := numpy.NewLegacy(seed)
	for k := range instances {
		all = append(all, from.Clone())
		items, err := data.Instance(split, k)
		if err != nil {
			panic(err)
		}
		for range ants * len(items) * iterations(split) {
			from.Float64()
		}
	}
	return all
}

//go:embed references/*.py *.toml
var sources embed.FS

// Task returns the task.
func Task() *bench.Task {
	t := programs.Read(sources)
	t.SetSplits(data.Bench())
	t.Name, t.Digest = Name, data.Digest
	programs.Noisy(&t, 10, score)
	return &t
}

// score asks a candidate for its matrix and returns the number of bins that the colony needs.
func score(
	ctx context.Context, replicate int, in bench.Instance, f bench.Target,
) (float64, error) {
	items, err := data.Instance(in.Split, in.Number)
	if err != nil {
		return 0, err
	}
	n := len(items)
	demand := bench.Array{DType: "int64", Shape: []int{n}, Data: numpy.Bytes(items)}
	v, err := f.Call(ctx, demand, bench.Int(capacity))
	if err != nil {
		return 0, err
	}
	h, err := programs.Floats(v, n, n)
	if err == nil {
		err = prepare(h)
	}
	if err != nil {
		return 0, err
	}
	bins, err := Solve(ctx, in.Split, in.Number, replicate, h)
	return float64(bins), err
}

// prepare scales a matrix in place to the range from 1e-6 to 1. Minus infinity becomes 1e-6; the
// largest entry must be positive and finite.
func prepare(h []float64) error {
	largest := math.Inf(-1)
	for i, v := range h {
		if math.IsNaN(v) {
			n := int(math.Sqrt(float64(len(h))))
			return bench.Faultf(bench.NonFinite, "entry %s is NaN",
				programs.Index(i, []int{n, n}))
		}
		largest = max(largest, v)
	}
	switch {
	case math.IsInf(largest, 1):
		return bench.Faultf(bench.NonFinite, "the largest entry is infinite")
	case largest <= 0:
		return bench.Faultf(bench.Invalid, "no entry is positive")
	}
	const least, most = 1e-6, 1e6
	largest = min(max(largest, least), most)
	for i, v := range h {
		h[i] = max(min(max(v, least), most)/largest, least)
	}
	return nil
}

const (
	ants  = 20
	decay = 0.95
)

// Solve returns the fewest bins that the colony finds with h, n×n and row-major, whose entries are
// from 1e-6 to 1.
func Solve(
	ctx context.Context, split string, instance, replicate int, h []float64,
) (int, error) {
	items, err := data.Instance(split, instance)
	if err != nil {
		return 0, err
	}
	generator := generators[split]
	if replicate > 0 {
		generator = func() []*numpy.Legacy {
			return series(split, seed+uint32(replicate), instance+1)
		}
	}
	c := newColony(items, h, generator()[instance].Clone())
	best := len(items)
	for range iterations(split) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		best = min(best, c.iterate())
	}
	return best, nil
}

// BestFitDecreasing packs the largest item first, each item into the fullest bin that has room for
// it, and returns the number of bins.
func BestFitDecreasing(items []int64) int {
	return pack(items, func(room, best int64) bool { return room < best })
}

// FirstFitDecreasing packs the largest item first, each item into the first bin that has room for
// it, and returns the number of bins.
func FirstFitDecreasing(items []int64) int {
	return pack(items, func(int64, int64) bool { return false })
}

func pack(items []int64, better func(room, best int64) bool) int {
	var rooms []int64
	for _, item := range slices.Backward(slices.Sorted(slices.Values(items))) {
		at := -1
		for b, room := range rooms {
			if room >= item && (at < 0 || better(room, rooms[at])) {
				at = b
			}
		}
		if at < 0 {
			at, rooms = len(rooms), append(rooms, capacity)
		}
		rooms[at] -= item
	}
	return len(rooms)
}
