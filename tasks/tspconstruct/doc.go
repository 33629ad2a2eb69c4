// Package tspconstruct is the task TSP-Construct: design the function that picks the next
// city of a tour, given the current one, the ones not yet visited in order of distance, and
// the distance matrix. The tour is built, checked and measured here; the candidate answers
// one call for each choice. Start at Task, or at Measure for a rule written in Go.
package tspconstruct
