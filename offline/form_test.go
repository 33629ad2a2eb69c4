package offline

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks"
)

// TestEveryFormIsRead extracts programs from clumsy replies. Each program must equal the program of
// the reply in the requested form.
func TestEveryFormIsRead(t *testing.T) {
	an := programtest.Analyzer(t)
	var given []program.Given
	for _, h := range read(examples()["p1"]).eaps {
		given = append(given, program.Given{Name: h.Name, Source: h.Source})
	}
	for _, tt := range []struct {
		form    Quirk
		prompts string
		looks   string // part of the reply
	}{
		{Bare, "i1 p1 aco", "}\n\nimport numpy"}, {Inside, "i1 p1 aco", "```python\n{"},
		{Apart, "i1 p1 aco code", "import numpy as np\n```"},
		{Example, "i1 p1 aco code", "print(result)\n```"},
		{Sentence, "i1 p1 aco", ".\n\n```python"}, {Draft, "i1 p1 aco code", "</think>"},
		{Copied, "p1", "```python\ndef m"},
	} {
		rates := Perfect()
		rates[tt.form] = 1
		clumsy, asked := New(tasks.All(), rates), New(tasks.All(), Perfect())
		for _, name := range strings.Fields(tt.prompts) {
			f := read(examples()[name]).target
			target := program.Function{Name: base(f.Name), Doc: f.Doc}
			for _, q := range f.Params {
				target.Params = append(target.Params, program.Param{Name: q.Name})
			}
			opts := program.Extraction{
				Imports: []string{"import numpy as np"}, Modules: []string{"numpy"},
			}
			if name == "p1" {
				opts.Given = given
			}
			for draw := range uint64(4) {
				reply := ask(t, clumsy, examples()[name], draw)
				if !strings.Contains(reply, tt.looks) {
					t.Fatalf("%s, draw %d lacks %q:\n%s", name, draw, tt.looks, reply)
				}
				want, err := program.Extract(t.Context(), an,
					ask(t, asked, examples()[name], draw), target, opts)
				must.Do(t, err)
				got, err := program.Extract(t.Context(), an, reply, target, opts)
				if err != nil {
					t.Fatalf("%s, draw %d: %v\n%s", name, draw, err, reply)
				}
				golden.Same(t, "code of "+reply, want.Code, got.Code)
				if name != "code" && words(got.Thought) != words(want.Thought) {
					t.Errorf("%s, draw %d: the thought is %q, want %q",
						name, draw, got.Thought, want.Thought)
				}
			}
		}
	}
}

// words returns a sentence without its braces and full stop.
func words(sentence string) string { return strings.Trim(sentence, "{}. ") }
