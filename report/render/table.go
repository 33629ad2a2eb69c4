// Package render writes tables: as text for a terminal, as LaTeX and as CSV. A Table has numbers
// with their spread, words and notes. Table.Mark marks its best cells.
package render

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pacebench/pacebench/record/results"
)

// A Table is the input of all renderers: numbers with their spread, words, and notes.
type Table struct {
	Name    string // stem of its file names: "main-tsp-construct"
	Task    string // empty for a table over tasks
	Paper   string // name of the published table to compare with; empty: Name
	Title   string
	Columns []Column // the first one names the row
	Rows    []Row
	Notes   []Note
	// Choice explains marks that show which rows were chosen, instead of comparing rows.
	Choice string
}

// A Note is a footnote of a table.
type Note struct {
	Kind NoteKind
	Text string
}

// A NoteKind is the subject of a note. The most important kind comes first.
type NoteKind int

const (
	Incomparable NoteKind = iota // rows that cannot be compared
	UnsafeRows                   // rows that ran without a complete sandbox
	Chosen                       // seeds that may have been chosen
	BestMark                     // which cells are marked as the best; renderers name their mark
	Tested                       // which programs were tested
	Published                    // numbers that were not computed here
	RunWarning                   // results.Run.Warnings
	Seeds                        // few, unfinished or stopped seeds
	Conditions                   // conditions of the runs that differ or are unusual
	UnusedParts                  // parts of a method that a search never used
	Unmarked                     // columns without a mark
	Footnote                     // explanations of rows and columns
	SeedList                     // the seeds, if there is nothing else to say about them
)

// Marked returns the note's text. The text of a BestMark begins with mark, the renderer's name for
// the mark, such as "Bold".
func (n Note) Marked(mark string) string {
	if n.Kind == BestMark {
		return mark + ": " + n.Text
	}
	return n.Text
}

// Note adds footnotes of one kind, except empty ones.
func (t *Table) Note(kind NoteKind, texts ...string) {
	for _, text := range texts {
		if text != "" {
			t.Notes = append(t.Notes, Note{kind, text})
		}
	}
}

// noteLines is the largest number of lines that notes take below a table, at TextWidth.
const noteLines = 3

// Below divides the notes into the most important ones, which fit three lines below the table, and
// the others.
func (t *Table) Below() (below, others []Note) {
	notes := slices.Clone(t.Notes)
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Compare(a.Kind, b.Kind) })
	lines := func(n Note) int {
		return strings.Count(Wrap(n.Marked("* Best"), TextWidth, noteIndent), "\n")
	}
	room := noteLines
	for _, n := range notes {
		room -= lines(n)
	}
	if room >= 0 {
		return notes, nil
	}
	room = noteLines - 1 // one line refers to the other notes
	for _, n := range notes {
		if lines(n) <= room {
			below, room = append(below, n), room-lines(n)
		} else {
			others = append(others, n)
		}
	}
	text := fmt.Sprintf("%d more notes: see \"How to read these tables\".", len(others))
	if len(others) == 1 {
		text = strings.Replace(text, "notes", "note", 1)
	}
	return append(below, Note{Footnote, text}), others
}

// A Column describes the cells of a column.
type Column struct {
	ID     string // for CSV and for published numbers: "train", "test200"
	Title  string
	Span   string  // heading shared with its neighbours of the same span
	Text   bool    // cells contain words
	Share  float64 // of a line of a LaTeX page, for words that wrap; 0: as wide as the words
	Spread bool    // cells are written with their standard deviation
	Digits int
	// Better is +1 if larger values are better, −1 if smaller values are better, and 0 for a column
	// without marks.
	Better    int
	Equal     results.Tolerance // the difference up to which two values count as equal
	Underline bool              // a split of the size of the training instances
	Wide      bool              // left out of LaTeX, because a page is narrow
	Data      bool              // for CSV only
}

// A Row is a method, a variant or a run, for example.
type Row struct {
	ID        string // "pace@k=5"
	Models    string // canonical models of its runs, for CSV
	Section   string // rows of different sections have a rule between them
	Rivals    string // rows with equal Rivals compete for the mark; empty: no competition
	Published bool   // printed in the paper, or the difference from it
	Remarks   []string
	Cells     []Cell // one per column
}

