package results_test

import (
	"testing"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/results"
)

func TestRefusalOf(t *testing.T) {
	const code = "def f(a):\n    return a\n"
	for _, c := range []struct{ text, finish, want string }{
		{code, "stop", ""},
		{code, "length", ""},
		{"<think>Hm.</think>" + code, "stop", ""},
		{`{"code": "def f(a):\n    return a"}`, "stop", ""},
		{"", "stop", program.Empty},
		{"", "length", "cut at the limit on tokens"},
		{"<think>I would", "length", "cut at the limit on tokens"},
		{"", "tool_calls", "a tool call"},
		{"", "content_filter", "stopped by a content filter"},
		{"", llm.FinishThinking, program.Thinking},
		{"<think>I would</think>", "stop", program.Thinking},
		{"[THINK]I would", "stop", program.Thinking},
		{"analysisWe need to", "stop", program.Thinking},
		{"{Better.}\n<<<<<<< SEARCH\n    return 0\n=======\n    return 1\n>>>>>>> REPLACE", "",
			program.Diff},
		{"```diff\n--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-x\n+y\n```", "", program.Diff},
		{"I cannot help with that.", "stop", program.NoCode},
	} {
		if got := results.RefusalOf(llm.Reply{Text: c.text, Finish: c.finish}); got != c.want {
			t.Errorf("RefusalOf(%q, %s) = %q, want %q", c.text, c.finish, got, c.want)
		}
	}
}
