// Package record is a run on the disk: the header and the lines of its journal, the result that
// follows from them, and whether its files agree. The engine writes records and folds them as it
// goes; readers load them. Nothing here runs a program or asks a model.
package record
