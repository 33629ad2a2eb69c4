package pytext

import "strings"

// edit replaces runs of tokens. For each token outside a replaced run, replace returns the index
// after the run that begins there and its new text, or an index of at most i to keep the token.
func edit(src string, replace func(tokens []Token, i int) (end int, text string)) string {
	var b strings.Builder
	tokens, at := Lex(src), 0
	for i := 0; i < len(tokens); i++ {
		if end, text := replace(tokens, i); end > i {
			b.WriteString(src[at:tokens[i].Start] + text)
			at, i = tokens[end-1].End, end-1
		}
	}
	b.WriteString(src[at:])
	return b.String()
}

// Rename replaces names by texts. Attributes and keyword arguments do not change.
func Rename(src string, to map[string]string) string {
	if len(to) == 0 {
		return src
	}
	return edit(src, func(tokens []Token, i int) (int, string) {
		text, ok := to[tokens[i].Text(src)]
		if !ok || !isVariable(src, tokens, i) {
			return i, ""
		}
		return i + 1, text
	})
}

// isVariable reports whether the i-th token is a name, but not an attribute or the keyword of an
// argument.
func isVariable(src string, tokens []Token, i int) bool {
	t := tokens[i]
	keyword := t.Depth > 0 && i+1 < len(tokens) && tokens[i+1].Is(src, "=")
	return t.Kind == Name && !keyword && (i == 0 || !tokens[i-1].Is(src, "."))
}

// ReplaceNumbers replaces each number literal by the text that replace returns for the i-th token.
func ReplaceNumbers(src string, replace func(tokens []Token, i int) string) string {
	return edit(src, func(tokens []Token, i int) (int, string) {
		if tokens[i].Kind != Number {
			return i, ""
		}
		return i + 1, replace(tokens, i)
	})
}

// Calls reports whether a source calls the function fn by its name.
func Calls(src, fn string) bool {
	return strings.Contains(src, fn) && ReplaceCalls(src, fn, "") != src
}

// ReplaceCalls replaces every call of fn, including its arguments, by an expression.
func ReplaceCalls(src, fn, expr string) string {
	return edit(src, func(tokens []Token, i int) (int, string) {
		if i+1 == len(tokens) || !tokens[i].Is(src, fn) || !tokens[i+1].Is(src, "(") ||
			i > 0 && (tokens[i-1].Is(src, ".") || tokens[i-1].Is(src, "def")) {
			return i, ""
		}
		for end := i + 2; end < len(tokens); end++ {
			if tokens[end].Depth == tokens[i+1].Depth && tokens[end].Is(src, ")") {
				return end + 1, expr
			}
		}
		return i, ""
	})
}

// Canon returns a source without comments and layout. The result is the same for texts with the
// same tokens.
func Canon(src string) string { return canon(src, false) }

// Masked is Canon with every number replaced by 0. The result is the same for texts that differ
// only in constants.
func Masked(src string) string { return canon(src, true) }

func canon(src string, mask bool) string {
	var b strings.Builder
	for _, t := range Lex(src) {
		switch {
		case t.Kind == Comment || t.Kind == Newline:
			continue
		case t.Kind == Number && mask:
			b.WriteByte('0')
		default:
			b.WriteString(t.Text(src))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// dedent removes the indentation of the first line that is neither blank nor a comment from every
// line that has it.
func dedent(body string) string {
	body = strings.TrimPrefix(strings.TrimLeft(body, " \t\r"), "\n")
	lines := strings.Split(body, "\n")
	indent := ""
	for _, l := range lines {
		if text := strings.TrimSpace(l); text != "" && text[0] != '#' {
			indent = l[:strings.Index(l, text)]
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

// Indent puts four spaces before every line that is not empty.
func Indent(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}