// A Cell is a number with its spread, or words. The zero Cell is a missing value, shown as a dash.
type Cell struct {
	Words     string
	Data      string // for CSV instead of Words, with numbers in full precision
	Mean      float64
	SD        float64   // sample standard deviation; NaN or 0 with fewer than two values
	N         int       // values behind Mean; 0: no number
	Values    []float64 // of the seeds, by which rows are separated; nil if the number has no seeds
	Chosen    bool      // the seeds may have been chosen, so no test counts
	Estimated bool      // the number depends on estimated tokens, and "~" marks it
	Signed    bool      // the number is a difference, which is written with its sign
	Best      bool
	Runs      []string // digests of the journals behind a number; empty for a published one
}

// Words returns a cell of untrusted text, in one line.
func Words(text string) Cell { return Cell{Words: OneLine(text)} }

// Number returns a single value.
func Number(x float64) Cell { return Cell{Mean: x, SD: math.NaN(), N: 1} }

func (c Cell) Missing() bool { return c.Words == "" && c.N == 0 }

// written returns the cell's number and its deviation in a column; empty without a number.
func (c Cell) written(col Column) (mean, sd string) {
	if c.N == 0 {
		return "", ""
	}
	mean = Fixed(c.Mean, col.Digits)
	if c.Signed && mean[0] != '-' && strings.Trim(mean, "0.") != "" {
		mean = "+" + mean
	}
	if c.Estimated {
		mean = "~" + mean
	}
	if col.Spread && c.N > 1 && !math.IsNaN(c.SD) {
		sd = Fixed(c.SD, col.Digits)
	}
	return mean, sd
}

// Fixed writes a number with a fixed number of decimals; a rounded zero has no sign, and a huge
// number has an exponent.
func Fixed(x float64, digits int) string {
	if math.Abs(x) >= 1e9 {
		return strconv.FormatFloat(x, 'e', 3, 64)
	}
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

// Plain returns the cell in one line, for HTML and notes.
func (c Cell) Plain(col Column) string {
	switch mean, sd := c.written(col); {
	case c.Words != "":
		return c.Words
	case sd != "":
		return mean + " ± " + sd
	default:
		return cmp.Or(mean, "–")
	}
}

// Shown returns the indices of the columns that people see; narrow also leaves out wide columns.
func (t *Table) Shown(narrow bool) []int {
	var out []int
	for j, c := range t.Columns {
		if !c.Data && !(narrow && c.Wide) {
			out = append(out, j)
		}
	}
	return out
}

// ruled reports whether a rule is above row i.
func ruled(rows []Row, i int) bool { return i > 0 && rows[i].Section != rows[i-1].Section }

func (t *Table) Ruled(i int) bool { return ruled(t.Rows, i) }

// AnyCell reports whether is returns true for any cell.
func (t *Table) AnyCell(is func(Cell) bool) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return slices.ContainsFunc(r.Cells, is) })
}

// spans reports whether the table has more than one shared heading. A single one is in the title of
// the table.
func (t *Table) spans() bool {
	first := ""
	for _, c := range t.Columns {
		if c.Span != "" && first != "" && c.Span != first {
			return true
		}
		first = max(first, c.Span)
	}
	return false
}

// heading returns the column's title, below its shared heading if the table has several of these.
func (t *Table) heading(c Column) string {
	if c.Span == "" || !t.spans() {
		return c.Title
	}
	if c.Title == "" {
		return c.Span
	}
	return c.Span + "\n" + c.Title
}

// DigestDigits is the number of digits of a run's digest that a table shows.
const DigestDigits = 12

// OneLine makes untrusted text fit for a terminal and a table: control characters become spaces.
func OneLine(s string) string {
	s = strings.ToValidUTF8(s, "?")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s))
}

var odd = regexp.MustCompile(`[^A-Za-z0-9]+`)

// FileName keeps the characters of a name that are harmless in a path, a label and an anchor.
func FileName(s string) string {
	return cmp.Or(strings.Trim(odd.ReplaceAllString(s, "-"), "-"), "unnamed")
}
