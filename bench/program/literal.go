package program

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Bounds on Literal; ours.
const (
	maxLiteral  = 16 << 10 // bytes that are looked at
	maxLineCuts = 6        // places tried where the code may end
)

// Literal returns the value of the assignment that a text begins with (see Statement.Literal),
// whatever follows it; nil where the value is not a literal. Where CPython finds an error, the text
// from that line on is left out.
func Literal(ctx context.Context, an Analyzer, text string) (json.RawMessage, error) {
	text = strings.ToValidUTF8(text[:min(len(text), maxLiteral)], string(utf8.RuneError))
	text, _, _ = strings.Cut(text, "\n```")
	lines := strings.Split(text, "\n")
	for range maxLineCuts {
		a, err := an.Analyze(ctx, strings.Join(lines, "\n")+"\n")
		if err != nil {
			return nil, err
		}
		if a.Syntax == nil {
			if len(a.Statements) == 0 || a.Statements[0].Start > 0 {
				return nil, nil
			}
			return a.Statements[0].Literal, nil
		}
		if a.Syntax.Line < 2 {
			return nil, nil
		}
		lines = lines[:min(a.Syntax.Line-1, len(lines)-1)]
	}
	return nil, nil
}
