package hint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

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

// JSON says an error of encoding/json without the names of Go's types: "step.number cannot be a
// JSON array". Other errors stay.
func JSON(err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s cannot be a JSON %s", cmp.Or(e.Field, "it"), e.Value)
	}
	if err != nil && strings.HasPrefix(err.Error(), "json: ") {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
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
