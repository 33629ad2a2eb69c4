package results

// A Warning says why a path was left out, or why its numbers are doubtful.
type Warning struct{ Path, Reason string }

func (w Warning) String() string { return w.Path + ": " + w.Reason }
