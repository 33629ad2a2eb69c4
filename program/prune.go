package program

import (
	"cmp"
	"slices"
	"strings"
)

// dropping lists what prune drops in addition to examples of use.
type dropping struct {
	target  string   // older versions of it are dropped
	preface []string // imports that precede every program
	modules []string // modules that may be imported; nil: any
	copies  []string // names of functions that are copies of given ones
	unread  bool     // everything that the roots do not need, including imports and definitions
}

// An item is a statement of a module: an import, a definition, or another statement.
type item struct {
	Statement
	imported     *Import
	name         string
	needed, keep bool
}

func (it item) other() bool { return it.imported == nil && it.name == "" }

func items(a Analysis) []item {
	var all []item
	for _, i := range a.Imports {
		s := Statement{Start: i.Start, End: i.End, Binds: i.Names}
		all = append(all, item{Statement: s, imported: &i})
	}
	for _, f := range a.Functions {
		s := Statement{Start: f.Start, End: f.End, Binds: []string{f.Name}, Changes: f.Changes,
			Loads: f.Loads}
		all = append(all, item{Statement: s, name: f.Name})
	}
	for _, c := range a.Classes {
		s := Statement{Start: c.Start, End: c.End, Binds: []string{c.Name}, Loads: c.Loads}
		all = append(all, item{Statement: s, name: c.Name})
	}
	for _, s := range a.Statements {
		all = append(all, item{Statement: s})
	}
	slices.SortFunc(all, func(a, b item) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// prune returns the edits that remove what the roots do not need. It keeps imports, definitions,
// and the statements that bind or change something that the roots read, directly or through other
// names. The other statements are examples of use. prune also drops definitions that read names
// bound only by dropped statements, and older versions of the target that the roots do not need.
func prune(p piece, roots []string, drop dropping) []Edit {
	all := items(p.analysis)
	need(all, roots, drop.target)
	f, _ := p.analysis.Func(drop.target)
	for i := range all {
		it := &all[i]
		_, isVersion := version(it.name, drop.target)
		switch {
		case it.name != "" && slices.Contains(drop.copies, it.name):
		case drop.unread || it.other():
			it.keep = it.needed
		case it.imported != nil:
			// An import after the target that is not allowed and that no code reads is part of the
			// example.
			it.keep = it.needed || it.Start < f.Start || drop.modules == nil ||
				len(without(it.imported.Roots, drop.modules)) == 0
		default:
			it.keep = it.needed || !isVersion
		}
	}
	dropUsers(all, drop.copies)
	for i := range all {
		it := &all[i]
		it.keep = it.keep && (it.imported == nil ||
			!slices.ContainsFunc(drop.preface, func(line string) bool {
				return slices.Equal(strings.Fields(line), strings.Fields(it.imported.Source))
			}))
	}
	return cuts(p.source, all)
}

// need marks the items that provide the names, and the items that these items read in turn. If the
// target has several definitions, only the last counts, unless a statement may have kept a
// reference to another.
func need(all []item, roots []string, target string) {
	last := -1
	imported := map[string]bool{}
	values := map[string]bool{} // not imported: their objects may be changed
	for i, it := range all {
		if it.name == target {
			last = i
		}
		for _, name := range it.Binds {
			if it.imported != nil {
				imported[name] = true
			} else {
				values[name] = true
			}
		}
	}
	providers := map[string][]int{}
	for i, it := range all {
		if it.name == target && i != last {
			continue
		}
		for _, name := range it.Binds {
			providers[name] = append(providers[name], i)
		}
		for _, name := range it.Changes {
			if values[name] && it.other() {
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
					queue = append(queue, all[i].Loads...)
				}
			}
		}
	}
	follow(slices.Clone(roots))
	// A function that the roots do not need may be called at import to set up names that they need.
	read := func(name string) bool { return seen[name] && !imported[name] }
	setup := map[string]bool{}
	for _, it := range all {
		if it.name != "" && !it.needed && slices.ContainsFunc(it.Changes, read) {
			setup[it.name] = it.name != target
		}
	}
	callsSetup := func(name string) bool { return setup[name] }
	for i := range all {
		it := &all[i]
		if it.other() && !it.needed && slices.ContainsFunc(it.Loads, callsSetup) {
			it.needed = true
			follow(slices.Clone(it.Loads))
		}
	}
}

// dropUsers drops the definitions that read names of dropped items, unless a kept item binds the
// name or the name is given.
func dropUsers(all []item, given []string) {
	kept := map[string]int{} // number of kept items that bind a name
	readers := map[string][]int{}
	var gone []string
	for i, it := range all {
		for _, name := range it.Binds {
			if it.keep {
				kept[name]++
			} else {
				gone = append(gone, name)
			}
		}
		for _, name := range it.Loads {
			readers[name] = append(readers[name], i)
		}
	}
	for ; len(gone) > 0; gone = gone[1:] {
		name := gone[0]
		if kept[name] > 0 || slices.Contains(given, name) {
			continue
		}
		for _, i := range readers[name] {
			if it := &all[i]; it.name != "" && it.keep && !it.needed {
				it.keep = false
				kept[it.name]--
				gone = append(gone, it.name)
			}
		}
		readers[name] = nil
	}
}

// cuts returns the edits that remove all items except the kept ones. The comments above a removed
// item go too, except above an import. A line that keeps some of its items is rewritten.
func cuts(source string, all []item) []Edit {
	var edits []Edit
	for i := 0; i < len(all); {
		next := i + 1
		for next < len(all) && sameLine(source[all[next-1].End:all[next].Start]) {
			next++
		}
		var kept []string
		for _, it := range all[i:next] {
			if it.keep {
				kept = append(kept, source[it.Start:it.End])
			}
		}
		group := all[i:next]
		start, end := lineStart(source, group[0].Start), lineEnd(source, group[len(group)-1].End)
		switch {
		case len(kept) == len(group):
		case len(kept) > 0:
			edits = append(edits, Edit{start, end, strings.Join(kept, "; ") + "\n"})
		default:
			floor := 0
			if i > 0 {
				floor = lineEnd(source, all[i-1].End)
			}
			if group[0].imported == nil {
				start = commentsAbove(source, floor, start)
			}
			if next == len(all) && group[0].imported == nil {
				end = len(source)
			}
			for end < len(source) && source[end] == '\n' {
				end++
			}
			edits = append(edits, Edit{Start: max(start, floor), End: end})
		}
		i = next
	}
	return edits
}

// sameLine reports whether the text between two statements keeps them in one logical line.
func sameLine(between string) bool {
	return !strings.Contains(between, "\n") ||
		strings.Contains(between, "\\\n") && !strings.Contains(between, "#")
}

func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// lineEnd returns the offset after the line feed of a line.
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

// withoutDoc removes a function's docstring, because prompts show the docstring with the function
// to write.
func withoutDoc(source string, f Func) []Edit {
	if f.DocEnd == 0 {
		return nil
	}
	if f.BodyStart == f.End { // only a docstring
		return []Edit{{f.DocStart, f.DocEnd, "pass"}}
	}
	start, end := f.DocStart, f.DocEnd
	if n := strings.IndexByte(source[end:], '\n'); n >= 0 && isComment(source[end:end+n]) {
		end += n + 1
		if line := lineStart(source, start); strings.TrimSpace(source[line:start]) == "" {
			start = line
		}
	} else {
		end = f.BodyStart // another statement in the docstring's line
	}
	return []Edit{{Start: start, End: end}}
}

func isComment(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || strings.HasPrefix(s, "#")
}
