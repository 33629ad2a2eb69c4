package prompt

import (
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench/program"
)

// Version is a function's name with a version after it: "select_next_node_v2". The common reader of
// replies takes such a name for the function's own.
func Version(name string, n int) string { return name + "_v" + strconv.Itoa(n) }

// A Code is the source of a program in which the name of its function can be replaced, so that a
// prompt can show it as version 0 or 1. Only the definition is renamed, never a call.
type Code struct {
	text       string
	start, end int // the name in the function's definition; both 0 when it was not found
}

// As returns the source with its function under another name.
func (c Code) As(name string) string {
	if c.end == 0 {
		return c.text
	}
	return c.text[:c.start] + name + c.text[c.end:]
}

// Numbered finds the definition of the function of that name. The analysis is the source's.
func Numbered(code string, a program.Analysis, name string) Code {
	f, ok := a.Func(name)
	for _, at := range f.Refs {
		if ok && at >= f.Start && at < f.End &&
			strings.HasSuffix(strings.TrimRight(code[:at], " \t\n\\"), "def") {
			return Code{code, at, at + len(name)}
		}
	}
	return Code{text: code}
}

// Documented is Numbered with the docstring of the function to design put into the source, which
// has none. A body that shares its line with the header stays as it is.
func Documented(code string, a program.Analysis, f program.Function) Code {
	c := Numbered(code, a, f.Name)
	body, _ := a.Func(f.Name)
	line := strings.LastIndexByte(code[:body.BodyStart], '\n') + 1
	margin := code[line:body.BodyStart]
	if c.end == 0 || line < c.end || strings.TrimSpace(margin) != "" {
		return c
	}
	for line > 0 { // above the comments that stand before the first statement
		above := strings.LastIndexByte(code[:line-1], '\n') + 1
		if text := strings.TrimSpace(code[above : line-1]); text != "" && text[0] != '#' {
			break
		}
		line = above
	}
	_, quoted, _ := strings.Cut(Template(f), "\n") // without the header
	doc := strings.ReplaceAll("\n"+quoted+"\n", "\n    ", "\n"+margin)[1:]
	return Code{code[:line] + doc + code[line:], c.start, c.end}
}
