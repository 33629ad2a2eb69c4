package program

import (
	"regexp"
	"slices"
	"strings"
)

// A block is a part of a reply that may hold code: the content of a fence, or the text between
// fences.
type block struct {
	text    string
	at, end int  // its offsets in the reply, fences included
	fenced  bool // false for the text between fences
	open    bool // its fence is never closed, as if the reply was cut off at its token limit
}

var (
	fenceLine = regexp.MustCompile("^([ \t]*)(`{3,}|~{3,})([^`]*)$")
	// fenceTail matches a fence at the end of a line that begins with something else: prose before
	// an opening fence, code before a closing fence.
	fenceTail = regexp.MustCompile("^(.*[^ \t`])[ \t]*(```)[ \t]*(\\w*)[ \t]*$")
	// fenceAround matches a whole block in one line.
	fenceAround = regexp.MustCompile("^[ \t]*```[ \t]*(?i:python3?|py)?[ \t]*" +
		"((?:import|from|(?:async[ \t]+)?def|class)[ \t][^`]*)```[ \t]*$")
	// codeAfter matches code on the line of its fence.
	codeAfter = regexp.MustCompile(`^[ \t]*(?i:python3?|py)?[ \t]+` +
		`((?:import|from|(?:async[ \t]+)?def|class)[ \t].*)$`)
)

func fences(reply string) []block {
	var blocks []block
	var body []string
	fence, indent, start, at := "", "", 0, 0
	open := func(f, space, info string) {
		fence, indent, start, body = f, space, at, nil
		if m := codeAfter.FindStringSubmatch(info); m != nil {
			body = []string{m[1]}
		}
	}
	end := func(at int, open bool) {
		blocks = append(blocks, block{strings.Join(body, "\n") + "\n", start, at, true, open})
		fence = ""
	}
	for line := range strings.SplitAfterSeq(reply, "\n") {
		text := strings.TrimRight(line, "\n")
		next := at + len(line)
		m := fenceLine.FindStringSubmatch(text)
		switch {
		case m != nil && fence == "":
			open(m[2], m[1], m[3])
		case m != nil && m[2][0] == fence[0] && len(m[2]) >= len(fence):
			if strings.TrimSpace(m[3]) == "" {
				end(next, false)
			} else { // the model forgot to close the previous fence
				end(at, false)
				open(m[2], m[1], m[3])
			}
		case fence == "":
			if m := fenceAround.FindStringSubmatch(text); m != nil {
				blocks = append(blocks, block{m[1] + "\n", at, next, true, false})
			} else if m := tail(text); m != nil {
				open(m[2], "", m[3])
				start = at + len(m[1])
			}
		default:
			m := tail(text)
			if m != nil && m[3] == "" && fence == m[2] {
				body = append(body, strings.TrimPrefix(m[1], indent))
				end(next, false)
			} else {
				body = append(body, strings.TrimPrefix(text, indent))
			}
		}
		at = next
	}
	if fence != "" {
		end(at, true)
	}
	return blocks
}

// tail matches a line with one fence, at its end.
func tail(line string) []string {
	if strings.Count(line, "```") != 1 {
		return nil
	}
	return fenceTail.FindStringSubmatch(line)
}

func outside(reply string, fenced []block) []block {
	var texts []block
	at := 0
	for _, b := range append(slices.Clone(fenced), block{at: len(reply), end: len(reply)}) {
		if at < b.at {
			texts = append(texts, block{text: reply[at:b.at], at: at, end: b.at})
		}
		at = b.end
	}
	return texts
}

// between returns the text between the first and the last fence if there are more than two, because
// a docstring may hold fences of its own.
func between(reply string) (block, bool) {
	first, last, count, at := 0, 0, 0, 0
	begin := 0
	for line := range strings.SplitAfterSeq(reply, "\n") {
		if fenceLine.MatchString(strings.TrimRight(line, "\n")) {
			if count == 0 {
				begin, first = at, at+len(line)
			}
			count++
			last = at
		}
		at += len(line)
	}
	if count < 3 {
		return block{}, false
	}
	return block{text: reply[first:last], at: begin, end: len(reply), fenced: true}, true
}

// plain returns a block's lines without their common indentation and without the prompts of an
// interactive session. Blank lines do not count for the indentation.
func plain(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	margin, first, session := "", true, false
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		space := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if first {
			margin, first, session = space, false, strings.HasPrefix(l[len(space):], ">>> ")
		}
		for !strings.HasPrefix(space, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	var out []string
	for _, l := range lines {
		l = strings.TrimPrefix(l, margin)
		if !session {
			out = append(out, l)
		} else if strings.HasPrefix(l, ">>>") || strings.HasPrefix(l, "...") {
			out = append(out, strings.TrimPrefix(l[3:], " "))
		}
	}
	return out
}
