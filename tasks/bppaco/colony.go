package bppaco

import (
	"math"
	"slices"
	"sort"

	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// packed is a size that fits nowhere.
const packed = math.MaxUint8

// A colony is a solve in progress.
type colony struct {
	items []int64
	size  []uint8 // of each item; packed once an ant has packed it
	rnd   *numpy.Legacy
	tau   []float64 // pheromone, by pair of items
	p     []float64 // tau times heuristic
	add   []float64 // what this iteration deposits

	left []int32   // unpacked items, ascending
	fits []int32   // those of left that the open bin takes
	sums []float64 // running sums of the weights of fits
}

func newColony(items []int64, rnd *numpy.Legacy) *colony {
	n := len(items)
	return &colony{
		items: items, size: make([]uint8, n), rnd: rnd, tau: slices.Repeat([]float64{1}, n*n),
		p: make([]float64, n*n), add: make([]float64, n*n),
		left: make([]int32, n), fits: make([]int32, n), sums: make([]float64, n),
	}
}

// iterate lets all ants pack, and returns the fewest bins.
func (c *colony) iterate(h []float64) int {
	for i, t := range c.tau {
		c.p[i] = t * h[i]
	}
	clear(c.add)
	best := len(c.items)
	for range ants {
		best = min(best, c.walk())
	}
	for i, a := range c.add {
		c.tau[i] = float64(decay*c.tau[i]) + a
	}
	return best
}

// walk packs all items as one ant does, deposits on all pairs that share a bin, and returns the
// number of bins. An empty bin takes any item; an open one takes the next in proportion to the mean
// weight with its members, which stand in ascending order. One number is drawn for each item.
func (c *colony) walk() int {
	c.left = c.left[:len(c.items)]
	for i, item := range c.items {
		c.left[i], c.size[i] = int32(i), uint8(item)
	}
	bins, fitness := [][]int32{}, 0.0
	for len(c.left) > 0 {
		item := c.left[int(c.rnd.Float64()*float64(len(c.left)))]
		bin, room := []int32{item}, capacity-c.items[item]
		c.take(item)
		c.narrow(c.left, room)
		for len(c.fits) > 0 {
			item = c.draw(bin)
			room -= c.items[item]
			at, _ := slices.BinarySearch(bin, item)
			bin = slices.Insert(bin, at, item)
			c.take(item)
			c.narrow(c.fits, room)
		}
		full := float64(capacity-room) / capacity
		bins, fitness = append(bins, bin), fitness+float64(full*full)
	}
	amount := fitness / float64(len(bins)) / ants
	for _, bin := range bins {
		for _, i := range bin {
			for _, j := range bin {
				c.add[int(i)*len(c.items)+int(j)] += amount
			}
		}
	}
	return len(bins)
}

// take takes an item off the list of those left.
func (c *colony) take(item int32) {
	at, _ := slices.BinarySearch(c.left, item)
	c.left = slices.Delete(c.left, at, at+1)
	c.size[item] = packed
}

// narrow makes fits of the items of a list that find room. It may be the list. The count goes
// without a branch, which would be a guess for each item.
func (c *colony) narrow(list []int32, room int64) {
	fits, size, count, most := c.fits[:len(list)], c.size, 0, int(room)
	for _, item := range list {
		fits[count] = item
		count += int(uint(int(size[item])-most-1) >> 63)
	}
	c.fits = fits[:count]
}

// draw draws one of fits: the first whose running sum reaches u times the total, as searchsorted
// finds it.
func (c *colony) draw(bin []int32) int32 {
	n, total, members := len(c.items), 0.0, float64(len(bin))
	first, sums := c.p[int(bin[0])*n:int(bin[0]+1)*n], c.sums[:len(c.fits)]
	if len(bin) == 1 {
		for k, item := range c.fits {
			total += first[item] + 1e-5
			sums[k] = total
		}
	} else {
		for k, item := range c.fits {
			w := first[item]
			for _, m := range bin[1:] {
				w += c.p[int(m)*n+int(item)]
			}
			total += w/members + 1e-5
			sums[k] = total
		}
	}
	at := sort.SearchFloat64s(sums, c.rnd.Float64()*total)
	return c.fits[min(at, len(c.fits)-1)]
}
