// Package aco is the ant system that colonies consume heuristics with: ants go from node to node,
// each step drawn in proportion to pheromone times heuristic, and all of them deposit. Start at
// Solve for tours, and at Problem for ants under other rules: masks, loads, deposits in one
// direction. The random numbers of every ant are a function of the stream's name alone, so a solve
// gives one answer for any number of workers. It knows no task.
package aco
