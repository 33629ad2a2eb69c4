package pytext

import "strings"

// A Part is a summand or a factor of an expression with its operator.
type Part struct {
	Op   string // "+" or "-" in a sum, "*" or "/" in a product
	Text string
}

// A level is the precedence of an expression's loosest operator outside brackets.
type level uint8

const (
	loose   level = iota // conditions, comparisons, commas, bit operators
	sum                  // + and -, including a leading sign
	modulo               // //, % and @
	product              // * and /
	power                // **, including signs
	atom                 // names, numbers, calls, subscripts, brackets
)

// binding finds the level of an expression and its binary operators of that level.
func binding(expr string) (level, []Token) {
	loosest, cuts, operand := atom, []Token(nil), false // operand: the last token ends an operand
	for i, t := range Lex(expr) {
		if t.Depth > 0 {
			continue
		}
		text, l := t.Text(expr), atom
		switch {
		case t.Kind >= Comment, looseWords[text]:
			l = loose
		case t.Kind != Op || isOpening(text[0]) || isClosing(text[0]):
		case text == "+" || text == "-":
			if l = sum; !operand && i > 0 {
				l = power
			}
		case text == "//" || text == "%" || text == "@":
			l = modulo
		case text == "*" || text == "/":
			l = product
		case text == "**":
			l = power
		case text != ".":
			l = loose
		}
		if l < loosest {
			loosest, cuts = l, nil
		}
		if l == loosest && operand && t.Kind == Op {
			cuts = append(cuts, t)
		}
		operand = t.Kind != Op && !looseWords[text] || isClosing(text[0])
	}
	return loosest, cuts
}

var looseWords = set("if else or and not lambda in is")

// of returns the level at which Split splits sums or products.
func of(isProduct bool) level {
	if isProduct {
		return product
	}
	return sum
}

// Split splits a sum or a product at the outermost level. An expression that binds more loosely
// becomes one part in brackets.
func Split(expr string, isProduct bool) []Part {
	expr = Strip(expr)
	p := Part{Op: "+"}
	if isProduct {
		p.Op = "*"
	}
	l, cuts := binding(expr)
	if l < of(isProduct) {
		return []Part{{p.Op, bracket(expr)}}
	}
	start := 0
	if !isProduct && strings.HasPrefix(expr, "-") {
		p.Op, start = "-", 1
	}
	var parts []Part
	if l == of(isProduct) {
		for _, t := range cuts {
			p.Text = strings.TrimSpace(expr[start:t.Start])
			parts = append(parts, p)
			p.Op, start = t.Text(expr), t.End
		}
	}
	if p.Text = strings.TrimSpace(expr[start:]); p.Text != "" {
		parts = append(parts, p)
	}
	return parts
}

// Join is the inverse of Split.
func Join(parts []Part, isProduct bool) string {
	var b strings.Builder
	for i, p := range parts {
		text := p.Text
		inverted := i == 0 && (p.Op == "-" || p.Op == "/")
		if l, _ := binding(text); (len(parts) > 1 || inverted) && (l < of(isProduct) || l == sum) {
			text = bracket(text)
		}
		switch {
		case inverted && p.Op == "-":
			text = "-" + text
		case inverted:
			text = "1.0 / " + text
		case i > 0:
			text = " " + p.Op + " " + text
		}
		b.WriteString(text)
	}
	return b.String()
}

// Assign writes an assignment; a long sum or product takes several lines.
func Assign(target string, parts []Part, isProduct bool) string {
	line := target + " = " + Join(parts, isProduct)
	if len(line) <= 96 || len(parts) < 2 {
		return line
	}
	_, expr, _ := strings.Cut(line, " = ")
	_, cuts := binding(expr)
	var b strings.Builder
	start := 0
	for _, t := range cuts {
		b.WriteString("    " + strings.TrimSpace(expr[start:t.Start]) + "\n")
		start = t.Start
	}
	return target + " = (\n" + b.String() + "    " + expr[start:] + "\n)"
}

// Strip removes brackets around a whole expression, and the line breaks inside them. It keeps
// tuples, generators and brackets with a comment.
func Strip(expr string) string {
	expr = strings.TrimSpace(expr)
	for strings.HasPrefix(expr, "(") {
		tokens := Lex(expr)
		last := len(tokens) - 1
		if last < 2 || !tokens[last].Is(expr, ")") {
			return expr
		}
		for _, t := range tokens[1:last] {
			tuple := t.Depth == 1 && (t.Is(expr, ",") || t.Is(expr, "for"))
			if t.Depth == 0 || t.Kind == Comment || tuple {
				return expr
			}
		}
		inner := strings.TrimSpace(expr[1 : len(expr)-1])
		if strings.Contains(inner, "\n") {
			inner = strings.Join(strings.Fields(inner), " ")
		}
		expr = inner
	}
	return expr
}

func bracket(expr string) string {
	if Strip(expr) != expr {
		return expr
	}
	return "(" + expr + ")"
}

// Substitute replaces the name X in a form such as "0.5 * X" by an expression.
func Substitute(form, expr string) string {
	if form == "X" {
		return expr
	}
	return Rename(form, map[string]string{"X": Operand(expr)})
}

// Operand returns an expression that any operator may precede or follow: in brackets unless it is
// an atom.
func Operand(expr string) string {
	if l, _ := binding(expr); l < atom {
		return bracket(expr)
	}
	return expr
}
