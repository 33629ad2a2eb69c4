package offline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// Perfect returns the rates of a model without mistakes.
func Perfect() Rates { return Rates{Repaired: 1} }

// examples returns one prompt of every kind, from the golden files of answers.
var examples = sync.OnceValue(func() map[string]string {
	paths, _ := filepath.Glob("testdata/answers/*.txt")
	prompts := map[string]string{}
	for _, path := range paths {
		data, _ := os.ReadFile(path)
		prompt, _, _ := strings.Cut(string(data), "\n-- draw 0 --\n")
		prompts[strings.TrimSuffix(filepath.Base(path), ".txt")] =
			strings.TrimPrefix(prompt, "-- prompt --\n")
	}
	if len(prompts) == 0 {
		panic("testdata/answers holds no prompt")
	}
	return prompts
})

// TestAnswersArePinned compares answers with golden files, because a change invalidates recorded
// runs. An added task must not change the answers about the paper's tasks.
func TestAnswersArePinned(t *testing.T) {
	for _, known := range [][]*bench.Task{tasks.All(), tasks.Paper()} {
		m := New(known, StatedRates())
		for name, text := range examples() {
			got := "-- prompt --\n" + text + "\n"
			for _, draw := range []uint64{0, 1, 1 << 40} {
				got += fmt.Sprintf("-- draw %d --\n%s\n", draw, ask(t, m, text, draw))
			}
			golden.Text(t, "testdata/answers/"+name+".txt", got)
		}
	}
}

func TestAnswersDependOnTextAndDraw(t *testing.T) {
	m, text := New(tasks.All(), StatedRates()), llm.Text(examples()["i1"])
	reply := func(r llm.Request) string {
		r.Temperature = 1
		got, err := m.Complete(t.Context(), r)
		must.Do(t, err)
		return got.Text
	}
	first := reply(llm.Request{User: text, Draw: 7})
	for _, c := range []struct {
		r    llm.Request
		same bool
	}{
		{llm.Request{User: text, Draw: 7}, true},
		{llm.Request{User: text, Draw: 7, Purpose: "algorithm/I1"}, true},
		{llm.Request{User: text, Draw: 7, System: "You are an expert."}, false},
		{llm.Request{User: llm.Text(examples()["i1"] + "\n"), Draw: 7}, false},
		{llm.Request{User: text, Draw: 8}, false},
	} {
		if (reply(c.r) == first) != c.same {
			t.Errorf("%+v: the same answer is %v", c.r, !c.same)
		}
	}
}

func TestUsageIsEstimated(t *testing.T) {
	m, text := New(tasks.All(), StatedRates()), examples()["i1"]
	r := llm.Request{System: "Hello", User: llm.Text(text), Temperature: 1, MaxTokens: 20, Draw: 3}
	got, err := m.Complete(t.Context(), r)
	if err != nil || got.Finish != "length" {
		t.Fatalf("finish %q, %v", got.Finish, err)
	}
	golden.Same(t, "usage",
		llm.Usage{Prompt: 2 + llm.EstimateTokens(text), Completion: 20, Estimated: true}, got.Usage)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Complete(ended, r); err == nil {
		t.Error("Complete answers although its context is cancelled")
	}
}

// TestAnswersDiffer counts different programs among 100 answers to one prompt.
func TestAnswersDiffer(t *testing.T) {
	m := New(tasks.All(), Perfect())
	// exact is the number of different programs. built is the number of programs that differ in
	// more than constants.
	tests := map[string]struct{ exact, built int }{
		"i1": {98, 95}, "p1": {95, 30}, "e1eoh": {95, 90}, "m2": {50, 1}, "eap": {60, 45},
		"aco": {98, 93}, "extract": {1, 1},
	}
	for name, want := range tests {
		exact, built := map[string]bool{}, map[string]bool{}
		for draw := range uint64(100) {
			functions, _ := pytext.Functions(codeOf(ask(t, m, examples()[name], draw)))
			if len(functions) == 0 {
				t.Errorf("%s, draw %d: no function", name, draw)
				continue
			}
			f := functions[len(functions)-1]
			exact[pytext.Canon(pytext.Text(f.Body))], built[masked(f.Body)] = true, true
		}
		t.Logf("%s: %d programs, %d builds", name, len(exact), len(built))
		if len(exact) < want.exact || len(built) < want.built {
			t.Errorf("%s: %d different programs, %d different builds of 100, "+
				"want at least %d and %d", name, len(exact), len(built), want.exact, want.built)
		}
	}
}

