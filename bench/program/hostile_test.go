package program_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/program/programtest"
)

// Text made to keep the reader busy costs time in proportion to its length. The bound is far above
// what a slow machine needs, and far below what quadratic work takes.
func TestHostileRepliesAreQuick(t *testing.T) {
	an := programtest.Analyzer(t)
	const size = 100 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	const end = "\n```python\ndef f(a, b):\n    return missing(a)\n```\n"
	var chain strings.Builder
	for i := 0; chain.Len() < size/8; i++ {
		fmt.Fprintf(&chain, "def g%d():\n    g%d()\n", i, i+1)
	}
	chain.WriteString("x = 1\ndef f(a, b):\n    return a\n")
	for name, reply := range map[string]string{
		"fences":              fill("```\n```\n") + end,
		"fences with code":    fill("```\ndef g(x):\n  pass\n```\n") + end,
		"open fences":         fill("```python\n") + end,
		"fences in lines":     fill("x ```\n") + end,
		"think tags":          fill("<think>") + end,
		"thinking":            fill("<think>x</think>") + end,
		"ends of thinking":    fill("</think>") + end,
		"open braces":         fill("{") + end,
		"closed braces":       fill("}") + end,
		"nested braces":       strings.Repeat("{", size/2) + strings.Repeat("}", size/2) + end,
		"many groups":         fill("{a}") + end,
		"commands":            fill(`\a{`) + end,
		"one sentence":        fill("word ") + end,
		"many sentences":      fill("Ok. ") + end,
		"headings":            fill("# x\n") + end,
		"beginnings":          fill("x = missing\n") + end,
		"broken beginnings":   fill("x = (missing\n") + end,
		"broken functions":    fill("def f(a, b):\n  (\n"),
		"comments":            "```\n" + fill("# x\n") + "print(1)\n```" + end,
		"dropped statements":  "```\n" + strings.Repeat("# x\nprint(1)\n", 2000) + "def f(a, b):\n    return a\n```",
		"statements in lines": "```\n" + strings.Repeat("1; 2\n", 2000) + "def f(a, b):\n    return a\n```",
		"chain of functions":  "```\n" + chain.String() + "```",
		"session":             fill(">>> x\n") + end,
		"JSON":                `{"code": "` + fill("def f") + `"}`,
		"nested JSON":         strings.Repeat(`{"a":`, size/5),
	} {
		start := time.Now()
		_, err := program.Extract(t.Context(), an, reply, target, program.Extraction{Modules: []string{"math"}})
		if _, refused := program.Refused(err); err != nil && !refused {
			t.Errorf("%s: %v", name, err)
		}
		took := time.Since(start)
		t.Logf("%s: %v", name, took.Round(time.Millisecond))
		if took > 10*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}
