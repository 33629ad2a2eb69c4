package note

import "encoding/json"

// A Remark is a note of a method in Python, under a name that the method chooses. Value is a JSON
// object.
type Remark struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Kind returns "remark".
func (Remark) Kind() string { return "remark" }

// OfFiles returns one note of each kind that methods in Python can write.
func OfFiles() []Note {
	return []Note{Offspring{}, Survivors{}, Attempt{}, Failure{}, Remark{}}
}
