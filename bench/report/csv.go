package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes the table for machines: numbers in full precision, a column for every mean,
// deviation and count, and on every row its models and what a reader must know of it.
func WriteCSV(w io.Writer, t *Table) error {
	head := []string{"row", "models", "remarks"}
	for _, col := range t.Columns {
		id := oneLine(col.ID)
		if id == "row" {
			id = "name"
		}
		head = append(head, id)
		if col.Spread {
			head = append(head, id+"_sd", id+"_n")
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line := []string{oneLine(row.ID), oneLine(row.Models), strings.Join(row.Remarks, "; ")}
		for j, c := range row.Cells {
			line = append(line, c.csv())
			if t.Columns[j].Spread {
				line = append(line, c.csvSpread()...)
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (c Cell) csv() string {
	if c.N > 0 {
		return strconv.FormatFloat(c.Mean, 'g', -1, 64)
	}
	return c.Words
}

func (c Cell) csvSpread() []string {
	if c.N == 0 {
		return []string{"", ""}
	}
	n := strconv.Itoa(c.N)
	if c.N < 2 {
		return []string{"", n}
	}
	return []string{strconv.FormatFloat(c.SD, 'g', -1, 64), n}
}
