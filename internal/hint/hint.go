package hint

import "errors"

// A hinted error carries one line of advice besides its message.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }
func (h *hinted) Hint() string  { return h.hint }

// Add attaches a line of advice to an error, printed by the command line below the
// error itself. A nil error stays nil.
func Add(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// Of returns the outermost hint attached to err, or "". Errors with a type of their own
// carry theirs in a method Hint() string.
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
