package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A prompt is what the model understands of a request.
type prompt struct {
	text     string   // all text, the previous answer of a repair excluded
	prose    string   // the text outside code, lower case
	target   function // the function to implement; the zero value when none is recognised
	parents  []parent // programs shown, in the order shown
	eaps     []helper // helper functions shown, in the order shown
	contract contract
	answer   answer
	goal     string // the words near "Goal:", lower case
	words    int    // the word limit asked of a text, 0 for none
	previous string // the answer that was refused, in a repair
	refusal  string // why
}

// A parent is a program shown in a prompt.
type parent struct {
	label   string // the prose line above it, lower case
	thought string // without braces
	helpers []function
	target  function
}

// A helper is an EAP shown in a prompt.
type helper struct {
	function
	shape shape // what its result looks like
}

// An answer is the form that a reply has to have.
type answer uint8

const (
	answerProgram   answer = iota // one sentence in braces and the target function
	answerCode                    // the target function only
	answerFunctions               // several helper functions
	answerFunction                // exactly one helper function
	answerText                    // prose
	answerSentence                // one sentence in braces
	answerRanges                  // a parameterised target function and the ranges of its parameters
)

var (
	importLine  = regexp.MustCompile(`^(import [\w.]+( as \w+)?(, *[\w.]+( as \w+)?)*|from [\w.]+ import [\w*(), ]+)\s*$`)
	versionTail = regexp.MustCompile(`_v\d+$`)
	wordLimit   = regexp.MustCompile(`(?:fewer|less) than (\d+) words|(?:under|at most|within) (\d+) words`)
)

// base is a function's name without a version suffix such as _v2.
func base(name string) string { return versionTail.ReplaceAllString(name, "") }

// read understands a prompt by the conventions of the prompt builders, and guesses where a
// prompt keeps none.
func read(text string) *prompt {
	p := &prompt{}
	p.text, p.previous, p.refusal = cutRepair(text)
	p.text = cutShape(p.text)
	blocks, gaps := findFunctions(p.text)
	p.prose = strings.ToLower(strings.Join(gaps, "\n"))
	p.contract = readContract(gaps)
	p.chooseTarget(blocks)
	p.sort(blocks, gaps)
	p.answer = readAnswer(gaps, p.prose, len(blocks) > 0)
	p.goal = readGoal(p.prose)
	if m := wordLimit.FindStringSubmatch(p.prose); m != nil {
		p.words, _ = strconv.Atoi(m[1] + m[2])
	}
	return p
}

// cutRepair separates a repair prompt into the prompt as it was, the answer and the reason.
func cutRepair(text string) (original, previous, refusal string) {
	const mark, reason = "\nYour previous answer:", "\nIt was refused:"
	i := strings.Index(text, mark)
	if i < 0 {
		return text, "", ""
	}
	rest := text[i+len(mark):]
	if j := strings.LastIndex(rest, reason); j >= 0 {
		refusal, _, _ = strings.Cut(rest[j+len(reason):], "\n")
		rest = rest[:j]
	}
	return text[:i], strings.TrimSpace(rest), strings.TrimSpace(refusal)
}

// cutShape takes off what stands below the last line that says the form of the answer: an example of
// its shape, in which the function is no program.
func cutShape(text string) string {
	i := strings.LastIndex("\n"+text, "\nAnswer with ")
	if i < 0 {
		return text
	}
	return text[:lineEnd(text, i)]
}

// findFunctions finds the functions that stand at column 0. Gaps are the pieces of text around
// them: gaps[i] stands before functions[i], the last one behind all.
func findFunctions(text string) (functions []function, gaps []string) {
	var gap strings.Builder
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line := text[at:end]
		if strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "async def ") {
			stop := functionEnd(text, at)
			if f, ok := readFunction(text[at:stop]); ok {
				f.start, f.end = at, at+len(f.source)
				functions, gaps = append(functions, f), append(gaps, gap.String())
				gap.Reset()
				at = stop
				continue
			}
		}
		gap.WriteString(line)
		gap.WriteByte('\n')
		at = end + 1
	}
	return functions, append(gaps, gap.String())
}

