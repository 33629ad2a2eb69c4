package pace

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// terms are the requirements in a prompt's lines about its contract.
type terms struct {
	must, mustNot, may []string
	exactly            bool
	atMost             int // 0: no bound is stated
}

var bound = regexp.MustCompile(`(?m)^Call at most (\d+) of them in all\.$`)

// termsOf reads the terms in a prompt.
func termsOf(prompt string) terms {
	var c terms
	list := func(start string) []string {
		for line := range strings.Lines(prompt) {
			if rest, ok := strings.CutPrefix(line, start); ok {
				var out []string
				for _, q := range quoted.FindAllStringSubmatch(rest, -1) {
					out = append(out, q[1])
				}
				return out
			}
		}
		return nil
	}
	c.must, c.mustNot, c.may = list("Must call: "), list("Must not call: "), list("May also call: ")
	if all := list("Call exactly: "); all != nil {
		c.must, c.exactly = all, true
	}
	if m := bound.FindStringSubmatch(prompt); m != nil {
		c.atMost, _ = strconv.Atoi(m[1])
	}
	return c
}

// kept reports whether a set of calls keeps the terms: bounded ignores atMost, and all does not.
func (c terms) kept(set []string) (bounded, all bool) {
	for _, name := range c.must {
		if !slices.Contains(set, name) {
			return false, false
		}
	}
	for _, name := range set {
		if slices.Contains(c.mustNot, name) || c.exactly && !slices.Contains(c.must, name) {
			return false, false
		}
	}
	return true, c.atMost == 0 || len(set) <= c.atMost
}

// TestPromptAndCheckAgree plans offspring for random populations and one whose bounds matter.
// For every subset of the EAPs in a prompt, it compares the terms in the prompt with the check of
// the reply.
func TestPromptAndCheckAgree(t *testing.T) {
	m := small()
	m.K, m.Operators = 3, []string{P4}
	if agree(t, state(t, m, 6, []int{0, 1, 2}, []int{3, 4, 5})) == 0 {
		t.Error("no plan had a bound that binds")
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := small()
		m.K = rapid.IntRange(1, 4).Draw(rt, "k")
		m.Operators = rapid.SampledFrom([][]string{m.Operators, {P4}}).Draw(rt, "operators")
		eaps := rapid.IntRange(1, 7).Draw(rt, "eaps")
		calls := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.IntRange(0, eaps-1), 0, min(m.K, eaps),
			rapid.ID[int]), 2, 4).Draw(rt, "calls")
		agree(rt, state(t, m, eaps, calls...))
	})
}

// agree plans eight offspring, compares their prompts with their checks, and returns how many have
// a bound that matters.
func agree(t rapid.TB, r *search) int {
	bounds := 0
	for range 8 {
		p := r.next()
		if p.operator == I1 {
			continue
		}
		text := operatorPrompt(r.problem, p)
		c, shown := termsOf(text), names(p.shown())
		binds := false
		for bits := range 1 << len(shown) {
			var set []string
			for i, name := range shown {
				if bits>>i&1 == 1 {
					set = append(set, name)
				}
			}
			unbounded, kept := c.kept(set)
			if err := p.contract().Check(set); (err == nil) != kept {
				t.Fatalf("%s: the words allow %v: %v; the check says %v\n%s", p.operator, set,
					kept, err, text)
			}
			binds = binds || unbounded && !kept
		}
		if binds != (c.atMost > 0) {
			t.Fatalf("%s: at most %d is stated for %d EAPs, and binds: %v\n%s", p.operator,
				c.atMost, len(shown), binds, text)
		}
		if binds {
			bounds++
		}
		if fmt.Sprint(asked(text)) != fmt.Sprint(names(p.must)) {
			t.Fatalf("%s: the prompt demands %v, the plan %v", p.operator, asked(text),
				names(p.must))
		}
	}
	return bounds
}
