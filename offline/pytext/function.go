package pytext

import (
	"slices"
	"strings"
)

// A Function is one top-level function, split into its parts.
type Function struct {
	Name    string
	Header  string // from "def" to the colon, as written
	Params  []Param
	Returns string // the annotation, empty for none
	Doc     string // the docstring's content
	Body    []Statement
	Source  string // as written, without blank lines at its end
}

// A Param is one parameter. Annotation and Default are verbatim and may be empty.
type Param struct {
	Name, Annotation, Default string
}

// ReadFunction parses the function whose def is at the start of src. It returns false unless src
// has a def, a name, a parameter list and a colon.
func ReadFunction(src string) (Function, bool) {
	src = strings.TrimRight(src, " \t\r\n")
	tokens := Lex(src)
	if len(tokens) > 0 && tokens[0].Is(src, "async") {
		tokens = tokens[1:]
	}
	if len(tokens) < 4 || !tokens[0].Is(src, "def") || tokens[1].Kind != Name ||
		!tokens[2].Is(src, "(") {
		return Function{}, false
	}
	// next returns the index of the next token outside brackets that is one of the texts, or -1.
	next := func(i int, texts ...string) int {
		for ; i < len(tokens); i++ {
			if tokens[i].Depth == 0 && slices.Contains(texts, tokens[i].Text(src)) {
				return i
			}
		}
		return -1
	}
	closing := next(3, ")")
	if closing < 0 {
		return Function{}, false
	}
	colon := next(closing, ":", "\n")
	if colon < 0 || !tokens[colon].Is(src, ":") {
		return Function{}, false
	}
	f := Function{
		Name: tokens[1].Text(src), Params: readParams(src, tokens[3:closing]),
		Header: src[:tokens[colon].End], Source: src,
	}
	if arrow := tokens[closing+1]; arrow.Is(src, "->") {
		f.Returns = strings.TrimSpace(src[arrow.End:tokens[colon].Start])
	}
	f.Body = Statements(dedent(src[tokens[colon].End:]))
	if len(f.Body) > 0 {
		code := f.Body[0].Code()
		if first := Lex(code); len(first) > 0 && first[0].Kind == String &&
			(len(first) == 1 || first[1].Kind >= Comment) {
			f.Doc = unquote(first[0].Text(code))
			f.Body = f.Body[1:]
		}
	}
	return f, true
}

func readParams(src string, tokens []Token) []Param {
	var params []Param
	for len(tokens) > 0 {
		// A parameter ends before the comma; its annotation and default follow the colon and the
		// equals sign.
		end, colon, equals := len(tokens), -1, -1
		for i, t := range tokens {
			if t.Depth > 1 {
				continue
			}
			if t.Is(src, ",") {
				end = i
				break
			} else if t.Is(src, ":") && colon < 0 {
				colon = i
			} else if t.Is(src, "=") {
				equals = i
			}
		}
		text := func(from, to int) string {
			if from >= to {
				return ""
			}
			return src[tokens[from].Start:tokens[to-1].End]
		}
		var p Param
		stop := end
		if equals >= 0 {
			p.Default, stop = text(equals+1, end), equals
		}
		if colon >= 0 {
			p.Annotation = text(colon+1, stop)
		}
		// The name follows the stars of *args and **kwargs.
		i := slices.IndexFunc(tokens[:stop], func(t Token) bool { return t.Kind == Name })
		if i >= 0 {
			p.Name = tokens[i].Text(src)
			params = append(params, p)
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return params
}

func unquote(s string) string {
	s = strings.TrimLeft(s, "rRbBuUfF")
	for _, q := range []string{`"""`, `'''`, `"`, `'`} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, q))
		}
	}
	return s
}

// Has reports whether the function has the named parameter.
func (f Function) Has(param string) bool {
	return slices.ContainsFunc(f.Params, func(p Param) bool { return p.Name == param })
}

// Signature returns the function's def line, made of its parts, without defaults.
func (f Function) Signature() string {
	var params []string
	for _, p := range f.Params {
		if p.Annotation != "" {
			p.Name += ": " + p.Annotation
		}
		params = append(params, p.Name)
	}
	returns := ""
	if f.Returns != "" {
		returns = " -> " + f.Returns
	}
	return "def " + f.Name + "(" + strings.Join(params, ", ") + ")" + returns + ":"
}

// String returns the function as source, made of its parts: signature, docstring, body.
func (f Function) String() string {
	text := f.Signature() + "\n"
	if f.Doc != "" {
		text += Indent(`"""`+f.Doc+`"""`) + "\n"
	}
	return text + Indent(Text(f.Body))
}

// Text returns a body as source.
func Text(body []Statement) string {
	var b strings.Builder
	for _, s := range body {
		b.WriteString(s.Text + "\n")
	}
	return b.String()
}

// Functions finds the functions at column 0 of a text that mixes code and prose. The gaps are the
// text around them: gaps[i] precedes functions[i], and the last gap follows all functions.
func Functions(text string) (functions []Function, gaps []string) {
	var gap strings.Builder
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if line := text[at:end]; beginsDef(line) {
			stop := functionEnd(text, at)
			if f, ok := ReadFunction(text[at:stop]); ok {
				functions, gaps = append(functions, f), append(gaps, gap.String())
				gap.Reset()
				at = stop
				continue
			}
		}
		gap.WriteString(text[at:end] + "\n")
		at = end + 1
	}
	return functions, append(gaps, gap.String())
}

func beginsDef(s string) bool {
	return strings.HasPrefix(s, "def ") || strings.HasPrefix(s, "async def ")
}

// functionEnd returns the offset of the first line at column 0 that is not part of the function
// whose def is at the offset. A fence or another def ends the function even inside an open bracket.
func functionEnd(text string, at int) int {
	end := len(text)
	for from := lineEnd(text, at) + 1; from < len(text); from = lineEnd(text, from) + 1 {
		if next := text[from:]; beginsDef(next) || strings.HasPrefix(next, "```") {
			end = from
			break
		}
	}
	text = text[:end]
	scan(text, at, func(t Token) bool {
		if t.Kind != Newline {
			return true
		}
		rest := text[t.End:]
		// line begins at the next text, without its indentation.
		line := strings.TrimLeft(rest, " \t\r\n")
		before := len(rest) - len(line)
		if line == "" || before > 0 && rest[before-1] != '\n' {
			return true // the end of the text, or an indented line
		}
		end = t.End
		return false
	})
	return end
}
