package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/offline/pytext"
)

// A prompt holds the parts of a request that the model understands.
type prompt struct {
	prose    string            // the text outside code, lower case
	target   pytext.Function   // the function to implement; zero if no function is recognised
	parents  []parent          // programs shown, in the order shown
	eaps     []pytext.Function // helper functions shown, in the order shown
	contract contract
	answer   answer
	analysed bool   // a description in single quotes and an analysis in brackets come first
	goal     string // the words near "Goal:", lower case
	words    int    // the word limit of a requested text; 0: no limit
	refusal  string // why the previous answer was refused, in a repair
}

// A parent is a program shown in a prompt.
type parent struct {
	label   string            // the line of prose above it, lower case
	helpers []pytext.Function // the program's own helpers
	pytext.Function
}

// An answer is the required form of a reply.
type answer uint8

const (
	answerProgram   answer = iota // one sentence in braces and the target function
	answerCode                    // the target function only
	answerFunctions               // several helper functions
	answerFunction                // exactly one helper function
	answerText                    // prose
	answerSentence                // one sentence in braces
	answerRanges                  // the target function with parameters, and their ranges
)

var (
	importLine  = regexp.MustCompile(`^(import|from) [\w.]+( as \w+| import [\w*(), ]+)?\s*$`)
	versionTail = regexp.MustCompile(`_v\d+$`)
	wordLimit   = regexp.MustCompile(`(?:fewer than|less than|under|at most|within) (\d+) words`)
)

// base returns a function's name without a version suffix such as _v2.
func base(name string) string { return versionTail.ReplaceAllString(name, "") }

// read parses a prompt by the conventions of package prompt, and guesses if the prompt does not
// follow them.
func read(text string) *prompt {
	p := &prompt{}
	text, p.refusal = cutRepair(text)
	functions, gaps := pytext.Functions(cutShape(text))
	prose := strings.Join(gaps, "\n")
	p.prose = strings.ToLower(prose)
	p.contract = readContract(prose)
	p.target = p.findTarget(functions)
	p.sort(functions, gaps)
	p.answer = readAnswer(p.prose, len(functions) > 0)
	p.analysed = strings.Contains(p.prose, "an analysis in square brackets")
	p.goal = readGoal(p.prose)
	if m := wordLimit.FindStringSubmatch(p.prose); m != nil {
		p.words, _ = strconv.Atoi(m[1])
	}
	return p
}

func cutRepair(text string) (original, refusal string) {
	original, previous, _ := strings.Cut(text, "\nYour previous answer:")
	const reason = "\nIt was refused:"
	if i := strings.LastIndex(previous, reason); i >= 0 {
		refusal, _, _ = strings.Cut(previous[i+len(reason):], "\n")
	}
	return original, strings.TrimSpace(refusal)
}

// cutShape removes the text after the last line that describes the form of the answer. This text is
// an example, and its function is not a program.
func cutShape(text string) string {
	i := strings.LastIndex("\n"+text, "\nAnswer with ")
	if i < 0 {
		return text
	}
	line, _, _ := strings.Cut(text[i:], "\n")
	return text[:i] + line
}

// findTarget finds the function to implement: the last function without a body or, if there is
// none, the last program, in which parameters with defaults are constants.
func (p *prompt) findTarget(functions []pytext.Function) pytext.Function {
	for _, f := range slices.Backward(functions) {
		if len(f.Body) == 0 {
			return f
		}
	}
	for _, f := range slices.Backward(functions) {
		if p.introduces(f) {
			continue
		}
		i := slices.IndexFunc(f.Params, func(q pytext.Param) bool { return q.Default != "" })
		if i >= 0 {
			f.Params = f.Params[:i]
		}
		target := pytext.Function{Name: f.Name, Params: f.Params, Returns: f.Returns}
		target.Header = target.Signature()
		return target
	}
	return pytext.Function{}
}

// introduces reports whether the prompt names the function in backticks, as prompts name EAPs.
func (p *prompt) introduces(f pytext.Function) bool {
	return strings.Contains(p.prose, "`"+strings.ToLower(f.Name)+"`")
}

