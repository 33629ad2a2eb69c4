package aco

// A sampler makes the weights from which ants draw steps. All samplers draw from the same
// distribution, but use the random numbers differently, so lengths differ between samplers as they
// do between streams.
type sampler func(eta []float64, n int) weights

// samplers has blocks and, for comparison, the table. The table is simpler: it sums the weights of
// all unvisited cities at every step.
var samplers = map[string]sampler{
	"blocks": func(eta []float64, n int) weights { return newBlocks(eta, n) },
	"plain": func(eta []float64, n int) weights {
		return newTable(Problem{Nodes: n, Admit: func(a *Ant) { a.Drop(a.At()) }}, eta)
	},
}
