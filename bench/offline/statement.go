package offline

import (
	"maps"
	"slices"
	"strings"
)

// A statement is one statement of a function's body with its suite and the comment lines
// above it, indented as if it stood at column 0.
type statement struct {
	text  string
	binds []string // names bound anywhere in it, sorted; a name assigned through a subscript counts
	reads []string // names read anywhere in it, sorted
	exits bool     // contains return, raise, break or continue of its own level or deeper
}

// readStatements splits a dedented body. Lines that Python would refuse still end up in some
// statement: nothing is lost and nothing panics.
func readStatements(body string) []statement {
	var statements []statement
	start, at := 0, 0
	flush := func(end int) {
		if text := strings.Trim(body[start:end], "\n"); strings.TrimSpace(text) != "" {
			statements = append(statements, newStatement(text))
		}
		start = end
	}
	tokens := lex(body)
	for i := 0; i < len(tokens); {
		first := i
		for i < len(tokens) && tokens[i].kind != newline {
			i++
		}
		end := len(body)
		if i < len(tokens) {
			end = tokens[i].end
			i++
		}
		t := tokens[first]
		column := t.start - (strings.LastIndexByte(body[:t.start], '\n') + 1)
		switch {
		case t.kind == newline || t.kind == comment:
			// Belongs to what follows, unless it stands inside a suite.
			if column == 0 && t.kind == comment && at > start {
				flush(at)
			}
			if column > 0 && t.kind == comment {
				at = end
			}
			continue
		case column == 0 && !continues(t.text(body)):
			if at > start {
				flush(at)
			}
		}
		at = end
	}
	flush(len(body))
	return statements
}

// continues reports whether a line that begins with that word belongs to the statement above.
func continues(word string) bool {
	switch word {
	case "else", "elif", "except", "finally":
		return true
	}
	return false
}

func newStatement(text string) statement {
	s := statement{text: text}
	binds, reads := map[string]bool{}, map[string]bool{}
	tokens := lex(text)
	for i := 0; i < len(tokens); {
		j := i
		for j < len(tokens) && tokens[j].kind != newline {
			j++
		}
		readLine(text, tokens[i:j], binds, reads)
		i = j + 1
	}
	for _, t := range tokens {
		if t.kind == name {
			switch t.text(text) {
			case "return", "raise":
				s.exits = true
			}
		}
	}
	s.binds, s.reads = slices.Sorted(maps.Keys(binds)), slices.Sorted(maps.Keys(reads))
	return s
}

// readLine adds the names that one logical line binds and reads.
func readLine(src string, line []token, binds, reads map[string]bool) {
	assign, augmented := -1, false
	for i, t := range line {
		if t.depth == 0 && t.kind == op {
			text := t.text(src)
			if text == "=" || isAugmented(text) {
				assign, augmented = i, text != "="
			}
		}
		if t.is(src, ":=") && i > 0 {
			binds[line[i-1].text(src)] = true
		}
	}
	target := -1 // names before this index are bound
	if assign > 0 {
		target = assign
	}
	from := 0
	if len(line) > 0 && line[0].is(src, "for") {
		from = 1
		for i, t := range line {
			if t.depth == 0 && t.is(src, "in") {
				target = i
				break
			}
		}
	}
	for i, t := range line {
		if t.kind != name || i > 0 && line[i-1].is(src, ".") {
			continue
		}
		word := t.text(src)
		next := func(text string) bool { return i+1 < len(line) && line[i+1].is(src, text) }
		previous := func(text string) bool { return i > 0 && line[i-1].is(src, text) }
		switch {
		case keywords[word]:
		case t.depth > 0 && next("="): // a keyword argument
		case previous("def"), previous("class"), previous("import"), previous("as"), previous("global"), previous("nonlocal"):
			binds[word] = true
		case i >= from && i < target && (t.depth == 0 || !insideSubscript(src, line, i)):
			if next(".") {
				reads[word] = true
				continue
			}
			binds[word] = true
			if next("[") || augmented {
				reads[word] = true
			}
		default:
			reads[word] = true
		}
	}
}

