package offline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Vocabulary is what the model can say about one target function. All code in it is Python
// text with slots: "@{0.1~0.9}" is a number drawn between the bounds, "@{3|5|8}" one of the
// alternatives. Names that Define explains are brought along by whatever uses them.
type Vocabulary struct {
	Target  string // the target's name without a version suffix
	Header  string // the signature where a prompt shows none
	Subject string // what is scored, for sentences: "candidates", "edges"
	Define  []Definition
	Outputs []Output
	// Shifts are statements that adjust an output between its first assignment and the closing.
	Shifts []Phrase
	// Closings end the function. The first one is the plainest.
	Closings []Phrase
	// Native is the shape of an output and of its terms.
	Native Shape
	// Shapes say how the result of a helper function enters an output, by the shape of the result.
	Shapes map[Shape]Use
	// Each names the parameter of a helper that works on a single element, e.g. "node"; Over is what it runs over.
	Each, Over string
	// Spare gives arguments for parameters of helpers that are no inputs of the target.
	Spare map[string]string
	// Scalars are expressions for a single number, for helpers that return one.
	Scalars []Phrase
	// Indices are expressions for one element.
	Indices []Phrase
	// Helpers are complete helper functions in other styles than the ones composed from terms.
	Helpers []Phrase
	Faults  Faults
}

// A Definition binds Name (and perhaps auxiliary names) by Code.
type Definition struct {
	Name, Code, Says string
}

// A Phrase is code with what it does, for sentences: "prefers …", a verb in the third person.
type Phrase struct {
	Code, Says string
	Rare       bool // one in thirty of the others' share: costly ones
}

// An Output is a variable that a program builds up from terms and that its closing turns into
// the answer. A program for a controller has one per actuator.
type Output struct {
	Name    string
	Product bool     // terms are factors
	Main    []Phrase // every fresh program has one of them
	Terms   []Term
	// Forms are ways to shape a term, X standing for it. Forms that need X ≥ 0 begin with "+".
	Forms []string
	// Weights are ways to weigh a shaped term, X standing for it.
	Weights []string
}

// A Term is an expression that may enter an output.
type Term struct {
	Name   string // for identifiers: "isolation"
	Code   string
	Says   string // a noun phrase: "how isolated a node is"
	Signed bool   // may be negative: no roots, no fractional powers
	Rare   bool
}

// A Shape is the shape of a helper's result.
type Shape string

// The shapes that vocabularies distinguish. A result of unknown shape is made a Vector by Use.Wrap.
const (
	Vector Shape = "vector" // one value per element that is scored, or per node
	Matrix Shape = "matrix" // one value per pair of nodes
	Scalar Shape = "scalar"
	Index  Shape = "index" // one element
)

// A Use says how a helper's result enters an output.
type Use struct {
	Phrases []string // words in a docstring or annotation by which the shape is recognised
	Returns string   // the annotation of such helpers
	Doc     string   // how their docstrings end
	Terms   []string // expressions with X for the variable that holds the result
	Neutral string   // what replaces a call when the helper is taken out
	Wrap    string   // statement that makes sure of the shape, X for the variable; for results of unknown shape
}

// Faults are the mistakes of programs, as code.
type Faults struct {
	Raises  []string // statements that raise
	Invalid []string // closings whose result the evaluator refuses
	Loops   []string // statements that never end
	Slow    []string // statements that take long
}

type shape = Shape

// fill draws the slots of a template.
func fill(r *rand.Rand, code string) string {
	if !strings.Contains(code, "@{") {
		return code
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(code, "@{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		code = after
		if lo, hi, ok := strings.Cut(slot, "~"); ok {
			l, errLo := strconv.ParseFloat(lo, 64)
			h, errHi := strconv.ParseFloat(hi, 64)
			if errLo != nil || errHi != nil {
				panic(fmt.Sprintf("offline: bad slot %q", slot))
			}
			b.WriteString(decimal(l + (h-l)*r.Float64()))
		} else {
			b.WriteString(pick(r, strings.Split(slot, "|")))
		}
	}
}

// decimal writes a number with two significant digits, as people write constants.
func decimal(x float64) string { return round(x, 2) }

// round writes a number with so many significant digits, as a Python float.
func round(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		format := byte('f')
		if size := math.Abs(v); v != 0 && (size < 1e-4 || size >= 1e6) {
			format = 'g'
		}
		text = strconv.FormatFloat(v, format, -1, 64)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// chance draws true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// pickRare draws from a list in which rare entries have an eighth of the others' share.
func pickRare[T any](r *rand.Rand, list []T, rare func(T) bool) T {
	for range 64 {
		if x := pick(r, list); !rare(x) || chance(r, 1.0/30) {
			return x
		}
	}
	return list[0]
}

func (v *Vocabulary) phrase(r *rand.Rand, list []Phrase) Phrase {
	return pickRare(r, list, func(p Phrase) bool { return p.Rare })
}

func (o *Output) term(r *rand.Rand) Term {
	return pickRare(r, o.Terms, func(t Term) bool { return t.Rare })
}

// definition finds a definition by the name it binds.
func (v *Vocabulary) definition(name string) (Definition, bool) {
	i := slices.IndexFunc(v.Define, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return Definition{}, false
	}
	return v.Define[i], true
}

// needs lists the names that code takes from Define, with what those need in turn, in the
// order of Define, which is an order of evaluation.
func (v *Vocabulary) needs(code string) []string {
	wanted := map[string]bool{}
	var visit func(code, self string)
	visit = func(code, self string) {
		for i, tokens := 0, lex(code); i < len(tokens); i++ {
			n := tokens[i].text(code)
			if tokens[i].kind != name || n == self || wanted[n] || i > 0 && tokens[i-1].is(code, ".") {
				continue
			}
			if d, ok := v.definition(n); ok {
				wanted[n] = true
				visit(d.Code, n)
			}
		}
	}
	visit(code, "")
	var order []string
	for _, d := range v.Define {
		if wanted[d.Name] {
			order = append(order, d.Name)
		}
	}
	return order
}

// Vocabularies are the vocabularies that come with the model.
func Vocabularies() []Vocabulary {
	return []Vocabulary{SelectNextNode(), Heuristics()}
}
