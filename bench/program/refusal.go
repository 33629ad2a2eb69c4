package program

import (
	"errors"
	"fmt"
)

// Why a reply or a program is refused. Every Refusal wraps one of them.
var (
	ErrNoThought = errors.New("no thought in braces") // strict mode only
	ErrNoCode    = errors.New("no function in the reply")
	ErrNoTarget  = errors.New("the target function is missing")
	ErrSyntax    = errors.New("not valid Python")
	ErrTarget    = errors.New("the target function is not as asked")
	ErrCalls     = errors.New("the calls break the contract")
	ErrRebound   = errors.New("a given name is defined anew")
	ErrWraps     = errors.New("the parent is merely wrapped")
	ErrModule    = errors.New("a module that may not be imported")
	ErrOpen      = errors.New("a function is not self-contained")
)

// A Refusal says in one line, fit for a repair prompt, why a reply or a program is not evaluated.
// It costs no evaluation. Any other error of this package means that
// the analyser is broken or ctx is done.
type Refusal struct {
	Kind   error  // one of the sentinels above
	Reason string // one line, lower case, no full stop
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Unwrap returns the kind, for errors.Is.
func (r *Refusal) Unwrap() error { return r.Kind }

// Refused returns the refusal in err, if it is one.
func Refused(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}

func refuse(kind error, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// refuseSyntax words CPython's refusal of a source.
func refuseSyntax(e SyntaxError) *Refusal {
	if e.Line == 0 {
		return refuse(ErrSyntax, "the code is not valid Python: %s", e.Message)
	}
	return refuse(ErrSyntax, "the code is not valid Python: line %d: %s", e.Line, e.Message)
}