func (p *prompt) sort(functions []pytext.Function, gaps []string) {
	var pending []pytext.Function // helpers above their program
	label, behind := "", false    // behind: the function above is a program
	for i, f := range functions {
		prose := lastProse(gaps[i])
		if prose != "" {
			label = prose
		}
		switch {
		case len(f.Body) == 0:
		case base(f.Name) == base(p.target.Name):
			p.parents = append(p.parents, parent{label, pending, p.inlined(f)})
			pending, behind = nil, true
			continue
		case p.introduces(f):
			p.eaps = append(p.eaps, f)
		case behind && prose == "" && !strings.Contains(gaps[i], "{"):
			last := &p.parents[len(p.parents)-1]
			last.helpers = append(last.helpers, f)
		default:
			pending = append(pending, f)
		}
		behind = false
	}
	// Helpers without a program below them are EAPs without an introduction, or belong to the last
	// program.
	for _, f := range pending {
		if f.Doc != "" || len(p.parents) == 0 {
			p.eaps = append(p.eaps, f)
		} else {
			last := &p.parents[len(p.parents)-1]
			last.helpers = append(last.helpers, f)
		}
	}
}

// inlined turns parameters of a program that the target does not have back into constants. Harmony
// search adds such parameters.
func (p *prompt) inlined(f pytext.Function) pytext.Function {
	values := map[string]string{}
	var kept []pytext.Param
	for _, q := range f.Params {
		if q.Default != "" && !p.target.Has(q.Name) {
			values[q.Name] = q.Default
		} else {
			kept = append(kept, q)
		}
	}
	if len(values) == 0 {
		return f
	}
	f.Params = kept
	f.Header = f.Signature()
	for i, s := range f.Body {
		if !strings.HasPrefix(s.Code(), "def ") {
			f.Body[i] = pytext.NewStatement(pytext.Rename(s.Text, values))
		}
	}
	return f
}

// lastProse returns the last line of a gap that is neither code, a fence nor a thought, in lower
// case.
func lastProse(gap string) string {
	for _, line := range slices.Backward(strings.Split(gap, "\n")) {
		line = strings.TrimSpace(line)
		code := importLine.MatchString(line)
		if line != "" && !code && !strings.ContainsRune("{#`", rune(line[0])) {
			return strings.ToLower(line)
		}
	}
	return ""
}

// readGoal returns the paragraph that begins with "goal:". If there is none, it returns the lines
// that ask for a new program.
func readGoal(prose string) string {
	if i := strings.Index(prose, "goal:"); i >= 0 {
		goal, _, _ := strings.Cut(prose[i:], "\n\n")
		return goal
	}
	goal := ""
	for line := range strings.Lines(prose) {
		if containsAny(line, "new algorithm", "new version", "mutate", "improve") {
			goal += line
		}
	}
	return goal
}

// readAnswer reads the last line that begins with "answer with". If there is none, it guesses.
func readAnswer(prose string, code bool) answer {
	form := ""
	for line := range strings.Lines(prose) {
		if rest, ok := strings.CutPrefix(line, "answer with "); ok {
			// The text after the first full stop or colon explains the form and may use any word.
			form, _, _ = strings.Cut(rest, ".")
			form, _, _ = strings.Cut(form, ":")
		}
	}
	if form == "" {
		return guessAnswer(prose, code)
	}
	has := func(words ...string) bool { return containsAny(form, words...) }
	switch {
	case has("range"):
		return answerRanges
	case has("exactly one function", "one function definition", "one definition"):
		return answerFunction
	case has("function definitions", "definitions only"):
		return answerFunctions
	case has("text", "markdown"):
		return answerText
	case has("code") && !has("brace", "sentence"):
		return answerCode
	case has("sentence", "brace") && !has("code", "function"):
		return answerSentence
	}
	return answerProgram
}

func guessAnswer(prose string, code bool) answer {
	has := func(words ...string) bool { return containsAny(prose, words...) }
	switch {
	case has("parameter_ranges"):
		return answerRanges
	case has("brace", "{"):
		return answerProgram
	case has("exactly one function"):
		return answerFunction
	case has("definitions only"):
		return answerFunctions
	case has("code only", "python code"):
		return answerCode
	case !code || has("reflect", "hint", "insight"):
		return answerText
	}
	return answerProgram
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
