package offline

import (
	"strings"
)

// A part is a summand or a factor of an expression with the operator in front of it.
type part struct {
	op   string // "+" or "-" in a sum, "*" or "/" in a product
	text string
}

// split takes a sum or a product apart at the outermost level. What binds more loosely than
// the operators makes the whole expression one part, in brackets where it needs them.
func split(expr string, product bool) []part {
	expr = strip(expr)
	tokens := lex(expr)
	first, second := "+", "-"
	if product {
		first, second = "*", "/"
	}
	parts := []part{}
	start, sign := 0, first
	operand := false // the token before ends an operand
	for i, t := range tokens {
		if t.depth > 0 {
			continue
		}
		text := t.text(expr)
		switch {
		case t.kind == newline || t.kind == comment:
			return []part{{first, bracket(strings.TrimSpace(expr))}}
		case t.kind == op && (text == first || text == second):
			if !operand {
				if i == 0 && !product {
					start, sign = t.end, text
				}
				continue
			}
			parts = append(parts, part{sign, strings.TrimSpace(expr[start:t.start])})
			start, sign, operand = t.end, text, false
			continue
		case t.kind == op && loose(text, product) && (operand || !isSign(text)), t.kind == name && looseWords[text]:
			return []part{{first, bracket(strings.TrimSpace(expr))}}
		}
		operand = t.kind != op || text == ")" || text == "]" || text == "}"
		if t.kind == name && keywords[text] && text != "None" && text != "True" && text != "False" {
			operand = false
		}
	}
	if rest := strings.TrimSpace(expr[start:]); rest != "" {
		parts = append(parts, part{sign, rest})
	}
	return parts
}

// join is the inverse of split.
func join(parts []part, product bool) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(" " + p.op + " ")
		}
		b.WriteString(p.write(i, len(parts), product))
	}
	return b.String()
}

// write is the i-th of n parts, without the operator between it and the one before.
func (p part) write(i, n int, product bool) string {
	text := p.text
	inverted := i == 0 && (p.op == "-" || p.op == "/")
	if (n > 1 || inverted) && needsBracket(text, product) {
		text = bracket(text)
	}
	switch {
	case inverted && p.op == "-":
		return "-" + text
	case inverted:
		return "1.0 / " + text
	}
	return text
}

// loose reports whether an operator binds more loosely than those at which split cuts.
func loose(text string, product bool) bool {
	switch text {
	case "+", "-":
		return product
	case "<", ">", "==", "!=", "<=", ">=", "|", "&", "^", "<<", ">>", ",", ":", ":=", "=", ";", "~":
		return true
	case "//", "%", "@":
		return product
	}
	return false
}

var looseWords = map[string]bool{"if": true, "else": true, "or": true, "and": true, "not": true, "lambda": true, "in": true, "is": true}

// needsBracket reports whether a part would fall apart beside others.
func needsBracket(text string, product bool) bool {
	operand := false
	for i, t := range lex(text) {
		if t.depth > 0 {
			continue
		}
		word := t.text(text)
		switch {
		case t.kind == name && looseWords[word]:
			return true
		case t.kind == op && isSign(word):
			if operand || i == 0 && word == "-" {
				return true
			}
		case t.kind == op && loose(word, product):
			return true
		}
		operand = t.kind != op || isBracket(word)
	}
	return false
}

func isSign(text string) bool { return text == "+" || text == "-" }

// strip removes brackets around a whole expression, and line breaks inside them.
func strip(expr string) string {
	expr = strings.TrimSpace(expr)
	for strings.HasPrefix(expr, "(") {
		tokens := lex(expr)
		last := len(tokens) - 1
		if last < 2 || !tokens[last].is(expr, ")") || tokens[last].depth != 0 {
			return expr
		}
		for _, t := range tokens[1:last] {
			if t.depth == 0 || t.kind == comment || t.depth == 1 && t.is(expr, ",") {
				return expr
			}
		}
		inner := strings.TrimSpace(expr[1 : len(expr)-1])
		if strings.Contains(inner, "\n") {
			inner = strings.Join(strings.Fields(inner), " ")
		}
		if inner == "" || strings.HasPrefix(inner, "*") || strings.Contains(inner, " for ") {
			return expr
		}
		expr = inner
	}
	return expr
}

func bracket(text string) string {
	if strip(text) != text {
		return text
	}
	return "(" + text + ")"
}

// substitute puts an expression in the place of X in a form.
func substitute(form, expr string) string {
	if form == "X" {
		return expr
	}
	return rename(form, map[string]string{"X": operand(expr)})
}

// operand is an expression that may stand beside any operator: in brackets unless it is a
// name, a number, a call or the like.
func operand(expr string) string {
	for i, t := range lex(expr) {
		word := t.text(expr)
		if t.depth == 0 && (t.kind == op && (i == 0 || word != ".") && !isBracket(word) || t.kind == name && looseWords[word]) {
			return bracket(expr)
		}
	}
	return expr
}

func isBracket(text string) bool { return text != "" && strings.Contains("()[]{}", text) }

// assign writes an assignment; a long sum or product stands on several lines.
func assign(target string, parts []part, product bool) string {
	text := join(parts, product)
	if line := target + " = " + text; len(line) <= 96 || len(parts) < 2 {
		return line
	}
	var b strings.Builder
	b.WriteString(target + " = (\n")
	for i, p := range parts {
		b.WriteString("    ")
		if i > 0 {
			b.WriteString(p.op + " ")
		}
		b.WriteString(p.write(i, len(parts), product) + "\n")
	}
	b.WriteString(")")
	return b.String()
}
