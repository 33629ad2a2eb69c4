// Package note defines the notes that methods leave in a journal and that reports read, with one
// exported type for each kind. The type of a kind that only one method uses is in the method's
// package. A method lists its kinds (bench.Noter). Start at Note and Kinds.Decode.
//
// Notes name a program by the number of the evaluation that scored it, from 1, and an EAP by its
// place in the library, from 0.
package note

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// A Note describes an event of a search. It is a struct with exported fields that encodes to JSON,
// and all notes of a kind have the same type.
type Note interface {
	Kind() string // its name in the journal: "offspring"
}

// A Population is a note that lists the programs that may become parents from now on.
type Population interface {
	Note
	Parents() []int // the numbers of their evaluations
}

// A Consultation is a note on a reply that is not a program but helps to make later programs.
type Consultation interface {
	Note
	Unusable() string // why the reply was unusable; empty if it was usable
}

type (
	// Offspring is one proposal: its parents, the better first, and why its last reply was refused;
	// Refused is empty if the reply contained a program.
	Offspring struct {
		Operator string    `json:"operator"`
		Parents  []int     `json:"parents,omitempty"`
		Refused  string    `json:"lost,omitempty"`
		Values   []float64 `json:"values,omitempty"` // HSEvo: the parameters of a harmony
		Focus    *int      `json:"focus,omitempty"`  // PACE, P1 and P2: the EAP to call
		Target   *int      `json:"target,omitempty"` // PACE, P2: the EAP to drop
		Must     []int     `json:"must,omitempty"`   // PACE: EAPs that it must call
		May      []int     `json:"may,omitempty"`    // PACE: EAPs that it may call
		Names    []string  `json:"names,omitempty"`  // PACE: of Must, then of May
	}
	// Trial is one row of PACE's transfer history, with the posterior after it.
	Trial struct {
		Operator string  `json:"operator"`
		EAP      int     `json:"eap"`
		Name     string  `json:"name"`
		Parent   int     `json:"parent"`
		Child    int     `json:"child"`
		Reward   int     `json:"reward"`
		Alpha    float64 `json:"alpha"`
		Beta     float64 `json:"beta"`
	}
	// Admission records a new EAP.
	Admission struct {
		EAP        int    `json:"eap"`
		Name       string `json:"name"`
		Origin     string `json:"origin"` // E1, E2, E3
		From       int    `json:"from,omitempty"`
		Evaluation int    `json:"evaluation"` // evaluations committed before it
		Source     string `json:"source"`
	}
	// Callers lists PACE's population after a change, best first, with the EAPs that each program
	// calls.
	Callers struct {
		Members []Caller `json:"members"`
	}
	// Caller is one program of the population. A duplicate cannot become a parent.
	Caller struct {
		Algorithm int   `json:"algorithm"`
		Calls     []int `json:"calls,omitempty"`
		Duplicate bool  `json:"duplicate,omitempty"`
	}
	// Survivors lists the population of an evolutionary method after a selection, fittest first.
	Survivors struct {
		Generation int        `json:"generation"`
		Members    []Survivor `json:"members"`
	}
	// Survivor is a member of the population in Survivors. A filler failed, or has the text or the
	// score of an earlier member: it keeps its place but cannot become a parent.
	Survivor struct {
		Program int  `json:"program"`
		Filler  bool `json:"filler,omitempty"`
	}
	// Attempt is a method's verdict on one reply. Refused is empty if the reply was accepted.
	Attempt struct {
		Operator string `json:"operator"`
		Attempt  int    `json:"attempt"` // from 1
		Refused  string `json:"refused,omitempty"`
	}
	// NothingRan is a round of charged evaluations in which no program ran. Refunded means that the
	// evaluations were returned to the budget. The engine writes the note when a method reports
	// such a round.
	NothingRan struct {
		Evaluations int  `json:"evaluations"`
		Refunded    bool `json:"refunded,omitempty"`
	}
	// Training counts what the training of policies has used so far.
	Training struct {
		Resets             []int `json:"resets"` // completed episodes by training seed
		Steps              int   `json:"steps"`  // of the environment, cut episodes included
		Updates            int   `json:"updates"`
		CutEpisodes        int   `json:"cut_episodes"` // abandoned at a barrier; not in Resets
		CutSteps           int   `json:"cut_steps"`
		EvaluationEpisodes int   `json:"evaluation_episodes"`
	}
	// Failure explains why a search ended before its budget.
	Failure struct {
		Reason  string `json:"reason"`
		Members int    `json:"members"` // programs with different scores in the first population
	}
)

// These are the names of the kinds in the journal.
func (Offspring) Kind() string  { return "offspring" }
func (Trial) Kind() string      { return "trial" }
func (Admission) Kind() string  { return "admission" }
func (Callers) Kind() string    { return "population" }
func (Survivors) Kind() string  { return "population" }
func (Attempt) Kind() string    { return "attempt" }
func (NothingRan) Kind() string { return "nothing-ran" }
func (Training) Kind() string   { return "training" }
func (Failure) Kind() string    { return "failure" }

// Parents returns the members without the duplicates.
func (n Callers) Parents() []int {
	var out []int
	for _, m := range n.Members {
		if !m.Duplicate {
			out = append(out, m.Algorithm)
		}
	}
	return out
}

// Parents returns the members without the fillers.
func (n Survivors) Parents() []int {
	var out []int
	for _, m := range n.Members {
		if !m.Filler {
			out = append(out, m.Program)
		}
	}
	return out
}

var (
	// ErrUnknown means that a method has no note of this kind.
	ErrUnknown = errors.New("an unknown kind")
	// ErrMismatch means that a note's fields differ from the type of its kind.
	ErrMismatch = errors.New("its fields do not match this kind of note")
)

// Kinds maps every kind of note of a method to its type.
type Kinds map[string]reflect.Type

// KindsOf returns the kinds of notes, given one note of each type.
func KindsOf(notes ...Note) Kinds {
	v := Kinds{}
	for _, n := range notes {
		v[n.Kind()] = reflect.TypeOf(n)
	}
	return v
}

// Decode reads a note. It accepts exactly the JSON that encoding a value of the kind's type gives:
// a field that is missing, renamed or of another type gives ErrMismatch.
func (v Kinds) Decode(kind string, data []byte) (Note, error) {
	t, ok := v[kind]
	if !ok {
		return nil, fmt.Errorf("note %q: %w", kind, ErrUnknown)
	}
	p := reflect.New(t)
	if json.Unmarshal(data, p.Interface()) != nil {
		return nil, fmt.Errorf("note %q: %w", kind, ErrMismatch)
	}
	n := p.Elem().Interface().(Note)
	if again, err := json.Marshal(n); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("note %q: %w", kind, ErrMismatch)
	}
	return n, nil
}
