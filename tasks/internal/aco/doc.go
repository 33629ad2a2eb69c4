// Package aco is the ant system that TSP-ACO consumes heuristic matrices with: a fixed
// colony whose ants build tours city by city, each step drawn in proportion to pheromone
// times heuristic, and all of which deposit. Start at Solve. The random numbers of every ant
// are a function of the stream's name alone, so a solve gives one answer for any number of
// workers. It knows neither a candidate nor a task.
package aco
