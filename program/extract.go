package program

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

// A Mode is a set of rules for reading replies; "" is Shared.
type Mode string

const (
	// Shared finds the intended program, with its imports and helpers, anywhere in the reply. All
	// methods use it by default.
	Shared Mode = "shared"
	// Strict reads replies as LLM4AD does: it puts the body of the first function under the
	// template's header. It loses imports and helper functions; use it to compare with LLM4AD
	// (docs/fidelity.md, Replies).
	Strict Mode = "strict"
)

// Extraction configures Extract.
type Extraction struct {
	Imports []string // put before every program: bench.Problem.Imports
	// Modules are the root modules that a program may import in addition to Imports:
	// bench.Problem.Modules. If nil, all modules are allowed.
	Modules []string
	// Given are functions that a program may call without defining them. Copies of them are
	// removed.
	Given []Given
	Mode  Mode
	// Analysed means that the prompt asked for an analysis in square brackets before the idea.
	// Strict mode ignores it.
	Analysed bool
}

// A Given is a function that is added to programs that call it.
type Given struct {
	Name, Source string
}

// Extracted holds the program and the idea of a reply.
type Extracted struct {
	// Thought is the reply's sentence in braces, or else its prose before the code, put in braces.
	// White space is collapsed, and prose is cut to at most 400 characters, if possible after a
	// sentence. Thought is empty if the reply has neither.
	Thought string
	// Code is the kept code as prompts show it for a parent: without the imports that Extract adds
	// and without the target's docstring. It parses and ends in a line feed.
	Code     string
	Kept     string   // the code as it runs, without the added imports
	Program  Program  // Imports and Kept, complete
	Analysis Analysis // of Program
}

// Extract returns the program in a model's reply that defines target: the latest version in the
// reply, with the parts of the reply's other code that it needs, and without examples of its use.
// If the reply has no such program, the error is a *Refusal (ErrNoThought in strict mode,
// ErrNoCode, ErrCut, ErrNoTarget, ErrSyntax). An import that is not allowed is a *Refusal too
// (ErrModule). Extract does not check whether the program keeps a method's contract.
func Extract(
	ctx context.Context, an Analyzer, reply string, target Function, opts Extraction,
) (Extracted, error) {
	reply, err := tidy(reply)
	if err != nil {
		return Extracted{}, err
	}
	var x Extracted
	if opts.Mode == Strict {
		x, err = extractStrict(ctx, an, reply, target)
	} else {
		x, err = extractShared(ctx, an, reply, target, opts)
	}
	if err != nil {
		return Extracted{}, err
	}
	x.Program = Assemble(opts.Imports, nil, x.Kept)
	if x.Analysis, err = an.Analyze(ctx, x.Program.Source); err != nil {
		return Extracted{}, err
	}
	if x.Analysis.Syntax != nil { // e.g. an import that must come first
		return Extracted{}, refuseSyntax(*x.Analysis.Syntax)
	}
	if opts.Modules != nil {
		allowed := slices.Clone(opts.Modules)
		for _, i := range x.Analysis.Imports {
			if slices.Contains(opts.Imports, i.Source) {
				allowed = append(allowed, i.Roots...)
			}
		}
		slices.Sort(allowed)
		if err := CheckModules(x.Analysis.Modules, slices.Compact(allowed)); err != nil {
			return Extracted{}, err
		}
	}
	return x, nil
}

// extractShared returns all fields except the program and its analysis. It cleans the reply
// (reply.go), cuts it into blocks (blocks.go), and cuts the blocks into pieces that parse
// (pieces.go). It chooses one piece (choose.go) and finds its idea (thought.go). It adds the needed
// code of other blocks (complete.go) and removes examples of use (prune.go). An ordinary reply
// takes two calls of the analyser, including the analysis of the program.
func extractShared(
	ctx context.Context, an Analyzer, reply string, target Function, opts Extraction,
) (Extracted, error) {
	r := newReading(an, answer(reply))
	main, err := r.choose(ctx, target)
	if err != nil {
		return Extracted{}, err
	}
	thought := r.thought(main, target.Name, opts.Analysed) // before other code is added
	if main, err = r.complete(ctx, main, target.Name, opts); err != nil {
		return Extracted{}, err
	}
	copies, err := copiesOf(ctx, an, main.analysis, opts.Given)
	if err != nil {
		return Extracted{}, err
	}
	edits := prune(main, []string{target.Name}, dropping{
		target: target.Name, preface: opts.Imports, modules: opts.Modules, copies: copies,
	})
	f, _ := main.analysis.Func(target.Name)
	shown := append(slices.Clone(edits), withoutDoc(main.source, f)...)
	return Extracted{
		Thought: thought,
		Code:    trimmed(Edited(main.source, shown...)),
		Kept:    trimmed(Edited(main.source, edits...)),
	}, nil
}

// copiesOf lists the functions of a module that are copies of given functions: equal up to
// docstrings, comments, annotations, formatting and the names of locals other than parameters.
func copiesOf(ctx context.Context, an Analyzer, a Analysis, given []Given) ([]string, error) {
	var copies []string
	for _, g := range given {
		f, ok := a.Func(g.Name)
		if !ok {
			continue
		}
		b, err := an.Analyze(ctx, g.Source)
		if err != nil {
			return nil, err
		}
		if o, ok := b.Func(g.Name); ok && o.Digest == f.Digest && slices.Equal(o.Params, f.Params) {
			copies = append(copies, g.Name)
		}
	}
	return copies, nil
}

// ended makes a source end in one line feed.
func ended(source string) string { return strings.TrimRight(source, " \t\n") + "\n" }

// trimmed is ended without leading blank lines.
func trimmed(source string) string { return ended(strings.TrimLeft(source, "\n")) }

const maxCalls = 30 // bounds the analyser calls for one reply

// A bounded analyser refuses further sources after a number of calls. A reply that needs more calls
// was made to waste time.
type bounded struct {
	Analyzer
	left int
}

func (b *bounded) Analyze(ctx context.Context, source string) (Analysis, error) {
	if b.left == 0 {
		return Analysis{}, refuse(
			"the reply holds too many pieces of code that are not valid Python")
	}
	b.left--
	return b.Analyzer.Analyze(ctx, source)
}

// future matches the imports that Python requires before all others.
var future = regexp.MustCompile(`(?m)^from[ \t]+__future__[ \t]+import\b[^\n]*\n?`)

// Assemble writes a complete program: imports without duplicates, helper definitions in the given
// order, and the code of the target. Imports from __future__ come first.
func Assemble(imports, helpers []string, code string) Program {
	var head []string
	add := func(line string) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(head, line) {
			head = append(head, line)
		}
	}
	hoist := func(text string) string {
		for _, line := range future.FindAllString(text, -1) {
			add(line)
		}
		return strings.Trim(future.ReplaceAllString(text, ""), "\n")
	}
	var parts []string
	for _, text := range append(slices.Clone(helpers), code) {
		if text = hoist(text); text != "" {
			parts = append(parts, text)
		}
	}
	for _, i := range imports {
		add(i)
	}
	if len(head) > 0 {
		parts = slices.Insert(parts, 0, strings.Join(head, "\n"))
	}
	return Program{Source: strings.Join(parts, "\n\n\n") + "\n"}
}
