// Package pytext reads, changes and writes Python text without running it: tokens (Lex), the
// statements of a function's body with the names that they bind and read (Statements), sums and
// products (Split, Join), and functions (ReadFunction, Functions).
//
// It works on text that a language model wrote, valid or not: every function accepts any string,
// and text that is not Python ends up in some token or statement. Package program asks CPython for
// exact answers; this package only has to be right often enough to vary programs.
package pytext

import (
	"strings"
	"unicode/utf8"
)

// A Kind is a class of tokens.
type Kind uint8

const (
	Name    Kind = iota // identifiers and keywords
	Op                  // operators, brackets, punctuation, and any rune that fits nowhere else
	Number              // integer, float and complex literals
	String              // string literals with their prefix
	Comment             // from # to the end of the line
	Newline             // the end of a logical line
)

// A Token is one lexical element of a source. Its text is source[Start:End].
type Token struct {
	Kind       Kind
	Start, End int // byte offsets
	Depth      int // number of open brackets around it; a bracket is not inside itself
}

// Text returns the token's text in its source.
func (t Token) Text(src string) string { return src[t.Start:t.End] }

// Is reports whether the token is the name or the operator text.
func (t Token) Is(src, text string) bool { return t.Kind <= Op && t.Text(src) == text }

// operators lists the operators of more than one byte, longest first.
var operators = strings.Fields(
	"**= //= >>= <<= ... ** // -> := == != <= >= += -= *= /= %= &= |= ^= @= << >>")

// Lex splits a source into tokens. An unterminated string ends at the end of its line, or of the
// source if it has triple quotes.
func Lex(src string) []Token {
	tokens := make([]Token, 0, len(src)/3+1)
	scan(src, 0, func(t Token) bool {
		tokens = append(tokens, t)
		return true
	})
	return tokens
}

// scan lexes from a byte offset and passes each token to yield until it returns false.
func scan(src string, at int, yield func(Token) bool) {
	depth := 0
	for at < len(src) {
		c := src[at]
		t := Token{Start: at, Depth: depth}
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n' && depth > 0:
			at++
			continue
		case c == '\\' && strings.HasPrefix(src[at+1:], "\n"):
			at += 2
			continue
		case c == '\n':
			t.Kind, t.End = Newline, at+1
		case c == '#':
			t.Kind, t.End = Comment, lineEnd(src, at)
		case isDigit(c) || c == '.' && at+1 < len(src) && isDigit(src[at+1]):
			t.Kind, t.End = Number, numberEnd(src, at)
		case isLetter(c):
			t.Kind, t.End = Name, nameEnd(src, at)
			prefix := t.End-at <= 2 && strings.Trim(src[at:t.End], "rbfuRBFU") == ""
			if prefix && t.End < len(src) && (src[t.End] == '"' || src[t.End] == '\'') {
				t.Kind, t.End = String, stringEnd(src, t.End)
			}
		case c == '"' || c == '\'':
			t.Kind, t.End = String, stringEnd(src, at)
		default:
			t.Kind, t.End = Op, operatorEnd(src, at)
			if isOpening(c) {
				depth++
			} else if isClosing(c) {
				depth = max(0, depth-1)
				t.Depth = depth
			}
		}
		at = t.End
		if !yield(t) {
			return
		}
	}
}

func isOpening(c byte) bool { return c == '(' || c == '[' || c == '{' }
func isClosing(c byte) bool { return c == ')' || c == ']' || c == '}' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// lineEnd returns the offset of the newline that ends the line at the offset, or the source's end.
func lineEnd(src string, at int) int {
	if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// IsName reports whether a text is one identifier or keyword.
func IsName(s string) bool { return s != "" && isLetter(s[0]) && nameEnd(s, 0) == len(s) }

func nameEnd(src string, at int) int {
	for at < len(src) && (isLetter(src[at]) || isDigit(src[at])) {
		at++
	}
	return at
}

// numberEnd accepts a little more than Python does (1_e5, 1.2.3), because such text is invalid
// anyway.
func numberEnd(src string, at int) int {
	for ; at < len(src); at++ {
		c := src[at]
		exponent := (c == '+' || c == '-') && src[at-1]|0x20 == 'e' &&
			at+1 < len(src) && isDigit(src[at+1])
		if !isDigit(c) && !isLetter(c) && c != '.' && !exponent {
			break
		}
	}
	return at
}

func stringEnd(src string, at int) int {
	quote := src[at : at+1]
	triple := strings.HasPrefix(src[at:], strings.Repeat(quote, 3))
	if triple {
		quote = strings.Repeat(quote, 3)
	}
	for i := at + len(quote); i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case src[i] == '\n' && !triple:
			return i
		case strings.HasPrefix(src[i:], quote):
			return i + len(quote)
		}
	}
	return len(src)
}

func operatorEnd(src string, at int) int {
	if c := src[at]; isOpening(c) || isClosing(c) || c == ',' { // most operators
		return at + 1
	}
	for _, o := range operators {
		if strings.HasPrefix(src[at:], o) {
			return at + len(o)
		}
	}
	_, size := utf8.DecodeRuneInString(src[at:])
	return at + size
}
