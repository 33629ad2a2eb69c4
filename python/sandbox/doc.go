// Package sandbox runs generated Python where it can do no harm: every candidate lives in a
// process of its own that gets arguments and returns values, and reaches no file, no network,
// no other process and no score. Start at Open, which gives a Pool (a bench.Loader), and at
// OpenAnalyzer (a program.Analyzer). It knows no task and computes no score.
//
// The program that uses it must call Reexec first thing in main (and in TestMain): it starts
// itself again as the launcher, which confines itself and then becomes Python.
//
//	Go ── launcher = zygote (Python with NumPy imported) ── one forked child per candidate
//
// docs/sandbox.md says what is protected, by what, and what is not.
package sandbox
