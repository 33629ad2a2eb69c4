package tspgls

import (
	"math"
	"slices"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// A search works on one tour. Distances, the guide and all sums are float32 and rounded after every
// operation, as in the public code, whose results depend on the last bit. The costs of the
// tour's edges are kept by position, because a sweep reads them far more often than a move changes
// them.
type search struct {
	n       int
	d       []float32 // distances
	guide   []float32
	penalty []float32 // of edges, separately for each direction
	guided  []float32 // d plus k times penalty
	into    []float32 // guided, transposed: by the city at which an edge ends
	k       float32
	near    [][]int32 // by city: the other cities, nearest first
	tour    []int32   // n positions, and the first city again
	at      []int32   // positions of the cities on the tour
	// For the edge that leaves each position: its distance, its guided distance, and its guide
	// value divided by one plus its penalties.
	leg, guidedLeg []float32
	worth          []float64
}

func newSearch(cities tsp.Instance, guide []float64) *search {
	n := len(cities)
	s := &search{
		n: n, d: make([]float32, n*n), guide: make([]float32, n*n),
		penalty: make([]float32, n*n), near: cities.Orders(), at: make([]int32, n),
		leg: make([]float32, n), guidedLeg: make([]float32, n), worth: make([]float64, n),
	}
	for i, d := range cities.Matrix(itself) {
		s.d[i], s.guide[i] = float32(d), float32(guide[i])
	}
	s.guided, s.into = slices.Clone(s.d), slices.Clone(s.d) // the matrix is symmetric
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
	s.tour = append(s.tour, s.tour[0])
	s.place(0, n-1)
	return s
}

// cost returns the length of the tour, summed from the closing edge on.
func (s *search) cost() float32 {
	sum := s.leg[s.n-1]
	for _, d := range s.leg[:s.n-1] {
		sum += d
	}
	return sum
}

// rounds is the largest number of rounds of a local search.
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

// patience is the largest number of penalties in one perturbation.
const patience = 1_000_000

// perturb repeatedly penalises the edge with the largest guide value divided by one plus its
// penalties, and makes improving moves of the cities at the edge's ends, until it has made the
// given number of moves. A reversal and a relocation at one end count as one move. perturb never
// penalises the closing edge. After patience penalties it returns false.
func (s *search) perturb(moves int) bool {
	for penalties := 0; moves > 0; penalties++ {
		if penalties == patience {
			return false
		}
		p, most := 0, 0.0
		for i, u := range s.worth[:s.n-1] {
			if u > most {
				p, most = i, u
			}
		}
		from, to := s.tour[p], s.tour[p+1]
		e := s.edge(from, to)
		s.penalty[e]++
		s.guided[e] = s.d[e] + float32(s.k*s.penalty[e])
		s.into[s.edge(to, from)] = s.guided[e]
		s.weigh(p)
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

// offer replaces m by a move that is better, or equally good and earlier in the order of i, then j.
func (m *move) offer(i, j int, change float32) {
	earlier := i < m.i || i == m.i && j < m.j
	if change < m.change || change == m.change && change < 0 && earlier {
		*m = move{i, j, change}
	}
}

// reverse makes a 2-opt move: it reverses the cities at positions i to j.
func (s *search) reverse(m move) bool {
	if !(float64(m.change) < -1e-6) {
		return false
	}
	slices.Reverse(s.tour[m.i : m.j+1])
	s.place(m.i, m.j)
	return true
}

// relocate moves the city at position i next to the city at position j: after it if i is before j,
// else before it. As in the public code, m.change is always the change for the position after j.
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

// place updates the values by position after the cities at positions i to j have changed.
func (s *search) place(i, j int) {
	for p := i; p <= j; p++ {
		s.at[s.tour[p]] = int32(p)
	}
	if i == 0 {
		s.tour[s.n] = s.tour[0]
		s.weigh(s.n - 1)
	}
	for p := max(i-1, 0); p <= j; p++ {
		s.weigh(p)
	}
}

// weigh updates the costs of the edge that leaves a position.
func (s *search) weigh(p int) {
	e := s.edge(s.tour[p], s.tour[p+1])
	s.leg[p], s.guidedLeg[p] = s.d[e], s.guided[e]
	s.worth[p] = float64(s.guide[e]) / (1 + float64(s.penalty[e]))
}

// row returns a city's row of a matrix.
func (s *search) row(matrix []float32, city int32) []float32 {
	return matrix[int(city)*s.n : (int(city)+1)*s.n]
}

// reversalAt returns the best 2-opt move that begins at position i, on guided distances. A move
// that reverses positions i to j connects the city before i to the city at j, and the city at i to
// the city after j.
func (s *search) reversalAt(i int) (m move) {
	before, first := s.row(s.guided, s.tour[i-1]), s.row(s.guided, s.tour[i])
	here := s.guidedLeg[i-1]
	for j := i + 1; j < s.n; j++ {
		change := before[s.tour[j]] + first[s.tour[j+1]] - here - s.guidedLeg[j]
		if change < m.change {
			m = move{i, j, change}
		}
	}
	return m
}

// relocationAt returns the best relocation of the city at position i, on guided distances. A
// relocation removes the two edges at position i and the edge that leaves position j, and adds
// three edges.
func (s *search) relocationAt(i int) (m move) {
	x := s.tour[i]
	into, from := s.row(s.into, x), s.row(s.guided, x)
	gone := -s.guidedLeg[i-1] - s.guidedLeg[i]
	bridge := s.guided[s.edge(s.tour[i-1], s.tour[i+1])]
	u, next := s.tour[0], s.tour[1:]
	for j, leg := range s.guidedLeg {
		v := next[j]
		change := gone - leg + into[u] + from[v] + bridge
		if change < m.change && j != i && j != i-1 {
			m = move{i, j, change}
		}
		u = v
	}
	return m
}

// bestReversal returns the best 2-opt move. A move can shorten the tour only if it gives a city a
// nearer neighbour. Every other gain is a rounding error and does not count.
func (s *search) bestReversal() (m move) {
	for i, here := range s.leg {
		a, b := s.tour[i], s.tour[i+1]
		atA, atB := s.row(s.d, a), s.row(s.d, b)
		for _, c := range s.near[a] { // a and c become neighbours, and so do their next cities
			if !(atA[c] < here) {
				break
			}
			if j := int(s.at[c]); j > i+1 {
				m.offer(i+1, j, atA[c]+atB[s.tour[j+1]]-here-s.leg[j])
			}
		}
		for _, c := range s.near[b] { // b and c become neighbours, and so do their previous cities
			if !(atB[c] < here) {
				break
			}
			if j := int(s.at[c]); j >= 1 && j < i {
				m.offer(j, i, atA[s.tour[j-1]]+atB[c]-s.leg[j-1]-here)
			}
		}
	}
	return m
}

// slack is far above the rounding error of a sum of six distances.
const slack = 1e-5

// bestRelocation returns the best relocation. If a relocation shortens the tour, the two new edges
// together are shorter than the edge into which the city moves plus the saving at its old position.
// The shorter new edge is therefore at most half as long as the longest edge and that saving
// together.
func (s *search) bestRelocation() (m move) {
	longest := slices.Max(s.leg)
	for i := 1; i < s.n; i++ {
		x := s.tour[i]
		atX, bridge := s.row(s.d, x), s.d[s.edge(s.tour[i-1], s.tour[i+1])]
		gone := -s.leg[i-1] - s.leg[i]
		reach := longest + (s.leg[i-1] + s.leg[i] - bridge) + slack
		for _, y := range s.near[x] {
			if 2*atX[y] > reach {
				break
			}
			j := int(s.at[y])
			if change := gone - s.leg[j] + atX[y] + atX[s.tour[j+1]] + bridge; change <= m.change &&
				j != i && j != i-1 {
				m.offer(i, j, change)
			}
			if j == 0 {
				j = s.n
			}
			j--
			if change := gone - s.leg[j] + atX[s.tour[j]] + atX[y] + bridge; change <= m.change &&
				j != i && j != i-1 {
				m.offer(i, j, change)
			}
		}
	}
	return m
}
