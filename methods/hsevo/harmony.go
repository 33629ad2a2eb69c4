package hsevo

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record/note"
)

// tune runs a generation's harmony search on the best untried program. If that program cannot be
// tuned, tune takes the next best, up to HarmonyAttempts programs (HSEvo hsevo.py:559-677, 722).
// After a failure the official code looks for the next program in the wrong list, and mostly sends
// the same program again (design decision H8).
func (r *run) tune(ctx context.Context) error {
	for range r.HarmonyAttempts {
		target := r.untried()
		if target == nil {
			return nil
		}
		target.Tried = true
		x, err := r.harmonise(ctx, target)
		if err != nil {
			return err
		}
		if x != nil {
			r.join([]*Individual{x})
			return nil
		}
	}
	return nil
}

// untried returns the best valid individual of the population that harmony search has neither tried
// nor made.
func (r *run) untried() *Individual {
	return best(slices.DeleteFunc(slices.Clone(r.population),
		func(x *Individual) bool { return x.Tried }))
}

// harmonise asks the model to parameterise a program, and searches for better values. It returns
// nil if either step fails.
func (r *run) harmonise(ctx context.Context, target *Individual) (*Individual, error) {
	problem, q := r.problem, parameterisePrompt(r.problem, target)
	p, err := bench.Consult(ctx, r.s,
		func(ctx context.Context, st *bench.Step) (parameterised, error) {
			reply, err := r.at(r.Temperature).Ask(ctx, st, q)
			if err != nil {
				return parameterised{}, err
			}
			return readParameterised(ctx, st, reply, problem)
		})
	if err != nil {
		return nil, err
	}
	n := Harmony{Target: target.Evaluation, Refused: p.refused, Parameters: p.parameters}
	var found *Individual
	if p.refused == "" {
		if found, err = r.searchValues(ctx, p, target); err != nil {
			return nil, err
		}
	}
	if found != nil {
		found.Tried, n.Result = true, found.Evaluation
	}
	r.s.Note(n)
	return found, nil
}

// searchValues fills a harmony memory with random values, parameter by parameter, and evaluates the
// programs. Then it makes new harmonies one by one. A harmony that is strictly better than the
// worst program of the memory replaces that program. searchValues returns the best program of the
// memory, even if it is worse than the target, or nil if no program in the first memory runs. The
// evaluations of such a memory stay spent; with Refund they return to the budget, as in the
// official code (design decision H4).
func (r *run) searchValues(
	ctx context.Context, p parameterised, target *Individual,
) (*Individual, error) {
	play := func(operator string, values []float64) bench.Job[*Individual] {
		return r.evaluation(note.Offspring{Operator: operator, Parents: []int{target.Evaluation},
			Values: values}, p.bind(values))
	}
	rows := make([][]float64, r.HarmonyMemory)
	for _, q := range p.parameters {
		for i := range rows {
			rows[i] = append(rows[i], uniform(r.tuning, q.Low, q.High))
		}
	}
	members, err := r.batch(ctx, len(rows), func(i int) bench.Job[*Individual] {
		return play("memory", rows[i])
	})
	if err != nil {
		return nil, err
	}
	if best(members) == nil {
		charged := 0
		for _, x := range members {
			if x.charged {
				charged++
			}
		}
		r.s.NothingRan(charged, r.Refund)
		return nil, nil
	}
	for range r.HarmonyIterations {
		values := r.harmony(r.tuning, p.parameters, rows)
		x, err := bench.Do(ctx, r.s, play("harmony", values))
		if err != nil {
			return nil, err
		}
		r.enter(x)
		// MaxFunc returns the first of several worst members.
		if worst := slices.MaxFunc(members, byObjective); x.Obj < worst.Obj {
			i := slices.Index(members, worst)
			rows[i], members[i] = values, x
		}
	}
	return best(members), nil
}

// harmony draws the values of a new harmony (HSEvo hsevo.py:603-613): from the memory, with a
// possible pitch adjustment, or from the range. An adjusted value may leave the range (design
// decision H16).
func (m *HSEvo) harmony(r *rand.Rand, parameters []Parameter, rows [][]float64) []float64 {
	var values []float64
	for j, q := range parameters {
		if r.Float64() >= m.HMCR {
			values = append(values, uniform(r, q.Low, q.High))
			continue
		}
		x := rows[r.IntN(len(rows))][j]
		if r.Float64() < m.PAR {
			x += uniform(r, -1, 1) * (q.High - q.Low) * m.Bandwidth
		}
		values = append(values, x)
	}
	return values
}

func uniform(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }
