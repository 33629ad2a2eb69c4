// Package prompt writes the blocks that all methods' prompts are made of: the task, the
// function to design, parents, EAPs, contracts over calls, the form of the answer, and the
// request for a repair. Start at Join and Template. All functions are pure.
//
// The blocks follow one convention, so that an embedded model can read a prompt as well as a
// language model does. Code stands at column 0. The function to design is shown as signature
// and docstring without a body; a parent is a definition of the same name with a body. A
// thought stands in braces on the line before its code. A contract is a line that begins with
// fixed words and names functions in backticks. The form of the answer is said in the last
// block, whose first line begins with "Answer with".
package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// Join sets blocks one blank line apart. Empty blocks leave no trace.
func Join(blocks ...string) string {
	var kept []string
	for _, b := range blocks {
		if b = strings.Trim(b, "\n"); b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}

// Task is the task's description, word for word.
func Task(p bench.Problem) string { return strings.TrimSpace(p.Description) }

// Target introduces the function to design, shows it, and says what it runs under.
func Target(p bench.Problem) string {
	return Join("The Python function to design:", Template(p.Template), Environment(p))
}

// Environment says what programs run under and what they may import.
func Environment(p bench.Problem) string {
	lines := []string{"The code runs under " + cmp.Or(p.Runtime, "Python") + "."}
	if len(p.Imports) > 0 {
		lines = append(lines, "Imported already: "+strings.Join(p.Imports, "; ")+".")
	}
	if len(p.Modules) > 0 {
		lines = append(lines, "Modules that may be imported: "+strings.Join(p.Modules, ", ")+".")
	}
	return strings.Join(lines, "\n")
}

// Template is a function as signature and docstring, without a body.
func Template(f program.Function) string {
	doc := strings.TrimSpace(f.Doc)
	if strings.Contains(doc, "\n") {
		doc += "\n"
	}
	return f.Header() + "\n" + indented(`"""`+doc+`"""`)
}

// Default is a function with its default body, the design that is there before any search.
func Default(f program.Function) string {
	return Template(f) + "\n" + indented(strings.Trim(f.Body, "\n")) + "\n"
}

// Bare is Default without its docstring.
func Bare(f program.Function) string {
	return f.Header() + "\n" + indented(strings.Trim(f.Body, "\n")) + "\n"
}

// indented is a text as the body of a function.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " \t"); lines[i] != "" {
			lines[i] = "    " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// Listing shows a program under a label, with its thought before the code where it has one.
func Listing(label, thought, code string) string {
	if thought != "" {
		label += "\n" + thought
	}
	return label + "\n\n" + strings.Trim(code, "\n")
}

// Goal says what the answer is to achieve.
func Goal(format string, args ...any) string { return "Goal: " + fmt.Sprintf(format, args...) }

// Steps numbers what is to be done, one line each.
func Steps(steps ...string) string {
	lines := make([]string, len(steps))
	for i, s := range steps {
		lines[i] = fmt.Sprintf("%d. %s", i+1, s)
	}
	return strings.Join(lines, "\n")
}

// Names lists names in backticks, or says "none".
func Names(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

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
	allowed := slices.Concat(c.Must, may)
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
