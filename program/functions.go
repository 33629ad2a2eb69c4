package program

import (
	"context"
	"slices"
	"strings"
)

// A Definition is one function from a reply to a prompt that asks for functions.
type Definition struct {
	Name   string
	Source string // verbatim, including decorators; ends in a line feed
	Func   Func   // as in the reply's code, including offsets
	// Imports are the reply's import statements that bind a name the function reads.
	Imports []Import
}

func (d Definition) imported() (names []string) {
	for _, i := range d.Imports {
		names = append(names, i.Names...)
	}
	return names
}

// ExtractFunctions returns the top-level functions of a reply, in order: from all fenced blocks or,
// if these have no definition, from unfenced text. Definitions with the same text count once;
// different definitions of a name are all returned. If the reply has no function, the error is a
// *Refusal.
func ExtractFunctions(ctx context.Context, an Analyzer, reply string) ([]Definition, error) {
	reply, err := tidy(reply)
	if err != nil {
		return nil, err
	}
	r := newReading(an, answer(reply))
	var found []Definition
	var first error
	for _, b := range r.withDefinitions() {
		if err := r.scan(ctx, b); err != nil {
			return nil, err
		}
		for _, p := range b.pieces {
			for _, f := range p.analysis.Functions {
				d := Definition{Name: f.Name, Source: p.source[f.Start:f.End] + "\n", Func: f}
				d.take(p.analysis.Imports, f.Free)
				same := func(o Definition) bool { return o.Source == d.Source }
				if !slices.ContainsFunc(found, same) {
					found = append(found, d)
				}
			}
		}
		if first == nil {
			first = b.refusal
		}
	}
	switch {
	case len(found) > 0:
		return found, r.addImports(ctx, found)
	case first != nil:
		return nil, first
	}
	return nil, refuse("the reply holds no function definition")
}

func (d *Definition) take(imports []Import, names []string) {
	for _, i := range imports {
		if len(among(i.Names, names)) > 0 {
			d.Imports = append(d.Imports, i)
		}
	}
}

// addImports adds the needed imports that are in other blocks.
func (r *reading) addImports(ctx context.Context, found []Definition) error {
	for i := range found {
		d := &found[i]
		for _, b := range r.fenced {
			missing := without(d.Func.Missing, d.imported())
			if len(missing) == 0 || !b.mayDefine(missing) {
				continue
			}
			if err := r.scan(ctx, b); err != nil {
				return err
			}
			for _, p := range b.pieces {
				d.take(p.analysis.Imports, missing)
			}
		}
	}
	return nil
}

// Renamed returns the source with another name for the function, also in its recursive calls.
func (d Definition) Renamed(name string) string {
	var edits []Edit
	for _, e := range spelledAs(d.Func, name) {
		if e.Start >= d.Func.Start && e.Start < d.Func.End {
			edits = append(edits, Edit{e.Start - d.Func.Start, e.End - d.Func.Start, name})
		}
	}
	return Edited(d.Source, edits...)
}

// CheckSelfContained refuses a definition that reads anything but its parameters, its locals,
// Python's builtins, given names and allowed modules. Its own imports may name only allowed
// modules.
func CheckSelfContained(d Definition, given, modules []string) error {
	if open := without(without(d.Func.Free, given), d.imported()); len(open) > 0 {
		return refuse("`%s` uses %s, which is neither one of its parameters nor defined inside it",
			d.Name, quoted(open))
	}
	var roots []string
	for _, i := range d.Imports { // a refusal names a twice for "from a import b, c"
		roots = append(roots, slices.Repeat(i.Roots, max(1, len(i.Names)/len(i.Roots)))...)
	}
	return CheckModules(append(roots, d.Func.Modules...), modules)
}

// Imported lists the names that import lines bind.
func Imported(ctx context.Context, an Analyzer, lines []string) ([]string, error) {
	a, err := an.Analyze(ctx, ended(strings.Join(lines, "\n")))
	return a.Binds, err
}
