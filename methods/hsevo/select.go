package hsevo

import "slices"

// A pair is two parents; the better has the smaller objective.
type pair struct{ better, worse *Individual }

// mostDraws bounds the search for pairs (HSEvo hsevo.py:347-370).
const mostDraws = 1000

// pairs draws the pairs of a generation: two different valid individuals each, with different
// objectives, uniformly from the population and the elitist; one individual may be in many pairs.
// Where too few have different objectives, pairs of equals are taken; where there is nothing to
// compare at all, there are none. The official code ends the run in both cases (design decision
// H7).
func (r *run) pairs() []pair {
	pool := r.population
	if r.elitist != nil && !slices.Contains(pool, r.elitist) {
		pool = slices.Insert(slices.Clone(pool), 0, r.elitist)
	}
	pool = slices.DeleteFunc(slices.Clone(pool), func(x *Individual) bool { return !x.valid() })
	if pairs := r.draw(pool, false); pairs != nil {
		return pairs
	}
	way := "start"
	var pairs []pair
	if slices.ContainsFunc(pool, func(x *Individual) bool { return x.Code != pool[0].Code }) {
		way, pairs = "equal objectives", r.draw(pool, true)
	}
	r.s.Note(Fallback{r.generation, way})
	return pairs
}

// draw draws as many pairs as the population has members; nil when it does not find them. Of two
// with equal objectives the one that stands first in the pool is the better.
func (r *run) draw(pool []*Individual, equals bool) []pair {
	if len(pool) < 2 {
		return nil
	}
	var pairs []pair
	for range mostDraws {
		i, j := r.selection.IntN(len(pool)), r.selection.IntN(len(pool)-1)
		if j >= i {
			j++
		}
		if pool[i].Obj == pool[j].Obj {
			if !equals {
				continue
			}
			i, j = min(i, j), max(i, j)
		} else if pool[j].Obj < pool[i].Obj {
			i, j = j, i
		}
		if pairs = append(pairs, pair{pool[i], pool[j]}); len(pairs) == r.Population {
			return pairs
		}
	}
	return nil
}
