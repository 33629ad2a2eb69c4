package tspgls

import (
	"math"
	"slices"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// A search works on one tour. Distances, the guide and their sums are float32 and rounded after
// every operation, as in the public code, because its results depend on the last bit.
type search struct {
	n       int
	d       []float32 // distances
	guide   []float32
	penalty []float32 // of edges, separately for each direction
	guided  []float32 // d plus k times penalty
	k       float32
	near    [][]int32 // other cities by distance
	tour    []int32
	at      []int32 // positions of the cities on the tour
}

func newSearch(cities tsp.Instance, guide []float64) *search {
	n := len(cities)
	s := &search{
		n: n, d: make([]float32, n*n), guide: make([]float32, n*n),
		penalty: make([]float32, n*n), near: cities.Orders(), at: make([]int32, n),
	}
	for i, d := range cities.Matrix(itself) {
		s.d[i], s.guide[i] = float32(d), float32(guide[i])
	}
	s.guided = slices.Clone(s.d)
	visited := make([]bool, n)
	for city := 0; len(s.tour) < n; {
		s.tour, visited[city] = append(s.tour, int32(city)), true
		least, from := float32(math.Inf(1)), city
		for j, d := range s.d[from*n : (from+1)*n] {
			if !visited[j] && d < least {
				least, city = d, j
			}
		}
	}
	for p, city := range s.tour {
		s.at[city] = int32(p)
	}
	return s
}

// cost returns the length of the tour, added from the closing edge on.
func (s *search) cost() float32 {
	sum, last := float32(0), s.tour[s.n-1]
	for _, city := range s.tour {
		sum += s.d[int(last)*s.n+int(city)]
		last = city
	}
	return sum
}

// rounds bounds a local search.
const rounds = 1000

// improve is the local search: the best 2-opt move and then the best relocation, until neither
// helps.
func (s *search) improve() {
	for range rounds {
		changed := s.reverse(s.bestReversal())
		if !s.relocate(s.bestRelocation()) && !changed {
			return
		}
	}
}

// patience bounds the penalties of one perturbation.
const patience = 1_000_000

// perturb repeatedly penalises the edge with the largest guide value divided by one plus its
// penalties, and makes moves of the cities at its ends that help, until it has made enough moves.
// It leaves out the closing edge, and reports false when its patience ends.
func (s *search) perturb(moves int) bool {
	for penalties := 0; moves > 0; penalties++ {
		if penalties == patience {
			return false
		}
		p, most := 0, 0.0
		for i := range s.n - 1 {
			e := s.edge(s.tour[i], s.tour[i+1])
			if u := float64(s.guide[e]) / (1 + float64(s.penalty[e])); u > most {
				p, most = i, u
			}
		}
		e := s.edge(s.tour[p], s.tour[p+1])
		s.penalty[e]++
		s.guided[e] = s.d[e] + float32(s.k*s.penalty[e])
		for i := max(p, 1); i <= min(p+1, s.n-2); i++ {
			changed := s.reverse(s.reversalAt(i))
			if s.relocate(s.relocationAt(i)) || changed {
				moves--
			}
		}
	}
	return true
}

func (s *search) edge(i, j int32) int { return int(i)*s.n + int(j) }

// A move has two positions on the tour. The zero value is no move.
type move struct {
	i, j   int
	change float32 // change of the tour's length
}

// offer takes a move that is better, or equal and earlier in the order of i, then j.
func (m *move) offer(i, j int, change float32) {
	earlier := i < m.i || i == m.i && j < m.j
	if change < m.change || change == m.change && change < 0 && earlier {
		*m = move{i, j, change}
	}
}

// reverse makes a 2-opt move: it reverses the positions i to j.
func (s *search) reverse(m move) bool {
	if !(float64(m.change) < -1e-6) {
		return false
	}
	slices.Reverse(s.tour[m.i : m.j+1])
	s.place(m.i, m.j)
	return true
}

// relocate moves the city at position i next to the city at position j: after it if i is before j,
// else before it. The change was computed for the position after it; the public code does the same.
func (s *search) relocate(m move) bool {
	if !(m.change < 0) {
		return false
	}
	city := s.tour[m.i]
	if m.i < m.j {
		copy(s.tour[m.i:], s.tour[m.i+1:m.j+1])
	} else {
		copy(s.tour[m.j+1:m.i+1], s.tour[m.j:m.i])
	}
	s.tour[m.j] = city
	s.place(min(m.i, m.j), max(m.i, m.j))
	return true
}

// place updates the cities' positions, from position i to j.
func (s *search) place(i, j int) {
	for p := i; p <= j; p++ {
		s.at[s.tour[p]] = int32(p)
	}
}

// next returns the city after position i.
func (s *search) next(i int) int32 {
	if i+1 == s.n {
		return s.tour[0]
	}
	return s.tour[i+1]
}

// reversal is the change of the length if positions i ≤ j are reversed.
func (s *search) reversal(d []float32, i, j int) float32 {
	a, b, c, e := s.tour[i-1], s.tour[i], s.tour[j], s.next(j)
	return d[s.edge(a, c)] + d[s.edge(b, e)] - d[s.edge(a, b)] - d[s.edge(c, e)]
}

// relocation is the change of the length if the city at position i moves after position j.
func (s *search) relocation(d []float32, i, j int) float32 {
	a, x, b, u, v := s.tour[i-1], s.tour[i], s.next(i), s.tour[j], s.next(j)
	return -d[s.edge(a, x)] - d[s.edge(x, b)] - d[s.edge(u, v)] +
		d[s.edge(u, x)] + d[s.edge(x, v)] + d[s.edge(a, b)]
}

// reversalAt is the best 2-opt move that begins at a position, on guided distances.
func (s *search) reversalAt(i int) (m move) {
	for j := i + 1; j < s.n; j++ {
		m.offer(i, j, s.reversal(s.guided, i, j))
	}
	return m
}

// relocationAt is the best relocation of the city at a position, on guided distances.
func (s *search) relocationAt(i int) (m move) {
	for j := range s.n {
		if j != i && j != i-1 {
			m.offer(i, j, s.relocation(s.guided, i, j))
		}
	}
	return m
}

// bestReversal returns the best 2-opt move. A move that helps brings one of its ends next to a city
// that is nearer than its present neighbour. Other moves change the length only by the rounding
// error, which does not count as help.
func (s *search) bestReversal() (m move) {
	for i := range s.n {
		a, b := s.tour[i], s.next(i)
		here := s.d[s.edge(a, b)]
		for _, c := range s.near[a] { // a and c become neighbours, and so do their next cities
			if !(s.d[s.edge(a, c)] < here) {
				break
			}
			if j := int(s.at[c]); j > i+1 {
				m.offer(i+1, j, s.reversal(s.d, i+1, j))
			}
		}
		for _, c := range s.near[b] { // b and c become neighbours, and so do their previous cities
			if !(s.d[s.edge(b, c)] < here) {
				break
			}
			if j := int(s.at[c]); j >= 1 && j < i {
				m.offer(j, i, s.reversal(s.d, j, i))
			}
		}
	}
	return m
}

// slack is far above the rounding error of a sum of six distances.
const slack = 1e-5

// bestRelocation returns the best relocation. If it helps, the two new edges together are shorter
// than the edge into which the city moves plus the saving at its old position. The shorter new edge
// is therefore at most half of the longest edge plus that saving.
func (s *search) bestRelocation() (m move) {
	longest := float32(0)
	for i, city := range s.tour {
		longest = max(longest, s.d[s.edge(city, s.next(i))])
	}
	for i := 1; i < s.n; i++ {
		a, x, b := s.tour[i-1], s.tour[i], s.next(i)
		saved := s.d[s.edge(a, x)] + s.d[s.edge(x, b)] - s.d[s.edge(a, b)]
		for _, y := range s.near[x] {
			if 2*s.d[s.edge(x, y)] > longest+saved+slack {
				break
			}
			for j, k := int(s.at[y]), 0; k < 2; j, k = (j+s.n-1)%s.n, k+1 {
				if j != i && j != i-1 {
					m.offer(i, j, s.relocation(s.d, i, j))
				}
			}
		}
	}
	return m
}
