// Package suite plans the runs of a suite, queues them, and executes them on this machine. The
// package does not know the command line: Options hold the values of flags, and progress goes to a
// status.Board or is returned as a value.
package suite
