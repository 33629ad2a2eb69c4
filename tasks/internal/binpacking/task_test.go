// Package binpacking is the example of docs/adding-a-task.md: put items, one at a time as they
// arrive, into as few bins as possible.
package binpacking

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
)

const capacity = 100 // of a bin; items are integers from 20 to 80

// items are the items of one instance. Each split has a generator of its own.
func items(split string, instance int) []int {
	sum := sha256.Sum256(fmt.Appendf(nil, "binpacking\x00%s\x00%d", split, instance))
	rnd, out := rand.New(rand.NewChaCha8(sum)), make([]int, 120)
	for i := range out {
		out[i] = 20 + rnd.IntN(61)
	}
	return out
}

// Task returns the task.
func Task() *bench.Task {
	limits := bench.Limits{CPU: 30 * time.Second}
	splits := []bench.Split{
		{Name: "train", Instances: 5, Limits: limits},
		{Name: "test", Instances: 20, Limits: limits},
	}
	return &bench.Task{
		Problem: bench.Problem{
			Name: "bin-packing",
			Description: "Items arrive one by one and each goes into a bin of capacity 100 " +
				"at once and for good. Design the function that rates the bins for an item; " +
				"the item goes into the one rated highest, and the fewer bins are used " +
				"the better. NumPy is imported as np.",
			Template: program.Function{
				Name: "rate_bins",
				Params: []program.Param{
					{Name: "item", Annotation: "int"}, {Name: "room", Annotation: "np.ndarray"},
				},
				Returns: "np.ndarray",
				Doc: "Rate the bins for an item.\n\nArgs:\n" +
					"    item: size of the item, an int from 20 to 80.\n" +
					"    room: room left in each bin that the item fits into, " +
					"int64 array of shape (m,);\n        the last one is a new bin.\n\n" +
					"Returns:\n    Ratings, float array of shape (m,).",
				Body: "return -room.astype(float)",
			},
			Imports: []string{"import numpy as np"},
			Modules: []string{"numpy", "math"},
			Goal:    bench.Minimize,
		},
		Version: "1",
		Splits:  splits,
		Score:   score,
		Digest: func(split string) string {
			sum := sha256.New()
			for _, s := range splits {
				for i := 0; s.Name == split && i < s.Instances; i++ {
					fmt.Fprintln(sum, items(split, i))
				}
			}
			return hex.EncodeToString(sum.Sum(nil))
		},
		References: []bench.Reference{{
			Name: "best_fit", Source: "def rate_bins(item, room):\n    return -1.0 * room\n",
		}},
	}
}

// score packs one instance and returns the number of bins.
func score(ctx context.Context, in bench.Instance, f bench.Target) (m bench.Measure, err error) {
	var room []int
	for _, item := range items(in.Split, in.Number) {
		room = append(room, capacity)
		var bins []int // those that the item fits into
		for b, r := range room {
			if r >= item {
				bins = append(bins, b)
			}
		}
		v, err := f.Call(ctx, bench.Int(item), pick(room, bins))
		if err != nil {
			return m, err // a *bench.Fault, or a broken world: the caller knows
		}
		best, err := highest(v, len(bins))
		if err != nil {
			return m, err
		}
		room[bins[best]] -= item
		if room[len(room)-1] == capacity {
			room = room[:len(room)-1]
		}
	}
	return bench.Measure{Value: float64(len(room))}, nil
}

// pick is room[bins] as an int64 array.
func pick(room, bins []int) bench.Array {
	a := bench.Array{DType: "int64", Shape: []int{len(bins)}}
	for _, b := range bins {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, uint64(room[b]))
	}
	return a
}

// highest is the place of the largest rating, the first among equals. What a candidate returns is
// checked before it is used.
func highest(v bench.Value, m int) (int, error) {
	a, ok := v.(bench.Array)
	if !ok || a.DType != "float64" || len(a.Shape) != 1 || a.Shape[0] != m {
		return 0, bench.Faultf(bench.Invalid, "returned no float64 array of shape (%d,)", m)
	}
	best, at := math.Inf(-1), 0
	for i := range m {
		r := math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:]))
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return 0, bench.Faultf(bench.NonFinite, "rating %d is %v", i, r)
		}
		if r > best {
			best, at = r, i
		}
	}
	return at, nil
}
