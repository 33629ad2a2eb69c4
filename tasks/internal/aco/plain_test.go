package aco

// A sampler is a way of drawing a step. All of them draw from the same distribution, each with its
// own use of the random numbers, so that lengths differ from sampler to sampler as they do from
// stream to stream.
type sampler func(eta []float64, n int) weights

// samplers has, to compare blocks with, the table, which sums the weights of all unvisited cities
// at every step: less to go wrong.
var samplers = map[string]sampler{
	"blocks": func(eta []float64, n int) weights { return newBlocks(eta, n) },
	"plain": func(eta []float64, n int) weights {
		return newTable(Problem{Nodes: n, Admit: func(a *Ant) { a.Drop(a.At()) }}, eta)
	},
}
