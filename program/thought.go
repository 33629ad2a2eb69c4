package program

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxProse bounds a thought that is taken from prose, in characters. It is about four sentences:
// prompts ask for one, and later prompts repeat the thought.
const maxProse = 400

// thought returns the idea behind a piece. It looks for a sentence in braces before the code, in
// the code's block or outside of it, then after the code, and then in the target's docstring. If
// there is no such sentence, the idea is the prose before the code. If analysed is true, the idea
// follows an analysis in square brackets.
func (r *reading) thought(p piece, target string, analysed bool) string {
	// Text before an older version is the idea of that version, unless no other text follows.
	older := 0
	for _, b := range r.fenced {
		if b.end <= p.block.at && definition.MatchString(b.text) {
			older = b.end
		}
	}
	var befores, fars, afters []string
	for _, b := range r.texts {
		switch {
		case b.at >= p.block.end:
			afters = append(afters, b.text)
		case b.end > p.block.at: // the block with the code
		case b.at >= older:
			befores = append(befores, b.text)
		default:
			fars = append(fars, b.text)
		}
	}
	earlier := strings.Join(fars, "\n\n")
	for _, b := range r.fenced { // the idea may have a fence of its own
		if b.end <= p.block.at && !definition.MatchString(b.text) {
			fars = append(fars, b.text)
		}
	}
	join := func(texts []string) string { return strings.Join(append(texts, ""), "\n\n") }
	before, far, after := join(befores), join(fars), join(afters)
	lead := strings.Join(p.block.lines[:min(p.from, len(p.block.lines))], "\n")
	trail := strings.Join(p.block.lines[min(p.to, len(p.block.lines)):], "\n")
	if definition.MatchString(lead) {
		far, lead = far+lead, ""
	}
	f, _ := p.analysis.Func(target)
	head := commentSigns.ReplaceAllString(p.source[:firstCode(p)], "")
	if analysed {
		before = behindAnalysis(before + lead)
		lead = ""
	}
	for _, text := range []string{before + lead, head, far, trail + "\n\n" + after, f.Doc} {
		if t := braced(text); t != "" {
			return t
		}
	}
	for _, text := range []string{before + lead, earlier} {
		if t := prose(text); t != "" {
			return "{" + t + "}"
		}
	}
	return ""
}

// Idea returns the idea of a reply's program, without braces: the sentence in braces before the
// code, or else the prose before the code; it may be empty. Idea reads only the text and is for
// display: Extract finds ideas in more places.
func Idea(reply string) string {
	reply, err := tidy(reply)
	if err != nil {
		return ""
	}
	text := answer(reply)
	if at := codeBegins.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	if t := braced(text); t != "" {
		return strings.TrimSuffix(strings.TrimPrefix(t, "{"), "}")
	}
	return prose(text)
}

// codeBegins matches the first line of code.
var codeBegins = regexp.MustCompile(`(?m)^[ \t]*(import[ \t]|from[ \t]+\S+[ \t]+import|` +
	`(async[ \t]+)?def[ \t]+\w|class[ \t]+\w|@\w)`)

// behindAnalysis returns the text after the last group in square brackets before the last group in
// braces; without braces, the text after the last group in square brackets.
func behindAnalysis(text string) string {
	end := len(text)
	if found, _ := groups(text); len(found) > 0 {
		end = found[len(found)-1].start
	}
	if end = strings.LastIndexByte(text[:end], ']'); end < 0 {
		return text
	}
	return text[end+1:]
}

var commentSigns = regexp.MustCompile(`(?m)^[# \t]+`)

// firstCode returns where the first import or definition of a piece begins.
func firstCode(p piece) int {
	for _, it := range items(p.analysis) {
		if !it.other() || len(it.Binds) > 0 {
			return it.Start
		}
	}
	return 0
}

// A group is a pair of matching braces, or an opening brace that is never closed.
type group struct {
	start, end int
	latex      bool // an argument of a command or a sub- or superscript
}

// groups returns the outermost pairs of braces in order, and the position of the first brace that
// is never closed, or -1.
func groups(text string) ([]group, int) {
	var found []group
	var open []int
	for i := range len(text) {
		switch text[i] {
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			for len(found) > 0 && found[len(found)-1].start > start {
				found = found[:len(found)-1]
			}
			found = append(found, group{start, i + 1, isLatex(text[:start])})
		}
	}
	if len(open) > 0 {
		return found, open[0]
	}
	return found, -1
}

