package program

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Bounds on the work of Literal.
const (
	maxLiteral  = 16 << 10 // bytes that are read
	maxLineCuts = 6        // places at which the code may end
)

// Literal returns the value of the assignment at the beginning of a text (see Statement.Literal),
// or nil if the value is not a literal. If CPython finds an error, Literal drops the text from that
// line on.
func Literal(ctx context.Context, an Analyzer, text string) (json.RawMessage, error) {
	text = strings.ToValidUTF8(text[:min(len(text), maxLiteral)], string(utf8.RuneError))
	text, _, _ = strings.Cut(text, "\n```")
	_, a, err := untilError(ctx, an, strings.Split(text, "\n"), maxLineCuts)
	if err != nil || len(a.Statements) == 0 || a.Statements[0].Start > 0 {
		return nil, err
	}
	return a.Statements[0].Literal, nil
}

// untilError returns the first lines that CPython accepts, with their analysis. After an error it
// tries again without the line of the error and the lines below. If it finds nothing within
// maxLineCuts tries, the source is empty.
func untilError(
	ctx context.Context, an Analyzer, lines []string, tries int,
) (string, Analysis, error) {
	for ; tries > 0 && len(lines) > 0; tries-- {
		source := strings.Join(lines, "\n") + "\n"
		a, err := an.Analyze(ctx, source)
		if err != nil || a.Syntax == nil {
			return source, a, err
		}
		lines = lines[:max(0, min(a.Syntax.Line-1, len(lines)-1))]
	}
	return "", Analysis{}, nil
}
