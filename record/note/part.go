package note

// A Part is a mechanism of a method. One of these in its journal shows that a run used it.
type Part struct {
	Title    string // "P1", "EAPs (none was admitted)"
	Operator string // a program of this operator was evaluated
	Purpose  string // the model was asked for this: "reflection/long"
	Kind     string // the method left a note of this kind
}

// Operators are parts that make programs.
func Operators(names ...string) []Part {
	var parts []Part
	for _, name := range names {
		parts = append(parts, Part{Title: name, Operator: name})
	}
	return parts
}
