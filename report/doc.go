// Package report renders what package results read: tables as text, LaTeX and CSV, figures as

// PDF, SVG and PNG, token reports, and an HTML page. Start at Write, which makes all files of
// a report; Tables and Figures are the same things as values.
//
// It reads no journal and computes no statistics. Labels say how tasks and methods are written.
package report
