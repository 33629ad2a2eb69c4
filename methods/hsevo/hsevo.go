// Package hsevo implements HSEvo (Dat et al., AAAI 2025): generations of crossovers and mutations
// guided by reflections over the whole population. After each generation, a harmony search tunes
// the constants of a program, using only evaluations. It follows the official code (HSEvo at
// f3afffa), whose search the port in LLM4AD shares, with the PACE paper's baseline settings;
// docs/methods/hsevo.md lists the differences and their reasons. Start at HSEvo and New.
package hsevo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/record/note"
)

// HSEvo is a configuration of the method. The defaults come from the PACE paper (appendix, baseline
// settings), which has the official defaults. Comments name the source of other values.
type HSEvo struct {
	// Population is the number of crossovers in a generation; 10.
	Population int `json:"population"`
	// InitialPopulation is the number of programs requested at the start; 30.
	InitialPopulation int `json:"initial-population"`
	// MutationRate times Population, rounded down, is the number of mutations in a generation; 0.5.
	MutationRate float64 `json:"mutation-rate"`
	// HarmonyMemory is the number of harmonies (lists of values) that a harmony search keeps; 5.
	HarmonyMemory int `json:"harmony-memory"`
	// HMCR is the harmony memory considering rate, the probability that a value comes from the
	// memory; 0.7.
	HMCR float64 `json:"hmcr"`
	// PAR is the pitch adjusting rate, the probability that a value from the memory is moved; 0.5.
	PAR float64 `json:"par"`
	// Bandwidth bounds the move, as a share of the parameter's range; 0.2.
	Bandwidth float64 `json:"bandwidth"`
	// HarmonyIterations is the number of new harmonies in a harmony search; 5.
	HarmonyIterations int `json:"harmony-iterations"`
	// HarmonyAttempts is the number of programs that a generation may try to tune; 3 (HSEvo
	// hsevo.py:722).
	HarmonyAttempts int `json:"harmony-attempts"`
	// Refund returns the evaluations of a harmony memory to the budget if no program of the memory
	// runs, as in the official code and the port; false (design decision H4).
	Refund       bool `json:"refund"`
	ask.Settings      // Temperature applies to all but the initial requests (cfg/config.yaml)
	// InitTemperatureBoost is added to Temperature for the initial programs; 0.3 (HSEvo
	// hsevo.py:159). LLM4AD's usual client adds 0 (design decision H6).
	InitTemperatureBoost float64 `json:"init-temperature-boost"`
	// Window is the number of proposals of one batch in flight; 8, the paper's "samplers". Batches
	// do not overlap, so unlike in most other methods, the window changes only the time.
	Window int `json:"window"`
	// ExternalKnowledge is a hint about the task at the start of the comprehensive reflections;
	// empty, because no other method gets a hint. The official code has a hint for each of its
	// tasks (H18).
	ExternalKnowledge string `json:"external-knowledge"`
}

// New returns HSEvo with the settings of the PACE paper.
func New() *HSEvo {
	return &HSEvo{
		Population: 10, InitialPopulation: 30, MutationRate: 0.5,
		HarmonyMemory: 5, HMCR: 0.7, PAR: 0.5, Bandwidth: 0.2, HarmonyIterations: 5,
		HarmonyAttempts: 3,
		Settings:        ask.Default(), InitTemperatureBoost: 0.3, Window: 8,
	}
}

// Name is "hsevo".
func (m *HSEvo) Name() string { return "hsevo" }

// Label describes the method for tables and figures.
func (m *HSEvo) Label() bench.Label { return bench.Label{Title: "HSEvo", Style: 5} }

// maxMemory bounds HarmonyMemory, because all its harmonies are drawn before the first is
// evaluated.
const maxMemory = 1000

// Check reports the first setting that cannot be used.
func (m *HSEvo) Check() error {
	var memory error
	if m.HarmonyMemory > maxMemory {
		memory = fmt.Errorf("harmony-memory: %d, want at most %d", m.HarmonyMemory, maxMemory)
	}
	if err := cmp.Or(
		ask.AtLeast("population", m.Population, 1),
		ask.AtLeast("initial-population", m.InitialPopulation, 1),
		ask.AtLeast("harmony-memory", m.HarmonyMemory, 1),
		ask.AtLeast("harmony-iterations", m.HarmonyIterations, 0),
		ask.AtLeast("harmony-attempts", m.HarmonyAttempts, 0),
		ask.AtLeast("window", m.Window, 1),
		memory,
		ask.Within("mutation-rate", m.MutationRate, 1),
		ask.Within("hmcr", m.HMCR, 1),
		ask.Within("par", m.PAR, 1),
		ask.Within("bandwidth", m.Bandwidth, 1),
		m.Settings.Check(),
		ask.Within("init-temperature-boost", m.InitTemperatureBoost, 2),
	); err != nil {
		return err
	}
	if t := m.Temperature + m.InitTemperatureBoost; t > 2 {
		return fmt.Errorf(
			"init-temperature-boost: the initial temperature would be %g, want at most 2", t)
	}
	return nil
}

