package aco

// floor is what every entry of a heuristic is at least.
const floor = 1e-9

// Floor prepares a heuristic in place: 1e-9 is added to every entry, and what is then below
// 1e-9 is set to it. Negative entries thereby mean "hardly ever".
func Floor(eta []float64) {
	for i, v := range eta {
		eta[i] = max(v+floor, floor)
	}
}
