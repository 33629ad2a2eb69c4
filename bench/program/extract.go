package program

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A ThoughtRule says what Extract does about a reply's thought, the sentence in braces.
type ThoughtRule int

const (
	Required ThoughtRule = iota // a reply without a thought is refused
	Optional                    // taken when there is one
	None                        // not looked for (ReEvo, HSEvo)
)

// A Mode is one of the two ways of reading a reply.
type Mode int

const (
	// Shared keeps the reply's whole code: imports, helpers, its own header. It is the default of
	// all methods (eoh.md, section 6.3).
	Shared Mode = iota
	// Strict reads as LLM4AD does: the body of the first function under the template's header
	// (eoh.md, section 6.2). It serves comparisons with that platform.
	Strict
)

// Extraction configures Extract.
type Extraction struct {
	Imports []string // put before every program: bench.Problem.Imports
	Thought ThoughtRule
	Mode    Mode
}

// Extracted is what a reply holds.
type Extracted struct {
	Thought string // with its braces, white space collapsed; empty for none
	// Code is what prompts show of a parent: the kept code without the imports put before it and
	// without the target's docstring. It parses and ends in a line feed.
	Code     string
	Program  Program  // Imports and the kept code, complete
	Analysis Analysis // of Program
}

const (
	maxReply = 256 << 10 // bytes; ours: the longest answers asked for have 8192 tokens, under 40 KiB
	maxCuts  = 20        // places tried where code may end; ours
	maxTries = 8         // fenced blocks or beginnings of code that are tried; ours
	maxCalls = 30        // analyser calls spent on finding the code of one reply; ours
)

// A bounded analyser refuses to look further after so many calls: what has not been found
// then is no answer to our question.
type bounded struct {
	Analyzer
	left int
}

func (b *bounded) Analyze(ctx context.Context, source string) (Analysis, error) {
	if b.left == 0 {
		return Analysis{}, refuse(ErrSyntax, "the reply holds too many pieces of code that are not valid Python")
	}
	b.left--
	return b.Analyzer.Analyze(ctx, source)
}

// Extract takes a program that defines target out of a model's reply. What the reply does not
// hold is a *Refusal (ErrNoThought, ErrNoCode, ErrNoTarget, ErrSyntax). Whether the program may
// import what it imports, or keeps a contract, is not asked here.
func Extract(ctx context.Context, an Analyzer, reply string, target Function, opts Extraction) (Extracted, error) {
	reply, err := tidy(reply)
	if err != nil {
		return Extracted{}, err
	}
	if opts.Mode == Strict {
		return extractStrict(ctx, an, reply, target, opts)
	}
	k, err := findKept(ctx, &bounded{an, maxCalls}, reply, target.Name)
	if err != nil {
		return Extracted{}, err
	}
	thought, err := takeThought(reply[:k.at], reply, opts.Thought)
	if err != nil {
		return Extracted{}, err
	}
	code := withoutImports(k.source, k.analysis, opts.Imports)
	p := Assemble(opts.Imports, nil, code)
	a, err := an.Analyze(ctx, p.Source)
	if err != nil {
		return Extracted{}, err
	}
	if a.Syntax != nil { // e.g. an import that must stand first
		return Extracted{}, refuseSyntax(*a.Syntax)
	}
	shown, err := showable(ctx, an, code, target.Name)
	if err != nil {
		return Extracted{}, err
	}
	return Extracted{Thought: thought, Code: shown, Program: p, Analysis: a}, nil
}

// tidy makes a reply valid UTF-8 with line feeds only, and refuses one that no model would
// write to answer us.
func tidy(reply string) (string, error) {
	if len(reply) > maxReply {
		return "", refuse(ErrNoCode, "the reply has %d bytes, more than the %d that are read", len(reply), maxReply)
	}
	reply = strings.TrimPrefix(strings.ToValidUTF8(reply, "\uFFFD"), "\uFEFF")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(reply), nil
}

// kept is code found in a reply that parses and defines the target under its name.
type kept struct {
	source   string
	analysis Analysis
	at       int // where the code, or the fence before it, begins in the reply
}

