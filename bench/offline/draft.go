package offline

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A draft is a program under construction: the body of the target function as a list of
// statements. Outputs are assigned once at the top level, maybe adjusted by shifts, and
// turned into the answer by the closing.
type draft struct {
	v       *Vocabulary
	r       *rand.Rand
	body    []statement
	outputs []string // the variables that hold v.Outputs, in that order; nil when none was recognised
	notes   bool     // put a comment above definitions
	reserve map[string]bool
}

// newDraft starts an empty draft. The reserved names are bound by nothing in it: parameters, EAPs.
func newDraft(v *Vocabulary, r *rand.Rand, reserved ...string) *draft {
	d := &draft{v: v, r: r, notes: chance(r, 0.4), reserve: map[string]bool{"np": true, "int": true, "float": true, "len": true, "range": true, "min": true, "max": true}}
	for _, n := range reserved {
		d.reserve[n] = true
	}
	return d
}

// adopt takes over a program's body and finds its outputs in it.
func (d *draft) adopt(f function) {
	d.body = slices.Clone(f.body)
	d.outputs = nil
	for _, o := range d.v.Outputs {
		found := o.Name
		if d.first(found) < 0 {
			found = d.guessOutput(o)
		}
		if found == "" {
			d.outputs = nil
			return
		}
		d.outputs = append(d.outputs, found)
	}
}

// guessOutput finds the variable of a foreign program that plays an output's part: the one
// that argmin, argmax or argsort looks at, or for products the one that is returned.
func (d *draft) guessOutput(o Output) string {
	for _, s := range slices.Backward(d.body) {
		tokens := lex(s.text)
		for i := len(tokens) - 1; i >= 2; i-- {
			if tokens[i].kind != name {
				continue
			}
			opened := tokens[i-1].is(s.text, "(") && (tokens[i-2].is(s.text, "argmin") || tokens[i-2].is(s.text, "argmax") || tokens[i-2].is(s.text, "argsort"))
			if opened && !o.Product && d.first(tokens[i].text(s.text)) >= 0 {
				return tokens[i].text(s.text)
			}
		}
		if o.Product && len(tokens) >= 2 && tokens[0].is(s.text, "return") && tokens[1].kind == name && d.first(tokens[1].text(s.text)) >= 0 {
			return tokens[1].text(s.text)
		}
	}
	return ""
}

// first is the index of the first plain assignment to a name, -1 for none.
func (d *draft) first(n string) int {
	return slices.IndexFunc(d.body, func(s statement) bool {
		target, _, ok := s.assignment()
		return ok && target == n
	})
}

// front is the index before which definitions are put: the first assignment of an output.
func (d *draft) front() int {
	front := len(d.body)
	for _, o := range d.outputs {
		if i := d.first(o); i >= 0 {
			front = min(front, i)
		}
	}
	return front
}

// tail is the index behind the last statement that binds an output: where the closing starts.
func (d *draft) tail() int {
	for i := len(d.body) - 1; i >= 0; i-- {
		if slices.ContainsFunc(d.outputs, d.body[i].bindsName) {
			return i + 1
		}
	}
	return len(d.body)
}

func (d *draft) insert(at int, text string) {
	d.body = slices.Insert(d.body, at, newStatement(text))
}

// bound reports whether a name is taken.
func (d *draft) bound(n string) bool {
	return d.reserve[n] || slices.ContainsFunc(d.body, func(s statement) bool { return s.bindsName(n) })
}

// fresh is the name itself, or with the first number that makes it free.
func (d *draft) fresh(n string) string {
	n = unnumbered(n)
	for i, free := 2, n; ; i++ {
		if !d.bound(free) {
			return free
		}
		free = n + "_" + strconv.Itoa(i)
	}
}

// unnumbered is a name without the number that made it free.
func unnumbered(n string) string {
	if i := strings.LastIndexByte(n, '_'); i > 0 && strings.Trim(n[i+1:], "0123456789") == "" {
		return n[:i]
	}
	return n
}

// bring makes the definitions available that a piece of vocabulary code uses, and returns the
// code in the draft's names.
func (d *draft) bring(code string) string {
	code = fill(d.r, code)
	names := map[string]string{}
	for i, o := range d.outputs {
		names[d.v.Outputs[i].Name] = o
	}
	for _, n := range d.v.needs(code) {
		definition, _ := d.v.definition(n)
		if slices.ContainsFunc(d.v.Outputs, func(o Output) bool { return o.Name == n }) {
			continue
		}
		text := rename(fill(d.r, definition.Code), names)
		d.define(text, n, definition.Says, names)
	}
	return rename(code, names)
}

// define puts a definition in front of the outputs unless the draft has it already, constants
// apart. Names that clash get a number; names records what the new names are.
func (d *draft) define(text, wanted, says string, names map[string]string) {
	front, list := d.front(), readStatements(text)
	if d.holds(list, wanted, front) {
		return
	}
	clash := map[string]string{}
	for _, s := range list {
		for _, n := range s.binds {
			if d.bound(n) && clash[n] == "" {
				clash[n] = d.fresh(n)
				names[n] = clash[n]
			}
		}
	}
	for i, s := range list {
		text := rename(s.text, clash)
		if i == 0 && d.notes && says != "" {
			text = "# " + says + "\n" + text
		}
		d.insert(front, text)
		front++
	}
}

// holds reports whether the statements that define a name stand in front already, constants apart.
func (d *draft) holds(list []statement, wanted string, front int) bool {
	for i := range max(0, front-len(list)+1) {
		if !d.body[i+len(list)-1].bindsName(wanted) {
			continue
		}
		same := true
		for j, s := range list {
			same = same && masked(d.body[i+j].code()) == masked(s.code())
		}
		if same {
			return true
		}
	}
	return false
}

// prune removes statements whose results nothing uses.
func (d *draft) prune() {
	live := make([]bool, len(d.body))
	wanted := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for i, s := range slices.Backward(d.body) {
			if live[i] || !(s.exits || len(s.binds) == 0 || slices.ContainsFunc(s.binds, func(n string) bool { return wanted[n] })) {
				continue
			}
			live[i], changed = true, true
			for _, n := range s.reads {
				wanted[n] = true
			}
		}
	}
	kept := d.body[:0:0]
	for i, s := range d.body {
		if live[i] {
			kept = append(kept, s)
		}
	}
	d.body = kept
}

// text is the body, indented, with blank lines between its stages.
func (d *draft) text() string {
	var b strings.Builder
	front, tail := d.front(), d.tail()
	for i, s := range d.body {
		if i > 0 && (i == front || i == tail) && front < len(d.body) {
			b.WriteString("\n")
		}
		b.WriteString(indent(s.text))
		b.WriteString("\n")
	}
	return b.String()
}

// calls lists the functions among the given ones that the draft calls.
func (d *draft) calls(fns []string) []string {
	var called []string
	for _, fn := range fns {
		if slices.ContainsFunc(d.body, func(s statement) bool { return calls(s.text, fn) }) {
			called = append(called, fn)
		}
	}
	return called
}
