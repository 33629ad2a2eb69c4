package hsevo

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// A script answers requests and scores the programs of its answers. A program names itself in a
// comment; only the script knows its objective.
type script struct {
	obj func(generation int, operator string, draw uint64) float64
	// If reply and score return true, they replace the usual answer and score.
	reply func(r llm.Request, generation int) (string, bool)
	score func(source string) (bench.Outcome, bool)

	mu         sync.Mutex
	generation int // flash reflections so far
	objectives map[string]float64
}

// seedObjective is the objective of the template's own function.
const seedObjective = 1e6

// descending returns objectives that are all different and improve with every stage.
func descending(generation int, operator string, draw uint64) float64 {
	stage := map[string]float64{"init": 9000, "crossover": 600, "mutation": 300}[operator]
	return stage - 10*float64(generation) + float64(draw)/(1<<31)
}

var named = regexp.MustCompile(`# program (\d+)`)

func (s *script) answer(r llm.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	op := r.Purpose.Operator()
	if op == "flash" {
		s.generation++
	}
	if s.reply != nil {
		if text, ok := s.reply(r, s.generation); ok {
			return text
		}
	}
	switch op {
	case "flash":
		return fmt.Sprintf("**Analysis:**\nanalysis-%d\n**Experience:**\nexperience-%d",
			s.generation, s.generation)
	case "comprehensive":
		return fmt.Sprintf("comprehensive-%d", s.generation)
	case "hs":
		return tunable(named.FindStringSubmatch(r.User[0].Text)[1], "a: float = 5.5") +
			ranges("'a': (5, 6)")
	}
	return s.program(op, r.Draw)
}

// program returns a new program, whose objective it sets.
func (s *script) program(op string, draw uint64) string {
	if s.objectives == nil {
		s.objectives = map[string]float64{}
	}
	name := fmt.Sprint(draw)
	s.objectives[name] = s.obj(s.generation, op, draw)
	return methodtest.Target("return unvisited_nodes[0]  # program " + name)
}

// tunable returns a program with parameters after the task's parameters.
func tunable(name, parameters string) string {
	return "```python\ndef select_next_node(current_node, destination_node, unvisited_nodes, " +
		"distance_matrix, " + parameters +
		"):\n    return unvisited_nodes[0]  # program " + name + "\n```\n"
}

func ranges(entries string) string {
	return "```python\nparameter_ranges = {" + entries + "}\n```\n"
}

// evaluate scores a program. A program that the script did not write is the template's function.
func (s *script) evaluate(source string) bench.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.score != nil {
		if out, ok := s.score(source); ok {
			return out
		}
	}
	obj := seedObjective
	if m := named.FindStringSubmatch(source); m != nil {
		obj = s.objectives[m[1]]
	}
	return scored(obj)
}

func scored(obj float64) bench.Outcome { return bench.Outcome{Score: -obj, Values: []float64{obj}} }

var raised = bench.Outcome{Fault: bench.Faultf(bench.Raised, "ValueError: as told")}

// run runs a method under the script.
func (s *script) run(t *testing.T, m bench.Method, budget int) *record.Loaded {
	t.Helper()
	if s.obj == nil {
		s.obj = descending
	}
	return benchtest.Run(t, m, benchtest.Config{
		Model: llm.NewScripted(s.answer), Budget: budget, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: s.evaluate},
	})
}

// probe is a method that sets up a run of HSEvo and passes it to a test.
type probe struct {
	*HSEvo
	do func(ctx context.Context, r *run) error
}

func (p probe) Run(ctx context.Context, s *bench.Search) error { return p.do(ctx, p.begin(s)) }

// requests returns all requests in the order of the steps.
func requests(l *record.Loaded) []llm.Request {
	var out []llm.Request
	for s := range l.Steps() {
		for _, q := range s.Requests {
			out = append(out, q.Request)
		}
	}
	return out
}

// operators returns the operators of the requests, ten crossovers in a row as "10 crossover".
func operators(l *record.Loaded) []string {
	var out []string
	n := 0
	all := requests(l)
	for i, r := range all {
		n++
		op := r.Purpose.Operator()
		switch {
		case i+1 < len(all) && all[i+1].Purpose.Operator() == op:
			continue
		case n > 1:
			op = strconv.Itoa(n) + " " + op
		}
		out, n = append(out, op), 0
	}
	return out
}

// prompts returns the user messages of an operator.
func prompts(l *record.Loaded, operator string) []string {
	var out []string
	for _, r := range requests(l) {
		if r.Purpose.Operator() == operator {
			out = append(out, r.User[0].Text)
		}
	}
	return out
}

// programs returns the names of the programs in a prompt, in the order shown.
func programs(text string) []string {
	var out []string
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

func contains(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not contain %q:\n%s", what, w, text)
		}
	}
}
