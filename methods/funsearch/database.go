package funsearch

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// A database holds the programs of a search, by island. Each kind of random choice has its own
// stream of random numbers.
type database struct {
	m       *FunSearch
	s       *bench.Search
	islands []*island
}

// An island holds programs by cluster.
type island struct {
	clusters   []*cluster // in the order of their first programs
	registered int
	best       member // the best program; the oldest of equals
}

// A cluster holds the programs of one signature, which share a score.
type cluster struct {
	signature string
	score     float64
	members   []member
}

// A member is a program with a score.
type member struct {
	evaluation int // its number, from 1
	versions   prompt.Versions
	score      float64
	signature  string
	length     int // in characters, as shown
}

// database returns a database in which every island starts with the first program.
func (m *FunSearch) database(s *bench.Search, first member) *database {
	d := &database{m: m, s: s}
	for range m.Islands {
		d.islands = append(d.islands, found(first))
	}
	return d
}

func found(first member) *island {
	i := &island{}
	i.register(first)
	return i
}

// register puts a program into its cluster. A program that is already there is added again (LLM4AD
// programs_database.py:173-199).
func (i *island) register(x member) {
	at := slices.IndexFunc(i.clusters, func(c *cluster) bool { return c.signature == x.signature })
	if at < 0 {
		at = len(i.clusters)
		i.clusters = append(i.clusters, &cluster{signature: x.signature, score: x.score})
	}
	i.clusters[at].members = append(i.clusters[at].members, x)
	if i.registered++; i.registered == 1 || x.score > i.best.score {
		i.best = x
	}
}

// choose draws the programs of a prompt: clusters with replacement, and a program in each. It sorts
// the programs by ascending score (LLM4AD programs_database.py:202-239).
func (d *database) choose(i *island) []member {
	var scores []float64
	for _, c := range i.clusters {
		scores = append(scores, c.score)
	}
	weights := d.m.clusterWeights(scores, i.registered)
	var out []member
	for range min(len(i.clusters), d.m.Shown) {
		c := i.clusters[pop.Draw(d.s.Rand("cluster"), weights)]
		var lengths []int
		for _, x := range c.members {
			lengths = append(lengths, x.length)
		}
		out = append(out, c.members[pop.Draw(d.s.Rand("program"), lengthWeights(lengths))])
	}
	slices.SortStableFunc(out, func(a, b member) int { return cmp.Compare(a.score, b.score) })
	return out
}

// clusterWeights returns the softmax of scores, as weights whose largest is 1. The temperature
// falls linearly with the number of registrations, and starts again after ClusterPeriod of them.
func (m *FunSearch) clusterWeights(scores []float64, registered int) []float64 {
	largest, scale := slices.Max(scores), 1.0
	for _, x := range scores {
		if m.Normalise {
			scale = max(scale, math.Abs(x))
		}
	}
	t := m.ClusterTemperature *
		(1 - float64(registered%m.ClusterPeriod)/float64(m.ClusterPeriod))
	out := make([]float64, len(scores))
	for i, x := range scores {
		out[i] = math.Exp((x - largest) / scale / t)
	}
	return out
}

// lengthWeights returns weights that slightly prefer shorter programs (google-deepmind/funsearch
// programs_database.py:292-297).
func lengthWeights(lengths []int) []float64 {
	least, most := slices.Min(lengths), slices.Max(lengths)
	out := make([]float64, len(lengths))
	for i, n := range lengths {
		out[i] = math.Exp(-float64(n-least) / (float64(most) + 1e-6))
	}
	return out
}

// reset empties the worse half of the islands. Each emptied island restarts with the best program
// of a kept island (LLM4AD programs_database.py:138-158). A little noise breaks ties.
func (d *database) reset(r *rand.Rand) Reset {
	noisy := make([]float64, len(d.islands))
	order := make([]int, len(d.islands))
	for i, x := range d.islands {
		order[i], noisy[i] = i, x.best.score+1e-6*r.NormFloat64()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noisy[a], noisy[b]) })
	half := len(order) / 2
	n := Reset{Emptied: order[:half], Founders: []int{}}
	for _, i := range n.Emptied {
		founder := d.islands[order[half+r.IntN(len(order)-half)]].best
		d.islands[i] = found(founder)
		n.Founders = append(n.Founders, founder.evaluation)
	}
	return n
}

// note describes the state of all islands.
func (d *database) note() Islands {
	n := Islands{Members: []int{}}
	for _, i := range d.islands {
		n.Islands = append(n.Islands, Island{len(i.clusters), i.registered, i.best.evaluation})
		for _, c := range i.clusters {
			for _, x := range c.members {
				n.Members = append(n.Members, x.evaluation)
			}
		}
	}
	slices.Sort(n.Members)
	n.Members = slices.Compact(n.Members)
	return n
}
