package offline

import (
	"slices"
	"strconv"
	"strings"
)

// A contract is what a prompt demands of the helper calls of a program.
type contract struct {
	must, mustNot, may []string
	atMost             int  // calls in all, 0 for no bound
	exact              bool // nothing but must may be called
}

// readContract reads the lines that begin with the fixed words of a contract.
func readContract(gaps []string) contract {
	var c contract
	for _, gap := range gaps {
		for line := range strings.Lines(gap) {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, "Call exactly:"); ok {
				c.must, c.exact = append(c.must, quoted(rest)...), true
			} else if rest, ok := strings.CutPrefix(line, "Must call:"); ok {
				c.must = append(c.must, quoted(rest)...)
			} else if rest, ok := strings.CutPrefix(line, "Must not call:"); ok {
				c.mustNot = append(c.mustNot, quoted(rest)...)
			} else if rest, ok := strings.CutPrefix(line, "May also call:"); ok {
				c.may = append(c.may, quoted(rest)...)
			} else if rest, ok := strings.CutPrefix(line, "Call at most "); ok {
				number, _, _ := strings.Cut(rest, " ")
				c.atMost, _ = strconv.Atoi(number)
			}
		}
	}
	return c
}

// quoted lists the names that stand in backticks.
func quoted(text string) []string {
	var names []string
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		if parts[i] != "" && nameEnd(parts[i], 0) == len(parts[i]) {
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
	if slices.Contains(c.must, fn) {
		return true
	}
	if slices.Contains(c.mustNot, fn) || c.exact {
		return false
	}
	return len(c.may) == 0 && len(c.must) == 0 || slices.Contains(c.may, fn)
}

// room is how many helpers beyond the demanded ones a program may call.
func (c contract) room() int {
	if c.exact {
		return 0
	}
	if c.atMost > 0 {
		return max(0, c.atMost-len(c.must))
	}
	return len(c.may)
}
