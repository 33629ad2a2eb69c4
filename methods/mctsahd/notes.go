package mctsahd

import "github.com/pacebench/pacebench/bench/note"

// Notes are the remarks that MCTS-AHD leaves in the journal. Programs, and with them nodes, are
// named by the evaluation that scored them, from 1.
func (m *MCTSAHD) Notes() []note.Note {
	return []note.Note{Offspring{}, Description{}, Grown{}, Rejected{}, Elite{}}
}

// Offspring is one attempt. Its parents are the programs that its prompt shows, the one that is
// expanded first.
type Offspring = note.Offspring

type (
	// Description says that a program's aligned description was not taken as it
	// came: it was blank, or too long and cut.
	Description struct {
		Blank  bool `json:"blank,omitempty"`
		Length int  `json:"length,omitempty"` // in characters, before the cut
	}
	// Grown is a new node. Its parent is 0 for the root.
	Grown struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Parent   int    `json:"parent"`
		Depth    int    `json:"depth"`
	}
	// Rejected is a program with a score that made no node, and the one that it repeats.
	Rejected struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Reason   string `json:"reason"`
		Of       int    `json:"of"`
	}
	// Elite lists the elite set after a survival, best first.
	Elite struct {
		Members []int `json:"members"`
	}
)

// The kinds, as the journal names them.
func (Description) Kind() string { return "description" }
func (Grown) Kind() string       { return "node" }
func (Rejected) Kind() string    { return "rejected" }
func (Elite) Kind() string       { return "elite" }

// Pool are the elite: the tree's other nodes are parents too, one at a time.
func (n Elite) Pool() []int { return n.Members }
