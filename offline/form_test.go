package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks"
)

// TestEveryFormIsRead extracts programs from clumsy replies. Each equals the program of the reply
// in the requested form.
func TestEveryFormIsRead(t *testing.T) {
	an := programtest.Analyzer(t)
	target := func(prompt string) program.Function {
		f := read(prompt).target
		out := program.Function{Name: base(f.Name), Doc: f.Doc}
		for _, q := range f.Params {
			out.Params = append(out.Params, program.Param{Name: q.Name})
		}
		return out
	}
	var given []program.Given
	for _, h := range read(examples()["p1"]).eaps {
		given = append(given, program.Given{Name: h.Name, Source: h.Source})
	}
	tests := []struct {
		name    string
		set     func(*Rates)
		prompts string
		looks   string // part of the reply
	}{
		{"bare", func(r *Rates) { r[Bare] = 1 }, "i1 p1 aco", "}\n\nimport numpy"},
		{"inside", func(r *Rates) { r[Inside] = 1 }, "i1 p1 aco", "```python\n{"},
		{"apart", func(r *Rates) { r[Apart] = 1 }, "i1 p1 aco code", "import numpy as np\n```"},
		{"example", func(r *Rates) { r[Example] = 1 }, "i1 p1 aco code", "print(result)\n```"},
		{"sentence", func(r *Rates) { r[Sentence] = 1 }, "i1 p1 aco", ".\n\n```python"},
		{"draft", func(r *Rates) { r[Draft] = 1 }, "i1 p1 aco code", "</think>"},
		{"copied", func(r *Rates) { r[Copied] = 1 }, "p1", "```python\ndef m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rates := Perfect()
			tt.set(&rates)
			clumsy, asked := New(tasks.All(), rates), New(tasks.All(), Perfect())
			for _, name := range strings.Fields(tt.prompts) {
				for draw := range uint64(8) {
					reply := ask(t, clumsy, examples()[name], draw)
					if !strings.Contains(reply, tt.looks) {
						t.Fatalf("%s, draw %d lacks %q:\n%s", name, draw, tt.looks, reply)
					}
					opts := program.Extraction{
						Imports: []string{"import numpy as np"}, Modules: []string{"numpy"},
					}
					if name == "p1" {
						opts.Given = given
					}
					want, err := program.Extract(t.Context(), an,
						ask(t, asked, examples()[name], draw), target(examples()[name]), opts)
					if err != nil {
						t.Fatal(err)
					}
					got, err := program.Extract(
						t.Context(), an, reply, target(examples()[name]), opts)
					if err != nil {
						t.Fatalf("%s, draw %d: %v\n%s", name, draw, err, reply)
					}
					if diff := cmp.Diff(want.Code, got.Code); diff != "" {
						t.Errorf("%s, draw %d mismatch (-asked +%s):\n%s",
							name, draw, tt.name, diff)
					}
					if name != "code" && words(got.Thought) != words(want.Thought) {
						t.Errorf("%s, draw %d: the thought is %q, want %q",
							name, draw, got.Thought, want.Thought)
					}
				}
			}
		})
	}
}

// words is a sentence without braces and its stop.
func words(sentence string) string { return strings.Trim(sentence, "{}. ") }

// TestADiagnosisComesFirst asks as MLES does, for a description and an analysis before the idea.
func TestADiagnosisComesFirst(t *testing.T) {
	an, m := programtest.Analyzer(t), New(tasks.All(), StatedRates())
	target := program.Function{Name: "select_next_node"}
	for _, q := range read(examples()["look"]).target.Params {
		target.Params = append(target.Params, program.Param{Name: q.Name})
	}
	whole := 0
	for draw := range uint64(100) {
		reply := ask(t, m, examples()["look"], draw)
		opts := program.Extraction{Analysed: true}
		x, err := program.Extract(t.Context(), an, reply, target, opts)
		if _, refused := program.Refused(err); refused {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(x.Thought, "The run in the picture") {
			t.Errorf("draw %d: the idea is the description: %s\n%s", draw, x.Thought, reply)
		}
		if strings.HasPrefix(reply, "'The run in the picture follows from ") &&
			strings.Contains(reply, "'\n\n[The result ") {
			whole++
		}
	}
	if whole < 80 {
		t.Errorf("%d of 100 replies begin with a description and an analysis, want most", whole)
	}
}
