package pace

// The remarks in the journal. EAPs are named by their place in the library, from 0, algorithms by the
// evaluation that scored them, from 1.
type (
	// Offspring, kind "offspring", says what was planned, before the model is asked.
	Offspring struct {
		Operator string   `json:"operator"`
		Parents  []int    `json:"parents,omitempty"`
		Focus    *int     `json:"focus,omitempty"`  // P1, P2: the EAP to call
		Target   *int     `json:"target,omitempty"` // P2: the EAP to drop
		Must     []int    `json:"must,omitempty"`
		May      []int    `json:"may,omitempty"`
		Names    []string `json:"names,omitempty"` // of must, then may
	}
	// Attempt, kind "attempt", is the verdict on one reply. Refused is empty when it was accepted.
	Attempt struct {
		Operator string `json:"operator"`
		Attempt  int    `json:"attempt"` // from 1
		Refused  string `json:"refused,omitempty"`
	}
	// Trial, kind "trial", is one row of the transfer history, with the posterior after it.
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
	// Admission, kind "admission", is a new EAP.
	Admission struct {
		EAP        int    `json:"eap"`
		Name       string `json:"name"`
		Origin     string `json:"origin"` // E1, E2, E3
		From       int    `json:"from,omitempty"`
		Evaluation int    `json:"evaluation"` // evaluations committed before it
		Source     string `json:"source"`
	}
	// Refusal, kind "refusal", is a proposed function that was not admitted, or a whole proposal
	// when it holds no function.
	Refusal struct {
		Origin string `json:"origin"`
		Name   string `json:"name,omitempty"`
		Reason string `json:"reason"`
	}
	// Population, kind "population", lists the members after a change, best first.
	Population struct {
		Members []Member `json:"members"`
	}
	// Member is one algorithm of the population. A duplicate is no parent.
	Member struct {
		Algorithm int   `json:"algorithm"`
		Calls     []int `json:"calls,omitempty"`
		Duplicate bool  `json:"duplicate,omitempty"`
	}
	// Generation, kind "generation", closes a generation.
	Generation struct {
		Number    int    `json:"number"`              // from 1
		Best      int    `json:"best,omitempty"`      // the newest strict best of the history, if one appeared
		Discovery string `json:"discovery,omitempty"` // E2, E3, or none
	}
)
