package prompt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/program"
)

// Contract says which of the EAPs that a prompt shows an answer has to call, in lines that begin
// with fixed words. An answer that calls shown EAPs alone keeps the words exactly when it keeps c.
// Where no EAP is shown, none may be called.
func Contract(c program.Calls, shown []string) string {
	if len(shown) == 0 {
		return "Call no EAP: no ready-made helper function stands above your function."
	}
	may := c.May
	if c.AtMost > 0 && len(c.Must) >= c.AtMost {
		may = nil // the demanded ones take all the room
	}
	allowed := append(slices.Clone(c.Must), may...)
	mustNot := slices.DeleteFunc(slices.Clone(shown), func(name string) bool {
		return slices.Contains(allowed, name)
	})
	if len(may) == 0 && len(mustNot) == 0 {
		return "Call exactly: " + Names(c.Must) + " and no other EAP."
	}
	var lines []string
	add := func(words string, names []string) {
		if len(names) > 0 {
			lines = append(lines, words+" "+Names(names))
		}
	}
	add("Must call:", c.Must)
	add("Must not call:", mustNot)
	add("May also call:", may)
	if c.AtMost > 0 && c.AtMost < len(allowed) {
		lines = append(lines, fmt.Sprintf("Call at most %d of them in all.", c.AtMost))
	}
	return strings.Join(lines, "\n")
}
