package program

import (
	"context"
	"strconv"
)

// Parts are the parts of a program that can be knocked out, outermost first in the order of the
// source. Only code that the target function reaches has parts.
type Parts struct {
	Syntax *SyntaxError `json:"syntax,omitempty"` // not nil: CPython refuses the source
	Parts  []Part       `json:"parts"`
	Left   int          `json:"left,omitempty"` // parts that were left out, the smallest ones
	// Statements counts the statements of all top-level functions, docstrings not included.
	Statements int `json:"statements"`
	// Unreachable are the offsets of the statements that the target never runs, sorted.
	Unreachable []int `json:"unreachable,omitempty"`
}

// A Part is one node of the syntax tree with its knock-outs.
type Part struct {
	Function string `json:"function"` // that contains it
	// Kind is term, factor, call, argument, branch, loop, assignment or statement.
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"` // the first function of the module that it calls
	Line  int    `json:"line"`           // from 1
	Start int    `json:"start"`          // its first byte in the source
	End   int    `json:"end"`            // one past its last byte
	Text  string `json:"text"`           // its source, or what becomes of a branch; cut
	// Ways are knock-outs. The second one is for programs that cannot run with the first one.
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

// Edited applies edits, which must fit. An edit inside the span of another one is left out.
func Edited(source string, edits ...Edit) string {
	for i, e := range edits {
		inside := false
		for j, other := range edits {
			wider := other.End-other.Start > e.End-e.Start || j < i
			inside = inside || i != j && wider && other.Start <= e.Start && e.End <= other.End
		}
		if inside {
			return Edited(source, append(append([]Edit{}, edits[:i]...), edits[i+1:]...)...)
		}
	}
	for len(edits) > 0 { // the last one first, so that offsets stay true
		last := 0
		for i := range edits {
			if edits[i].Start > edits[last].Start {
				last = i
			}
		}
		e := edits[last]
		source = source[:e.Start] + e.Text + source[e.End:]
		edits = append(append([]Edit{}, edits[:last]...), edits[last+1:]...)
	}
	return source
}

// A Parter finds the parts of a source, at most a number of them, without executing it.
type Parter interface {
	Parts(ctx context.Context, source, target string, most int) (Parts, error)
}

// PartsRequest is the request for parts that AnalyzerSource answers instead of an Analysis.
func PartsRequest(source, target string, most int) string {
	return "\x00" + target + "\x00" + strconv.Itoa(most) + "\x00" + source
}
