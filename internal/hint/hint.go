// Package hint attaches advice to errors, and makes messages readable for users.
package hint

import (
	"errors"
	"fmt"
)

// A hinted error is an error with one line of advice.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }
func (h *hinted) Hint() string  { return h.hint }

// Add attaches a line of advice to an error. The command line prints the advice below the error.
// Add returns nil for a nil error.
func Add(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// Of returns the outermost hint in err's chain, or "". An error of any type can provide a hint with
// a method Hint() string.
func Of(err error) string {
	h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err)
	if !ok {
		return ""
	}
	return h.Hint()
}

// Counted returns "1 run" or "2 runs".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
