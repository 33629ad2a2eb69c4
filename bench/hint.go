package bench

import "errors"

// A hinted error carries one line of advice beside its message.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint attaches a line of advice to an error, printed by the command line below the
// error itself. A nil error stays nil.
func Hint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// HintOf returns the outermost hint attached to err, or "".
func HintOf(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.hint
	}
	return ""
}
