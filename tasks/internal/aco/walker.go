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
	weight, sums := k.weight[:len(k.left)], k.sums
	sum, chunks := 0.0, 0
	for rest := weight; len(rest) >= chunk; rest = rest[chunk:] {
		c := rest[:chunk:chunk]
		sum += ((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]))
		sums[chunks] = sum
		chunks++
	}
	all := sum
	for _, v := range weight[chunks*chunk:] {
		all += v
	}
	target, at := u*all, 0
	if target >= sum {
		target -= sum
		at = chunks
	} else {
		for sums[at] <= target {
			at++
		}
		if at > 0 {
			target -= sums[at-1]
		}
	}
	// Rounding may leave a rest of the target behind the last city of a chunk: it is the one.
	from := min(at*chunk, len(weight)-1)
	return from + firstBeyond(weight[from:min(from+chunk, len(weight))], target)
}
