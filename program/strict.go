package program

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxCuts = 20 // bounds the places that are tried as the end of a body

// lineGroup matches the thought as LLM4AD does.
var lineGroup = regexp.MustCompile(`\{[^\n]*?\}`)

// dummyHeader precedes the body while strict mode looks for its end.
const dummyHeader = "def _():"

// extractStrict reads a reply as LLM4AD does (base/sample.py:105-242 and
// method/eoh/sampler.py:24-31 at e8d848f). The thought is the first group in braces on one line.
// The body is the lines after the first line that begins with "def", cut at the first syntax error;
// the template's header and docstring precede it. As in LLM4AD, imports, helpers and the model's
// own header are lost. extractStrict returns all fields except the program and its analysis.
func extractStrict(
	ctx context.Context, an Analyzer, reply string, target Function,
) (Extracted, error) {
	thought := lineGroup.FindString(reply)
	if thought == "" {
		return Extracted{}, refuse("the reply holds no sentence in braces on one line")
	}
	body, err := strictBody(ctx, &bounded{an, maxCalls}, reply)
	if err != nil {
		return Extracted{}, err
	}
	if strings.TrimSpace(body) == "" {
		return Extracted{}, refuse("the reply holds no body of a function")
	}
	header := target.Header() + "\n"
	return Extracted{
		Thought: thought,
		Code:    header + strings.Trim(body, "\n") + "\n",
		Kept:    trimmed(header + indentedDoc(target.Doc) + body),
	}, nil
}

// strictBody returns the body of the first function, indented, from its first statement after the
// docstring.
func strictBody(ctx context.Context, an Analyzer, reply string) (string, error) {
	lines := strings.Split(reply, "\n")
	first := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "def")
	})
	lines = append([]string{dummyHeader}, lines[first+1:]...)
	source, a, err := untilError(ctx, an, lines, maxCuts)
	if err != nil || source == "" {
		return "", err
	}
	f := a.Functions[0]
	start := len(dummyHeader) + 1
	if f.DocEnd > 0 {
		start = max(start, strings.LastIndexByte(source[:f.BodyStart], '\n')+1)
		// The body is only a docstring, or a statement is on the docstring's line.
		if f.BodyStart == f.End || start < f.DocEnd {
			return "", nil
		}
	}
	return source[start:f.End] + "\n", nil
}

// Header returns the function's def line, including the colon.
func (f Function) Header() string {
	params := f.names()
	for i, p := range f.Params {
		if p.Annotation != "" {
			params[i] += ": " + p.Annotation
		}
	}
	header := "def " + f.Name + "(" + strings.Join(params, ", ") + ")"
	if f.Returns != "" {
		header += " -> " + f.Returns
	}
	return header + ":"
}

func (f Function) names() []string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	return names
}

// indentedDoc returns a docstring's literal, indented by four spaces, with its line feed; empty for
// an empty docstring.
func indentedDoc(doc string) string {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return ""
	}
	prefix := `    """`
	if strings.Contains(doc, `\`) {
		prefix = `    r"""`
	}
	text := strings.ReplaceAll(strings.ReplaceAll(doc, `"""`, "'''"), "\n", "\n    ")
	if strings.Contains(text, "\n") || strings.HasSuffix(text, `"`) {
		text += "\n    "
	}
	return prefix + text + "\"\"\"\n"
}

// Bounds on the work of Literal.
const (
	maxLiteral  = 16 << 10 // bytes that are read
	maxLineCuts = 6        // places that are tried as the end of the code
)

// Literal returns the value of the assignment at the beginning of a text (see Statement.Literal),
// or nil if the value is not a literal. If CPython finds an error, Literal drops the text from the
// line of the error on.
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
// tries again without the line of the error and the lines below. If it finds nothing within the
// given number of tries, the source is empty.
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