// findKept returns the code of a reply: of the first fenced block that defines the
// target, else of the first with any function, else of the unfenced text.
func findKept(ctx context.Context, an Analyzer, reply, name string) (kept, error) {
	blocks := slices.DeleteFunc(fences(reply), func(b block) bool { return !definition.MatchString(b.text) })
	// Blocks that spell the target's definition are tried first; the sort is stable.
	spelled := regexp.MustCompile(`(?m)^(async[ \t]+)?def[ \t]+` + regexp.QuoteMeta(name) + `(_v\d+)?[ \t]*[(\[]`)
	slices.SortStableFunc(blocks, func(a, b block) int {
		return cmp.Compare(missing(spelled, a.text), missing(spelled, b.text))
	})
	var first error
	for _, b := range blocks[:min(len(blocks), maxTries)] {
		k, err := keep(ctx, an, b, name)
		if err == nil {
			return k, nil
		}
		if _, ok := Refused(err); !ok {
			return kept{}, err
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		return findUnfenced(ctx, an, reply, name)
	}
	// A docstring may hold fences of its own: try all from the first fence to the last.
	if whole, ok := between(reply); ok {
		k, err := keep(ctx, an, whole, name)
		if _, refused := Refused(err); !refused {
			return k, err
		}
	}
	return kept{}, first
}

func missing(re *regexp.Regexp, s string) int {
	if re.MatchString(s) {
		return 0
	}
	return 1
}

// beginnings are lines that begin code outside of a fence. Prose that begins with the words
// "from", "import" or "define" is none.
var beginnings = regexp.MustCompile(`(?m)^(import[ \t]+[\w.]+([ \t]+as[ \t]+\w+)?[ \t]*([,;#].*)?$|from[ \t]+[\w.]+[ \t]+import\b|(async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w+[ \t]*[(:\[]|@\w)`)

// findUnfenced tries each line that looks like the beginning of code until the rest, cut where
// it stops to parse, defines the target.
func findUnfenced(ctx context.Context, an Analyzer, reply, name string) (kept, error) {
	var first error
	tries := 0
	read := 0 // up to here the reply is code that was refused
	for _, at := range beginnings.FindAllStringIndex(reply, -1) {
		if at[0] < read {
			continue
		}
		k, err := keep(ctx, an, block{text: reply[at[0]:], at: at[0], open: true}, name)
		if err == nil {
			return k, nil
		}
		if _, ok := Refused(err); !ok {
			return kept{}, err
		}
		if first == nil {
			first = err
		}
		read = at[0] + len(k.source)
		if tries++; tries == maxTries {
			break
		}
	}
	if first == nil {
		first = refuse(ErrNoCode, "the reply holds no function definition")
	}
	return kept{}, first
}

// keep analyses one block and gives its target the name asked for. With a refusal for the lack of a target
// it still returns the code that it read.
func keep(ctx context.Context, an Analyzer, b block, name string) (kept, error) {
	source, a, err := parse(ctx, an, b)
	if err != nil {
		return kept{}, err
	}
	found, ok := pick(a, name)
	switch {
	case len(a.Functions) == 0:
		return kept{}, refuse(ErrNoCode, "the code defines no function at top level")
	case !ok:
		return kept{source: source}, refuse(ErrNoTarget, "the code defines %s, but not `%s`", quoted(defined(a)), name)
	case found == name:
		return kept{source, a, b.at}, nil
	}
	return rename(ctx, an, kept{source, a, b.at}, found, name)
}

// pick returns which top-level function is the target: the one of that name, else one with a
// version after it (ReEvo and HSEvo number the functions they show), else the only one.
func pick(a Analysis, name string) (string, bool) {
	if _, ok := a.Func(name); ok {
		return name, true
	}
	for _, f := range slices.Backward(a.Functions) {
		if rest, ok := strings.CutPrefix(f.Name, name+"_v"); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return f.Name, true
		}
	}
	if names := defined(a); len(names) == 1 {
		return names[0], true
	}
	return "", false
}

