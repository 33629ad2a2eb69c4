package note

import "encoding/json"

// A Remark is a note of a method in Python, with a kind of its own. Value is an object.
type Remark struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Kind is "remark".
func (Remark) Kind() string { return "remark" }

// OfFiles returns the notes that methods in Python leave.
func OfFiles() []Note {
	return []Note{Offspring{}, Survivors{}, Attempt{}, Failure{}, Remark{}}
}
