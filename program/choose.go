package program

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// choose returns the piece that holds the intended program, with its function under the target's
// name. It takes the highest version, because some methods show numbered versions of the function,
// or else the last complete function. If no function has the target's name, it takes the function
// with the same parameters, or else the only function.
func (r *reading) choose(ctx context.Context, target Function) (piece, error) {
	found, refusal, err := r.try(ctx, r.ordered(target.Name), target, latest)
	if err == nil && found.block == nil && refusal != nil {
		if whole, ok := between(r.text); ok {
			found, _, err = r.try(ctx, []*scanned{{block: whole}}, target, latest)
		}
	}
	if err == nil && found.block == nil && refusal == nil {
		all := r.withDefinitions()
		for _, pick := range []picker{alike, only} {
			if err == nil && found.block == nil {
				found, refusal, err = r.try(ctx, all, target, pick)
			}
		}
	}
	switch {
	case err != nil:
		return piece{}, err
	case found.block != nil:
		return r.named(ctx, found, target.Name)
	case refusal == nil:
		refusal = refuse("the reply holds no function definition")
	}
	return piece{}, refusal
}

// A choice is a piece and the target's name in it.
type choice struct {
	piece
	name string
}

// A picker returns the name of the target function in a piece, or an error that says why the piece
// has no target function.
type picker func(p piece, target Function) (string, error)

// try returns the first piece in which pick finds the target, or else the first refusal. It tries
// the last piece of a block first. A function without a body is the last resort.
func (r *reading) try(
	ctx context.Context, blocks []*scanned, target Function, pick picker,
) (found choice, first, err error) {
	var stub choice
	for _, b := range blocks {
		if err := r.scan(ctx, b); err != nil {
			return choice{}, nil, err
		}
		var refusal error
		for _, p := range slices.Backward(b.pieces) {
			name, err := pick(p, target)
			switch {
			case err != nil:
				if refusal == nil {
					refusal = err
				}
			case !isStub(p, name):
				return choice{p, name}, nil, nil
			case stub.block == nil:
				stub = choice{p, name}
			}
		}
		if b.refusal != nil {
			refusal = b.refusal
		}
		if first == nil {
			first = refusal
		}
	}
	return stub, first, nil
}

func isStub(p piece, name string) bool {
	f, ok := p.analysis.Func(name)
	if !ok {
		return false // a lambda
	}
	return stub.MatchString(p.source[f.BodyStart:f.End])
}

var stub = regexp.MustCompile(`\A(\s|#.*)*(pass|\.\.\.|raise NotImplementedError\b.*|` +
	`return NotImplemented)?;?(\s|#.*)*\z`)

// spelling returns a regular expression that matches the definition of a function or of a version
// of it.
func spelling(name string) *regexp.Regexp {
	q := regexp.QuoteMeta(name)
	return regexp.MustCompile(
		`(?m)^[ \t]*(?:>>> )?(?:(?:async[ \t]+)?def[ \t]+` + q + `(?:_v(\d+))?[ \t]*[(\[]|` +
			q + `(?:_v(\d+))?[ \t]*(?::[^=\n]*)?=[ \t]*lambda\b)`)
}

// ordered lists the blocks that spell the target's definition, fenced blocks before the text
// between them. In both groups, the block with the latest version is first, and the other blocks
// follow from the last to the first.
func (r *reading) ordered(name string) []*scanned {
	spelled := spelling(name)
	var ordered []*scanned
	for _, blocks := range [][]*scanned{r.fenced, r.texts} {
		var some []*scanned
		plain, numbered, highest := -1, -1, -1
		for _, b := range blocks {
			found := spelled.FindAllStringSubmatch(b.text, -1)
			if found == nil {
				continue
			}
			for _, m := range found {
				if n, err := strconv.Atoi(m[1] + m[2]); err != nil {
					plain = len(some)
				} else if n >= highest {
					numbered, highest = len(some), n
				}
			}
			some = append(some, b)
		}
		if best := max(plain, numbered); best >= 0 {
			b := some[best]
			some = append(slices.Delete(some, best, best+1), b)
		}
		slices.Reverse(some)
		ordered = append(ordered, some...)
	}
	return ordered
}

// withDefinitions lists the blocks with any definition: fenced blocks if there are any, or else
// unfenced blocks.
func (r *reading) withDefinitions() []*scanned {
	for _, blocks := range [][]*scanned{r.fenced, r.texts} {
		some := filtered(blocks, func(b *scanned) bool { return definition.MatchString(b.text) })
		if len(some) > 0 {
			return some
		}
	}
	return nil
}

