// Package program handles the source of a candidate (Program): CPython's analysis of it (Analysis),
// its extraction from a model's reply (Extract), and contracts on the calls that it makes. Start at
// Program and Analyzer. The package runs no code and knows no task.
package program

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Program is a complete candidate: one Python module that defines the target function.
type Program struct {
	Source string `json:"source"`
}

// ID returns the first 16 hex digits of the SHA-256 of the source.
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
	Body    string // default body, unindented; may be empty
}

// A Param is one parameter of a Function.
type Param struct {
	Name, Annotation string
}

// An Analyzer returns CPython's view of a source without executing it. It is safe for concurrent
// use. If CPython refuses the source, the Analysis has a non-nil Syntax; an error means that the
// analyser itself is broken or ctx is done. The sandbox implements it by running AnalyzerSource in
// a confined worker.
type Analyzer interface {
	Analyze(ctx context.Context, source string) (Analysis, error)
}

// An Analysis is the structure of one module. Offsets are byte offsets in the source.
type Analysis struct {
	// Syntax is not nil if CPython refuses the source; all other fields are empty then.
	Syntax    *SyntaxError `json:"syntax,omitempty"`
	Functions []Func       `json:"functions,omitempty"`
	Classes   []Class      `json:"classes,omitempty"` // at module level
	Imports   []Import     `json:"imports,omitempty"` // at module level
	// Statements are the other module-level statements, including a docstring, in order.
	Statements []Statement `json:"statements,omitempty"`
	// Binds are the names that module-level statements bind, including functions and imports,
	// sorted.
	Binds []string `json:"binds,omitempty"`
	// Calls are the global names that module-level statements (outside functions) call, sorted; see
	// Func.Calls.
	Calls []string `json:"calls,omitempty"`
	// Modules are the root modules that any import statement names, at any depth, sorted; "." for a
	// relative import.
	Modules []string `json:"modules,omitempty"`
	// Knobs are the float literals that can be tuned, the first 40 in the order of the source.
	Knobs []Knob `json:"knobs,omitempty"`
}

// A Knob is a positive float literal: its bytes and its value.
type Knob struct {
	Start int     `json:"start"`
	End   int     `json:"end"`
	Value float64 `json:"value"`
}

// Turn replaces the knobs of a source with other positive values, in the order of the knobs. It
// writes each value in the shortest form that Python reads as the same float. The rest of the text
// does not change.
func Turn(source string, knobs []Knob, values []float64) string {
	var edits []Edit
	for i, k := range knobs {
		if values[i] == k.Value {
			continue
		}
		text := Decimal(values[i])
		if source[k.Start] == '.' { // "else.5" needs a space
			text = " " + text
		}
		edits = append(edits, Edit{k.Start, k.End, text})
	}
	return Edited(source, edits...)
}

