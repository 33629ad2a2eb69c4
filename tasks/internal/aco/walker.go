package aco

// chunk is how many weights are added before the sum is looked at. Adding eight at once
// breaks the chain of dependent additions.
const chunk = 8

// A walker is the scratch memory of a way in progress: the nodes that may come next as a list,
// where each of them stands in it, and the running sums of a scan.
type walker struct {
	left   []int32   // nodes that may come next, in no particular order; on tours the unvisited
	later  int       // behind left, up to here: nodes that may come once the list is reopened
	place  []int32   // place[city] is its index in left
	alive  []float64 // 1 for unvisited cities, 0 for visited: a factor costs less than a branch
	weight []float64 // of the cities in left
	sums   []float64 // running sums of weight
	mass   []float64 // of blocks, see blocks
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

// visit takes a city off the list: the last one moves into its place.
func (k *walker) visit(city int32) {
	at, end := k.place[city], len(k.left)-1
	last := k.left[end]
	k.left[at], k.place[last] = last, at
	k.left = k.left[:end]
	k.alive[city] = 0
}

// draw returns the index of an unvisited city, with probability proportional to k.weight:
// the first whose running sum exceeds u times the total.
func (k *walker) draw(u float64) int {
	sum, chunks := 0.0, 0
	for rest := k.weight[:len(k.left)]; len(rest) >= chunk; rest = rest[chunk:] {
		sum += eight((*[chunk]float64)(rest))
		k.sums[chunks] = sum
		chunks++
	}
	return k.pick(u, sum, chunks)
}

// drawFrom is draw for weights that stand in a row by city. They are added as they come.
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

// pick finds the city of a draw from weights of which whole chunks are summed.
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
		for _, s := range sums[:chunks] { // counted, for a branch would be a guess
			at += 1 - sign(target-s)
		}
		if at > 0 {
			target -= sums[at-1]
		}
	}
	// Rounding may leave a rest of the target behind the last city of a chunk: it is the one.
	from := min(at*chunk, len(weight)-1)
	return from + firstBeyond(weight[from:min(from+chunk, len(weight))], target)
}
