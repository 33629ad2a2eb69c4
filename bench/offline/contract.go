package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/offline/pytext"
)

// A contract is what a prompt demands of the helper calls of a program.
type contract struct {
	must, mustNot, may []string
	atMost             int  // calls in all, 0 for no bound
	exact              bool // only must may be called
}

// readContract reads the lines that begin with the fixed words of a contract.
func readContract(prose string) contract {
	var c contract
	for line := range strings.Lines(prose) {
		head, names, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch head {
		case "Call exactly":
			c.must, c.exact = append(c.must, quoted(names)...), true
		case "Must call":
			c.must = append(c.must, quoted(names)...)
		case "Must not call":
			c.mustNot = append(c.mustNot, quoted(names)...)
		case "May also call":
			c.may = append(c.may, quoted(names)...)
		default:
			fmt.Sscanf(head, "Call at most %d ", &c.atMost)
		}
	}
	return c
}

// quoted lists the names that stand in backticks.
func quoted(text string) []string {
	var names []string
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		if pytext.IsName(parts[i]) {
			names = append(names, parts[i])
		}
	}
	return names
}

// stated reports whether the prompt makes any demand on calls.
func (c contract) stated() bool {
	return c.exact || len(c.must)+len(c.mustNot)+len(c.may) > 0 || c.atMost > 0
}

// allows reports whether a program may call the helper.
func (c contract) allows(fn string) bool {
	switch {
	case !c.stated() || slices.Contains(c.must, fn):
		return true
	case slices.Contains(c.mustNot, fn) || c.exact:
		return false
	}
	return len(c.may)+len(c.must) == 0 || slices.Contains(c.may, fn)
}

// room is how many helpers beyond the demanded ones a program may call.
func (c contract) room() int {
	switch {
	case c.exact:
		return 0
	case c.atMost > 0:
		return max(0, c.atMost-len(c.must))
	}
	return len(c.may)
}
