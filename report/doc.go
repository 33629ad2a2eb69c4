// Package report renders what package results read: tables as text, LaTeX and CSV, figures as

// PDF, SVG and PNG, token reports, and an HTML page. Start at Write, which makes all files of
// a report; Tables and Figures return them as values.
//
// It reads no journal and computes no statistics. Labels are the titles of tasks and methods.
package report
