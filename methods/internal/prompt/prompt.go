// Package prompt writes the blocks of all methods' prompts: the task, the function to design,
// parents, EAPs, contracts over calls, the form of the answer, and the request for a repair. Start
// at Join and Template. All functions are pure.
//
// The blocks follow one convention, so that the embedded model can read prompts as a language model
// does. Code is at column 0. The function to design is a signature and a docstring without a body;
// a parent is a definition of the same name with a body. A thought is in braces above its code. A
// contract is a line that begins with fixed words and names functions in backticks. The last block
// has the form of the answer and begins with "Answer with".
package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// Join joins blocks with blank lines and drops empty blocks.
func Join(blocks ...string) string {
	var kept []string
	for _, b := range blocks {
		if b = strings.Trim(b, "\n"); b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}

// Task returns the task's description, verbatim.
func Task(p bench.Problem) string { return strings.TrimSpace(p.Description) }

// Target introduces the function to design, shows it, and describes its environment.
func Target(p bench.Problem) string {
	return Join("The Python function to design:", Template(p.Template), Environment(p))
}

// Environment describes the environment of programs and the modules that they may import.
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

// Template returns a function as signature and docstring, without a body.
func Template(f program.Function) string {
	doc := strings.TrimSpace(f.Doc)
	if strings.Contains(doc, "\n") {
		doc += "\n"
	}
	return f.Header() + "\n" + indented(`"""`+doc+`"""`)
}

// Default returns a function with its default body, the design before any search.
func Default(f program.Function) string {
	return Template(f) + "\n" + indented(strings.Trim(f.Body, "\n")) + "\n"
}

// Bare is Default without its docstring.
func Bare(f program.Function) string {
	return f.Header() + "\n" + indented(strings.Trim(f.Body, "\n")) + "\n"
}

// indented returns a text as the body of a function.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " \t"); lines[i] != "" {
			lines[i] = "    " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// Listing shows a program under a label. If it has a thought, the thought precedes the code.
func Listing(label, thought, code string) string {
	if thought != "" {
		label += "\n" + thought
	}
	return label + "\n\n" + strings.Trim(code, "\n")
}

// Goal returns the goal of the answer.
func Goal(format string, args ...any) string { return "Goal: " + fmt.Sprintf(format, args...) }

// Steps numbers the steps to take, one line each.
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

// Contract says which of the shown EAPs an answer must call, in lines that begin with fixed words.
// An answer that calls only shown EAPs obeys these lines if and only if it keeps c. If no EAP is
// shown, the answer may call none.
func Contract(c program.Calls, shown []string) string {
	if len(shown) == 0 {
		return "Call no EAP: no ready-made helper function stands above your function."
	}
	may := c.May
	if c.AtMost > 0 && len(c.Must) >= c.AtMost {
		may = nil // the required EAPs use up the bound
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
