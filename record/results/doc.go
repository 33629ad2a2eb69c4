// Package results reads results directories into values: runs with their usage, curves, operators
// and EAPs, groups of runs that differ only in their seed, and statistics of these groups. Start at
// Reader.Read.
//
// It reads journals through package record, as the engine does. It never computes a score, and it
// reports doubts as Warnings.
package results
