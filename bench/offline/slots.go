package offline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/offline/pytext"
)

// fill draws the slots of vocabulary code.
func fill(r *rand.Rand, code string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(code, "@{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		code = after
		lo, hi, isRange := strings.Cut(slot, "~")
		if !isRange {
			b.WriteString(pick(r, strings.Split(slot, "|")))
			continue
		}
		l, errLo := strconv.ParseFloat(lo, 64)
		h, errHi := strconv.ParseFloat(hi, 64)
		if errLo != nil || errHi != nil {
			panic(fmt.Sprintf("offline: bad slot %q", slot))
		}
		b.WriteString(decimal(l + (h-l)*r.Float64()))
	}
}

// decimal writes a number with two significant digits, as people write constants.
func decimal(x float64) string { return round(x, 2) }

// round writes a number with so many significant digits, as a Python float.
func round(x float64, digits int) string {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	format := byte('f')
	if size := math.Abs(v); v != 0 && (size < 1e-4 || size >= 1e6) {
		format = 'g'
	}
	text := strconv.FormatFloat(v, format, -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// chance draws true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// definition finds a definition by the name that it binds.
func (v knowledge) definition(name string) (bench.Phrase, bool) {
	i := slices.IndexFunc(v.Define, func(d bench.Phrase) bool { return defined(d) == name })
	if i < 0 {
		return bench.Phrase{}, false
	}
	return v.Define[i], true
}

// defined is the name that a definition binds: the one at its start.
func defined(d bench.Phrase) string {
	name, _, _ := strings.Cut(d.Code, " =")
	return name
}

// needs lists the names that code takes from Define, with what those need in turn, in the
// order of Define.
func (v knowledge) needs(code string) []string {
	wanted := map[string]bool{}
	var visit func(code string)
	visit = func(code string) {
		for _, s := range pytext.Statements(code) {
			for _, n := range s.Reads {
				if d, ok := v.definition(n); ok && !wanted[n] {
					wanted[n] = true
					visit(d.Code)
				}
			}
		}
	}
	visit(code)
	var order []string
	for _, d := range v.Define {
		if n := defined(d); wanted[n] {
			order = append(order, n)
		}
	}
	return order
}
