package program

import (
	"cmp"
	"slices"
	"strings"
)

// An edit replaces a part of a source.
type edit struct {
	start, end int
	with       string
}

// apply makes edits, which do not overlap, in any order.
func apply(source string, edits []edit) string {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b edit) int {
		return cmp.Compare(a.start, b.start)
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(source[at:e.start])
		out.WriteString(e.with)
		at = e.end
	}
	out.WriteString(source[at:])
	return out.String()
}

// dropping says what prune drops beside examples of use.
type dropping struct {
	target  string   // its older versions
	preface []string // imports that stand before every program
	modules []string // that may be imported; nil: any
	copies  []string // functions that are given
	unread  bool     // whatever the roots do not need, imports and definitions too
}

// An item is one statement of a module.
type item struct {
	start, end     int
	kind           itemKind
	name           string   // of a definition
	binds, changes []string // global names
	loads          []string
	imported       Import
	needed, keep   bool
}

type itemKind int

const (
	anImport itemKind = iota
	aDefinition
	aStatement
)

// items lists the statements of a module in order.
func items(a Analysis) []item {
	var all []item
	for _, i := range a.Imports {
		all = append(all, item{
			start: i.Start, end: i.End, kind: anImport, binds: i.Names, imported: i,
		})
	}
	definition := func(start, end int, name string, changes, loads []string) {
		all = append(all, item{start: start, end: end, kind: aDefinition, name: name,
			binds: []string{name}, changes: changes, loads: loads})
	}
	for _, f := range a.Functions {
		definition(f.Start, f.End, f.Name, f.Changes, f.Loads)
	}
	for _, c := range a.Classes {
		definition(c.Start, c.End, c.Name, nil, c.Loads)
	}
	for _, s := range a.Statements {
		all = append(all, item{start: s.Start, end: s.End, kind: aStatement,
			binds: s.Binds, changes: s.Changes, loads: s.Loads})
	}
	slices.SortFunc(all, func(a, b item) int { return cmp.Compare(a.start, b.start) })
	return all
}

// prune returns the edits that take out what the roots do not need. It keeps imports, definitions,
// and the statements that bind or change something that the roots read, directly or through others.
// The other statements are examples of use; definitions that read what only those bind are dropped
// with them, and so are older versions of the target that it does not need.
func prune(p piece, roots []string, drop dropping) []edit {
	all := items(p.analysis)
	need(all, roots, drop.target)
	f, _ := p.analysis.Func(drop.target)
	for i := range all {
		it := &all[i]
		it.keep = it.needed
		switch {
		case drop.unread || it.kind == aStatement:
		case it.kind == anImport:
			// An import behind the target that is not allowed and that nothing reads is part of
			// the example.
			it.keep = it.needed || it.start < f.Start || drop.modules == nil ||
				len(without(it.imported.Roots, drop.modules)) == 0
		default:
			_, isVersion := version(it.name, drop.target)
			it.keep = it.needed || !isVersion
		}
		if it.kind == aDefinition && slices.Contains(drop.copies, it.name) {
			it.keep = false
		}
	}
	dropUsers(all, drop.copies)
	for i := range all {
		it := &all[i]
		given := func(line string) bool { return sameWords(line, it.imported.Source) }
		if it.kind == anImport && slices.ContainsFunc(drop.preface, given) {
			it.keep = false
		}
	}
	return cuts(p.source, all)
}

// need marks the items that provide the names, and those that these read in turn. Of several
// definitions of the target only the last counts, unless a statement may have taken hold of
// another.
func need(all []item, roots []string, target string) {
	last := -1
	imported := map[string]bool{}
	values := map[string]bool{} // not imported: their objects may be changed
	for i, it := range all {
		if it.kind == aDefinition && it.name == target {
			last = i
		}
		for _, name := range it.binds {
			if it.kind == anImport {
				imported[name] = true
			} else {
				values[name] = true
			}
		}
	}
	providers := map[string][]int{}
	for i, it := range all {
		if it.kind == aDefinition && it.name == target && i != last {
			continue
		}
		for _, name := range it.binds {
			providers[name] = append(providers[name], i)
		}
		for _, name := range it.changes {
			if values[name] && it.kind == aStatement {
				providers[name] = append(providers[name], i)
			}
		}
	}
	seen := map[string]bool{}
	follow := func(queue []string) {
		for ; len(queue) > 0; queue = queue[1:] {
			name := queue[0]
			if seen[name] {
				continue
			}
			seen[name] = true
			for _, i := range providers[name] {
				if !all[i].needed {
					all[i].needed = true
					queue = append(queue, all[i].loads...)
				}
			}
		}
	}
	follow(slices.Clone(roots))
	// A function that the roots do not need may be called at import to set up what they need.
	read := func(name string) bool { return seen[name] && !imported[name] }
	setup := map[string]bool{}
	for _, it := range all {
		if it.kind == aDefinition && !it.needed && slices.ContainsFunc(it.changes, read) {
			setup[it.name] = it.name != target
		}
	}
	callsSetup := func(name string) bool { return setup[name] }
	for i := range all {
		it := &all[i]
		if it.kind == aStatement && !it.needed && slices.ContainsFunc(it.loads, callsSetup) {
			it.needed = true
			follow(slices.Clone(it.loads))
		}
	}
}

