package hsevo

import (
	"slices"

	"github.com/pacebench/pacebench/bench/note"
)

// Notes are the remarks that HSEvo leaves in the journal. Programs are named by the evaluation that
// scored them, from 1.
func (m *HSEvo) Notes() []note.Note {
	return []note.Note{Offspring{}, Population{}, Fallback{}, Verdict{}, Harmony{},
		note.NothingRan{}}
}

// Offspring is one proposal; its operator is one of seed, init, crossover, mutation, memory,
// harmony.
type Offspring = note.Offspring

type (
	// Population lists the individuals after a change, in the order of birth. Size counts
	// also those that no evaluation was spent on.
	Population struct {
		Generation int   `json:"generation"`
		Size       int   `json:"size"`
		Members    []int `json:"members"`
		Elitist    int   `json:"elitist,omitempty"`
	}
	// Fallback says how a generation went on whose programs could not be paired as
	// usual: "equal objectives" pairs programs that score the same, "start" asks for new ones.
	Fallback struct {
		Generation int    `json:"generation"`
		Way        string `json:"way"`
	}
	// Verdict files a generation's experience.
	Verdict struct {
		Generation int  `json:"generation"`
		Good       bool `json:"good"`
	}
	// Harmony is one attempt at tuning a program: its parameters or why it has none, and
	// the program that came out; Result is 0 when none did.
	Harmony struct {
		Target     int         `json:"target"`
		Lost       string      `json:"lost,omitempty"`
		Parameters []Parameter `json:"parameters,omitempty"`
		Result     int         `json:"result,omitempty"`
	}
)

// The kinds, as the journal names them.
func (Population) Kind() string { return "population" }
func (Fallback) Kind() string   { return "fallback" }
func (Verdict) Kind() string    { return "verdict" }
func (Harmony) Kind() string    { return "harmony" }

// Unusable is why the reply gave no parameters.
func (h Harmony) Unusable() string { return h.Lost }

// Pool are the members and the elitist: selection draws from both.
func (n Population) Pool() []int {
	if n.Elitist == 0 || slices.Contains(n.Members, n.Elitist) {
		return n.Members
	}
	return append(slices.Clone(n.Members), n.Elitist)
}

func (r *run) note() Population {
	n := Population{Generation: r.generation, Size: len(r.population), Members: []int{}}
	for _, x := range r.population {
		if x.Evaluation > 0 {
			n.Members = append(n.Members, x.Evaluation)
		}
	}
	if r.elitist != nil {
		n.Elitist = r.elitist.Evaluation
	}
	return n
}

// evaluations are the names of individuals in notes.
func evaluations(xs []*Individual) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x.Evaluation)
	}
	return out
}
