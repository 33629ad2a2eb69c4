// Package record is a run on the disk: the header and the lines of its journal, the result that
// follows from them, and the agreement of its files. The engine writes records and counts them with
// Totals; readers load them. Nothing here runs a program or calls a model.
package record
