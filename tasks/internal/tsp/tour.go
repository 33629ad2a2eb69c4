package tsp

// Length is the length of the closed tour, summed edge by edge from its first city.
func (in Instance) Length(tour []int32) float64 {
	sum := 0.0
	for at := range tour {
		next := at + 1
		if next == len(tour) {
			next = 0
		}
		sum += in.Distance(int(tour[at]), int(tour[next]))
	}
	return sum
}
