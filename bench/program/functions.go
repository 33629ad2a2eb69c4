package program

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Definition is one function of a reply that holds definitions only.
type Definition struct {
	Name   string
	Source string // exactly as written, decorators included, ends in a line feed
	Func   Func   // as in the reply's code, offsets too
	// Imports are the reply's import statements that bind a name the function reads.
	Imports []string
}

// ExtractFunctions takes the top-level functions out of a reply, from all its fenced blocks, else
// from unfenced text, in order. The same text twice is one definition; two definitions of a name
// are two. A reply without any is a *Refusal.
func ExtractFunctions(ctx context.Context, an Analyzer, reply string) ([]Definition, error) {
	reply, err := tidy(reply)
	if err != nil {
		return nil, err
	}
	r := newReading(&bounded{an, maxCalls}, answer(reply))
	blocks := r.withDefinitions()
	var found []Definition
	var first error
	for _, b := range blocks {
		if err := r.scan(ctx, b); err != nil {
			return nil, err
		}
		for _, p := range b.pieces {
			found = appendDefinitions(found, p)
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
	return nil, refuse(ErrNoCode, "the reply holds no function definition")
}

func appendDefinitions(found []Definition, p piece) []Definition {
	for _, f := range p.analysis.Functions {
		d := Definition{Name: f.Name, Source: p.source[f.Start:f.End] + "\n", Func: f}
		if slices.ContainsFunc(found, func(o Definition) bool { return o.Source == d.Source }) {
			continue
		}
		d.take(p.analysis.Imports, f.Free)
		found = append(found, d)
	}
	return found
}

// take adds the imports that bind one of the names.
func (d *Definition) take(imports []Import, names []string) {
	for _, i := range imports {
		if len(among(i.Names, names)) > 0 {
			d.Imports = append(d.Imports, i.Source)
		}
	}
}

// addImports finds the imports that stand in a block without definitions.
func (r *reading) addImports(ctx context.Context, found []Definition) error {
	for i := range found {
		d := &found[i]
		for _, b := range r.fenced {
			missing := without(d.Func.Missing, ImportedNames(d.Imports))
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

// Renamed is the source under another name, recursive calls included.
func (d Definition) Renamed(name string) string {
	var edits []edit
	for _, e := range spelledAs(d.Func, name) {
		if e.start >= d.Func.Start && e.start < d.Func.End {
			edits = append(edits, edit{e.start - d.Func.Start, e.end - d.Func.Start, name})
		}
	}
	return apply(d.Source, edits)
}

// CheckSelfContained refuses a definition that reads anything but its parameters, its locals,
// Python's builtins and the modules it may use. preface are the import lines of every program; its
// own imports may name only modules.
func CheckSelfContained(d Definition, preface, modules []string) error {
	given := ImportedNames(preface)
	given = append(given, ImportedNames(d.Imports)...)
	if open := without(d.Func.Free, given); len(open) > 0 {
		return refuse(ErrOpen,
			"`%s` uses %s, which is neither one of its parameters nor defined inside it",
			d.Name, quoted(open))
	}
	return CheckModules(append(importedRoots(d.Imports), d.Func.Modules...), modules)
}

// importClauses splits simple import statements into (module, "imported as") pairs.
func importClauses(statements []string) [][2]string {
	var found [][2]string
	for _, s := range statements {
		s = strings.NewReplacer("\\\n", " ", "\n", " ", "(", " ", ")", " ").Replace(s)
		module, list := "", ""
		if rest, ok := strings.CutPrefix(strings.TrimSpace(s), "from "); ok {
			module, list, _ = strings.Cut(rest, " import ")
			module = strings.TrimSpace(module)
		} else if list, ok = strings.CutPrefix(strings.TrimSpace(s), "import "); !ok {
			continue
		}
		for clause := range strings.SplitSeq(list, ",") {
			words := strings.Fields(clause)
			if len(words) == 0 {
				continue
			}
			name := words[len(words)-1]
			from := module
			if from == "" {
				from = words[0]
			}
			if module == "" && len(words) == 1 {
				name, _, _ = strings.Cut(name, ".")
			}
			found = append(found, [2]string{from, name})
		}
	}
	return found
}

// ImportedNames lists the names that simple import statements bind, in order.
func ImportedNames(statements []string) []string {
	var names []string
	for _, c := range importClauses(statements) {
		names = append(names, c[1])
	}
	return names
}

func importedRoots(statements []string) []string {
	var roots []string
	for _, c := range importClauses(statements) {
		root, _, _ := strings.Cut(c[0], ".")
		if root == "" {
			root = "."
		}
		roots = append(roots, root)
	}
	return roots
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return quoted(names)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
