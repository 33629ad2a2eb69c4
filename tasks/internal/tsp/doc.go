// Package tsp has what the routing tasks share: instances drawn exactly as NumPy's legacy generator
// draws them, distances, neighbour orders, tours and their lengths. Start at Draw and Instance. It
// knows no candidates and no solvers.
package tsp
