package pace

import "github.com/pacebench/pacebench/record/note"

// Notes returns the types of PACE's notes in the journal. EAPs are named by their index in the
// library, from 0, algorithms by the evaluation that scored them, from 1.
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
