// Package record represents a run on disk: the header and the lines of its journal, and the result
// that follows from them. It also checks that the files of a run agree. The engine writes records
// and counts them with Totals; readers load them. The package never runs a program or calls a
// model.
package record