// insideSubscript reports whether the token at the index stands in square brackets, where a
// name left of "=" is read, not bound; in (a, b) = ... it is bound.
func insideSubscript(src string, line []token, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if line[j].depth < line[i].depth && line[j].is(src, "[") {
			return j > 0 && (line[j-1].kind == name || line[j-1].is(src, "]") || line[j-1].is(src, ")"))
		}
	}
	return false
}

func isAugmented(text string) bool {
	switch text {
	case "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "@=", ">>=", "<<=":
		return true
	}
	return false
}

var keywords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("False None True and as assert async await break class continue def del elif else except " +
		"finally for from global if import in is lambda nonlocal not or pass raise return try while with yield") {
		words[w] = true
	}
	return words
}()

// code is the statement without the comment lines above it.
func (s statement) code() string {
	text := s.text
	for strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "#") {
		_, rest, found := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
		if !found {
			return ""
		}
		text = rest
	}
	return strings.TrimLeft(text, "\n")
}

func (s statement) isString() bool {
	code := s.code()
	tokens := lex(code)
	return len(tokens) > 0 && tokens[0].kind == literal && (len(tokens) == 1 || tokens[1].kind == newline || tokens[1].kind == comment)
}

// assignment takes apart "name = expression" on one logical line.
func (s statement) assignment() (target, expr string, ok bool) {
	code := s.code()
	tokens := lex(code)
	if len(tokens) < 3 || tokens[0].kind != name || !tokens[1].is(code, "=") {
		return "", "", false
	}
	last := len(tokens)
	for i, t := range tokens[2:] {
		if t.kind == comment {
			return "", "", false
		}
		if t.kind == newline {
			last = i + 2
			break
		}
		if t.depth == 0 && t.is(code, "=") {
			return "", "", false
		}
	}
	if last < len(tokens)-1 || last == 2 {
		return "", "", false
	}
	return tokens[0].text(code), code[tokens[2].start:tokens[last-1].end], true
}

func (s statement) readsName(n string) bool { _, ok := slices.BinarySearch(s.reads, n); return ok }
func (s statement) bindsName(n string) bool { _, ok := slices.BinarySearch(s.binds, n); return ok }

// rename replaces names in Python text. Attributes and keyword arguments keep theirs.
func rename(src string, to map[string]string) string {
	if len(to) == 0 {
		return src
	}
	var b strings.Builder
	tokens := lex(src)
	at := 0
	for i, t := range tokens {
		if t.kind != name {
			continue
		}
		n, ok := to[t.text(src)]
		if !ok || i > 0 && tokens[i-1].is(src, ".") || t.depth > 0 && i+1 < len(tokens) && tokens[i+1].is(src, "=") {
			continue
		}
		b.WriteString(src[at:t.start])
		b.WriteString(n)
		at = t.end
	}
	b.WriteString(src[at:])
	return b.String()
}

// calls reports whether Python text calls a name.
func calls(src, fn string) bool {
	if !strings.Contains(src, fn) {
		return false
	}
	tokens := lex(src)
	for i := 0; i+1 < len(tokens); i++ {
		if tokens[i].is(src, fn) && tokens[i+1].is(src, "(") && (i == 0 || !tokens[i-1].is(src, ".") && !tokens[i-1].is(src, "def")) {
			return true
		}
	}
	return false
}

// masked is the text with every number replaced by 0, spaces and comments dropped: equal for statements
// that differ only in constants and layout.
func masked(src string) string {
	var b strings.Builder
	for _, t := range lex(src) {
		switch t.kind {
		case number:
			b.WriteByte('0')
		case comment:
		default:
			b.WriteString(t.text(src))
		}
		b.WriteByte(' ')
	}
	return b.String()
}
