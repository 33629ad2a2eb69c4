// Package program treats a candidate as a value: its source (Program), what CPython says
// about it (Analysis), how it is taken out of a model's reply (Extract), and whether it
// keeps a contract over the calls it makes. Start at Program and Analyzer. It runs no code
// and knows no task.
package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
)

// A Program is a complete candidate: one Python module that defines the target function.
type Program struct {
	Source string `json:"source"`
}

// ID is the first 16 hex digits of the SHA-256 of the source.
func (p Program) ID() string {
	sum := sha256.Sum256([]byte(p.Source))
	return hex.EncodeToString(sum[:8])
}

// A Function describes the target that a candidate must define.
type Function struct {
	Name   string
	Params []Param
	// Returns is the return annotation, e.g. "np.ndarray"; empty for none.
	Returns string
	Doc     string // docstring text: arguments, shapes, return value
	Body    string // default body, unindented; empty for none. ReEvo and HSEvo show it first
}

// A Param is one parameter of a Function.
type Param struct {
	Name, Annotation string
}

// An Analyzer says what CPython sees in a source, without executing it. It is safe for
// concurrent use. A source that CPython refuses is an Analysis with a non-nil Syntax, not
// an error; an error means that the analyser itself is broken or ctx is done.
// Implemented by the sandbox, which runs AnalyzerSource in a confined worker.
type Analyzer interface {
	Analyze(ctx context.Context, source string) (Analysis, error)
}

// An Analysis is the structure of one module. Offsets are byte offsets in the source.
type Analysis struct {
	// Syntax is not nil where CPython refuses the source; all else is empty then.
	Syntax    *SyntaxError `json:"syntax,omitempty"`
	Functions []Func       `json:"functions,omitempty"`
	Classes   []Class      `json:"classes,omitempty"` // at module level
	Imports   []Import     `json:"imports,omitempty"` // at module level
	// Statements are the other module-level statements, a docstring included, in order.
	Statements []Statement `json:"statements,omitempty"`
	// Binds are the names that module-level statements bind, functions and imports included,
	// sorted.
	Binds []string `json:"binds,omitempty"`
	// Calls are the global names that module-level statements (outside functions) call, sorted; see
	// Func.Calls.
	Calls []string `json:"calls,omitempty"`
	// Modules are the root modules that any import statement names, at any depth, sorted; "." for a
	// relative one.
	Modules []string `json:"modules,omitempty"`
	// Knobs are the float literals that may be tuned, the first 40 in the order of the source.
	Knobs []Knob `json:"knobs,omitempty"`
}

// A Knob is a positive float literal: its bytes and its value.
type Knob struct {
	Start int     `json:"start"`
	End   int     `json:"end"`
	Value float64 `json:"value"`
}

// Turn replaces the knobs of a source, in their order, by other positive values, each in the
// shortest form that Python reads as the same float. All other text stays.
func Turn(source string, knobs []Knob, values []float64) string {
	var b strings.Builder
	at := 0
	for i, k := range knobs {
		text := source[k.Start:k.End]
		if values[i] != k.Value {
			text = strconv.FormatFloat(values[i], 'g', -1, 64)
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
			if source[k.Start] == '.' { // "else.5"
				text = " " + text
			}
		}
		b.WriteString(source[at:k.Start])
		b.WriteString(text)
		at = k.End
	}
	b.WriteString(source[at:])
	return b.String()
}

// A SyntaxError is CPython's refusal, with its own words.
type SyntaxError struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// An Import is one module-level import statement's line(s), verbatim, and the root modules it
// names.
type Import struct {
	Source string   `json:"source"`
	Roots  []string `json:"roots"`
	Names  []string `json:"names"` // the names it binds, sorted
	Start  int      `json:"start"`
	End    int      `json:"end"`
}

// A Statement is one module-level statement that defines and imports nothing.
type Statement struct {
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Binds   []string `json:"binds,omitempty"`   // global names it binds, sorted
	Changes []string `json:"changes,omitempty"` // names whose objects it may change, see Func
	Loads   []string `json:"loads,omitempty"`   // global names it reads, sorted
	Missing []string `json:"missing,omitempty"` // see Func.Missing
	Def     string   `json:"def,omitempty"`     // name = lambda ..., written as a def
	// Literal is the value of an assignment of at most 16 KiB, as far as Python's ast.literal_eval
	// takes it: numbers (finite), strings, truth values, None, lists; a tuple is a list and a
	// dictionary a list of pairs in its order. Of the dictionary that is assigned itself, the
	// entries that are literals with a string for a key are given. It is empty for all else.
	Literal json.RawMessage `json:"literal,omitempty"`
}

// A Span is a part of a source: its first byte, and one past its last.
type Span [2]int

