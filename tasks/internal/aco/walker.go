package aco

// chunk is the number of weights between two running sums. Adding eight weights as a tree shortens
// the chain of dependent additions.
const chunk = 8

// A walker is the scratch memory of a path in progress: the list of nodes that may come next, their
// positions in the list, and the running sums of a scan.
type walker struct {
	left   []int32   // nodes that may come next, in no particular order; on tours, unvisited cities
	later  int       // end of the deferred nodes, which follow left
	place  []int32   // place[city] is the city's index in left
	alive  []float64 // 1 for unvisited cities, else 0: a factor costs less than a branch
	weight []float64 // weight of each city in left
	sums   []float64 // running sums of weight
	mass   []float64 // sums of the blocks in a step of blocks
}

func newWalker(n int) walker {
	return walker{
		left: make([]int32, n), place: make([]int32, n), alive: make([]float64, n),
		weight: make([]float64, n), sums: make([]float64, (n+chunk-1)/chunk),
		mass: make([]float64, blockCount(n)),
	}
}

// begin makes all cities unvisited.
func (k *walker) begin() {
	k.left = k.left[:cap(k.left)]
	k.later = len(k.left)
	for i := range k.left {
		k.left[i], k.place[i], k.alive[i] = int32(i), int32(i), 1
	}
}

// visit removes a city from the list: the last city moves to its position.
func (k *walker) visit(city int32) {
	at, end := k.place[city], len(k.left)-1
	last := k.left[end]
	k.left[at], k.place[last] = last, at
	k.left = k.left[:end]
	k.alive[city] = 0
}

// draw returns the index in k.left of an unvisited city, with probability proportional to k.weight:
// the first city whose running sum exceeds u times the total.
func (k *walker) draw(u float64) int {
	sum, chunks := 0.0, 0
	for rest := k.weight[:len(k.left)]; len(rest) >= chunk; rest = rest[chunk:] {
		sum += eight((*[chunk]float64)(rest))
		k.sums[chunks] = sum
		chunks++
	}
	return k.pick(u, sum, chunks)
}

// drawFrom is draw for the weights in a row, indexed by city. It copies them to k.weight.
func (k *walker) drawFrom(row []float64, u float64) int {
	sum, chunks, weight := 0.0, 0, k.weight[:len(k.left)]
	rest := k.left
	for ; len(rest) >= chunk; rest = rest[chunk:] {
		c, w := (*[chunk]int32)(rest), (*[chunk]float64)(weight[chunks*chunk:])
		w[0], w[1], w[2], w[3] = row[c[0]], row[c[1]], row[c[2]], row[c[3]]
		w[4], w[5], w[6], w[7] = row[c[4]], row[c[5]], row[c[6]], row[c[7]]
		sum += eight(w)
		k.sums[chunks] = sum
		chunks++
	}
	for i, city := range rest {
		weight[chunks*chunk+i] = row[city]
	}
	return k.pick(u, sum, chunks)
}

func eight(c *[chunk]float64) float64 {
	return ((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]))
}

// pick returns the index of the drawn city. sum and k.sums cover the whole chunks; pick adds the
// other weights.
func (k *walker) pick(u, sum float64, chunks int) int {
	weight, sums := k.weight[:len(k.left)], k.sums
	all := sum
	for _, v := range weight[chunks*chunk:] {
		all += v
	}
	target, at := u*all, 0
	if target >= sum {
		target -= sum
		at = chunks
	} else {
		for _, s := range sums[:chunks] { // counted, because a branch would be unpredictable
			at += 1 - sign(target-s)
		}
		if at > 0 {
			target -= sums[at-1]
		}
	}
	// Rounding may leave a rest of the target after the last city of a chunk. Then that city is
	// drawn.
	from := min(at*chunk, len(weight)-1)
	return from + firstBeyond(weight[from:min(from+chunk, len(weight))], target)
}
