// Package report shows runs that package results read: tables as text, LaTeX and CSV, figures as
// PDF, SVG and PNG, and the contents of an HTML page. Start at Write, which makes all files of a
// report. Tables and Figures return their values; newTable builds all rows of all tables.
//
// Package report reads no journal, and its statistics are in package results. Labels name tasks
// and methods.
package report
