// Package results reads results directories into values: runs with their usage, curves, operators
// and EAPs, groups of runs that differ in their seed, and the statistics over them. Start at Read.
//
// It is the only reader of journals besides the engine, whose decoder it uses
// (bench.LoadWithoutTexts). It never computes a score, and it says what it doubts as Warnings.
package results
