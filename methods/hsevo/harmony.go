package hsevo

import (
	"context"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
)

// tune is the harmony search of a generation: on the best program that none has looked at, then on
// the next, until one can be tuned (HSEvo hsevo.py:559-677, 722). After a failure the official code
// looks for the next in the wrong list, and mostly sends the same program again (design decision
// H8).
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

// untried is the best valid individual of the population that no harmony search has looked at.
func (r *run) untried() *Individual {
	var best *Individual
	for _, x := range r.population {
		if x.valid() && !x.Tried && (best == nil || x.Obj < best.Obj) {
			best = x
		}
	}
	return best
}

// harmonise lets the model parameterise a program and searches for better values. It returns nil
// when nothing came of that.
func (r *run) harmonise(ctx context.Context, target *Individual) (*Individual, error) {
	p, err := bench.Consult(ctx, r.s, r.parameterise(target))
	if err != nil {
		return nil, err
	}
	best, err := r.searchValues(ctx, p, target)
	if err != nil {
		return nil, err
	}
	note := Harmony{Target: target.Evaluation, Lost: p.lost, Parameters: p.parameters}
	if best != nil {
		best.Tried, note.Result = true, best.Evaluation
	}
	r.s.Note(note)
	return best, nil
}

// searchValues returns the best of the harmony memory, even if it is worse than the target; nil
// without a parameterised program, or when nothing in the first memory runs. What was evaluated
// then is spent unless it is refunded, as the official code does (design decision H4).
func (r *run) searchValues(
	ctx context.Context, p parameterised, target *Individual,
) (*Individual, error) {
	if p.lost != "" {
		return nil, nil
	}
	m, err := r.firstMemory(ctx, p, target)
	if err != nil {
		return nil, err
	}
	if !m.best().valid() {
		r.s.NothingRan(m.charged(), r.Refund)
		return nil, nil
	}
	if err := r.improvise(ctx, p, m, target); err != nil {
		return nil, err
	}
	return m.best(), nil
}

// A memory is a harmony memory: rows of parameter values, and the individuals that have them.
type memory struct {
	rows    [][]float64
	members []*Individual
}

// charged is the number of evaluations that the members were charged.
func (m *memory) charged() int {
	n := 0
	for _, x := range m.members {
		if x.charged {
			n++
		}
	}
	return n
}

// best is the individual with the smallest objective, the first among equals.
func (m *memory) best() *Individual {
	best := m.members[0]
	for _, x := range m.members {
		if x.Obj < best.Obj {
			best = x
		}
	}
	return best
}

// worst is the row with the largest objective, the first among equals.
func (m *memory) worst() int {
	worst := 0
	for i, x := range m.members {
		if x.Obj > m.members[worst].Obj {
			worst = i
		}
	}
	return worst
}

// firstMemory fills a memory with random values, parameter by parameter, and evaluates it.
func (r *run) firstMemory(
	ctx context.Context, p parameterised, target *Individual,
) (*memory, error) {
	m := &memory{rows: make([][]float64, r.HarmonyMemory)}
	for _, q := range p.parameters {
		for i := range m.rows {
			m.rows[i] = append(m.rows[i], uniform(r.tuning, q.Low, q.High))
		}
	}
	xs, err := r.batch(ctx, len(m.rows), func(i int) bench.Job[*Individual] {
		return r.play("memory", p, m.rows[i], target)
	})
	m.members = xs
	return m, err
}

// improvise makes new harmonies, one after the other. One that is strictly better than the worst
// row takes its place.
func (r *run) improvise(ctx context.Context, p parameterised, m *memory, target *Individual) error {
	for range r.HarmonyIterations {
		values := r.harmony(r.tuning, p.parameters, m.rows)
		x, err := bench.Do(ctx, r.s, r.play("harmony", p, values, target))
		if err != nil {
			return err
		}
		r.enter(x)
		if w := m.worst(); x.Obj < m.members[w].Obj {
			m.rows[w], m.members[w] = values, x
		}
	}
	return nil
}

// harmony draws the values of a new harmony (HSEvo hsevo.py:603-613): from the memory, where the
// pitch may be adjusted, or from the range. An adjusted value may leave the range (design decision
// H16).
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

// play evaluates the target's parameterised form with some values.
func (r *run) play(
	operator string, p parameterised, values []float64, target *Individual,
) bench.Job[*Individual] {
	note := Offspring{Operator: operator, Parents: evaluations([]*Individual{target}),
		Values: values}
	return r.evaluation(note, p.bind(values))
}

// parameterise asks for the constants of a program as parameters with ranges, and reads the reply
// without executing anything.
func (r *run) parameterise(target *Individual) bench.Job[parameterised] {
	problem, q := r.problem, parameterisePrompt(r.problem, target)
	return func(ctx context.Context, st *bench.Step) (parameterised, error) {
		reply, err := r.at(r.Temperature).Ask(ctx, st, q.request("algorithm/hs"))
		if err != nil {
			return parameterised{}, err
		}
		return readParameterised(ctx, st, reply, problem)
	}
}
