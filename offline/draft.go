package offline

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/offline/pytext"
)

// A draft is a program under construction: the body of the target function. It begins with
// definitions. Then each output is assigned once at the top level and perhaps adjusted by shifts.
// Finally the closing turns the outputs into the answer.
type draft struct {
	v       knowledge
	r       *rand.Rand
	body    []pytext.Statement
	outputs []string        // the outputs assigned so far; empty if the structure is not understood
	notes   bool            // put a comment above definitions
	reserve map[string]bool // names that the draft must not bind
}

// newDraft starts an empty draft that does not bind the names used in the prompt.
func (w *writer) newDraft() *draft {
	p := w.prompt
	d := &draft{v: w.v, r: w.r, reserve: map[string]bool{}}
	d.notes = chance(w.r, 0.4) || strings.Contains(p.prose, "put comments")
	for _, q := range p.target.Params {
		d.reserve[q.Name] = true
	}
	for _, n := range slices.Concat(strings.Fields("np int float len range min max"),
		[]string{p.target.Name, base(p.target.Name)}, w.shown(),
		p.contract.must, p.contract.mustNot, p.contract.may) {
		d.reserve[n] = true
	}
	return d
}

// shown lists the helpers that the prompt shows: EAPs and the programs' own helpers.
func (w *writer) shown() []string {
	list := names(w.prompt.eaps)
	for _, q := range w.prompt.parents {
		list = append(list, names(q.helpers)...)
	}
	return list
}

func names(list []pytext.Function) (out []string) {
	for _, f := range list {
		out = append(out, f.Name)
	}
	return out
}

// take copies a program's body into the draft. If the body does not assign every output, its
// structure is not understood.
func (d *draft) take(f pytext.Function) {
	d.body = slices.Clone(f.Body)
	for _, o := range d.v.Outputs {
		if d.first(o.Name) < 0 {
			d.outputs = nil
			return
		}
		d.outputs = append(d.outputs, o.Name)
	}
}

func (d *draft) first(n string) int {
	return slices.IndexFunc(d.body, func(s pytext.Statement) bool {
		target, _, ok := s.Assignment()
		return ok && target == n
	})
}

// front returns the index at which definitions are inserted: the first assignment of an output,
// or the end if there is none.
func (d *draft) front() int {
	for i, s := range d.body {
		if target, _, ok := s.Assignment(); ok && slices.Contains(d.outputs, target) {
			return i
		}
	}
	return len(d.body)
}

// tail returns the index after the last statement that binds an output, where the closing starts,
// or 0 without outputs.
func (d *draft) tail() int {
	for i, s := range slices.Backward(d.body) {
		if slices.ContainsFunc(d.outputs, s.BindsName) {
			return i + 1
		}
	}
	return 0
}

func (d *draft) insert(at int, code string) {
	d.body = slices.Insert(d.body, at, pytext.Statements(code)...)
}

func (d *draft) parts(i int) []pytext.Part {
	at := d.first(d.outputs[i])
	if at < 0 {
		return nil
	}
	_, expr, _ := d.body[at].Assignment()
	return pytext.Split(expr, d.v.Outputs[i].Product)
}

func (d *draft) setParts(i int, parts []pytext.Part) {
	if at := d.first(d.outputs[i]); at >= 0 && len(parts) > 0 {
		d.body[at] = pytext.NewStatement(
			pytext.Assign(d.outputs[i], parts, d.v.Outputs[i].Product))
	}
}

func (d *draft) shifts() (list []int) {
	for i := d.front() + 1; i < d.tail(); i++ {
		s := d.body[i]
		first := slices.ContainsFunc(d.outputs, func(o string) bool { return d.first(o) == i })
		if !s.Exits && !first && slices.ContainsFunc(d.outputs, s.BindsName) {
			list = append(list, i)
		}
	}
	return list
}

func (d *draft) close(code string) {
	code = d.bring(code)
	d.body = append(d.body[:d.tail()], pytext.Statements(code)...)
}

// unused returns the name, or, if the name is taken, the name with the first free number.
func (d *draft) unused(n string) string {
	n = unnumbered(n)
	bound := func(n string) bool {
		return d.reserve[n] ||
			slices.ContainsFunc(d.body, func(s pytext.Statement) bool { return s.BindsName(n) })
	}
	for i, free := 2, n; ; i++ {
		if n == "_" || !bound(free) {
			return free
		}
		free = n + "_" + strconv.Itoa(i)
	}
}

// unnumbered returns a name without the number that unused appended.
func unnumbered(n string) string {
	if i := strings.LastIndexByte(n, '_'); i > 0 && strings.Trim(n[i+1:], "0123456789") == "" {
		return n[:i]
	}
	return n
}

// bring fills the slots of a piece of vocabulary code at random, adds the definitions that it uses,
// and returns the code with the draft's names.
func (d *draft) bring(code string) string {
	code = fill(d.r, code)
	names := map[string]string{}
	for _, n := range d.v.needs(code) {
		def, _ := d.v.definition(n)
		list := pytext.Statements(pytext.Rename(fill(d.r, def.Code), names))
		if d.holds(list, n) {
			continue
		}
		for _, s := range list {
			for _, b := range s.Binds {
				if free := d.unused(b); free != b && names[b] == "" {
					names[b] = free
				}
			}
		}
		text := pytext.Rename(pytext.Text(list), names)
		if d.notes {
			text = "# " + def.Says + "\n" + text
		}
		d.insert(d.front(), text)
	}
	return pytext.Rename(code, names)
}

// holds reports whether the draft already has the definition of a name, possibly with other
// constants.
func (d *draft) holds(list []pytext.Statement, name string) bool {
	for i := range max(0, d.front()-len(list)+1) {
		have := d.body[i : i+len(list)]
		if have[len(have)-1].BindsName(name) && masked(have) == masked(list) {
			return true
		}
	}
	return false
}

func masked(body []pytext.Statement) string { return pytext.Masked(pytext.Text(body)) }

func (d *draft) prune() {
	live, wanted := make([]bool, len(d.body)), map[string]bool{}
	for changed := true; changed; {
		changed = false
		for i, s := range slices.Backward(d.body) {
			used := slices.ContainsFunc(s.Binds, func(n string) bool { return wanted[n] })
			if live[i] || !s.Exits && len(s.Binds) > 0 && !used {
				continue
			}
			live[i], changed = true, true
			for _, n := range s.Reads {
				wanted[n] = true
			}
		}
	}
	var kept []pytext.Statement
	for i, s := range d.body {
		if live[i] {
			kept = append(kept, s)
		}
	}
	d.body = kept
}

// text returns the body, indented, with blank lines between its stages.
func (d *draft) text() string {
	var b strings.Builder
	front, tail := d.front(), d.tail()
	for i, s := range d.body {
		if i > 0 && (i == front || i == tail) {
			b.WriteString("\n")
		}
		b.WriteString(pytext.Indent(s.Text) + "\n")
	}
	return b.String()
}

func (d *draft) calls(fn string) bool { return pytext.Calls(pytext.Text(d.body), fn) }
