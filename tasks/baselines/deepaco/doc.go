// Package deepaco is DeepACO (Ye et al., NeurIPS 2023) as a source of heuristic matrices for the
// ant colony of TSP-ACO: it reads the published checkpoints, which scripts/fetch-deepaco converts
// without PyTorch, and evaluates their graph network. Start at Load and Net.Heuristic. It trains
// nothing.
package deepaco
