package prompt

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
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
	runtime := p.Runtime
	if runtime == "" {
		runtime = "Python"
	}
	lines := []string{"The code runs under " + runtime + "."}
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
	var b strings.Builder
	b.WriteString(Signature(f))
	b.WriteString("\n    \"\"\"")
	for i, line := range strings.Split(strings.TrimSpace(f.Doc), "\n") {
		if i > 0 {
			b.WriteString("\n")
			if strings.TrimSpace(line) != "" {
				b.WriteString("    ")
			}
		}
		b.WriteString(strings.TrimRight(line, " \t"))
	}
	if strings.Contains(strings.TrimSpace(f.Doc), "\n") {
		b.WriteString("\n    ")
	}
	b.WriteString("\"\"\"")
	return b.String()
}

// Signature is the def line of a function, colon included.
func Signature(f program.Function) string { return f.Header() }

// Listing shows a program under a label, with its thought before the code where it has one.
func Listing(label, thought, code string) string {
	var b strings.Builder
	b.WriteString(label + "\n")
	if thought != "" {
		b.WriteString(thought + "\n")
	}
	b.WriteString("\n" + strings.Trim(code, "\n"))
	return b.String()
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
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "`" + n + "`"
	}
	return strings.Join(quoted, ", ")
}
