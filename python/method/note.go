package pymethod

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/note"
)

// kindName matches the kinds that a method may give its own notes.
var kindName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// noteOf returns a note as the journal has it: of a kind that reports read, or a remark. It encodes
// the value again, so that the journal does not depend on how Python writes JSON.
func noteOf(w command) (note.Note, error) {
	decode := func(into any) error {
		d := json.NewDecoder(bytes.NewReader(w.Value))
		d.DisallowUnknownFields()
		err := d.Decode(into)
		if err != nil {
			return fmt.Errorf("note %s: %w", w.Kind, hint.JSON(err))
		}
		return nil
	}
	switch w.Kind {
	case note.Offspring{}.Kind():
		var n note.Offspring
		err := decode(&n)
		return n, err
	case note.Survivors{}.Kind():
		n := note.Survivors{Members: []note.Survivor{}}
		err := decode(&n)
		return n, err
	case note.Attempt{}.Kind():
		var n note.Attempt
		err := decode(&n)
		return n, err
	case note.Failure{}.Kind():
		var n note.Failure
		err := decode(&n)
		return n, err
	}
	if !kindName.MatchString(w.Kind) {
		return nil, fmt.Errorf("note %.60q: a kind has at most 40 letters, digits and dashes",
			w.Kind)
	}
	var value map[string]any
	if err := decode(&value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	return note.Remark{Name: w.Kind, Value: text}, err
}
