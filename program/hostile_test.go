package program_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// TestHostileRepliesAreQuick checks that the CPU time for text that is made to keep the reader busy
// grows less than quadratically: eight times the length may take 32 times as long, plus a second.
// Quadratic work takes 64 times as long.
func TestHostileRepliesAreQuick(t *testing.T) {
	an := programtest.Analyzer(t)
	took := func(name, reply string) time.Duration {
		begun := cpuTime(t)
		_, err := program.Extract(t.Context(), an, reply, target,
			program.Extraction{Modules: []string{"math"}})
		if _, refused := program.Refused(err); err != nil && !refused {
			t.Errorf("%s: %v", name, err)
		}
		return cpuTime(t) - begun
	}
	const size = 100 << 10
	short := hostileReplies(size / 8)
	for name, reply := range hostileReplies(size) {
		one, eight := took(name, short[name]), took(name, reply)
		t.Logf("%s: %v, then %v", name, one, eight)
		if eight > 32*one+time.Second {
			t.Errorf("%s: %v, and %v for eight times the length", name, one, eight)
		}
	}
}

// cpuTime returns the CPU time of this process and its child processes.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var own syscall.Rusage
	must.Do(t, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	all := time.Duration(own.Utime.Nano() + own.Stime.Nano())
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, pid := range strings.Fields(string(pids)) {
			stat, _ := os.ReadFile("/proc/" + pid + "/schedstat") // nanoseconds first
			var ran int64
			_, _ = fmt.Sscan(string(stat), &ran)
			all += time.Duration(ran)
		}
	}
	return all
}

// hostileReplies returns replies of roughly size bytes.
func hostileReplies(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	const end = "\n```python\ndef f(a, b):\n    return missing(a)\n```\n"
	var chain strings.Builder
	for i := 0; chain.Len() < size/8; i++ {
		fmt.Fprintf(&chain, "def g%d():\n    g%d()\n", i, i+1)
	}
	chain.WriteString("x = 1\ndef f(a, b):\n    return a\n")
	return map[string]string{
		"fences":            fill("```\n```\n") + end,
		"fences with code":  fill("```\ndef g(x):\n  pass\n```\n") + end,
		"open fences":       fill("```python\n") + end,
		"fences in lines":   fill("x ```\n") + end,
		"think tags":        fill("<think>") + end,
		"thinking":          fill("<think>x</think>") + end,
		"ends of thinking":  fill("</think>") + end,
		"ends of turns":     fill("<s>") + end + fill("</s>"),
		"marks":             fill("<|x|>user\n") + end,
		"cut marks":         fill("<|x"),
		"speakers":          end + "```\n" + fill("User:\n"),
		"open braces":       fill("{") + end,
		"closed braces":     fill("}") + end,
		"nested braces":     strings.Repeat("{", size/2) + strings.Repeat("}", size/2) + end,
		"many groups":       fill("{a}") + end,
		"commands":          fill(`\a{`) + end,
		"one sentence":      fill("word ") + end,
		"many sentences":    fill("Ok. ") + end,
		"headings":          fill("# x\n") + end,
		"beginnings":        fill("x = missing\n") + end,
		"broken beginnings": fill("x = (missing\n") + end,
		"broken functions":  fill("def f(a, b):\n  (\n"),
		"comments":          "```\n" + fill("# x\n") + "print(1)\n```" + end,
		"dropped statements": "```\n" + strings.Repeat("# x\nprint(1)\n", size/50) +
			"def f(a, b):\n    return a\n```",
		"statements in lines": "```\n" + strings.Repeat("1; 2\n", size/50) +
			"def f(a, b):\n    return a\n```",
		"chain of functions": "```\n" + chain.String() + "```",
		"session":            fill(">>> x\n") + end,
		"JSON":               `{"code": "` + fill("def f") + `"}`,
		"nested JSON":        strings.Repeat(`{"a":`, size/5),
	}
}
