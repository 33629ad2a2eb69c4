package programs

// Modules are the root modules that a candidate may import: NumPy, SciPy and
// the parts of the standard library that compute. What is missing here is refused before a
// program runs; what a program could do with the rest is the sandbox's business. No clock is
// among them: a score that depends on speed could not be verified.
func Modules() []string {
	return []string{
		"numpy", "scipy",
		"math", "cmath", "random", "statistics", "itertools", "functools", "operator",
		"collections", "heapq", "bisect", "typing", "dataclasses", "copy",
	}
}