// isLatex reports whether text ends in a LaTeX command that takes an argument: \frac{a}{b}, x_{ij}.
func isLatex(text string) bool {
	if text == "" {
		return false
	}
	if last := text[len(text)-1]; last == '_' || last == '^' {
		return true
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	word := strings.TrimRight(text[max(0, len(text)-20):], letters)
	return len(word) < min(len(text), 20) && strings.HasSuffix(word, `\`)
}

// braced returns the first sentence in braces, including the braces, with collapsed white space. It
// prefers a sentence of three words or more, then any text outside LaTeX, then the argument of a
// LaTeX command.
func braced(text string) string {
	found, unclosed := groups(text)
	inner := make([]string, len(found))
	for i, g := range found {
		inner[i] = collapsed(text[g.start+1 : g.end-1])
		// Doubled braces count as one pair, because some published prompts show them doubled.
		if strings.HasPrefix(inner[i], "{") && closes(inner[i]) {
			inner[i] = collapsed(inner[i][1 : len(inner[i])-1])
		}
		if !g.latex && strings.Count(inner[i], " ") >= 2 {
			return "{" + inner[i] + "}"
		}
	}
	if unclosed >= 0 {
		rest, _, _ := strings.Cut(text[unclosed+1:], "\n\n")
		if rest = collapsed(rest); strings.Count(rest, " ") >= 2 {
			return "{" + shortened(rest) + "}"
		}
	}
	for _, latex := range []bool{false, true} {
		for i, g := range found {
			script := g.start > 0 && strings.ContainsRune("_^", rune(text[g.start-1]))
			if g.latex == latex && !script && inner[i] != "" {
				return "{" + inner[i] + "}"
			}
		}
	}
	return ""
}

// closes reports whether the last byte of text closes the brace that text begins with.
func closes(text string) bool {
	found, unclosed := groups(text)
	return unclosed < 0 && len(found) == 1 && found[0].end == len(text)
}

func collapsed(text string) string { return strings.Join(strings.Fields(text), " ") }

var (
	markers  = regexp.MustCompile(`^([-*+•>]|\d+[.)])[ \t]+`)
	headline = regexp.MustCompile(`^(#+.*|\*\*[^*]*\*\*:?|__[^_]*__:?|</?\w+>|[-*_=]{3,})$`)
	label    = regexp.MustCompile(`(?i)^[*_]*(step \d+|idea|thought|description|approach|` +
		`strategy|algorithm|explanation|concept)[*_]*:[*_]*[ \t]*`)
	// leadIn matches the start of a sentence about the answer rather than the algorithm.
	leadIn = regexp.MustCompile(`(?i)^(sure|certainly|of course|absolutely|okay|ok|here is|` +
		`here's|here’s|here are|below is|the following|let me|let's|i will|i'll)\b`)
	// stop matches the end of a sentence.
	stop = regexp.MustCompile(`[.!?。]["')\]]*( |$)`)
)

// prose returns the sentences of a text that describe something. It drops headings, list markers
// and introductions of the code.
func prose(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if beginnings.MatchString(line) || strings.HasPrefix(line, "    ") {
			continue // code
		}
		line = strings.TrimSpace(line)
		if headline.MatchString(line) || strings.HasPrefix(line, "```") {
			continue
		}
		line = label.ReplaceAllString(markers.ReplaceAllString(line, ""), "")
		if strings.HasSuffix(line, ":") {
			continue
		}
		kept = append(kept, strings.ReplaceAll(line, "**", ""))
	}
	all, at := collapsed(strings.Join(kept, " ")), 0
	var sentences []string
	for _, m := range append(stop.FindAllStringIndex(all, -1), []int{len(all), len(all)}) {
		if s := strings.TrimSpace(all[at:m[1]]); s != "" && !leadIn.MatchString(s) {
			sentences = append(sentences, s)
		}
		at = m[1]
	}
	words := strings.Join(sentences, " ")
	if strings.Count(words, " ") < 2 {
		return ""
	}
	return shortened(words)
}

// shortened cuts a text to maxProse characters, after a sentence if one ends in its second half,
// else after a word.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxProse {
		return text
	}
	text = string([]rune(text)[:maxProse])
	if end := strings.LastIndexAny(text, ".!?"); end > len(text)/2 {
		return text[:end+1]
	}
	if end := strings.LastIndexByte(text, ' '); end > 0 {
		return text[:end]
	}
	return text
}