// functionEnd is the offset of the first line at column 0 that is not part of the function
// whose def stands at the offset.
func functionEnd(text string, at int) int {
	end, bad := len(text), len(text)
	// An open bracket would swallow the rest of the prompt; a fence or another def ends the function.
	for from := lineEnd(text, at); from < len(text)-1; from = lineEnd(text, from+1) {
		if next := text[from+1:]; strings.HasPrefix(next, "def ") || strings.HasPrefix(next, "```") {
			bad = from + 1
			break
		}
	}
	scan(text, at, func(t token) bool {
		if t.kind != newline {
			return true
		}
		next := strings.TrimLeft(text[t.end:], "\r\n")
		if next == "" || next[0] == ' ' || next[0] == '\t' {
			// Blank lines with spaces only do not continue a function.
			line, rest, _ := strings.Cut(next, "\n")
			for strings.TrimSpace(line) == "" && rest != "" {
				line, rest, _ = strings.Cut(rest, "\n")
			}
			if line != "" && (line[0] == ' ' || line[0] == '\t') {
				return true
			}
		}
		end = t.end
		return false
	})
	return min(end, bad)
}

// chooseTarget finds the function to implement: the one without a body, preferring the last;
// else the name that most of the programs bear.
func (p *prompt) chooseTarget(functions []function) {
	for _, f := range slices.Backward(functions) {
		if len(f.body) == 0 {
			p.target = f
			return
		}
	}
	// No template is shown: a program's own header serves, under the version that is asked for.
	if len(functions) == 0 {
		return
	}
	count, best := map[string]int{}, functions[len(functions)-1]
	for _, f := range functions {
		if b := base(f.name); !strings.Contains(p.prose, "`"+strings.ToLower(f.name)+"`") || b != f.name {
			count[b]++
		}
	}
	for _, f := range functions {
		if count[base(f.name)] > count[base(best.name)] {
			best = f
		}
	}
	p.target = function{name: best.name, params: withoutPresets(best.params), returns: best.returns, doc: ""}
	wanted := regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToLower(base(best.name))) + `_v\d+\b`)
	for _, m := range wanted.FindAllString(p.prose, -1) {
		if !slices.ContainsFunc(functions, func(f function) bool { return f.name == m }) {
			p.target.name = m
		}
	}
	p.target.header = writeHeader(p.target)
}

// withoutPresets is the parameters up to the first one with a default.
func withoutPresets(params []param) []param {
	if i := slices.IndexFunc(params, func(q param) bool { return q.preset != "" }); i >= 0 {
		return params[:i]
	}
	return params
}

func writeHeader(f function) string {
	var parts []string
	for _, q := range f.params {
		text := q.name
		if q.annotation != "" {
			text += ": " + q.annotation
		}
		parts = append(parts, text)
	}
	returns := ""
	if f.returns != "" {
		returns = " -> " + f.returns
	}
	return "def " + f.name + "(" + strings.Join(parts, ", ") + ")" + returns + ":"
}

// sort files every function as target, parent, parent's helper or EAP.
func (p *prompt) sort(functions []function, gaps []string) {
	var pending []function // helpers that stand before their program
	thought, label := "", ""
	for i, f := range functions {
		gap := gaps[i]
		joined := isCode(gap) && i > 0 // no prose between this function and the one above
		if t := lastThought(gap); t != "" {
			thought = t
		}
		if l := lastProse(gap); l != "" {
			label = l
		}
		switch {
		case len(f.body) == 0:
		case base(f.name) == base(p.target.name):
			p.parents = append(p.parents, parent{label: label, thought: thought, helpers: pending, target: p.inlined(f)})
			pending, thought = nil, ""
		case p.isEAP(f, gap):
			p.eaps = append(p.eaps, helper{function: f})
		case joined && len(p.parents) > 0 && i > 0 && base(functions[i-1].name) == base(p.target.name):
			last := &p.parents[len(p.parents)-1]
			last.helpers = append(last.helpers, f)
		default:
			pending = append(pending, f)
		}
	}
	// Helpers without a program behind them are EAPs that nobody introduced, or tools of the last program.
	for _, f := range pending {
		if f.doc != "" || len(p.parents) == 0 {
			p.eaps = append(p.eaps, helper{function: f})
		} else {
			last := &p.parents[len(p.parents)-1]
			last.helpers = append(last.helpers, f)
		}
	}
}

