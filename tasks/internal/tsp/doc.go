// Package tsp has the code that the routing tasks share: instances drawn exactly as NumPy's legacy
// generator draws them, distances, neighbour orders, tour lengths and pictures. It does not depend
// on candidates or solvers. Start at Draw and Instance.
package tsp
