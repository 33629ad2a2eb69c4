package offline

import (
	"strings"
	"unicode/utf8"
)

// A kind is a class of Python tokens.
type kind uint8

const (
	name    kind = iota // identifiers and keywords
	number              // integer, float and complex literals
	literal             // string literals with their prefix, triple-quoted ones included
	op                  // operators, brackets, punctuation, and any byte that fits nowhere else
	comment             // from # to the end of the line
	newline             // the end of a logical line
)

// A token is one lexical element of Python text. Its text is src[start:end].
type token struct {
	kind       kind
	start, end int
	depth      int // open brackets around it; a bracket has the depth outside itself
}

func (t token) text(src string) string { return src[t.start:t.end] }

// is reports whether the token is a name or an operator of that text.
func (t token) is(src, text string) bool {
	return t.kind <= op && t.kind != number && t.kind != literal && src[t.start:t.end] == text
}

// operators of more than one byte, longest first.
var operators = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"**", "//", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "<<", ">>",
}

// lex splits Python text into tokens. It accepts any bytes: what is no Python becomes
// operators of one rune, an unterminated string ends with its line or with the text.
func lex(src string) []token {
	tokens := make([]token, 0, len(src)/3+1)
	scan(src, 0, func(t token) bool {
		tokens = append(tokens, t)
		return true
	})
	return tokens
}

// scan lexes from a byte offset and hands on each token until yield returns false. It
// returns the offset behind the last token.
func scan(src string, at int, yield func(token) bool) int {
	depth := 0
	for at < len(src) {
		c := src[at]
		t := token{start: at, depth: depth}
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			at++
			continue
		case c == '\\' && at+1 < len(src) && src[at+1] == '\n':
			at += 2
			continue
		case c == '\n':
			at++
			if depth > 0 {
				continue
			}
			t.kind, t.end = newline, at
		case c == '#':
			t.kind, t.end = comment, lineEnd(src, at)
		case isDigit(c) || c == '.' && at+1 < len(src) && isDigit(src[at+1]):
			t.kind, t.end = number, numberEnd(src, at)
		case isLetter(c):
			t.kind, t.end = name, nameEnd(src, at)
			if t.end < len(src) && (src[t.end] == '"' || src[t.end] == '\'') && isPrefix(src[at:t.end]) {
				t.kind, t.end = literal, stringEnd(src, t.end)
			}
		case c == '"' || c == '\'':
			t.kind, t.end = literal, stringEnd(src, at)
		default:
			t.kind, t.end = op, operatorEnd(src, at)
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
				t.depth = depth
			}
		}
		at = t.end
		if !yield(t) {
			break
		}
	}
	return at
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// isPrefix reports whether an identifier is a string prefix such as r, b, f or rb.
func isPrefix(s string) bool { return len(s) <= 2 && strings.Trim(strings.ToLower(s), "rbfu") == "" }

// lineEnd is the offset of the newline that ends the line at the offset, or the text's end.
func lineEnd(src string, at int) int {
	if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

func nameEnd(src string, at int) int {
	for at < len(src) && (isLetter(src[at]) || isDigit(src[at])) {
		at++
	}
	return at
}

// numberEnd accepts a little more than Python does (1_e5, 1.2.3): such text is wrong anyway.
func numberEnd(src string, at int) int {
	for at < len(src) {
		c := src[at]
		exponent := (c == '+' || c == '-') && (src[at-1]|0x20) == 'e' && at+1 < len(src) && isDigit(src[at+1])
		if !isDigit(c) && !isLetter(c) && c != '.' && !exponent {
			break
		}
		at++
	}
	return at
}

func stringEnd(src string, at int) int {
	quote := src[at : at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(src[at:], triple) {
		for i := at + 3; i < len(src); i++ {
			if src[i] == '\\' {
				i++
			} else if strings.HasPrefix(src[i:], triple) {
				return i + 3
			}
		}
		return len(src)
	}
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n':
			return i
		case quote[0]:
			return i + 1
		}
	}
	return len(src)
}

func operatorEnd(src string, at int) int {
	for _, o := range operators {
		if strings.HasPrefix(src[at:], o) {
			return at + len(o)
		}
	}
	_, size := utf8.DecodeRuneInString(src[at:])
	return at + size
}
