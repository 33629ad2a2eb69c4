// Package report turns results directories into what a paper needs: tables as text, LaTeX and
// CSV, convergence curves as SVG and PNG, token reports, and one HTML page. Start at Collect,
// which reads runs into a Store, and Write, which makes all files of a report; Store.Tables
// and Store.Figures are the same things as values.
//
// It aggregates what the runs recorded and never computes a score: it loads no program, knows
// no task's code and sees no instance. It must not know how a run is made.
package report
