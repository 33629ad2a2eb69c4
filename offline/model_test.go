package offline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// Perfect are the rates of a model without mistakes.
func Perfect() Rates { return Rates{Repaired: 1} }

const (
	promptGoalE1 = "Goal: design helper functions that algorithms for this task may want to " +
		"call.\n\nAnswer with function definitions only, each with a docstring."
	promptGoalE2 = "Goal: find one substantial computation inside `select_next_node` and turn it " +
		"into a helper function.\n\n" +
		"Answer with exactly one function definition, with a docstring."
	promptGoalE3 = "Goal: invent one helper function that is able to do something which the " +
		"helper functions above cannot.\n\n" +
		"Answer with exactly one function definition, with a docstring."
	closingOffspring = "Answer with one sentence in braces and the code: then the complete " +
		"target function, without definitions of EAPs."
)

const helperPair = "EAP `measure_isolation`:\n\n" +
	`def measure_isolation(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Measure isolation; returns one value per unvisited node."""
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    return np.sort(between, axis=1)[:, 1]
` + "\nEAP `mean_step`:\n\n" + `def mean_step(current_node: int, unvisited_nodes: np.ndarray, ` +
	`distance_matrix: np.ndarray) -> float:
    """Compute the mean distance to what is left; returns one number."""
    return float(distance_matrix[current_node, unvisited_nodes].mean())
`

const parentProgram = `{Rank candidates by distance and isolation.}

import numpy as np

def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, ` +
	`distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    isolation = measure_isolation(unvisited_nodes, distance_matrix)

    score = here - 0.35 * isolation

    return int(unvisited_nodes[np.argmin(score)])
`

// examples are one prompt of every kind.
func examples() map[string]string {
	const inlined = "np.sort(distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)], " +
		"axis=1)[:, 1]"
	plain := strings.ReplaceAll(strings.ReplaceAll(parentProgram,
		"measure_isolation(unvisited_nodes, distance_matrix)", inlined), "{Rank", "{Rank")
	other := strings.Replace(strings.Replace(plain, "0.35 * isolation", "0.2 * home", 1),
		"isolation = "+inlined, "home = distance_matrix[unvisited_nodes, destination_node]", 1)
	p1 := blocks(selectTask, selectTarget, "The parent algorithm:\n"+parentProgram, helperPair,
		"Goal: insert the focus EAP `mean_step`.",
		"Call exactly: `measure_isolation`, `mean_step` and no other EAP.", closingOffspring)
	return map[string]string{
		"i1": promptI1(),
		"p1": p1,
		"p1repair": p1 + "\n\nYour previous answer:\n{An idea.}\n\ndef f():\n    pass\n\n" +
			"It was refused: `mean_step` is not called\nAnswer again in full.",
		"e1eoh": blocks(selectTask, "Algorithm 1:\n"+plain, "Algorithm 2:\n"+other,
			"Goal: create a new algorithm whose form is entirely different "+
				"from all the algorithms above.", selectTarget, closingProgram),
		"m2": blocks(selectTask, plain, "Goal: find out which parameters matter most, and create "+
			"a new algorithm with other settings of these parameters.",
			selectTarget, closingProgram),
		"look": blocks(selectTask, plain, "A picture of what happened:",
			"Goal: improve the algorithm above, guided by what the picture shows.",
			selectTarget, closingAnalysed),
		"eaps": blocks(selectTask, selectTarget, promptGoalE1),
		"eap":  blocks(selectTask, selectTarget, helperPair, promptGoalE3),
		"extract": blocks(selectTask, selectTarget,
			"The best algorithm found so far:\n"+plain, promptGoalE2),
		"code": blocks(
			"[Worse code]", strings.ReplaceAll(plain, "select_next_node(", "select_next_node_v0("),
			"[Better code]", strings.ReplaceAll(other, "select_next_node(", "select_next_node_v1("),
			"[Reflection]\nUse the mean distance to all unvisited nodes.",
			strings.ReplaceAll(selectTarget, "select_next_node(", "select_next_node_v2("),
			"Answer with the code only, in a fenced block."),
		"hint": blocks("The second version performs better.",
			"[Worse code]\n"+plain, "[Better code]\n"+other,
			"Give hints for better designs, fewer than 20 words.", "Answer with text only."),
		"flash": blocks("1st:\n"+plain, "2nd:\n"+other,
			"Write two parts, **Analysis:** and **Experience:**, the latter under 60 words.",
			"Answer with text only."),
		"memory": blocks("Current reflection: use the mean distance to all unvisited nodes.",
			"Ineffective: None", "Write four bullets: keywords, advice, avoid, explanation.",
			"Answer with text only, under 100 words."),
		"align": blocks(selectTask, parentProgram,
			"Describe the algorithm in fewer than 3 sentences.",
			"Answer with one sentence in braces."),
		"ranges": blocks("Lift the constants of this function into default parameters.", plain,
			"Answer with code and ranges: two fenced blocks."),
		"aco":    blocks(acoTarget, closingProgram),
		"acoEAP": blocks(acoTarget, promptGoalE3),
		"stranger": blocks("def choose_action(observation: np.ndarray) -> np.ndarray:\n"+
			"    \"\"\"Drive.\"\"\"", closingProgram),
	}
}

