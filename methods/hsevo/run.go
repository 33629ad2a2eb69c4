package hsevo

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// An Individual is a proposal with its objective. A proposal without a running program is also an
// individual, because it takes a place in its generation.
type Individual struct {
	Evaluation int    // number of its evaluation, from 1; 0 without one
	Code       string // verbatim, with comments and docstrings, without the task's imports
	Obj        float64
	Tried      bool // harmony search has tried it or made it

	// shown is Code as crossover and mutation show it: the function with its own parameters and
	// defaults, so that tuned values are visible (design decision H11), its helpers in full, and
	// the imports that they need. Children repeat what they see, so without the imports they would
	// fail with a NameError.
	shown   prompt.Code
	charged bool // an evaluation was spent; Evaluation is set when it is committed
}

// valid reports whether the individual has a score. Obj is minus the score, or +Inf without a
// score.
func (x *Individual) valid() bool { return !math.IsInf(x.Obj, 1) }

// refused returns the individual for a reply without a program.
func refused() *Individual { return &Individual{Obj: math.Inf(1)} }

func byObjective(a, b *Individual) int { return cmp.Compare(a.Obj, b.Obj) }

// best returns the valid individual with the smallest objective, the first among equals, or nil.
func best(xs []*Individual) *Individual {
	xs = slices.DeleteFunc(slices.Clone(xs), func(x *Individual) bool { return !x.valid() })
	if len(xs) == 0 {
		return nil
	}
	return slices.MinFunc(xs, byObjective)
}

// evaluations returns the evaluations of individuals, because notes name individuals by them.
func evaluations(xs []*Individual) (out []int) {
	for _, x := range xs {
		out = append(out, x.Evaluation)
	}
	return out
}

// A run is the state of one search.
type run struct {
	*HSEvo
	s                 *bench.Search
	problem           bench.Problem
	selection, tuning *rand.Rand

	generation int
	population []*Individual // only this generation, including refused replies
	elitist    *Individual   // the best so far; nil before the first
	seed       *Individual   // the template's own function, if it runs; never in the population
	starters   int           // initial programs requested so far, which select the next persona

	flash         flash
	comprehensive string   // the external knowledge and the newest comprehensive reflection
	good, bad     []string // experience of generations that did and did not improve the elitist
}

func (m *HSEvo) begin(s *bench.Search) *run {
	return &run{
		HSEvo: m, s: s, problem: s.Problem(),
		selection: s.Rand("selection"), tuning: s.Rand("harmony"),
		comprehensive: m.ExternalKnowledge,
	}
}

func (m *HSEvo) at(temperature float64) ask.Settings {
	return ask.Settings{Temperature: temperature, MaxTokens: m.MaxTokens}
}

func (r *run) offspring(
	q llm.Request, temperature float64, parents ...*Individual,
) bench.Job[*Individual] {
	settings, problem, names := r.at(temperature), r.problem, evaluations(parents)
	return func(ctx context.Context, st *bench.Step) (*Individual, error) {
		x, ok, err := settings.Program(ctx, st, problem, q, names, program.Extraction{})
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return refused(), nil
		}
		return evaluate(ctx, st, problem, x.Kept)
	}
}

func (r *run) evaluation(n note.Offspring, code string) bench.Job[*Individual] {
	problem := r.problem
	return func(ctx context.Context, st *bench.Step) (*Individual, error) {
		st.Note(n)
		return evaluate(ctx, st, problem, code)
	}
}

func evaluate(
	ctx context.Context, st *bench.Step, problem bench.Problem, code string,
) (*Individual, error) {
	a, err := st.Analyze(ctx, code)
	if err != nil {
		return nil, err
	}
	x := refused()
	x.Code, x.shown = code, prompt.Numbered(code, a, problem.Template.Name)
	out, err := st.Evaluate(ctx, program.Assemble(problem.Imports, nil, code))
	if err != nil {
		return nil, err
	}
	if out.OK() {
		x.Obj = -out.Score
	}
	x.charged = out.OK() || out.Fault.Kind != bench.Syntax
	return x, nil
}

// batch runs n proposals concurrently and returns their individuals in the order proposed. A reply
// without a program gives an invalid individual and spends no evaluation. batch makes at most as
// many proposals as evaluations are left (design decision H3). It returns ErrSpent if no evaluation
// is left or the limit on requests is reached.
func (r *run) batch(
	ctx context.Context, n int, job func(i int) bench.Job[*Individual],
) ([]*Individual, error) {
	if n > 0 && r.s.Spent() {
		return nil, bench.ErrSpent
	}
	n = r.s.AtMost(n)
	var out []*Individual
	for next := 0; len(out) < n; {
		before := len(out)
		for x, err := range bench.Stream(ctx, r.s, r.Window, func() bench.Job[*Individual] {
			if next == n {
				return nil
			}
			next++
			return job(next - 1)
		}) {
			if err != nil {
				return nil, err
			}
			out = append(out, r.enter(x))
		}
		if len(out) == before {
			return nil, bench.ErrSpent // the limit on requests is reached
		}
	}
	return out, nil
}

