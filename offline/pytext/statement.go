package pytext

import (
	"maps"
	"slices"
	"strings"
)

// A Statement is one statement of a function's body with its suite and the comment lines above it,
// dedented to column 0.
type Statement struct {
	Text  string
	Binds []string // names bound anywhere in it, sorted; x[i] = 1 binds x
	Reads []string // names read anywhere in it, sorted
	Exits bool     // contains return or raise
}

// Statements splits a dedented body. Every line that is not blank ends up in a statement.
func Statements(body string) []Statement {
	var list []Statement
	start, end := 0, 0 // the statement so far; comment lines below it belong to the next one
	flush := func(to int) {
		if text := strings.Trim(body[start:to], "\n"); strings.TrimSpace(text) != "" {
			list = append(list, NewStatement(text))
		}
		start = to
	}
	for line := range logicalLines(Lex(body)) {
		first := line[0]
		column := first.Start - (strings.LastIndexByte(body[:first.Start], '\n') + 1)
		begins := column == 0 && !slices.Contains(continuing, first.Text(body))
		if begins && end > start {
			flush(end)
		}
		if !begins || first.Kind != Comment {
			end = lineEnd(body, line[len(line)-1].End)
		}
	}
	flush(len(body))
	return list
}

// continuing are the words that begin a further clause of the previous statement.
var continuing = []string{"else", "elif", "except", "finally"}

// logicalLines yields the tokens of each logical line that is not blank, without its newline.
func logicalLines(tokens []Token) func(yield func([]Token) bool) {
	return func(yield func([]Token) bool) {
		for len(tokens) > 0 {
			end := slices.IndexFunc(tokens, func(t Token) bool { return t.Kind == Newline })
			line, next := tokens, len(tokens)
			if end >= 0 {
				line, next = tokens[:end], end+1
			}
			tokens = tokens[next:]
			if len(line) > 0 && !yield(line) {
				return
			}
		}
	}
}

// NewStatement reads one statement.
func NewStatement(text string) Statement {
	s := Statement{Text: text}
	tokens := Lex(text)
	binds, reads := map[string]bool{}, map[string]bool{}
	for line := range logicalLines(tokens) {
		readLine(text, line, binds, reads)
	}
	s.Exits = slices.ContainsFunc(tokens, func(t Token) bool {
		return t.Is(text, "return") || t.Is(text, "raise")
	})
	s.Binds, s.Reads = slices.Sorted(maps.Keys(binds)), slices.Sorted(maps.Keys(reads))
	return s
}

// readLine adds the names that one logical line binds and reads. Targets are left of the last
// assignment outside brackets, or between for and in.
func readLine(src string, line []Token, binds, reads map[string]bool) {
	from, to, augmented := 0, 0, false
	isFor := line[0].Is(src, "for")
	for i, t := range line {
		text := t.Text(src)
		assigns := t.Depth == 0 && t.Kind == Op && strings.HasSuffix(text, "=") &&
			!isComparison(text)
		if assigns && !isFor {
			to, augmented = i, text != "="
		}
		if isFor && to == 0 && t.Depth == 0 && text == "in" {
			from, to = 1, i
		}
	}
	for i, t := range line {
		if !isVariable(src, line, i) {
			continue
		}
		word := t.Text(src)
		next := func(text string) bool { return i+1 < len(line) && line[i+1].Is(src, text) }
		switch {
		case keywords[word]:
		case i > 0 && binders[line[i-1].Text(src)], next(":="):
			binds[word] = true
		case i >= from && i < to && !next(".") && !insideSubscript(src, line, i):
			binds[word] = true
			if next("[") || augmented {
				reads[word] = true
			}
		default:
			reads[word] = true
		}
	}
}

func isComparison(op string) bool { return op == "==" || op == "!=" || op == "<=" || op == ">=" }

// binders are the words that bind the following name.
var binders = set("def class import as global nonlocal")

// insideSubscript reports whether the i-th token is inside the brackets of a subscript, where a
// name left of "=" is read.
func insideSubscript(src string, line []Token, i int) bool {
	for j := i - 1; j > 0; j-- {
		if line[j].Depth < line[i].Depth && line[j].Is(src, "[") {
			return line[j-1].Kind == Name || isClosing(src[line[j-1].Start])
		}
	}
	return false
}

var keywords = set(`False None True and as assert async await break class continue def del elif
	else except finally for from global if import in is lambda nonlocal not or pass raise return try
	while with yield`)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		s[w] = true
	}
	return s
}

// BindsName reports whether the statement binds a name.
func (s Statement) BindsName(n string) bool { return slices.Contains(s.Binds, n) }

// ReadsName reports whether the statement reads a name.
func (s Statement) ReadsName(n string) bool { return slices.Contains(s.Reads, n) }

// Code returns the statement without the comment lines above it.
func (s Statement) Code() string {
	text := s.Text
	for strings.HasPrefix(text, "#") || strings.HasPrefix(text, "\n") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// Assignment splits "name = expression" on one logical line without a comment.
func (s Statement) Assignment() (target, expr string, ok bool) {
	code := strings.TrimRight(s.Code(), " \n")
	tokens := Lex(code)
	if len(tokens) < 3 || tokens[0].Kind != Name || !tokens[1].Is(code, "=") {
		return "", "", false
	}
	for _, t := range tokens[2:] {
		if t.Kind == Newline || t.Kind == Comment || t.Depth == 0 && t.Is(code, "=") {
			return "", "", false
		}
	}
	return tokens[0].Text(code), code[tokens[2].Start:], true
}
