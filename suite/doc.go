// Package suite plans the runs of a suite, queues them, and executes them on this machine. It also
// verifies, explains and tunes existing runs. The package does not parse the command line: Options
// hold the values of flags. It reports the progress of runs to a status.Board and to Events.
package suite
