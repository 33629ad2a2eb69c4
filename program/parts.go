package program

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
)

// Parts are the parts of a program that can be knocked out, in the order of the source; an outer
// part precedes its inner parts. Only code that the target function reaches has parts.
type Parts struct {
	Syntax *SyntaxError `json:"syntax,omitempty"` // not nil: CPython refuses the source
	Parts  []Part       `json:"parts"`
	Left   int          `json:"left,omitempty"` // number of parts left out, which are the smallest
	// Statements counts the statements of all top-level functions, docstrings not included.
	Statements int `json:"statements"`
	// Unreachable are the offsets of the statements that the target never runs, sorted.
	Unreachable []int `json:"unreachable,omitempty"`
}

// A Part is one node of the syntax tree with its knock-outs.
type Part struct {
	Function string `json:"function"` // the function that contains it
	// Kind is term, factor, call, argument, branch, loop, assignment or statement.
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"` // the first called function of the module
	Line  int    `json:"line"`           // from 1
	Start int    `json:"start"`          // its first byte in the source
	End   int    `json:"end"`            // one past its last byte
	Text  string `json:"text"`           // its source, or the head of a branch or a loop; shortened
	// Ways are the knock-outs of the part. The second one is for programs that cannot run with the
	// first one.
	Ways []Edit `json:"ways"`
	// Removes are the offsets of the statements that no longer run.
	Removes []int `json:"removes,omitempty"`
}

// An Edit replaces the bytes of a source from Start up to End.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Fits reports whether an edit is inside a source.
func (e Edit) Fits(source string) bool {
	return 0 <= e.Start && e.Start <= e.End && e.End <= len(source)
}

// Edited applies edits, which must fit. If spans overlap, Edited applies only the edit that starts
// first. If edits start together, it applies the widest.
func Edited(source string, edits ...Edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start >= at {
			b.WriteString(source[at:e.Start])
			b.WriteString(e.Text)
			at = e.End
		}
	}
	b.WriteString(source[at:])
	return b.String()
}

// A Parter finds at most a given number of parts of a source, without executing it.
type Parter interface {
	Parts(ctx context.Context, source, target string, most int) (Parts, error)
}

// PartsRequest encodes a request for parts. AnalyzerSource answers it with Parts instead of an
// Analysis.
func PartsRequest(source, target string, most int) string {
	return "\x00" + target + "\x00" + strconv.Itoa(most) + "\x00" + source
}
