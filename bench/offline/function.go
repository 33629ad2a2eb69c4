package offline

import (
	"strings"
)

// A function is one top-level Python function taken apart.
type function struct {
	name       string
	header     string // from "def" to the colon, as written
	params     []param
	returns    string // the annotation, empty for none
	doc        string // the docstring's content
	body       []statement
	source     string // verbatim, without trailing blank lines
	start, end int    // byte offsets in the text it was found in
}

// A param is one parameter; preset is its default as written, empty for none.
type param struct {
	name, annotation, preset string
}

// readFunction takes apart the function whose def stands at the start of src. It returns
// false when there is no def with a name and a parameter list.
func readFunction(src string) (function, bool) {
	src = strings.TrimRight(src, " \t\r\n")
	tokens := lex(src)
	i := 0
	if len(tokens) > 0 && tokens[0].is(src, "async") {
		i++
	}
	if len(tokens) < i+4 || !tokens[i].is(src, "def") || tokens[i+1].kind != name || !tokens[i+2].is(src, "(") {
		return function{}, false
	}
	f := function{name: tokens[i+1].text(src), source: src}
	inside := i + 3
	i = inside
	for i < len(tokens) && !(tokens[i].depth == 0 && tokens[i].is(src, ")")) {
		i++
	}
	if i == len(tokens) {
		return function{}, false
	}
	f.params = readParams(src, tokens[inside:i])
	arrow := i + 1
	for i < len(tokens) && !(tokens[i].depth == 0 && (tokens[i].is(src, ":") || tokens[i].kind == newline)) {
		i++
	}
	if i == len(tokens) || tokens[i].kind == newline {
		return function{}, false
	}
	if arrow < i && tokens[arrow].is(src, "->") {
		f.returns = strings.TrimSpace(src[tokens[arrow].end:tokens[i].start])
	}
	f.header = src[:tokens[i].end]
	f.body = readStatements(dedent(src[tokens[i].end:]))
	if len(f.body) > 0 && f.body[0].isString() {
		f.doc = unquote(f.body[0].code())
		f.body = f.body[1:]
	}
	return f, true
}

func readParams(src string, tokens []token) []param {
	var params []param
	for start := 0; start < len(tokens); {
		end, colon, equals := start, -1, -1
		for end < len(tokens) && !(tokens[end].depth == 1 && tokens[end].is(src, ",")) {
			if tokens[end].depth == 1 && tokens[end].is(src, ":") && colon < 0 {
				colon = end
			}
			if tokens[end].depth == 1 && tokens[end].is(src, "=") {
				equals = end
			}
			end++
		}
		between := func(from, to int) string {
			if from >= to {
				return ""
			}
			return strings.TrimSpace(src[tokens[from].start:tokens[to-1].end])
		}
		stop := end
		p := param{}
		if equals >= 0 {
			p.preset, stop = between(equals+1, end), equals
		}
		if colon >= 0 && colon < stop {
			p.annotation = between(colon+1, stop)
		}
		for _, t := range tokens[start:stop] { // behind the stars of *args and **kwargs
			if t.kind == name {
				p.name = t.text(src)
				break
			}
		}
		if p.name != "" {
			params = append(params, p)
		}
		start = end + 1
	}
	return params
}

// has reports whether the function has a parameter of that name.
func (f function) has(name string) bool {
	for _, p := range f.params {
		if p.name == name {
			return true
		}
	}
	return false
}

// dedent removes the indentation of the first line that is neither blank nor a comment from
// every line that has it.
func dedent(body string) string {
	body = strings.TrimPrefix(strings.TrimLeft(body, " \t\r"), "\n")
	lines := strings.Split(body, "\n")
	indent := ""
	for _, l := range lines {
		if text := strings.TrimLeft(l, " \t"); text != "" && text[0] != '#' && text != "\r" {
			indent = l[:len(l)-len(text)]
			break
		}
	}
	for i, l := range lines {
		l = strings.TrimRight(l, " \t\r")
		if rest, ok := strings.CutPrefix(l, indent); ok {
			l = rest
		} else if text := strings.TrimLeft(l, " \t"); strings.HasPrefix(text, "#") {
			l = text
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// indent puts four spaces in front of every line that is not blank.
func indent(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}

// unquote is the content of a string literal, escapes left as they are.
func unquote(s string) string {
	s = strings.TrimLeft(s, "rRbBuUfF")
	for _, q := range []string{`"""`, `'''`, `"`, `'`} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, q))
		}
	}
	return s
}