// enter gives an individual the number of its evaluation, which was just committed.
func (r *run) enter(x *Individual) *Individual {
	if x.charged {
		x.Evaluation = r.s.Evaluations()
	}
	return x
}

// join adds individuals to the population. The best one replaces the elitist if it is strictly
// better.
func (r *run) join(xs []*Individual) {
	r.population = append(r.population, xs...)
	if x := best(r.population); x != nil && (r.elitist == nil || x.Obj < r.elitist.Obj) {
		r.elitist = x
	}
	n := Population{Generation: r.generation, Size: len(r.population), Members: []int{}}
	for _, x := range r.population {
		if x.Evaluation > 0 {
			n.Members = append(n.Members, x.Evaluation)
		}
	}
	if r.elitist != nil {
		n.Elitist = r.elitist.Evaluation
	}
	r.s.Note(n)
}

// evaluateSeed evaluates the template's own function, which becomes the first elitist. The initial
// prompts show it. If the template has no body or its function fails, there is no seed (H5).
func (r *run) evaluateSeed(ctx context.Context) error {
	if r.problem.Template.Body == "" {
		return nil
	}
	x, err := bench.Do(ctx, r.s,
		r.evaluation(note.Offspring{Operator: "seed"}, prompt.Default(r.problem.Template)))
	if err != nil {
		return err
	}
	if r.enter(x); x.valid() {
		r.seed, r.elitist = x, x
	}
	return nil
}

func (r *run) replace(ctx context.Context, n int, job func(i int) bench.Job[*Individual]) error {
	xs, err := r.batch(ctx, n, job)
	if err != nil {
		return err
	}
	r.population = nil
	r.join(xs)
	return nil
}

// start replaces the population with n initial programs, each requested with the next persona.
func (r *run) start(ctx context.Context, n int) error {
	first := r.starters
	return r.replace(ctx, n, func(i int) bench.Job[*Individual] {
		r.starters++
		return r.offspring(initPrompt(r.problem, personas[(first+i)%len(personas)], r.seed),
			r.Temperature+r.InitTemperatureBoost)
	})
}

func (r *run) crossover(ctx context.Context, pairs []pair) error {
	return r.replace(ctx, len(pairs), func(i int) bench.Job[*Individual] {
		p := pairs[i]
		return r.offspring(crossoverPrompt(r.problem, p, r.flash.analysis, r.comprehensive),
			r.Temperature, p.better, p.worse)
	})
}

// mutate asks several times for a variation of the elitist, which may be new since crossover. The
// results join the population.
func (r *run) mutate(ctx context.Context) error {
	elitist := r.elitist
	if elitist == nil {
		return nil
	}
	xs, err := r.batch(ctx, int(r.MutationRate*float64(r.Population)),
		func(int) bench.Job[*Individual] {
			return r.offspring(mutationPrompt(r.problem, elitist, r.comprehensive),
				r.Temperature, elitist)
		})
	if err != nil {
		return err
	}
	r.join(xs)
	return nil
}

// A pair is two parents; the better has the smaller objective.
type pair struct{ better, worse *Individual }

// mostDraws bounds the search for pairs (HSEvo hsevo.py:347-370).
const mostDraws = 1000

// pairs draws the pairs of a generation uniformly from the valid members of the population and the
// elitist. The two individuals of a pair have different objectives. An individual may be in many
// pairs. If too few objectives differ, pairs may also have equal objectives. If all programs are
// the same, pairs returns nil. The official code ends the run in both cases (design decision H7).
func (r *run) pairs() []pair {
	parents := slices.DeleteFunc(slices.Clone(r.population),
		func(x *Individual) bool { return !x.valid() })
	if r.elitist != nil && !slices.Contains(parents, r.elitist) {
		parents = slices.Insert(parents, 0, r.elitist)
	}
	if pairs := r.draw(parents, false); pairs != nil {
		return pairs
	}
	way := "start"
	var pairs []pair
	if slices.ContainsFunc(parents, func(x *Individual) bool { return x.Code != parents[0].Code }) {
		way, pairs = "equal objectives", r.draw(parents, true)
	}
	r.s.Note(Fallback{r.generation, way})
	return pairs
}

// draw draws Population pairs, or returns nil if it does not find that many. If two objectives are
// equal, the earlier of the two parents counts as the better.
func (r *run) draw(parents []*Individual, equals bool) []pair {
	if len(parents) < 2 {
		return nil
	}
	var pairs []pair
	for range mostDraws {
		i, j := r.selection.IntN(len(parents)), r.selection.IntN(len(parents)-1)
		if j >= i {
			j++
		}
		if parents[i].Obj == parents[j].Obj {
			if !equals {
				continue
			}
			i, j = min(i, j), max(i, j)
		} else if parents[j].Obj < parents[i].Obj {
			i, j = j, i
		}
		if pairs = append(pairs, pair{parents[i], parents[j]}); len(pairs) == r.Population {
			return pairs
		}
	}
	return nil
}
