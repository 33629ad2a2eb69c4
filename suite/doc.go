// Package suite turns a suite into finished runs. It plans the runs of a suite's file, queues them
// and executes them with the methods, tasks and models and this machine. The package does not know
// the command line: Options hold the values of flags, and progress goes to a status.Board or is
// returned as a value.
package suite