// Decimal returns the shortest decimal that Python reads as the float x, and not as an int.
func Decimal(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// A SyntaxError is CPython's error.
type SyntaxError struct {
	Line    int    `json:"line"` // from 1; 0 if unknown
	Message string `json:"message"`
}

// An Import is the verbatim text of a module-level import statement and the root modules it names.
type Import struct {
	Source string   `json:"source"`
	Roots  []string `json:"roots"`
	Names  []string `json:"names"` // the names it binds, sorted
	Start  int      `json:"start"`
	End    int      `json:"end"`
}

// A Statement is one module-level statement that is neither a definition nor an import.
type Statement struct {
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Binds   []string `json:"binds,omitempty"`   // global names it binds, sorted
	Changes []string `json:"changes,omitempty"` // see Func.Changes
	Loads   []string `json:"loads,omitempty"`   // global names it reads, sorted
	Missing []string `json:"missing,omitempty"` // see Func.Missing
	Def     string   `json:"def,omitempty"`     // a def that replaces name = lambda ...
	// Literal is the value of an assignment of at most 16 KiB, if Python's ast.literal_eval accepts
	// it: finite numbers, strings, booleans, None, lists. A tuple becomes a list. A dictionary
	// becomes a list of pairs in its order. If the assigned value itself is a dictionary, Literal
	// has the entries with a string as key and a literal as value. Literal is empty for any other
	// value.
	Literal json.RawMessage `json:"literal,omitempty"`
}

// A Span is a part of a source: the offsets of its first byte and of the byte after its last one.
type Span [2]int

// A Class is one top-level class definition. Its Calls are the calls of all its methods: if a class
// or an attribute of it is called, the whole class counts as reached.
type Class struct {
	Name    string   `json:"name"`
	Start   int      `json:"start"` // first byte, decorators included
	End     int      `json:"end"`   // one past the last byte
	Calls   []string `json:"calls,omitempty"`
	Escapes []string `json:"escapes,omitempty"` // see Func.Escapes
	Binds   []string `json:"binds,omitempty"`   // names bound anywhere inside, like Func.Binds
	Loads   []string `json:"loads,omitempty"`   // see Func.Loads
	// Missing is described at Func.Missing.
	Missing []string `json:"missing,omitempty"`
}

// A Func is one top-level function definition.
type Func struct {
	Name   string   `json:"name"`
	Params []string `json:"params"` // in order, *args and **kwargs without their stars
	// Defaults are the positions of the parameters' defaults, one for each of Params, zero for a
	// parameter without a default; nil if no parameter has one. Parentheses around a default are
	// not included.
	Defaults []Span `json:"defaults,omitempty"`
	// MinArgs and MaxArgs bound the positional arity; MaxArgs is -1 with *args. If required
	// keyword-only parameters make a function uncallable by position, MinArgs is -1.
	MinArgs int    `json:"min_args"`
	MaxArgs int    `json:"max_args"`
	Async   bool   `json:"async,omitempty"` // async def: calling it runs nothing
	Doc     string `json:"doc,omitempty"`   // without its indentation
	Start   int    `json:"start"`           // first byte, decorators included
	End     int    `json:"end"`             // one past the last byte
	// DocStart and DocEnd bound the docstring's literal; both are 0 without a docstring.
	DocStart int `json:"doc_start,omitempty"`
	DocEnd   int `json:"doc_end,omitempty"`
	// BodyStart is the first byte of the first statement after the docstring, or End if the body is
	// only a docstring.
	BodyStart  int `json:"body_start"`
	Statements int `json:"statements"` // statements at any depth, docstrings not counted
	// Calls are the global names that the function may call, sorted: it calls the name, calls an
	// alias of it, or passes it as a value to a call (design decision D8). Only reachable
	// statements count, and nested functions only if they are reached. Names that the function
	// binds itself are not global.
	Calls []string `json:"calls,omitempty"`
	// Escapes are the global names that leave the function uncalled: it may return or yield them as
	// values, or a value that it returns calls them. Callers of the function count as calling them.
	Escapes []string `json:"escapes,omitempty"`
	// Loads are all global names that the function reads, reachable or not, sorted. They include
	// builtins and the names in defaults, decorators and annotations.
	Loads []string `json:"loads,omitempty"`
	// Free is Loads without Python's builtins and without the function's own name.
	Free []string `json:"free,omitempty"`
	// Missing are the names in Free that nothing in the module binds, sorted. A name is not missing
	// if each of its reads is unreachable or in a try statement that catches NameError. No name is
	// missing in a module that imports * or that calls exec, globals or vars.
	Missing []string `json:"missing,omitempty"`
	// Changes are the global names that the function binds, or whose objects it may change, sorted:
	// it stores into them, or they are the receiver or an argument of a method that is called for
	// its effect.
	Changes []string `json:"changes,omitempty"`
	// Modules are the root modules imported inside the function, sorted.
	Modules []string `json:"modules,omitempty"`
	// Binds are the names bound anywhere inside: parameters, assignments, loop variables, imports,
	// nested definitions, comprehension variables, global and nonlocal declarations, sorted.
	Binds []string `json:"binds,omitempty"`
	// Fingerprint is the digest of the syntax tree with masked docstrings, annotations, names and
	// numeric constants: functions that differ only in these parts have the same fingerprint.
	Fingerprint string `json:"fingerprint"`
	// Digest is the digest of the definition, ignoring its docstring, its annotations, the names of
	// its locals and formatting.
	Digest string `json:"digest"`
	// BodyDigest is the digest of the body's tree, ignoring the names of locals but not constants.
	BodyDigest string `json:"body_digest"`
	// BodyDigestWithout maps a called global name to the BodyDigest of the body without the
	// statements whose only effect is to call it and whose results are never read. It contains only
	// names with such statements.
	BodyDigestWithout map[string]string `json:"body_digest_without,omitempty"`
	// Refs are the offsets at which the function's name occurs in the module as a definition or as
	// a global name.
	Refs []int `json:"refs,omitempty"`
}

// Func returns the top-level function with the given name. If there are several, it returns the
// last one, which Python would call.
func (a Analysis) Func(name string) (Func, bool) {
	for _, f := range slices.Backward(a.Functions) {
		if f.Name == name {
			return f, true
		}
	}
	return Func{}, false
}

//go:embed analysis/*.py
var analysisFiles embed.FS

// analysisModules are the modules of package analysis; each comes after the modules it imports.
var analysisModules = []string{
	"tree", "positions", "knobs", "literals", "digests", "scopes", "calls",
	"expressions", "statements", "definitions", "stripping", "module", "parts",
}

// AnalyzerSource is the Python that an Analyzer runs: analyze(source) returns the JSON form of
// Analysis, or of Parts for a PartsRequest. The text contains all modules of the folder analysis.
// The code reads no files, needs only the standard library, and does not execute the source. Caches
// of analyses must include its digest in their keys.
var AnalyzerSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("import sys, types\n\n\ndef load(name, source):\n" +
		"    module = sys.modules[name] = types.ModuleType(name)\n" +
		"    exec(compile(source, f\"<{name}>\", \"exec\"), vars(module))\n\n\n")
	for _, name := range analysisModules {
		source, err := analysisFiles.ReadFile("analysis/" + name + ".py")
		if err != nil {
			panic(err) // the modules are embedded
		}
		quoted, err := json.Marshal(string(source)) // JSON strings are also Python literals
		if err != nil {
			panic(err)
		}
		b.WriteString("load(\"analysis." + name + "\", " + string(quoted) + ")\n")
	}
	b.WriteString("from analysis.parts import answer as analyze\n")
	return b.String()
})
