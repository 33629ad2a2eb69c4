package program

import (
	"context"
	"regexp"
	"strings"
)

const maxTries = 8 // bounds the beginnings of code that are tried in a block

// A piece is a part of a block that parses.
type piece struct {
	source   string
	analysis Analysis
	block    *scanned
	from, to int // its lines in the block, before any edit
}

// A scanned is a block with its pieces, which scan finds when they are needed.
type scanned struct {
	block
	done    bool
	lines   []string
	pieces  []piece
	refusal error            // for the first part that does not parse
	broken  map[string]error // definitions that do not parse
	words   map[string]bool  // on lines that begin code; made when needed
}

// A reading is a reply, divided into blocks.
type reading struct {
	an     *bounded
	text   string
	fenced []*scanned
	texts  []*scanned // outside the fences
}

func newReading(an Analyzer, text string) *reading {
	r := &reading{an: &bounded{an, maxCalls}, text: text}
	fenced := fences(text)
	for _, b := range fenced {
		r.fenced = append(r.fenced, &scanned{block: b})
	}
	for _, b := range outside(text, fenced) {
		r.texts = append(r.texts, &scanned{block: b})
	}
	return r
}

// beginnings matches lines that begin code, but not prose that begins with "from" or "import".
var beginnings = regexp.MustCompile(`^(import[ \t]+[\w.]+([ \t]+as[ \t]+\w+)?[ \t]*([,;#].*)?$|` +
	`from[ \t]+[\w.]+[ \t]+import\b|` +
	`(async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w+[ \t]*[(:\[]|@\w|` +
	`[A-Za-z_]\w*[ \t]*(:[^=]*)?=[^=])`)

// nextBeginning returns the index, from at on, of the first line that begins code, or len(lines).
func nextBeginning(lines []string, at int) int {
	for at < len(lines) && !beginnings.MatchString(lines[at]) {
		at++
	}
	return at
}

var (
	definedName = regexp.MustCompile(`^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)`)
	// partOfAbove matches a line of a definition that ended too early.
	partOfAbove = regexp.MustCompile(`^(return|yield|else|elif|except|finally|break|continue)\b`)
)

// scan finds the pieces of a block. If CPython reports an error at a line that is not indented, the
// line is prose: the piece ends there, and the next begins at the next line that looks like code.
// An error within a definition breaks that definition.
func (r *reading) scan(ctx context.Context, b *scanned) error {
	if b.done {
		return nil
	}
	b.done, b.broken = true, map[string]error{}
	b.lines = plain(b.text)
	at := 0
	if !b.fenced {
		at = nextBeginning(b.lines, 0)
	}
	for tries := 0; at < len(b.lines) && tries < maxTries; tries++ {
		to, err := r.longest(ctx, b, at)
		if _, refused := Refused(err); refused {
			b.refuse(err)
			return nil // the bound on analyser calls is reached
		} else if err != nil {
			return err
		}
		at = nextBeginning(b.lines, max(to, at+1))
	}
	return nil
}

func (b *scanned) refuse(err error) {
	if b.refusal == nil {
		b.refusal = err
	}
}

// longest adds the longest piece that begins at line at, and returns its end. It returns at
// if no piece that begins there parses.
func (r *reading) longest(ctx context.Context, b *scanned, at int) (int, error) {
	to := len(b.lines)
	for {
		source := ended(strings.Join(b.lines[at:to], "\n"))
		a, err := r.an.Analyze(ctx, source)
		if err != nil {
			return at, err
		}
		if a.Syntax == nil {
			b.pieces = append(b.pieces, piece{source, a, b, at, to})
			return to, nil
		}
		bad := at + max(0, min(a.Syntax.Line-1, to-at-1)) // CPython may report a line after the end
		cut := statementOf(b.lines, at, bad)
		for cut > at && partOfAbove.MatchString(b.lines[cut]) {
			cut = statementOf(b.lines, at, cut-1)
		}
		refusal := b.explain(*a.Syntax, at, bad, cut)
		if m := definedName.FindStringSubmatch(strings.TrimPrefix(b.lines[cut], "\f")); m != nil {
			b.broken[m[1]] = refusal
		}
		b.refuse(refusal)
		if cut == at {
			return at, nil
		}
		to = cut
	}
}

// statementOf returns the line where the module-level statement of a line begins, including its
// decorators.
func statementOf(lines []string, first, at int) int {
	for at > first && (lines[at] == "" || strings.ContainsRune(" \t)]}#", rune(lines[at][0]))) {
		at--
	}
	for at > first && strings.HasPrefix(lines[at-1], "@") {
		at--
	}
	return at
}

// explain describes a syntax error so that the author of the block can correct it.
func (b *scanned) explain(e SyntaxError, at, bad, cut int) error {
	where := ""
	if line := strings.TrimSpace(b.lines[bad]); line != "" {
		if cutOff := []rune(line); len(cutOff) > 60 {
			line = string(cutOff[:60]) + "…"
		}
		where = ": `" + line + "`"
	}
	code := definition.MatchString(strings.Join(b.lines[cut:], "\n"))
	switch {
	case b.fenced && cut == 0 && !beginnings.MatchString(b.lines[0]) && code:
		return refuse("text before the code in the block%s", where)
	case b.open && bad >= len(b.lines)-2 && beginnings.MatchString(b.lines[cut]):
		return refuse("the reply ends before its code is complete%s", where)
	}
	return refuse("the code is not valid Python: line %d: %s%s",
		at+e.Line, e.Message, where)
}
