package results

// A Warning says why a path was left out, or what is doubtful about its numbers.
type Warning struct{ Path, Reason string }

func (w Warning) String() string { return w.Path + ": " + w.Reason }
