package render

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/record/results"
)

// WriteCSV writes the table for machines: numbers in full precision, a column for every mean,
// deviation and count, and on every row its models and remarks. The paper's values and the
// differences from them follow the column that they belong to.
func WriteCSV(w io.Writer, t *Table) error {
	head := []string{"row", "models", "remarks"}
	published := make([]bool, len(t.Columns))
	for j, col := range t.Columns {
		id := OneLine(col.ID)
		if id == "row" {
			id = "name"
		}
		head = append(head, id)
		if col.Spread {
			head = append(head, id+"_sd", id+"_n")
		}
		for _, row := range t.Rows {
			published[j] = published[j] || j > 0 && row.Published && !row.Cells[j].Missing()
		}
		if published[j] {
			head = append(head, id+"_published")
			if col.Spread {
				head = append(head, id+"_published_sd")
			}
			if !col.Text {
				head = append(head, id+"_difference")
			}
		}
	}
	lines := [][]string{head}
	for i, row := range t.Rows {
		if row.Published {
			continue
		}
		line := []string{OneLine(row.ID), OneLine(row.Models), strings.Join(t.remarks(row), "; ")}
		for j, c := range row.Cells {
			col := t.Columns[j]
			line = append(line, c.csv(col))
			if col.Spread {
				line = append(line, c.csvSpread()...)
			}
			if !published[j] {
				continue
			}
			theirs, difference := t.below(i, 1, j), t.below(i, 2, j)
			line = append(line, theirs.csv(col))
			if col.Spread {
				line = append(line, theirs.csvSpread()[0])
			}
			if !col.Text {
				line = append(line, difference.csv(col))
			}
		}
		lines = append(lines, line)
	}
	return CSV(w, lines)
}

// CSV writes lines in which no cell is a formula that a spreadsheet would run.
func CSV(w io.Writer, lines [][]string) error {
	out := csv.NewWriter(w)
	for _, line := range lines {
		line = slices.Clone(line)
		for i, text := range line {
			line[i] = results.CSVText(text)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// remarks returns a row's own remarks and the words in its columns of numbers, such as "test1000:
// fault: timeout".
func (t *Table) remarks(row Row) []string {
	out := slices.Clone(row.Remarks)
	for j, c := range row.Cells {
		if col := t.Columns[j]; !col.Text && c.Words != "" && !slices.Contains(out, c.Words) {
			out = append(out, OneLine(col.ID)+": "+c.Words)
		}
	}
	return out
}

// below returns column j of the row n rows below row i. The cell is empty if one of these n rows is
// not a published row.
func (t *Table) below(i, n, j int) Cell {
	for k := i + 1; k <= i+n; k++ {
		if k >= len(t.Rows) || !t.Rows[k].Published {
			return Cell{}
		}
	}
	return t.Rows[i+n].Cells[j]
}

// csv returns a number, or words in a column of words. The row's remarks contain the words in
// columns of numbers.
func (c Cell) csv(col Column) string {
	switch {
	case c.N > 0:
		return Precise(c.Mean)
	case c.Data != "":
		return c.Data
	case col.Text && c.Words != "–":
		return strings.TrimSpace(c.Words)
	}
	return ""
}

func (c Cell) csvSpread() []string {
	if c.N == 0 {
		return []string{"", ""}
	}
	n := strconv.Itoa(c.N)
	if c.N < 2 {
		return []string{"", n}
	}
	return []string{Precise(c.SD), n}
}

// Precise writes a number with all its digits; a zero has no sign.
func Precise(x float64) string { return strconv.FormatFloat(x+0, 'g', -1, 64) }
