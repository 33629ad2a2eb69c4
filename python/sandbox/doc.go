// Package sandbox runs generated Python so that it can do no harm: every candidate has its own
// process, which gets arguments and returns values, and reaches no file, no network, no other
// process and no score. Start at Open, which gives a Pool (a bench.Loader), and at OpenAnalyzer (a
// program.Analyzer). The package knows no task and computes no score.
//
// A program that uses the package must call Reexec first in main and in TestMain: the program
// starts itself again as the launcher, which confines itself and then becomes Python.
//
//	Go ── launcher = zygote (Python with NumPy imported) ── one forked child per candidate
//
// docs/sandbox.md explains what is protected, how, and what is not.
package sandbox
