// Package tspconstruct is the task TSP-Construct: design the function that picks the next
// city of a tour, given the current one, the ones not yet visited in order of distance, and
// the distance matrix. The candidate answers one call for each choice, asked by a loop in its
// process (questions.py); from its answers the tour is built, checked and measured here. Start at
// Task, or at Measure for a rule written in Go.
package tspconstruct
