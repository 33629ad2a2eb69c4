package prompt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/program"
)

// Version returns a function's name followed by a version: "select_next_node_v2". The parser that
// all methods share accepts such a name as the function's own name.
func Version(name string, n int) string { return name + "_v" + strconv.Itoa(n) }

// A Code is the source of a program whose function can get another name, so that a prompt can show
// the program as version 0 or 1. Only the definition is renamed, never a call.
type Code struct {
	text       string
	start, end int // the name in the function's definition; both 0 if it was not found
}

// As returns the source with its function under another name.
func (c Code) As(name string) string {
	if c.end == 0 {
		return c.text
	}
	return c.text[:c.start] + name + c.text[c.end:]
}

// Numbered finds the definition of the function with the given name. a must be the analysis of
// code.
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

// Documented is Numbered for a source without a docstring; it inserts the docstring of f. If the
// body is on the header's line, Documented inserts nothing.
func Documented(code string, a program.Analysis, f program.Function) Code {
	c := Numbered(code, a, f.Name)
	line, margin, ok := c.docstring(a, f.Name)
	if !ok {
		return c
	}
	return Code{code[:line] + docstring(f, margin) + code[line:], c.start, c.end}
}

// docstring returns the docstring of a function, indented like the body.
func docstring(f program.Function, margin string) string {
	_, quoted, _ := strings.Cut(Template(f), "\n") // without the header
	return strings.ReplaceAll("\n"+quoted+"\n", "\n    ", "\n"+margin)[1:]
}

// docstring finds the line where a docstring belongs, and its indentation; ok is false if there is
// no such line.
func (c Code) docstring(a program.Analysis, name string) (line int, margin string, ok bool) {
	code := c.text
	body, _ := a.Func(name)
	line = strings.LastIndexByte(code[:body.BodyStart], '\n') + 1
	margin = code[line:body.BodyStart]
	if c.end == 0 || line < c.end || strings.TrimSpace(margin) != "" {
		return 0, "", false
	}
	for line > 0 { // above the comments before the first statement
		above := strings.LastIndexByte(code[:line-1], '\n') + 1
		if text := strings.TrimSpace(code[above : line-1]); text != "" && text[0] != '#' {
			break
		}
		line = above
	}
	return line, margin, true
}

// Versions is the source of a program that a prompt shows as one of several versions of a function.
// It gives the function another docstring, and another name wherever the source refers to it.
type Versions struct {
	text, name string
	refs       []int // positions of the name
	doc        int   // position of the docstring; -1: nowhere
	margin     string
}

// VersionsOf finds the function with the given name. a must be the analysis of code.
func VersionsOf(code string, a program.Analysis, name string) Versions {
	f, _ := a.Func(name)
	v := Versions{text: code, name: name, refs: slices.Sorted(slices.Values(f.Refs)), doc: -1}
	if line, margin, ok := Numbered(code, a, name).docstring(a, name); ok {
		v.doc, v.margin = line, margin
	}
	return v
}

// As returns the source with the name and the docstring of f.
func (v Versions) As(f program.Function) string {
	var b strings.Builder
	last, placed := 0, v.doc < 0
	put := func(from, to int, text string) {
		b.WriteString(v.text[last:from] + text)
		last = to
	}
	for _, at := range v.refs {
		if !placed && at >= v.doc {
			put(v.doc, v.doc, docstring(f, v.margin))
			placed = true
		}
		put(at, at+len(v.name), f.Name)
	}
	if !placed {
		put(v.doc, v.doc, docstring(f, v.margin))
	}
	return b.String() + v.text[last:]
}