// TestRates draws the mistakes and forms of many replies and compares their shares with the stated
// rates. Quirks that a reply cannot have must never be drawn.
func TestRates(t *testing.T) {
	const n = 20_000
	rates := StatedRates()
	faults := []Quirk{Unparsable, BrokenContract, Raises, Loops, Slow, Invalid, WrongName, Foreign,
		NoThought, Prose, NoDocstring, Duplicate, NotAlone}
	shapes := []Quirk{Bare, Inside, Apart, Example, Sentence, Draft, Copied}
	program := []Quirk{NoDocstring, Duplicate, NotAlone}
	thoughtful := func(p *prompt) []Quirk { return forms(p, true) }
	plain := func(p *prompt) []Quirk { return forms(p, false) }
	for _, tt := range []struct {
		prompt string
		odd    []Quirk // one of these, or none, is drawn
		list   func(*prompt) []Quirk
		never  []Quirk
	}{
		{"p1", faults, mistakes, program},
		{"i1", faults, mistakes, append([]Quirk{BrokenContract}, program...)},
		{"p1", shapes, thoughtful, nil},
		{"i1", shapes, thoughtful, []Quirk{Copied}},
		{"i1", shapes, plain, []Quirk{Copied, Inside, Sentence}},
		{"code", shapes, plain, []Quirk{Bare, Inside, Sentence, Copied}},
		{"eaps", shapes, plain, []Quirk{Inside, Apart, Example, Sentence, Copied}},
		{"ranges", shapes, plain, []Quirk{Bare, Inside, Apart, Example, Sentence, Copied}},
	} {
		p, r, count := read(examples()[tt.prompt]), rand.New(rand.NewPCG(1, 2)), map[Quirk]int{}
		for range n {
			count[rates.draw(tt.list(p), r.Float64())]++
		}
		for _, q := range tt.odd {
			rate := rates[q]
			if slices.Contains(tt.never, q) {
				rate = 0
			}
			// Five standard deviations of a binomial count: one false alarm in a million.
			got, limit := float64(count[q])/n, 5*math.Sqrt(rate*(1-rate)/n)
			if math.Abs(got-rate) > limit {
				t.Errorf("%s: quirk %d at %.4f, want %.4f ± %.4f", tt.prompt, q, got, rate, limit)
			}
		}
	}
}

// TestSlipsAreWhatTheySay checks replies that each have one kind of mistake.
func TestSlipsAreWhatTheySay(t *testing.T) {
	has := func(texts ...string) func(string) bool {
		return func(s string) bool {
			return slices.ContainsFunc(texts, func(x string) bool { return strings.Contains(s, x) })
		}
	}
	keeps := func(s string) bool {
		return pytext.Calls(s, "mean_step") && pytext.Calls(s, "measure_isolation")
	}
	breaks := func(s string) bool { return !keeps(s) || strings.Contains(s, "= None") }
	for _, tt := range []struct {
		slip   Quirk
		rate   float64
		prompt string
		holds  func(reply string) bool
	}{
		{Unparsable, 1, "i1", func(s string) bool {
			functions, _ := pytext.Functions(codeOf(s))
			return len(functions) == 0
		}},
		{NoThought, 1, "i1", func(s string) bool { return s[0] != '{' && has("def ")(s) }},
		{Prose, 1, "i1", func(s string) bool { return s[0] != '{' && has("{")(s) }},
		{WrongName, 1, "i1", has("def solve_select_next_node(", ", step)")},
		{Foreign, 1, "i1", func(s string) bool {
			return has("import torch")(s) != has("smoothing_factor")(s)
		}},
		{BrokenContract, 1, "p1", breaks},
		{Repaired, 0, "p1repair", breaks},
		{Repaired, 1, "p1repair", keeps},
		{NoDocstring, 1, "eap", func(s string) bool { return !has(`"""`)(s) }},
		{Duplicate, 1, "eap", has("def refined_")},
		{NotAlone, 1, "eap", func(s string) bool {
			return has("smoothing_factor")(s) || pytext.Calls(s, "select_next_node")
		}},
		{BadRanges, 1, "ranges", has("dict(", "unknown_1")},
	} {
		rates := Perfect()
		rates[tt.slip] = tt.rate
		m := New(tasks.All(), rates)
		for draw := range uint64(30) {
			if reply := ask(t, m, examples()[tt.prompt], draw); !tt.holds(reply) {
				t.Errorf("slip %d at %v, draw %d:\n%s", tt.slip, tt.rate, draw, reply)
				break
			}
		}
	}
}