// Notes returns the types of HSEvo's notes in the journal. Programs are named by the evaluation
// that scored them, from 1. An offspring's operator is seed, init, crossover, mutation, memory or
// harmony.
func (m *HSEvo) Notes() []note.Note {
	return []note.Note{note.Offspring{}, Population{}, Fallback{}, Verdict{}, Harmony{},
		note.NothingRan{}}
}

// Parts returns the operators, the reflections and the harmony search.
func (m *HSEvo) Parts() []note.Part {
	parts := append(note.Operators("crossover"),
		note.Part{Title: "the flash reflection", Purpose: "reflection/flash"},
		note.Part{Title: "the comprehensive reflection", Purpose: "reflection/comprehensive"})
	if int(m.MutationRate*float64(m.Population)) > 0 {
		parts = append(parts, note.Operators("mutation")...)
	}
	if m.HarmonyAttempts > 0 {
		parts = append(parts, note.Part{Title: "the harmony search", Operator: "memory"})
	}
	return parts
}

type (
	// Population lists the individuals after a change, in the order of birth. Size also counts
	// individuals without an evaluation.
	Population struct {
		Generation int   `json:"generation"`
		Size       int   `json:"size"`
		Members    []int `json:"members"`
		Elitist    int   `json:"elitist,omitempty"`
	}
	// Fallback records how a generation continued if its programs could not be paired as usual:
	// "equal objectives" pairs programs with the same score, "start" asks for new programs.
	Fallback struct {
		Generation int    `json:"generation"`
		Way        string `json:"way"`
	}
	// Verdict records whether a generation improved the elitist.
	Verdict struct {
		Generation int  `json:"generation"`
		Good       bool `json:"good"`
	}
	// Harmony records one attempt to tune a program: its parameters, or the reason why it cannot be
	// tuned, and the resulting program. Result is 0 if there is no such program.
	Harmony struct {
		Target     int         `json:"target"`
		Refused    string      `json:"lost,omitempty"`
		Parameters []Parameter `json:"parameters,omitempty"`
		Result     int         `json:"result,omitempty"`
	}
)

// The kinds, as the journal names them.
func (Population) Kind() string { return "population" }
func (Fallback) Kind() string   { return "fallback" }
func (Verdict) Kind() string    { return "verdict" }
func (Harmony) Kind() string    { return "harmony" }

// Unusable returns the reason why the reply gave no parameters.
func (h Harmony) Unusable() string { return h.Refused }

// Parents returns the members and the elitist, because selection draws from both.
func (n Population) Parents() []int {
	if n.Elitist == 0 || slices.Contains(n.Members, n.Elitist) {
		return n.Members
	}
	return append(slices.Clone(n.Members), n.Elitist)
}

// Run evaluates the template, makes the initial population, and then makes generations until the
// budget is spent.
func (m *HSEvo) Run(ctx context.Context, s *bench.Search) error {
	r := m.begin(s)
	err := r.evaluateSeed(ctx)
	if err == nil {
		err = r.start(ctx, r.InitialPopulation)
	}
	for err == nil && !s.Spent() {
		err = r.generate(ctx)
	}
	if errors.Is(err, bench.ErrSpent) {
		return nil // the budget may end in the middle of a generation
	}
	return err
}

// generate makes one generation (HSEvo hsevo.py:679-738). Its offspring replace the population;
// only the elitist survives.
func (r *run) generate(ctx context.Context) error {
	r.generation++
	before := r.elitist
	pairs := r.pairs()
	if pairs == nil { // nothing to compare: start again (design decision H7)
		if err := r.start(ctx, r.Population); err != nil {
			return err
		}
	} else {
		if err := r.reflect(ctx, pairs); err != nil {
			return err
		}
		if err := r.crossover(ctx, pairs); err != nil {
			return err
		}
	}
	if err := r.mutate(ctx); err != nil {
		return err
	}
	if pairs != nil {
		r.judge(r.elitist != before) // before tune: improvements by harmony search do not count
	}
	return r.tune(ctx)
}