// isEAP reports whether the prompt introduces the function in backticks.
func (p *prompt) isEAP(f function, gap string) bool {
	quoted := "`" + strings.ToLower(f.name) + "`"
	return strings.Contains(strings.ToLower(gap), quoted) || strings.Contains(p.prose, quoted)
}

// inlined is a program whose parameters beyond the target's have become constants again, as
// harmony search leaves them behind.
func (p *prompt) inlined(f function) function {
	values := map[string]string{}
	kept := f.params[:0:0]
	for _, q := range f.params {
		if q.preset != "" && !p.target.has(q.name) {
			values[q.name] = q.preset
		} else {
			kept = append(kept, q)
		}
	}
	if len(values) == 0 {
		return f
	}
	f.params = kept
	for i, s := range f.body {
		if strings.HasPrefix(s.code(), "def ") {
			continue
		}
		f.body[i] = newStatement(rename(s.text, values))
	}
	f.header = writeHeader(f)
	return f
}

// isCode reports whether a gap holds nothing but imports, comments and fences.
func isCode(gap string) bool {
	for line := range strings.Lines(gap) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && !strings.HasPrefix(line, "```") && !importLine.MatchString(line) {
			return false
		}
	}
	return true
}

// lastThought is the last brace group that begins a line of the gap.
func lastThought(gap string) string {
	i := strings.LastIndex("\n"+gap, "\n{")
	if i < 0 {
		return ""
	}
	text, _, found := strings.Cut(gap[i+1:], "}")
	if !found {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// lastProse is the last line of a gap that is neither code, a fence nor a thought, lower case.
func lastProse(gap string) string {
	lines := strings.Split(gap, "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '{' && line[0] != '#' && !strings.HasPrefix(line, "```") && !importLine.MatchString(line) {
			return strings.ToLower(line)
		}
	}
	return ""
}

// readGoal is the paragraph that begins with "goal:"; without one, the lines that ask for a new program.
func readGoal(prose string) string {
	if i := strings.Index(prose, "goal:"); i >= 0 {
		goal, _, _ := strings.Cut(prose[i:], "\n\n")
		return goal
	}
	goal := ""
	for line := range strings.Lines(prose) {
		if strings.Contains(line, "new algorithm") || strings.Contains(line, "new version") || strings.Contains(line, "mutate") || strings.Contains(line, "improve") {
			goal += line
		}
	}
	return goal
}

// readAnswer reads the last line that begins with "Answer with"; without one it guesses.
func readAnswer(gaps []string, prose string, code bool) answer {
	form := ""
	for _, gap := range gaps {
		for line := range strings.Lines(gap) {
			if rest, ok := strings.CutPrefix(strings.ToLower(line), "answer with "); ok {
				// What follows the first stop explains the form and may use any word.
				form, _, _ = strings.Cut(rest, ".")
				form, _, _ = strings.Cut(form, ":")
			}
		}
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(form, w) })
	}
	switch {
	case form == "":
		return guessAnswer(prose, code)
	case has("range"):
		return answerRanges
	case has("exactly one function", "one function definition", "one definition"):
		return answerFunction
	case has("function definitions", "definitions only"):
		return answerFunctions
	case has("text", "markdown"):
		return answerText
	case has("code only"), has("code") && !has("brace", "sentence"):
		return answerCode
	case has("sentence", "brace") && !has("code", "function"):
		return answerSentence
	}
	return answerProgram
}

func guessAnswer(prose string, code bool) answer {
	has := func(w string) bool { return strings.Contains(prose, w) }
	switch {
	case has("parameter_ranges"):
		return answerRanges
	case has("brace") || has("{"):
		return answerProgram
	case has("exactly one function"):
		return answerFunction
	case has("definitions only"):
		return answerFunctions
	case has("code only") || has("python code"):
		return answerCode
	case !code || has("reflect") || has("hint") || has("insight"):
		return answerText
	}
	return answerProgram
}
