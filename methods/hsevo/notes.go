package hsevo

// The remarks in the journal. Programs are named by the evaluation that scored them, from 1.
type (
	// Offspring, kind "offspring", is one proposal: its parents, the better first, why its reply gave no
	// program, and for a harmony the values of its parameters.
	Offspring struct {
		Operator string    `json:"operator"` // seed, init, crossover, mutation, memory, harmony
		Parents  []int     `json:"parents,omitempty"`
		Lost     string    `json:"lost,omitempty"`
		Values   []float64 `json:"values,omitempty"`
	}
	// Population, kind "population", lists the individuals after a change, in the order of birth. Size counts
	// also those that no evaluation was spent on.
	Population struct {
		Generation int   `json:"generation"`
		Size       int   `json:"size"`
		Members    []int `json:"members"`
		Elitist    int   `json:"elitist,omitempty"`
	}
	// Fallback, kind "fallback", says how a generation went on whose programs could not be paired as
	// usual: "equal objectives" pairs programs that score the same, "start" asks for new ones.
	Fallback struct {
		Generation int    `json:"generation"`
		Way        string `json:"way"`
	}
	// Verdict, kind "verdict", files a generation's experience.
	Verdict struct {
		Generation int  `json:"generation"`
		Good       bool `json:"good"`
	}
	// Harmony, kind "harmony", is one attempt at tuning a program: its parameters or why it has none, and
	// the program that came out; Result is 0 when none did.
	Harmony struct {
		Target     int         `json:"target"`
		Lost       string      `json:"lost,omitempty"`
		Parameters []Parameter `json:"parameters,omitempty"`
		Result     int         `json:"result,omitempty"`
	}
)

// note describes the population as it is.
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
