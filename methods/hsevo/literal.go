package hsevo

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A span is a piece of a text.
type span struct{ start, end int }

func (s span) of(text string) string { return text[s.start:s.end] }
func (s span) empty() bool           { return s.start == s.end }
func (s span) shift(by int) span     { return span{s.start + by, s.end + by} }

// A declaration is a parameter in a function's header.
type declaration struct {
	name  string
	value span // its default; empty without one
}

var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)

// readHeader reads the parameters of the function of that name, whose definition stands in text, which
// is valid Python. Its caller compares them with CPython's: what is not understood here, such as
// a lambda with two parameters for a default, gives other names.
func readHeader(text, name string) []declaration {
	at := regexp.MustCompile(`\bdef[ \t]+` + regexp.QuoteMeta(name) + `[ \t]*`).FindStringIndex(text)
	if at == nil {
		return nil
	}
	open := at[1]
	if strings.HasPrefix(text[open:], "[") { // type parameters
		_, end, _ := elements(text, open)
		open = significant(text, end)
	}
	if !strings.HasPrefix(text[open:], "(") {
		return nil
	}
	parts, _, _ := elements(text, open)
	var out []declaration
	for _, p := range parts {
		word := identifier.FindString(strings.TrimLeft(p.of(text), "* \t"))
		if word == "" { // a bare * or /
			continue
		}
		d := declaration{name: word}
		if i := find(text, p, isAssignment); i >= 0 {
			d.value = span{min(significant(text, i+1), p.end), p.end}
		}
		out = append(out, d)
	}
	return out
}

var (
	rangesAssigned = regexp.MustCompile(`(?m)^[ \t]*parameter_ranges[ \t]*(?::[^=\n]*)?=[ \t]*`)
	statementEnd   = regexp.MustCompile(`^[ \t\r]*(?:[;#\n]|$)`)
	quotedName     = regexp.MustCompile(`^[uUrR]?(?:'([\pL_][\pL\pN_]*)'|"([\pL_][\pL\pN_]*)")$`)
	number         = regexp.MustCompile(`^[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?$`)
)

// readRanges finds the first assignment of a literal dictionary to parameter_ranges and returns its entries
// of the form name: (number, number), in their order. Others are dropped. Nothing is
// executed: what is not written down as such is no range.
func readRanges(reply string) []Parameter {
	for _, at := range rangesAssigned.FindAllStringIndex(reply, -1) {
		if !strings.HasPrefix(reply[at[1]:], "{") {
			continue
		}
		entries, end, ok := elements(reply, at[1])
		if !ok || !statementEnd.MatchString(reply[end:]) {
			continue
		}
		var out []Parameter
		for _, e := range entries {
			q, ok := readRange(reply, e)
			if !ok {
				continue
			}
			if i := slices.IndexFunc(out, func(old Parameter) bool { return old.Name == q.Name }); i >= 0 {
				out[i] = q // as in Python
			} else {
				out = append(out, q)
			}
		}
		return out
	}
	return nil
}

// readRange reads one entry of the dictionary.
func readRange(text string, entry span) (Parameter, bool) {
	colon := find(text, entry, func(text string, i int) bool { return text[i] == ':' })
	if colon < 0 {
		return Parameter{}, false
	}
	m := quotedName.FindStringSubmatch(strings.TrimSpace(text[entry.start:colon]))
	open := significant(text, colon+1)
	if m == nil || open >= entry.end || text[open] != '(' && text[open] != '[' {
		return Parameter{}, false
	}
	bounds, end, ok := elements(text, open)
	if !ok || end != entry.end || len(bounds) != 2 {
		return Parameter{}, false
	}
	low, ok1 := readNumber(bounds[0].of(text))
	high, ok2 := readNumber(bounds[1].of(text))
	if !ok1 || !ok2 || math.IsInf(high-low, 0) {
		return Parameter{}, false
	}
	return Parameter{m[1] + m[2], min(low, high), max(low, high)}, true
}

// readNumber reads a finite decimal number as Python writes it.
func readNumber(text string) (float64, bool) {
	if !number.MatchString(text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return x, err == nil
}

// elements splits what stands between a bracket and its partner at the commas. The spans have
// neither space nor comments at their ends; end is behind the partner. It is not ok where there is none.
func elements(text string, open int) (parts []span, end int, ok bool) {
	part, depth := span{-1, -1}, 0
	for i := open; i < len(text); {
		next := token(text, i)
		closed := false
		switch c := text[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
			closed = depth == 0
		}
		switch {
		case closed || depth == 1 && text[i] == ',':
			if part.start >= 0 {
				parts = append(parts, part)
			}
			part = span{-1, -1}
			if closed {
				return parts, next, true
			}
		case i > open && text[i] != '#' && !blank(text[i]):
			if part.start < 0 {
				part.start = i
			}
			part.end = next
		}
		i = next
	}
	return nil, len(text), false
}

// find returns the first place in a span, outside of brackets and strings, where is holds; or -1.
func find(text string, s span, is func(text string, i int) bool) int {
	depth := 0
	for i := s.start; i < s.end; i = token(text, i) {
		switch c := text[i]; {
		case depth == 0 && is(text, i):
			return i
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return -1
}

// isAssignment reports whether a single = stands at i.
func isAssignment(text string, i int) bool {
	return text[i] == '=' && (i+1 == len(text) || text[i+1] != '=') && (i == 0 || strings.IndexByte("=!<>:", text[i-1]) < 0)
}

// significant returns the first place from i on that is neither space nor comment.
func significant(text string, i int) int {
	for i < len(text) && (blank(text[i]) || text[i] == '#') {
		i = token(text, i)
	}
	return i
}

func blank(c byte) bool { return strings.IndexByte(" \t\r\n\f\\", c) >= 0 }

// token returns the end of what begins at i: a string, a comment, or one byte.
func token(text string, i int) int {
	switch c := text[i]; c {
	case '#':
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(text)
	case '"', '\'':
		quote := text[i : i+1]
		if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], triple) {
			quote = triple
		}
		for j := i + len(quote); j < len(text); j++ {
			switch {
			case text[j] == '\\':
				j++
			case strings.HasPrefix(text[j:], quote):
				return j + len(quote)
			case text[j] == '\n' && len(quote) == 1:
				return j // never closed
			}
		}
		return len(text)
	}
	return i + 1
}