const acoTarget = `def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Design the attraction of every edge.

    Args:
        distance_matrix: distances, shape (n, n)

    Returns:
        A finite matrix of shape (n, n).
    """
`

// TestAnswersArePinned compares answers with golden files, because a change invalidates recorded
// runs. A task that is added changes no answer about the paper's.
func TestAnswersArePinned(t *testing.T) {
	for _, known := range [][]*bench.Task{tasks.All(), tasks.Paper()} {
		testPinned(t, New(known, StatedRates()))
	}
}

func testPinned(t *testing.T, m *Model) {
	t.Helper()
	for name, text := range examples() {
		var b strings.Builder
		for _, draw := range []uint64{0, 1, 1 << 40} {
			fmt.Fprintf(&b, "-- draw %d --\n%s\n", draw, ask(t, m, text, draw))
		}
		golden.Text(t, "testdata/answers/"+name+".txt", b.String())
	}
}

func TestAnswersDependOnTextTemperatureAndDraw(t *testing.T) {
	m := New(tasks.All(), StatedRates())
	reply := func(r llm.Request) string {
		got, err := m.Complete(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	base := llm.Request{User: llm.Text(promptI1()), Temperature: 1, Draw: 7}
	first := reply(base)
	other := base
	other.Purpose = "algorithm/I1"
	if reply(other) != first || reply(base) != first {
		t.Error("the same request got another answer")
	}
	system, text, draw := base, base, base
	system.System = "You are an expert."
	text.User = llm.Text(promptI1() + "\n")
	draw.Draw = 8
	for name, r := range map[string]llm.Request{
		"system message": system, "text": text, "draw": draw,
	} {
		if reply(r) == first {
			t.Errorf("another %s, the same answer", name)
		}
	}
}

func TestUsageIsEstimated(t *testing.T) {
	text := promptI1()
	got, err := New(tasks.All(), StatedRates()).Complete(context.Background(), llm.Request{
		System: "Hello", User: llm.Text(text), Temperature: 1, MaxTokens: 20, Draw: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Usage{Prompt: 2 + llm.EstimateTokens(text), Completion: 20, Estimated: true}
	if diff := cmp.Diff(want, got.Usage); diff != "" || got.Finish != "length" {
		t.Errorf("usage mismatch (-want +got):\n%s\nfinish %q", diff, got.Finish)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := llm.Request{User: llm.Text("x")}
	if _, err := New(tasks.All(), StatedRates()).Complete(ctx, r); err == nil {
		t.Error("a cancelled context got an answer")
	}
}

// TestAnswersDiffer counts different programs among 200 answers to one prompt.
func TestAnswersDiffer(t *testing.T) {
	m := New(tasks.All(), Perfect())
	// Different programs; programs that differ not only in constants.
	tests := map[string]struct{ exact, built int }{
		"i1": {195, 190}, "p1": {190, 60}, "e1eoh": {190, 180}, "m2": {100, 1}, "eap": {120, 90},
		"aco": {195, 185}, "extract": {1, 1},
	}
	for name, want := range tests {
		exact, built := map[string]bool{}, map[string]bool{}
		for draw := range uint64(200) {
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
			t.Errorf("%s: %d different programs, %d different builds of 200, "+
				"want at least %d and %d", name, len(exact), len(built), want.exact, want.built)
		}
	}
}

// TestRates draws the mistakes and forms of many replies and compares their shares with the stated
// rates. What a reply cannot have is never drawn.
func TestRates(t *testing.T) {
	const n = 20_000
	rates := StatedRates()
	faults := []Quirk{Unparsable, BrokenContract, Raises, Loops, Slow, Invalid, WrongName, Foreign,
		NoThought, Prose, NoDocstring, Duplicate, NotAlone}
	shapes := []Quirk{Bare, Inside, Apart, Example, Sentence, Draft, Copied}
	program := []Quirk{NoDocstring, Duplicate, NotAlone}
	for _, tt := range []struct {
		prompt string
		odd    []Quirk // of them, one or none is drawn
		list   func(*prompt) []Quirk
		never  []Quirk
	}{
		{"p1", faults, mistakes, program},
		{"i1", faults, mistakes, append([]Quirk{BrokenContract}, program...)},
		{"p1", shapes, func(p *prompt) []Quirk { return forms(p, true) }, nil},
		{"i1", shapes, func(p *prompt) []Quirk { return forms(p, true) }, []Quirk{Copied}},
		{"i1", shapes, func(p *prompt) []Quirk { return forms(p, false) },
			[]Quirk{Copied, Inside, Sentence}},
		{"code", shapes, func(p *prompt) []Quirk { return forms(p, false) },
			[]Quirk{Bare, Inside, Sentence, Copied}},
		{"eaps", shapes, func(p *prompt) []Quirk { return forms(p, false) },
			[]Quirk{Inside, Apart, Example, Sentence, Copied}},
		{"ranges", shapes, func(p *prompt) []Quirk { return forms(p, false) },
			[]Quirk{Bare, Inside, Apart, Example, Sentence, Copied}},
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

// TestSlipsAreWhatTheySay checks replies with one kind of mistake each.
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
		for draw := range uint64(60) {
			if reply := ask(t, m, examples()[tt.prompt], draw); !tt.holds(reply) {
				t.Errorf("slip %d at %v, draw %d:\n%s", tt.slip, tt.rate, draw, reply)
				break
			}
		}
	}
}
