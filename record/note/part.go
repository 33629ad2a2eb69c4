package note

// A Part is a mechanism of a method. A run used the part if the run's journal contains the
// operator, the purpose or the kind.
type Part struct {
	Title    string // "P1", "EAPs (none was admitted)"
	Operator string // a program of this operator was evaluated
	Purpose  string // a request had this purpose: "reflection/long"
	Kind     string // the method left a note of this kind
}

// Operators returns the parts that are operators with these names.
func Operators(names ...string) []Part {
	var parts []Part
	for _, name := range names {
		parts = append(parts, Part{Title: name, Operator: name})
	}
	return parts
}
