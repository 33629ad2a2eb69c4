package results

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// A Population has the programs from which a run could choose parents at one moment.
type Population struct {
	At      int // charged evaluations so far
	Members int // programs with a score that may become parents
	// Distance is the mean distance over all pairs of members: 0 if all have the same text, 1 if no
	// two members have a pair of neighbouring tokens in common. It is NaN for fewer than two
	// members.
	Distance float64
}

// maxMembers bounds the number of members that are compared. The populations of all methods are
// much smaller.
const maxMembers = 200

// diversity follows the populations of a run. It compares each pair of programs only once.
type diversity struct {
	program   func(evaluation int) *Program
	profiles  map[int][]uint64
	distances map[[2]int]float64
	last      []int
}

func newDiversity(program func(int) *Program) *diversity {
	return &diversity{
		program: program, profiles: map[int][]uint64{}, distances: map[[2]int]float64{},
	}
}

// at measures a population; ok is false if it equals the previous one.
func (d *diversity) at(evaluations int, members []int) (p Population, ok bool) {
	known := []int{}
	for _, m := range members {
		p := d.program(m)
		if p == nil || p.Score == nil || len(known) == maxMembers || slices.Contains(known, m) {
			continue
		}
		if d.profiles[m] == nil {
			d.profiles[m] = profile(p.Source)
		}
		known = append(known, m)
	}
	slices.Sort(known)
	if d.last != nil && slices.Equal(known, d.last) {
		return p, false
	}
	d.last = known
	p = Population{At: evaluations, Members: len(known), Distance: math.NaN()}
	sum, pairs := 0.0, 0
	for i, a := range known {
		for _, b := range known[:i] {
			key := [2]int{a, b}
			v, seen := d.distances[key]
			if !seen {
				v = distance(d.profiles[a], d.profiles[b])
				d.distances[key] = v
			}
			sum, pairs = sum+v, pairs+1
		}
	}
	if pairs > 0 {
		p.Distance = sum / float64(pairs)
	}
	return p, true
}

// distance compares the profiles of two Python sources: one minus the share of pairs of
// neighbouring tokens that both contain (Dice's coefficient of the two multisets). Comments and
// layout do not count, and every string is one token. The distance is symmetric. It is 0 for equal
// tokens, and 1 if the sources have no pair in common.
func distance(a, b []uint64) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case 0:
			common, i, j = common+1, i+1, j+1
		case -1:
			i++
		default:
			j++
		}
	}
	return 1 - 2*float64(common)/float64(len(a)+len(b))
}

// profile returns the sorted multiset of a source's pairs of neighbouring tokens, hashed. The start
// and the end of the source count as tokens.
func profile(source string) []uint64 {
	out := []uint64{}
	before := ""
	for rest := source; ; {
		var token string
		token, rest = nextToken(rest)
		h := fnv.New64a()
		h.Write([]byte(before))
		h.Write([]byte{0})
		h.Write([]byte(token))
		out = append(out, h.Sum64())
		if token == "" {
			break
		}
		before = token
	}
	slices.Sort(out)
	return out
}

// nextToken returns the first Python token and the text after it. The token is empty at the end of
// the text. Every text is accepted: a byte that begins no Python token is itself a token.
func nextToken(s string) (token, rest string) {
	for s != "" {
		switch c := s[0]; {
		case c == '#':
			end := strings.IndexByte(s, '\n')
			if end < 0 {
				return "", ""
			}
			s = s[end:]
		case c <= ' ' || c == '\\':
			s = s[1:]
		default:
			n := tokenLength(s)
			return s[:n], s[n:]
		}
	}
	return "", ""
}

func tokenLength(s string) int {
	n := 0
	for n < len(s) && wordByte(s[n]) {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'') && n <= 2 &&
		strings.Trim(strings.ToLower(s[:n]), "rbfu") == "" {
		return n + stringLength(s[n:])
	}
	if n == 0 {
		for _, op := range []string{"**=", "//=", ">>=", "<<=", "...", "**", "//", "<<", ">>", "<=",
			">=", "==", "!=", "->", ":=",
			"+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^="} {
			if strings.HasPrefix(s, op) {
				return len(op)
			}
		}
		return 1
	}
	if digit := s[0] >= '0' && s[0] <= '9'; digit { // 1.5e-3 is one token
		for n < len(s) && (wordByte(s[n]) || s[n] == '.' ||
			(s[n] == '-' || s[n] == '+') && (s[n-1]|0x20) == 'e' && !strings.HasPrefix(s, "0x")) {
			n++
		}
	}
	return n
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
		c >= 'A' && c <= 'Z' || c >= 0x80
}

// stringLength returns the length of the string literal at the start of s, including its quotes. An
// unclosed literal extends to the end of the line, or with three quotes to the end of the text.
func stringLength(s string) int {
	quote := s[:1]
	if strings.HasPrefix(s, strings.Repeat(quote, 3)) {
		quote = s[:3]
	}
	for i := len(quote); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		case s[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(s)
}
