// Package tsp holds what the routing tasks share: instances drawn bit for bit as NumPy's
// legacy generator draws them, distances, neighbour orders, tours and their lengths. Start
// at Draw and Instance. It knows neither a candidate nor a solver.
package tsp
