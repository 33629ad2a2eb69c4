package cvrpaco

import (
	"cmp"
	"slices"
)

// Savings returns the total length of the routes that Clarke and Wright's savings algorithm finds
// on an instance.
func Savings(split string, instance int) (float64, error) {
	s, err := data.Instance(split, instance)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, route := range s.savings() {
		last := 0
		for _, c := range append(route, 0) {
			sum += s.Places.Distance(last, c)
			last = c
		}
	}
	return sum, nil
}

// savings returns routes without the depot. At first every customer has its own route. Then savings
// takes the pairs of customers in descending order of the distance that is saved by serving one
// directly after the other. It joins the two routes of a pair if both customers are at an end of
// their routes and one vehicle can serve both routes.
func (s Site) savings() (all [][]int) {
	n, d := len(s.Places), s.Places.Distance
	type pair struct {
		i, j  int
		saved float64
	}
	var pairs []pair
	routes := make([][]int, n) // by customer; the customers of one route share it
	for i := 1; i < n; i++ {
		routes[i] = []int{i}
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, pair{i, j, d(0, i) + d(0, j) - d(i, j)})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.saved, a.saved) })
	for _, p := range pairs {
		a, b := slices.Clone(routes[p.i]), slices.Clone(routes[p.j])
		if a[0] == b[0] || s.load(a)+s.load(b) > capacity {
			continue
		}
		if a[0] == p.i {
			slices.Reverse(a)
		}
		if b[0] != p.j {
			slices.Reverse(b)
		}
		if a[len(a)-1] != p.i || b[0] != p.j {
			continue // one of the customers is inside its route
		}
		joined := append(a, b...)
		for _, c := range joined {
			routes[c] = joined
		}
	}
	for i, route := range routes {
		if i > 0 && route[0] == i {
			all = append(all, route)
		}
	}
	return all
}

func (s Site) load(route []int) (sum float64) {
	for _, c := range route {
		sum += s.Demands[c]
	}
	return sum
}
