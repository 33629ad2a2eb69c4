package bppaco

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// A colony is a solve in progress. Sets of items are bit sets, so that 64 items are compared with a
// bin's room in one operation.
type colony struct {
	items []int64
	rnd   *numpy.Legacy
	h     []float64 // the heuristic, by pair of items
	tau   []float64 // pheromone
	p     []float64 // h times tau
	add   []float64 // deposits of this iteration

	small [capacity + 1][]uint64 // by room: the items that fit
	left  []uint64               // unpacked items
	count int                    // number of unpacked items

	order []int32 // items of an ant's bins, bin by bin, in ascending order within a bin
	ends  []int   // ends of the bins, in order
	fits  []int32 // items that fit into the open bin
	sums  []float64
}

const wordBits = 64

func newColony(items []int64, h []float64, rnd *numpy.Legacy) *colony {
	n := len(items)
	c := &colony{
		items: items, rnd: rnd, h: h, tau: slices.Repeat([]float64{1}, n*n),
		p: slices.Clone(h), add: make([]float64, n*n),
		left: make([]uint64, (n+wordBits-1)/wordBits),
		fits: make([]int32, n+3), sums: make([]float64, n),
	}
	for room := range c.small {
		c.small[room] = make([]uint64, len(c.left))
		for i, item := range items {
			if item <= int64(room) {
				c.small[room][i/wordBits] |= 1 << (i % wordBits)
			}
		}
	}
	return c
}

// iterate lets all ants pack, and returns the fewest bins.
func (c *colony) iterate() int {
	best := len(c.items)
	for range ants {
		best = min(best, c.walk())
	}
	h, tau, p := c.h[:len(c.add)], c.tau[:len(c.add)], c.p[:len(c.add)]
	for i, a := range c.add {
		tau[i] = float64(decay*tau[i]) + a
		p[i] = tau[i] * h[i]
	}
	clear(c.add)
	return best
}

// walk packs all items as one ant, deposits on all pairs that share a bin, and returns the number
// of bins. The first item of a bin is drawn uniformly, every other item as in draw. One random
// number is drawn for each item.
func (c *colony) walk() int {
	copy(c.left, c.small[capacity])
	c.count, c.order, c.ends = len(c.items), c.order[:0], c.ends[:0]
	fitness := 0.0
	for c.count > 0 {
		item := c.leftAt(int(c.rnd.Float64() * float64(c.count)))
		room, from := int64(capacity), len(c.order)
		for item >= 0 {
			at, _ := slices.BinarySearch(c.order[from:], item)
			c.order = slices.Insert(c.order, from+at, item)
			room -= c.items[item]
			c.left[item/wordBits] &^= 1 << (item % wordBits)
			c.count--
			item = c.draw(c.order[from:], room)
		}
		full := float64(capacity-room) / capacity
		fitness += float64(full * full)
		c.ends = append(c.ends, len(c.order))
	}
	amount, from := fitness/float64(len(c.ends))/ants, 0
	for _, to := range c.ends {
		bin := c.order[from:to]
		from = to
		for _, i := range bin {
			row := c.add[int(i)*len(c.items):]
			for _, j := range bin {
				row[j] += amount
			}
		}
	}
	return len(c.ends)
}

// leftAt returns the k-th unpacked item.
func (c *colony) leftAt(k int) int32 {
	for w, set := range c.left {
		if count := bits.OnesCount64(set); k >= count {
			k -= count
			continue
		}
		for range k {
			set &= set - 1
		}
		return int32(w*wordBits + bits.TrailingZeros64(set))
	}
	panic("bppaco: fewer items are left than counted")
}

// draw draws one of the items that fit into a bin. The weight of an item is its mean p with the
// items in the bin, plus 1e-5. The result is the first item whose running sum of weights reaches a
// uniform number times the total, as NumPy's searchsorted finds it, or -1 if no item fits.
func (c *colony) draw(bin []int32, room int64) int32 {
	n, total, members := len(c.items), 0.0, float64(len(bin))
	fits := c.fitting(room)
	first, sums := c.p[int(bin[0])*n:int(bin[0]+1)*n], c.sums[:len(fits)]
	if len(bin) == 1 {
		for k, item := range fits {
			total += first[item] + 1e-5
			sums[k] = total
		}
	} else {
		for k, item := range fits {
			w := first[item]
			for _, m := range bin[1:] {
				w += c.p[int(m)*n+int(item)]
			}
			total += w/members + 1e-5
			sums[k] = total
		}
	}
	if len(fits) == 0 {
		return -1
	}
	at := sort.SearchFloat64s(sums, c.rnd.Float64()*total)
	return fits[min(at, len(fits)-1)]
}

// fitting returns the unpacked items that fit, in ascending order. It writes items in groups of
// four, because a processor cannot predict the end of a loop over the bits of a word. The last
// items of a group may be invalid; count leaves them out.
func (c *colony) fitting(room int64) []int32 {
	count, small := 0, c.small[room][:len(c.left)]
	for word, set := range c.left {
		set &= small[word]
		next, base := count+bits.OnesCount64(set), int32(word*wordBits)
		for ; set != 0; count += 4 {
			four := (*[4]int32)(c.fits[count:])
			second := set & (set - 1)
			third := second & (second - 1)
			fourth := third & (third - 1)
			four[0] = base + int32(bits.TrailingZeros64(set))
			four[1] = base + int32(bits.TrailingZeros64(second))
			four[2] = base + int32(bits.TrailingZeros64(third))
			four[3] = base + int32(bits.TrailingZeros64(fourth))
			set = fourth & (fourth - 1)
		}
		count = next
	}
	return c.fits[:count]
}