// dropUsers drops the definitions that read what nothing kept binds any more, given names apart.
func dropUsers(all []item, given []string) {
	kept := map[string]int{} // how many kept items bind a name
	readers := map[string][]int{}
	var gone []string
	for i, it := range all {
		for _, name := range it.binds {
			if it.keep {
				kept[name]++
			} else {
				gone = append(gone, name)
			}
		}
		for _, name := range it.loads {
			readers[name] = append(readers[name], i)
		}
	}
	for ; len(gone) > 0; gone = gone[1:] {
		name := gone[0]
		if kept[name] > 0 || slices.Contains(given, name) {
			continue
		}
		for _, i := range readers[name] {
			if it := &all[i]; it.kind == aDefinition && it.keep && !it.needed {
				it.keep = false
				kept[it.name]--
				gone = append(gone, it.name)
			}
		}
		readers[name] = nil
	}
}

// cuts takes the items that are not kept out of a source, with the comments that introduce them.
// Statements that share a line stay in it.
func cuts(source string, all []item) []edit {
	var edits []edit
	for i := 0; i < len(all); {
		next := i + 1
		for next < len(all) && sameLine(source[all[next-1].end:all[next].start]) {
			next++
		}
		var kept []string
		for _, it := range all[i:next] {
			if it.keep {
				kept = append(kept, source[it.start:it.end])
			}
		}
		group := all[i:next]
		start, end := lineStart(source, group[0].start), lineEnd(source, group[len(group)-1].end)
		switch {
		case len(kept) == len(group):
		case len(kept) > 0:
			edits = append(edits, edit{start, end, strings.Join(kept, "; ") + "\n"})
		default:
			floor := 0
			if i > 0 {
				floor = lineEnd(source, all[i-1].end)
			}
			if group[0].kind != anImport {
				start = commentsAbove(source, floor, start)
			}
			if next == len(all) && group[0].kind != anImport {
				end = len(source)
			}
			for end < len(source) && source[end] == '\n' {
				end++
			}
			edits = append(edits, edit{start: max(start, floor), end: end})
		}
		i = next
	}
	return merged(edits)
}

// merged joins edits that touch.
func merged(edits []edit) []edit {
	var out []edit
	for _, e := range edits {
		if n := len(out); n > 0 && e.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, e.end)
			out[n-1].with += e.with
			continue
		}
		out = append(out, e)
	}
	return out
}

// sameLine tells whether the text between two statements keeps them in one logical line.
func sameLine(between string) bool {
	return !strings.Contains(between, "\n") ||
		strings.Contains(between, "\\\n") && !strings.Contains(between, "#")
}

func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// lineEnd is behind the line feed of a line.
func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(s)
}

// commentsAbove moves start up over comments that are not indented, and blank lines between them.
func commentsAbove(s string, floor, start int) int {
	at := start
	for at > floor {
		line := lineStart(s, at-1)
		text := s[line:at]
		if line < floor || strings.TrimSpace(text) != "" && text[0] != '#' {
			break
		}
		if at = line; text[0] == '#' {
			start = line
		}
	}
	return start
}

// withoutDoc takes a function's docstring out: the prompts that show the function show the
// docstring with the function to write.
func withoutDoc(source string, f Func) []edit {
	if f.DocEnd == 0 {
		return nil
	}
	if f.BodyStart == f.End { // nothing but the docstring
		return []edit{{f.DocStart, f.DocEnd, "pass"}}
	}
	start, end := f.DocStart, f.DocEnd
	if n := strings.IndexByte(source[end:], '\n'); n >= 0 && blankOrComment(source[end:end+n]) {
		end += n + 1
		if line := lineStart(source, start); strings.TrimSpace(source[line:start]) == "" {
			start = line
		}
	} else {
		end = f.BodyStart // another statement in the docstring's line
	}
	return []edit{{start: start, end: end}}
}

func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

func blankOrComment(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || strings.HasPrefix(s, "#")
}