// A Class is one top-level class definition. Its Calls are what all its methods call: a
// class that is called or whose attribute is called counts as reached whole.
type Class struct {
	Name    string   `json:"name"`
	Start   int      `json:"start"` // first byte, decorators included
	End     int      `json:"end"`   // one past the last byte
	Calls   []string `json:"calls,omitempty"`
	Escapes []string `json:"escapes,omitempty"` // see Func.Escapes
	Binds   []string `json:"binds,omitempty"`   // names bound anywhere inside, as Func.Binds
	Loads   []string `json:"loads,omitempty"`   // see Func.Loads
	// Missing is as in Func.
	Missing []string `json:"missing,omitempty"`
}

// A Func is one top-level function definition.
type Func struct {
	Name   string   `json:"name"`
	Params []string `json:"params"` // in order, *args and **kwargs without their stars
	// Defaults are where the parameters' defaults stand, one for each of Params, zero for one
	// without; nil when none has one. Parentheses around a default are not part of it.
	Defaults []Span `json:"defaults,omitempty"`
	// MinArgs and MaxArgs bound the positional arity; MaxArgs is -1 with *args. Required
	// keyword-only parameters make a function uncallable by position: MinArgs is then -1.
	MinArgs int    `json:"min_args"`
	MaxArgs int    `json:"max_args"`
	Async   bool   `json:"async,omitempty"` // async def: calling it runs nothing
	Doc     string `json:"doc,omitempty"`   // cleaned of its indentation
	Start   int    `json:"start"`           // first byte, decorators included
	End     int    `json:"end"`             // one past the last byte
	// DocStart and DocEnd bound the docstring's literal; both are 0 without one.
	DocStart int `json:"doc_start,omitempty"`
	DocEnd   int `json:"doc_end,omitempty"`
	// BodyStart is the first byte of the first statement after the docstring's line, or End when
	// the body is only a docstring.
	BodyStart  int `json:"body_start"`
	Statements int `json:"statements"` // statements at any depth, docstrings not counted
	// Calls are the global names that the function reaches as calls, sorted: called by name, called
	// through an alias, or handed on as a value to a call (design decision D8), in statements that
	// can be reached, nested functions included when they are themselves reached. Names that the
	// function binds itself are not global.
	Calls []string `json:"calls,omitempty"`
	// Escapes are the global names that leave the function uncalled: it may give them back as
	// values (return, yield), or what it gives back calls them. They count as called by whoever
	// calls this function.
	Escapes []string `json:"escapes,omitempty"`
	// Loads are all global names that the function reads, reachable or not, builtins, defaults,
	// decorators and annotations included, sorted.
	Loads []string `json:"loads,omitempty"`
	// Free is Loads without Python's builtins and without the function's own name.
	Free []string `json:"free,omitempty"`
	// Missing are the names in Free that nothing in the module binds, sorted. A name that is read
	// only where it cannot be reached, or where a NameError is caught, is not missing; nor is any
	// in a module that imports *, or that calls exec, globals or vars.
	Missing []string `json:"missing,omitempty"`
	// Changes are the global names that the function binds, or whose objects it may change: it
	// stores into them, or they are receiver or argument of a method called for its effect. Sorted.
	Changes []string `json:"changes,omitempty"`
	// Modules are the root modules imported inside the function, sorted.
	Modules []string `json:"modules,omitempty"`
	// Binds are the names bound anywhere inside: parameters, assignments, loop variables, imports,
	// nested definitions, comprehension variables, global and nonlocal declarations, sorted.
	Binds []string `json:"binds,omitempty"`
	// Fingerprint is the digest of the syntax tree with docstrings, annotations, names and numeric
	// constants masked: equal for programs that differ only in those.
	Fingerprint string `json:"fingerprint"`
	// Digest is the digest of the definition up to its docstring, its annotations, the names of its
	// locals and formatting.
	Digest string `json:"digest"`
	// BodyDigest is the digest of the body's tree up to renaming of local names, constants kept.
	BodyDigest string `json:"body_digest"`
	// BodyDigestWithout maps a called global name to the BodyDigest that is left when the
	// statements whose only effect is to call it, and whose results are never read, are taken out.
	// It holds only names for which there are such statements.
	BodyDigestWithout map[string]string `json:"body_digest_without,omitempty"`
	// Refs are the offsets at which the module spells the function's name as a definition or as a
	// global name.
	Refs []int `json:"refs,omitempty"`
}

// Func returns the top-level function of that name; with several definitions the last one, which
// Python would call.
func (a Analysis) Func(name string) (Func, bool) {
	for i := len(a.Functions) - 1; i >= 0; i-- {
		if a.Functions[i].Name == name {
			return a.Functions[i], true
		}
	}
	return Func{}, false
}
