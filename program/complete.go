package program

import (
	"context"
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
			part := trimmed(apply(p.source, edits))
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