// defined lists the names of the top-level functions, each once, in order.
func defined(a Analysis) []string {
	var names []string
	for _, f := range a.Functions {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// rename replaces a function's name wherever the code means that function.
func rename(ctx context.Context, an Analyzer, k kept, from, to string) (kept, error) {
	if slices.Contains(k.analysis.Binds, to) {
		return kept{}, refuse(ErrNoTarget, "the code binds `%s` to something that is no function", to)
	}
	f, _ := k.analysis.Func(from)
	source := k.source
	for _, at := range slices.Backward(f.Refs) {
		source = source[:at] + to + source[at+len(from):]
	}
	a, err := an.Analyze(ctx, source)
	if err != nil {
		return kept{}, err
	}
	if a.Syntax != nil {
		return kept{}, refuseSyntax(*a.Syntax)
	}
	if _, ok := a.Func(to); !ok {
		return kept{}, refuse(ErrNoTarget, "the code defines `%s`, not `%s`", from, to)
	}
	return kept{source, a, k.at}, nil
}

// parse analyses a block. Where a block has no end of its own, its last lines are cut until the
// rest parses; prose is where CPython reports the first error.
func parse(ctx context.Context, an Analyzer, b block) (string, Analysis, error) {
	lines := strings.Split(dedent(b.text), "\n")
	var refusal *Refusal
	for range maxCuts {
		source := ended(strings.Join(lines, "\n"))
		a, err := an.Analyze(ctx, source)
		if err != nil {
			return "", Analysis{}, err
		}
		if a.Syntax == nil {
			if b.open {
				return trimProse(ctx, an, source, a)
			}
			return source, a, nil
		}
		if refusal == nil {
			refusal = refuseSyntax(*a.Syntax)
		}
		// At least one line goes, whatever line CPython blames. It may blame one beyond the end.
		end := max(0, min(a.Syntax.Line-1, len(lines)-1))
		if !b.open || !definition.MatchString(strings.Join(lines[:end], "\n")) {
			break
		}
		lines = lines[:end]
	}
	return "", Analysis{}, refusal
}

// trimProse cuts what follows the last definition of unfenced code, unless it assigns something: a
// word of prose alone in its line is a valid expression.
func trimProse(ctx context.Context, an Analyzer, source string, a Analysis) (string, Analysis, error) {
	end := 0
	for _, f := range a.Functions {
		end = max(end, f.End)
	}
	for _, c := range a.Classes {
		end = max(end, c.End)
	}
	if n := strings.IndexByte(source[end:], '\n'); n >= 0 {
		end += n // a comment may follow in the last line
	}
	rest := source[end:]
	if strings.TrimSpace(rest) == "" || strings.Contains(rest, "=") || end == 0 {
		return source, a, nil
	}
	source = ended(source[:end])
	a, err := an.Analyze(ctx, source)
	if err == nil && a.Syntax != nil {
		err = refuseSyntax(*a.Syntax)
	}
	return source, a, err
}

// withoutImports removes the import statements of a source that stand in preface already.
func withoutImports(source string, a Analysis, preface []string) string {
	for _, i := range slices.Backward(a.Imports) {
		if !slices.ContainsFunc(preface, func(p string) bool { return sameWords(p, i.Source) }) {
			continue
		}
		start := strings.LastIndexByte(source[:i.Start], '\n') + 1
		end := len(source)
		if n := strings.IndexByte(source[i.End:], '\n'); n >= 0 {
			end = i.End + n + 1
		}
		alone := strings.TrimSpace(source[start:i.Start]) == "" && blankOrComment(source[i.End:end])
		if alone { // not one of several statements in a line
			source = source[:start] + source[end:]
		}
	}
	return ended(strings.TrimLeft(source, "\n"))
}

// ended makes a source end in one line feed and no other white space.
func ended(source string) string { return strings.TrimRight(source, " \t\n") + "\n" }

func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

func blankOrComment(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || strings.HasPrefix(s, "#")
}

// showable returns code without the target's docstring: the prompts that show it show the docstring
// with the function to write.
func showable(ctx context.Context, an Analyzer, code, name string) (string, error) {
	a, err := an.Analyze(ctx, code)
	if err != nil {
		return "", err
	}
	f, ok := a.Func(name)
	if !ok || a.Syntax != nil {
		return "", fmt.Errorf("program: the analyser does not find %s in a source where it was before", name)
	}
	if f.DocEnd == 0 {
		return code, nil
	}
	if f.BodyStart == f.End { // nothing but the docstring
		return code[:f.DocStart] + "pass" + code[f.DocEnd:], nil
	}
	start, end := f.DocStart, f.DocEnd
	if n := strings.IndexByte(code[end:], '\n'); n >= 0 && blankOrComment(code[end:end+n]) {
		end += n + 1
		if line := strings.LastIndexByte(code[:start], '\n') + 1; strings.TrimSpace(code[line:start]) == "" {
			start = line
		}
	} else {
		end = f.BodyStart // another statement in the docstring's line
	}
	return code[:start] + code[end:], nil
}
