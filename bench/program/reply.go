package program

import (
	"regexp"
	"strings"
)

// definition is a line that begins a function definition; the line may be indented as a whole block.
var definition = regexp.MustCompile(`(?m)^[ \t]*(async[ \t]+)?def[ \t]+\w`)

// A block is a piece of a reply that may be code.
type block struct {
	text string
	at   int  // where it begins in the reply, its fence included
	open bool // it has no end of its own: prose may follow the code
}

var (
	fenceLine = regexp.MustCompile("^([ \t]*)(`{3,}|~{3,})([^`]*)$")
	innerText = regexp.MustCompile(`\S`)
)

// fences returns the fenced blocks of a reply in order. A fence that is never closed, as in a reply cut
// off at its token limit, reaches to the end.
func fences(reply string) []block {
	var blocks []block
	var body []string
	fence, indent, start, at := "", "", 0, 0
	end := func(open bool) {
		blocks = append(blocks, block{strings.Join(body, "\n") + "\n", start, open})
		fence, body = "", nil
	}
	for line := range strings.SplitAfterSeq(reply, "\n") {
		text := strings.TrimRight(line, "\n")
		m := fenceLine.FindStringSubmatch(text)
		switch {
		case m == nil || fence != "" && (m[2][0] != fence[0] || len(m[2]) < len(fence)):
			if fence != "" {
				body = append(body, strings.TrimPrefix(text, indent))
			}
		case fence == "":
			fence, indent, start = m[2], m[1], at
		default:
			end(false)
			if innerText.MatchString(m[3]) { // the model forgot to close the one before
				fence, indent, start = m[2], m[1], at
			}
		}
		at += len(line)
	}
	if fence != "" {
		end(true)
	}
	return blocks
}

// between returns what stands between the first fence and the last, when there are more than two.
func between(reply string) (block, bool) {
	var at [][2]int // begin and end of each fence's line
	pos := 0
	for line := range strings.SplitAfterSeq(reply, "\n") {
		if fenceLine.MatchString(strings.TrimRight(line, "\n")) {
			at = append(at, [2]int{pos, pos + len(line)})
		}
		pos += len(line)
	}
	if len(at) < 3 {
		return block{}, false
	}
	return block{text: reply[at[0][1]:at[len(at)-1][0]], at: at[0][0]}, true
}

// dedent removes the indentation that all lines but blank ones share.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	margin, first := "", true
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		space := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if first {
			margin, first = space, false
		}
		for !strings.HasPrefix(space, margin) {
			margin = margin[:len(margin)-1]
		}
		if margin == "" {
			return text
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, margin)
	}
	return strings.Join(lines, "\n")
}

var (
	anyGroup  = regexp.MustCompile(`\{([^}]*)\}`)
	lineGroup = regexp.MustCompile(`\{[^\n]*?\}`)
)

// Thought returns the sentence in braces of a reply that is asked for nothing else. It keeps
// the braces and collapses white space.
func Thought(reply string) (string, bool) {
	reply, err := tidy(reply)
	if err != nil {
		return "", false
	}
	t, err := takeThought(reply, reply, Required)
	return t, err == nil
}

// takeThought looks for a group in braces, over several lines if need be, in the text before the code,
// then on one line anywhere.
func takeThought(before, reply string, rule ThoughtRule) (string, error) {
	if rule == None {
		return "", nil
	}
	found := false
	for _, m := range anyGroup.FindAllStringSubmatch(before, -1) {
		found = true
		// Doubled braces are one pair: some prompts of the field show them so.
		if words := strings.Fields(strings.TrimLeft(m[1], "{")); len(words) > 0 {
			return "{" + strings.Join(words, " ") + "}", nil
		}
	}
	if g := lineGroup.FindString(reply); g != "" && !found {
		words := strings.Fields(strings.Trim(g, "{}"))
		return "{" + strings.Join(words, " ") + "}", nil
	}
	if found {
		return "{}", nil // an empty thought was given, and is taken as one
	}
	if rule == Required {
		return "", refuse(ErrNoThought, "the reply holds no sentence in braces")
	}
	return "", nil
}
