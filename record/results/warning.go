package results

// A Warning is a doubt about a path: it was left out, or its numbers need a note.
type Warning struct{ Path, Reason string }

func (w Warning) String() string { return w.Path + ": " + w.Reason }
