package program

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A Kind is the reason for a refusal in one word, for tables. errors.Is finds it in a Refusal.
type Kind string

func (k Kind) Error() string { return string(k) }

// The kinds of refusals, including refusals by methods.
const (
	ErrNoThought Kind = "no-thought" // no thought in braces, in strict mode
	ErrNoCode    Kind = "no-code"    // no function in the reply
	ErrCut       Kind = "cut"        // the reply ends before its code does
	ErrSyntax    Kind = "syntax"     // not valid Python
	ErrNoTarget  Kind = "no-target"  // the target function is missing
	ErrTarget    Kind = "target"     // the target function differs from the required one
	ErrCalls     Kind = "calls"      // calls break the contract
	ErrRebound   Kind = "rebound"    // a given name is redefined
	ErrWraps     Kind = "wraps"      // the parent is merely wrapped
	ErrModule    Kind = "module"     // an import that is not allowed
	ErrOpen      Kind = "open"       // a function is not self-contained
	ErrForm      Kind = "form"       // a rule for helper functions or ranges is broken
	ErrKnown     Kind = "known"      // the EAP already exists
)

// words are the parts of a reason that determine its kind. A journal holds only reasons, so the
// kind is always read from them. Text that a reason quotes from a reply is a name, or comes after
// these words.
var words = []struct {
	kind  Kind
	words string
}{
	{ErrNoThought, "no sentence in braces"},
	{ErrNoCode, "no function definition|no function at top|no body of a function|that are read"},
	{ErrCut, "ends before its code is complete"},
	{ErrSyntax, "not valid Python|text before the code"},
	{ErrNoTarget, ", not at top level|something that is not a function|, but not `"},
	{ErrTarget, "does not define|, not once|, not with def|as asked$|cannot be called with"},
	{ErrCalls, "it must call|it must not call|of those given"},
	{ErrRebound, "must only be called"},
	{ErrWraps, "whose result is not used"},
	{ErrModule, "may be imported"},
	{ErrOpen, "neither one of its parameters"},
	{ErrForm, "no docstring|is asked for|function to design|the algorithm that it is taken from|" +
		"another helper function|no ranges of numbers|no range belongs"},
	{ErrKnown, "equals the known"},
}

var told = sync.OnceValue(func() *regexp.Regexp {
	var groups []string
	for _, w := range words {
		groups = append(groups, "("+w.words+")")
	}
	return regexp.MustCompile(strings.Join(groups, "|"))
})

// KindOf returns the kind of a refusal from the reason in a journal. If one line has several
// reasons, the first counts. KindOf returns "" for an unknown reason.
func KindOf(reason string) Kind {
	for i, at := range told().FindStringSubmatchIndex(reason) {
		if i > 1 && at >= 0 {
			return words[i/2-1].kind
		}
	}
	return ""
}

// A Refusal explains in one line why a reply or a program is not evaluated. Repair prompts show the
// line. A refusal costs no evaluation. Any other error of this package means that the analyser is
// broken or ctx is done.
type Refusal struct {
	Kind   Kind
	Reason string // one line, lower case, no full stop
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Unwrap returns the kind, for errors.Is.
func (r *Refusal) Unwrap() error { return r.Kind }

// Refused returns the refusal in err, if there is one.
func Refused(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}

func refuse(format string, args ...any) *Refusal {
	reason := fmt.Sprintf(format, args...)
	return &Refusal{Kind: KindOf(reason), Reason: reason}
}

func refuseSyntax(e SyntaxError) *Refusal {
	if e.Line == 0 {
		return refuse("the code is not valid Python: %s", e.Message)
	}
	return refuse("the code is not valid Python: line %d: %s", e.Line, e.Message)
}

// Descriptions of replies without a program, as Lacks returns them.
const (
	Empty    = "empty"
	Thinking = "only thinking"
	Diff     = "a diff"
	NoCode   = "no function"
)

var diff = regexp.MustCompile(
	`(?m)^(?:<{5,} ?SEARCH|@@ -\d|\*\*\* (?:Begin|Update) |--- \S+\n\+\+\+ )`)

// Lacks describes a reply that holds no program; "" if it holds a function definition. It reads
// only the text, which may still be invalid Python.
func Lacks(reply string) string {
	reply, err := tidy(reply)
	if err != nil {
		return NoCode
	}
	text := answer(reply)
	switch {
	case strings.TrimSpace(reply) == "":
		return Empty
	case definition.MatchString(text):
		return ""
	case strings.TrimSpace(Words(reply)) == "", cutAnalysis.MatchString(reply):
		return Thinking
	case diff.MatchString(text):
		return Diff
	}
	return NoCode
}

// cutAnalysis matches the thinking of gpt-oss without its marks and without an answer after it.
var cutAnalysis = regexp.MustCompile(`\A\s*analysis[A-Z]`)
