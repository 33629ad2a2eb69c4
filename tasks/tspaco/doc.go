// Package tspaco is the task TSP-ACO: design the function that turns a distance matrix into the
// heuristic matrix of an ant colony. The candidate answers one call for each instance; the colony
// that uses the answer runs here. Start at Task, or at Solve for a matrix made in Go.
package tspaco
