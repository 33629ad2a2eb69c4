// Package pace is Primitive-Aware Code Evolution. It searches for complete algorithms, and it keeps
// executable algorithmic primitives (EAPs): small functions that outlive their first program and
// are passed on to others. Four operators insert, replace, keep and recombine the EAPs that a
// program calls. Each has a contract over calls, which is verified before the evaluation. Whether a
// child beats its own parent is the evidence by which Thompson sampling chooses the next EAP to
// pass on. Start at PACE and New; search.go is the procedure of the paper's appendix.
// docs/fidelity.md lists the decisions for details that the paper leaves open.
package pace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/record/note"
)

// PACE is a configuration of the method. The ablations of the paper (table mechanism-ablation) are
// its switches.
type PACE struct {
	// Population is the number of algorithms kept; 20, as in EoH.
	Population int `json:"population"`
	// K has three uses: it bounds the EAPs that an algorithm calls, the attempts at one offspring
	// or proposal, and the EAPs shown to E3. 3; the paper's ablation runs 1 and 5.
	K int `json:"k"`
	// GenerationSize is the number of offspring after which discovery proposes an EAP; 20. The
	// paper does not define a generation. If it has as many offspring as the population has
	// members, there are about 49 proposals in 1000 evaluations (design decision D1).
	GenerationSize int `json:"generation-size"`
	// Warmup is the number of exposures of a new EAP before Thompson sampling decides; 1 (D2).
	Warmup int `json:"warmup"`
	// Window is the number of offspring in flight; 4, like the other methods' samplers (D4).
	Window int `json:"window"`
	// Operators is the fixed cycle; P1, P2, P3, P4. An operator without an eligible parent is
	// skipped (D5).
	Operators []string `json:"operators"`
	// TS switches Thompson sampling on. Without it, the EAP is drawn uniformly after its warm-up;
	// only Warmup switches the warm-up off.
	TS bool `json:"ts"`
	// Generation switches E3 on: the invention of EAPs from the best EAPs so far.
	Generation bool `json:"generation"`
	// Extraction switches E2 on: the extraction of an EAP from a new best algorithm.
	Extraction   bool `json:"extraction"`
	ask.Settings      // as in the other methods (D3)
}

// New returns PACE with the settings of the paper.
func New() *PACE {
	return &PACE{
		Population: 20, K: 3, GenerationSize: 20, Warmup: 1, Window: 4,
		Operators: []string{P1, P2, P3, P4}, TS: true, Generation: true, Extraction: true,
		Settings: ask.Default(),
	}
}

// Name is "pace".
func (m *PACE) Name() string { return "pace" }

// Version is "2": E3 shows tried EAPs before untried ones, and ts=false keeps the warm-up.
func (m *PACE) Version() string { return "2" }

// Check reports the first setting that cannot be used.
func (m *PACE) Check() error {
	if err := cmp.Or(
		ask.AtLeast("population", m.Population, 1),
		ask.AtLeast("k", m.K, 1),
		ask.AtLeast("generation-size", m.GenerationSize, 1),
		ask.AtLeast("warmup", m.Warmup, 0),
		ask.AtLeast("window", m.Window, 1),
		m.Settings.Check(),
	); err != nil {
		return err
	}
	if len(m.Operators) == 0 {
		return fmt.Errorf("operators: none, want some of P1, P2, P3, P4")
	}
	for i, op := range m.Operators {
		if !slices.Contains([]string{P1, P2, P3, P4}, op) {
			return fmt.Errorf("operators: %q, want some of P1, P2, P3, P4", op)
		}
		if slices.Contains(m.Operators[:i], op) {
			return fmt.Errorf("operators: %s is named twice", op)
		}
	}
	return nil
}

// Notes returns the types of PACE's notes in the journal. EAPs are named by their index in the
// library, from 0, and algorithms by the evaluation that scored them, from 1.
func (m *PACE) Notes() []note.Note {
	return []note.Note{Offspring{}, Attempt{}, Trial{}, Admission{}, Refusal{}, Population{},
		Generation{}}
}

// Parts returns the operators of the cycle and the EAPs that they pass on.
func (m *PACE) Parts() []note.Part {
	eaps := note.Part{Title: "EAPs (none was admitted)", Kind: Admission{}.Kind()}
	return append([]note.Part{eaps}, note.Operators(m.Operators...)...)
}

type (
	// Offspring is the plan, before the model is asked.
	Offspring  = note.Offspring
	Attempt    = note.Attempt
	Trial      = note.Trial
	Admission  = note.Admission
	Population = note.Callers
	Member     = note.Caller

	// Refusal is a proposed function that was not admitted, or a whole proposal without a function.
	Refusal struct {
		Origin string `json:"origin"`
		Name   string `json:"name,omitempty"`
		Reason string `json:"reason"`
	}
	// Generation closes a generation.
	Generation struct {
		Number    int    `json:"number"`              // from 1
		Best      int    `json:"best,omitempty"`      // the newest strict best, if one appeared
		Discovery string `json:"discovery,omitempty"` // E2, E3, or none
	}
)

// The kinds, as the journal names them.
func (Refusal) Kind() string    { return "refusal" }
func (Generation) Kind() string { return "generation" }
