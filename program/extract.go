package program

import (
	"context"
	"slices"
	"strings"
)

// A Mode is one of the two ways of reading a reply; "" is Shared.
type Mode string

const (
	// Shared finds the program that the model meant, with its imports and helpers, wherever it
	// stands in the reply. It is the default of all methods (eoh.md, section 6.3).
	Shared Mode = "shared"
	// Strict reads as LLM4AD does: the body of the first function under the template's header
	// (eoh.md, section 6.2). It serves comparisons with that platform: it loses imports and helper
	// functions.
	Strict Mode = "strict"
)

// Extraction configures Extract.
type Extraction struct {
	Imports []string // put before every program: bench.Problem.Imports
	// Modules are the root modules that a program may import, apart from what Imports names:
	// bench.Problem.Modules. Nil asks nothing.
	Modules []string
	// Given are functions that a program may call without defining them. A copy of one is taken
	// off.
	Given []Given
	Mode  Mode
	// Analysed says that the reply was to begin with an analysis in square brackets, and that its
	// idea stands behind it. Strict mode does not look.
	Analysed bool
}

// A Given is a function that is added to programs that call it.
type Given struct {
	Name, Source string
}

// Extracted is what a reply holds.
type Extracted struct {
	// Thought is the reply's sentence in braces, else its prose before the code, in braces as well:
	// white space is collapsed, and prose is cut after a sentence to at most 400 characters. It is
	// empty where the reply says nothing.
	Thought string
	// Code is what prompts show of a parent: the kept code without the imports put before it and
	// without the target's docstring. It parses and ends in a line feed.
	Code     string
	Kept     string   // the kept code as it runs: without the imports put before it
	Program  Program  // Imports and Kept, complete
	Analysis Analysis // of Program
}

// Extract takes a program that defines target out of a model's reply: the latest version that the
// reply holds, with what it needs of the reply's other code and without what only shows its use.
// Where the reply lacks it, the error is a *Refusal (ErrNoThought in strict mode, ErrNoCode,
// ErrNoTarget, ErrSyntax), and so is an import that is not allowed (ErrModule). Whether the program
// keeps a contract is not asked here.
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
	if x.Analysis.Syntax != nil { // e.g. an import that must stand first
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

// extractShared returns all but the program and its analysis. The reply is cleaned (reply.go) and
// cut into blocks (blocks.go), and those into pieces that parse (pieces.go). One piece is chosen
// (choose.go) and its idea found (thought.go); then it gets what it needs of the other blocks
// (complete.go) and loses what only shows its use (prune.go). With the analysis of the program, an
// ordinary reply costs two.
func extractShared(
	ctx context.Context, an Analyzer, reply string, target Function, opts Extraction,
) (Extracted, error) {
	r := newReading(an, answer(reply))
	main, err := r.choose(ctx, target)
	if err != nil {
		return Extracted{}, err
	}
	thought := r.thought(main, target.Name, opts.Analysed) // before other code is put in
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
		Code:    trimmed(apply(main.source, shown)),
		Kept:    trimmed(apply(main.source, edits)),
	}, nil
}

// copiesOf lists which functions of a module are copies of given ones: equal up to docstrings,
// comments, annotations, formatting and the names of locals other than parameters.
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

// ended makes a source end in one line feed and no other white space.
func ended(source string) string { return strings.TrimRight(source, " \t\n") + "\n" }

// trimmed is ended without blank lines before the first.
func trimmed(source string) string { return ended(strings.TrimLeft(source, "\n")) }

const maxCalls = 30 // analyser calls spent on finding the code of one reply; our choice

// A bounded analyser refuses further sources after so many calls. Replies that ask for more are
// made to cost time.
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
