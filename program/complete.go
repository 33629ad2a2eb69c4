package program

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
)

// complete adds imports, constants and helpers that a piece uses without defining them, if other
// blocks of the reply define them. Other missing names stay missing.
func (r *reading) complete(
	ctx context.Context, main piece, target string, opts Extraction,
) (piece, error) {
	var given []string
	for _, g := range opts.Given {
		given = append(given, g.Name)
	}
	missing := Missing(main.analysis, target, given)
	if len(missing) == 0 {
		return main, nil
	}
	imported, err := Imported(ctx, r.an.Analyzer, opts.Imports)
	if err != nil {
		return piece{}, err
	}
	given = append(given, imported...)
	missing = without(missing, imported)
	for _, b := range slices.Concat(r.fenced, r.texts) {
		if len(missing) == 0 || b == main.block && len(b.pieces) < 2 ||
			!b.mayDefine(missing) {
			continue
		}
		if err := r.scan(ctx, b); err != nil {
			return piece{}, err
		}
		for _, p := range slices.Backward(b.pieces) {
			if p.block == main.block && p.from == main.from {
				continue
			}
			roots := among(missing, p.analysis.Binds)
			if len(roots) == 0 {
				continue
			}
			edits := prune(p, roots, dropping{target: target, unread: true})
			part := trimmed(Edited(p.source, edits...))
			source := Assemble(nil, []string{part}, main.source).Source
			a, err := r.an.Analyze(ctx, source)
			if err != nil {
				return piece{}, err
			}
			if a.Syntax != nil {
				continue
			}
			main.source, main.analysis = source, a
			missing = Missing(a, target, given)
		}
	}
	for _, b := range slices.Concat(r.fenced, r.texts) {
		for _, name := range missing {
			if err := b.broken[name]; err != nil {
				return piece{}, err
			}
		}
	}
	return main, nil
}

var word = regexp.MustCompile(`[\pL\pN_]+`)

// mayDefine reports whether a line that begins code in the block contains one of the names.
func (b *scanned) mayDefine(names []string) bool {
	if b.words == nil {
		b.words = map[string]bool{}
		lines := plain(b.text)
		for at := nextBeginning(lines, 0); at < len(lines); at = nextBeginning(lines, at+1) {
			for _, w := range word.FindAllString(lines[at], -1) {
				b.words[w] = true
			}
		}
	}
	return slices.ContainsFunc(names, func(n string) bool { return b.words[n] })
}

// Missing lists the names that a program would not find when target is called, sorted. Such a name
// is certainly read by the target, by the functions and classes it reaches, or by a module-level
// statement, and neither Python, the module nor given provides it. Names that may come from
// elsewhere are not missing; see Func.Missing.
func Missing(a Analysis, target string, given []string) []string {
	missing := map[string]bool{}
	add := func(names []string) {
		for _, n := range without(names, given) {
			missing[n] = true
		}
	}
	reached := append(Reached(a, target), target)
	for _, f := range a.Functions {
		if slices.Contains(reached, f.Name) {
			add(f.Missing)
		}
	}
	for _, c := range a.Classes {
		if slices.Contains(reached, c.Name) {
			add(c.Missing)
		}
	}
	for _, s := range a.Statements {
		add(s.Missing)
	}
	return slices.Sorted(maps.Keys(missing))
}

// CheckModules refuses imports of root modules that are not allowed.
func CheckModules(roots, allowed []string) error {
	refused := without(without(roots, allowed), []string{"__future__"})
	if len(refused) == 0 {
		return nil
	}
	return refuse("the code imports %s; only %s may be imported",
		quoted(refused), cmp.Or(quoted(allowed), "nothing"))
}

// among lists the names that are also in others, in the order of names.
func among(names, others []string) []string {
	return filtered(names, func(n string) bool { return slices.Contains(others, n) })
}

// without lists the names that are not in others, in the order of names.
func without(names, others []string) []string {
	return filtered(names, func(n string) bool { return !slices.Contains(others, n) })
}

func filtered[T any](all []T, keep func(T) bool) (kept []T) {
	for _, one := range all {
		if keep(one) {
			kept = append(kept, one)
		}
	}
	return kept
}
