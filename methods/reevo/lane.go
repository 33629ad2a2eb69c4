package reevo

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/pacebench/pacebench/bench"
)

// A lane is one sampler of the port: its place in the cycle and its own chain of reflections.
type lane struct {
	selection  *rand.Rand
	hints      []string // the newest short-term reflections, oldest first
	long       string   // the newest long-term reflection; empty before the first
	crossovers int
	mutations  int // still to come in this block
	// due is what the next mutation's long-term reflection reads: the hints at the end of the
	// crossovers. Nil when none is due.
	due []string
}

// lanes makes the lanes, each with a selection stream of its own (design decision R14).
func (m *ReEvo) lanes(s *bench.Search) []*lane {
	lanes := make([]*lane, m.Window)
	for i := range lanes {
		lanes[i] = &lane{selection: s.Rand("selection/" + strconv.Itoa(i))}
	}
	return lanes
}

// A turn is what one proposal of a lane gave.
type turn struct {
	child    Candidate // the zero Candidate for a reply that was lost
	mutation bool
	short    string // a crossover's short-term reflection
	long     string // a mutation's long-term reflection, asked for in this turn or before
}

// advance moves a lane on. A crossover counts whatever became of its reply; after as many of them
// as the population holds comes a block of mutations, which begins with a long-term reflection.
func (m *ReEvo) advance(l *lane, t turn) {
	if t.mutation {
		l.mutations--
		l.long, l.due = t.long, nil
		return
	}
	l.hints = append(l.hints, t.short)
	l.hints = l.hints[max(0, len(l.hints)-m.Hints):]
	l.crossovers++
	if block := int(m.MutationRate * float64(m.Population)); block > 0 &&
		l.crossovers%m.Population == 0 {
		l.mutations, l.due = block, slices.Clone(l.hints)
	}
}
