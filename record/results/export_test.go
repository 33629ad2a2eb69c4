package results

// Read reads the directories once, with a new Reader.
func Read(v Decoders, dirs ...string) (*Store, error) {
	return (&Reader{Decoders: v}).Read(dirs...)
}

// Distance returns the distance between two sources.
func Distance(a, b string) float64 { return distance(profile(a), profile(b)) }
