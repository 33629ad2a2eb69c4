// Package report shows the runs that package results reads: as tables in text, LaTeX and CSV, as
// figures in PDF, SVG and PNG, and as the contents of an HTML page. Start at Write, which makes all
// files of a report. Tables returns the tables and Figures the figures; newTable builds each table.
//
// Package report reads no journal. Package results computes the statistics. Labels name tasks and
// methods.
package report
