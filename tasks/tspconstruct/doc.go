// Package tspconstruct is the task TSP-Construct: design the function that picks the next city of a
// tour, given the current city, the unvisited cities in order of distance, and the distance matrix.
// A loop in the candidate's process (questions.py) asks for each choice. From the answers, the tour
// is built, checked and measured here. Start at Task, or at Measure for a rule written in Go.
package tspconstruct
