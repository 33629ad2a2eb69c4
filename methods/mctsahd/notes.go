package mctsahd

// The remarks in the journal. Programs, and with them nodes, are named by the evaluation that scored
// them, from 1.
type (
	// Offspring, kind "offspring", is one attempt: the programs that its prompt shows, the one that is
	// expanded first. Lost says why a reply gave no program.
	Offspring struct {
		Operator string `json:"operator"`
		Parents  []int  `json:"parents,omitempty"`
		Lost     string `json:"lost,omitempty"`
	}
	// Description, kind "description", says that a program's aligned description was not taken as it
	// came: it was blank, or too long and cut.
	Description struct {
		Blank  bool `json:"blank,omitempty"`
		Length int  `json:"length,omitempty"` // in characters, before the cut
	}
	// Grown, kind "node", is a new node. Its parent is 0 for the root.
	Grown struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Parent   int    `json:"parent"`
		Depth    int    `json:"depth"`
	}
	// Rejected, kind "rejected", is a program with a score that made no node, and the one that it repeats.
	Rejected struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Reason   string `json:"reason"`
		Of       int    `json:"of"`
	}
	// Elite, kind "elite", lists the elite set after a survival, best first.
	Elite struct {
		Members []int `json:"members"`
	}
)
