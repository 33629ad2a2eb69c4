// Package aco is the ant system of the colony tasks: ants go from node to node, drawing each step
// in proportion to pheromone times heuristic, and all ants deposit pheromone. Start at Solve for
// tours, and at Problem for ants under other rules: masks, loads, deposits in one direction. The
// random numbers of an ant depend only on the stream, the iteration and the ant, so a solve gives
// the same answer with any number of workers. The package does not depend on a task.
package aco
