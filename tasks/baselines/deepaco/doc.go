// Package deepaco computes heuristic matrices for the ant colony of TSP-ACO with DeepACO (Ye et
// al., NeurIPS 2023). It reads the published checkpoints, which scripts/fetch-deepaco converts
// without PyTorch, and evaluates their graph neural network; it trains nothing. Start at Load and
// Net.Heuristic.
package deepaco
