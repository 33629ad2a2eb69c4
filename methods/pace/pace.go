// Package pace implements Primitive-Aware Code Evolution. It searches for complete algorithms, and
// it keeps executable algorithmic primitives (EAPs): small functions that outlive their first
// program and are passed on to other programs. Four operators insert, replace, keep and recombine
// the EAPs that a program calls. Each operator has a contract over calls, which is verified before
// the evaluation. Thompson sampling chooses the next EAP to pass on, by how often children with the
// EAP beat their own parents. Start at PACE and New; search.go contains the procedure of the
// paper's appendix. docs/fidelity.md lists the decisions for details that the paper leaves open.
package pace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/record/note"
)

// PACE is a configuration of the method. Its switches give the ablations of the paper (table
// mechanism-ablation).
type PACE struct {
	// Population is the number of algorithms kept; 20, as in EoH.
	Population int `json:"population"`
	// K bounds the EAPs that an algorithm calls, the attempts at one offspring or proposal, and the
	// EAPs that E3 shows; 3. The paper's ablation has 1 and 5.
	K int `json:"k"`
	// GenerationSize is the number of offspring after which discovery proposes an EAP; 20. The
	// paper does not define a generation. With as many offspring as the population has members,
	// there are about 49 proposals in 1000 evaluations (design decision D1).
	GenerationSize int `json:"generation-size"`
	// Warmup is the number of exposures of a new EAP before Thompson sampling decides; 1 (D2).
	Warmup int `json:"warmup"`
	// Window is the number of offspring in flight; 4, as in most other methods (D4).
	Window int `json:"window"`
	// Operators is the cycle of operators; P1, P2, P3, P4. An operator without an eligible parent
	// is skipped (D5).
	Operators []string `json:"operators"`
	// TS switches Thompson sampling on. Without it, the EAP is drawn uniformly after the warm-up;
	// only a Warmup of 0 switches the warm-up off.
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

// Parts returns the EAPs and the operators of the cycle.
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

	// Refusal records a proposed function that was not admitted, or a reply that was refused as a
	// whole.
	Refusal struct {
		Origin string `json:"origin"`
		Name   string `json:"name,omitempty"`
		Reason string `json:"reason"`
	}
	// Generation records the end of a generation.
	Generation struct {
		Number    int    `json:"number"`              // from 1
		Best      int    `json:"best,omitempty"`      // its newest strictly best algorithm, if any
		Discovery string `json:"discovery,omitempty"` // E2, E3 or empty
	}
)

// The kinds, as the journal names them.
func (Refusal) Kind() string    { return "refusal" }
func (Generation) Kind() string { return "generation" }