// version returns the number after a function's name: -1 for the name itself.
func version(name, of string) (int, bool) {
	if name == of {
		return -1, true
	}
	rest, ok := strings.CutPrefix(name, of+"_v")
	if !ok || rest == "" || strings.Trim(rest, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil
}

// latest picks the latest version of the target: the version with the highest number, or the plain
// name if it calls that version, or if it comes later and that version does not call it.
func latest(p piece, target Function) (string, error) {
	name := target.Name
	plainAt, numbered, highest, numberedAt := -1, "", -1, -1
	add := func(n string, at int) {
		if v, ok := version(n, name); ok && v < 0 {
			plainAt = at
		} else if ok && v >= highest {
			numbered, highest, numberedAt = n, v, at
		}
	}
	for _, f := range p.analysis.Functions {
		add(f.Name, f.Start)
	}
	for _, s := range p.analysis.Statements {
		if s.Def != "" {
			add(s.Binds[0], s.Start)
		}
	}
	calls := func(from, to string) bool { return slices.Contains(Reached(p.analysis, from), to) }
	switch {
	case plainAt < 0 && numberedAt < 0:
		return "", lacks(p, name)
	case numberedAt < 0, plainAt >= 0 && calls(name, numbered):
		return name, nil
	case numberedAt > plainAt, calls(numbered, name):
		return numbered, nil
	}
	return name, nil
}

// lacks describes what a piece defines instead of the target.
func lacks(p piece, name string) error {
	names := defined(p.analysis)
	for _, c := range p.analysis.Classes {
		if slices.Contains(c.Binds, name) {
			return refuse("`%s` is defined inside the class `%s`, not at top level",
				name, c.Name)
		}
	}
	switch {
	case slices.Contains(p.analysis.Binds, name) && len(names) > 0:
		return refuse("the code binds `%s` to something that is not a function", name)
	case len(names) == 0:
		return refuse("the code defines no function at top level")
	}
	return refuse("the code defines %s, but not `%s`", quoted(names), name)
}

func alike(p piece, target Function) (string, error) {
	return single(p, target, filtered(defined(p.analysis), func(name string) bool {
		f, _ := p.analysis.Func(name)
		return slices.Equal(f.Params, target.names())
	}))
}

// only picks the only function of a piece, if nothing in its block is broken.
func only(p piece, target Function) (string, error) {
	if len(p.block.broken) > 0 {
		return "", lacks(p, target.Name)
	}
	return single(p, target, defined(p.analysis))
}

// single returns the only name, unless the piece binds the target's name.
func single(p piece, target Function, names []string) (string, error) {
	if len(names) != 1 || slices.Contains(p.analysis.Binds, target.Name) {
		return "", lacks(p, target.Name)
	}
	return names[0], nil
}

func defined(a Analysis) (names []string) {
	for _, f := range a.Functions {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// named renames the chosen function to the target's name wherever the code refers to it, and writes
// a lambda as a def. If the code also defines an older function of that name, the older function
// gets a new name.
func (r *reading) named(ctx context.Context, c choice, to string) (piece, error) {
	for _, s := range slices.Backward(c.analysis.Statements) {
		if _, isDef := c.analysis.Func(c.name); isDef || s.Def == "" || s.Binds[0] != c.name {
			continue
		}
		var err error
		if c.piece, err = r.edited(ctx, c.piece, []Edit{{s.Start, s.End, s.Def}}); err != nil {
			return piece{}, err
		}
	}
	if c.name == to {
		return c.piece, nil
	}
	f, _ := c.analysis.Func(c.name)
	edits := spelledAs(f, to)
	if old, ok := c.analysis.Func(to); ok {
		free := to + "_old"
		for slices.Contains(c.analysis.Binds, free) {
			free += "_"
		}
		edits = append(edits, spelledAs(old, free)...)
	}
	return r.edited(ctx, c.piece, edits)
}

func spelledAs(f Func, name string) (edits []Edit) {
	for _, at := range f.Refs {
		edits = append(edits, Edit{at, at + len(f.Name), name})
	}
	return edits
}

func (r *reading) edited(ctx context.Context, p piece, edits []Edit) (piece, error) {
	source := Edited(p.source, edits...)
	a, err := r.an.Analyze(ctx, source)
	if err != nil {
		return piece{}, err
	}
	if a.Syntax != nil {
		return piece{}, refuseSyntax(*a.Syntax)
	}
	p.source, p.analysis = source, a
	return p, nil
}
