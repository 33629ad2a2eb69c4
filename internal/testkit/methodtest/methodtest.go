// Package methodtest has the parts that the methods' tests share: a model that chooses replies by
// the number of the call, an evaluator that reads a program's score from its source, and access to
// the files of a run. Start at Model and Run. Package benchtest has the checks for every method;
// this package is for tests of one method's search.
package methodtest

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// Model answers the i-th call, counted from 0, with reply(i, request). The calls have a fixed order
// only if the method makes one request at a time.
func Model(reply func(i int, r llm.Request) string) *llm.Scripted {
	n := 0
	return llm.NewScripted(func(r llm.Request) string {
		n++
		return reply(n-1, r)
	})
}

// Operators returns the operators of the requests that a model got, in order.
func Operators(m *llm.Scripted) []string {
	var out []string
	for _, r := range m.Requests() {
		out = append(out, r.Purpose.Operator())
	}
	return out
}

// Prompts returns the texts of the requests of the named operators, or of all requests if no
// operator is named.
func Prompts(m *llm.Scripted, operators ...string) []string {
	var out []string
	for _, r := range m.Requests() {
		if len(operators) == 0 || slices.Contains(operators, r.Purpose.Operator()) {
			out = append(out, llm.TextOf(r.User))
		}
	}
	return out
}

var score = regexp.MustCompile(`# score (\S+)`)

// Shown returns the scores of the programs in a prompt, in their order.
func Shown(prompt string) []string {
	var out []string
	for _, m := range score.FindAllStringSubmatch(prompt, -1) {
		out = append(out, m[1])
	}
	return out
}

// Score gives a program the last score that its source names in a comment, "# score 3". A program
// that says "# raises" fails.
func Score(source string) bench.Outcome {
	if strings.Contains(source, "# raises") {
		return bench.Outcome{Fault: bench.Faultf(bench.Raised, "ValueError: as told")}
	}
	all := score.FindAllStringSubmatch(source, -1)
	if len(all) == 0 {
		panic("methodtest: a program without a score:\n" + source)
	}
	x, err := strconv.ParseFloat(all[len(all)-1][1], 64)
	if err != nil {
		panic("methodtest: " + err.Error())
	}
	return bench.Outcome{Score: x, Values: []float64{-x}}
}

// Target returns a definition of the function that benchtest.Problem asks for, with the lines as
// its body.
func Target(lines ...string) string {
	return "def select_next_node(current_node, destination_node, unvisited_nodes, " +
		"distance_matrix):\n    " + strings.Join(lines, "\n    ") + "\n"
}

// Answer returns a reply with a thought and a program.
func Answer(thought string, lines ...string) string {
	return "{" + thought + "}\n" + Target(lines...)
}

// Scored returns an answer that contains the number of the call and the score.
func Scored(i int, score any) string {
	return Answer(fmt.Sprintf("idea %d", i),
		fmt.Sprintf("return unvisited_nodes[%d]  # score %v", i, score))
}

// ByCall answers the i-th request with a program of score i.
func ByCall(i int, _ llm.Request) string { return Scored(i, i) }

// ByDraw answers a request with a program whose score is its draw, whatever the order of the
// requests.
func ByDraw(r llm.Request) string { return Scored(int(r.Draw), r.Draw) }

// Crash returns an answer whose program fails.
func Crash(i int) string {
	return Answer("a crash", fmt.Sprintf("raise ValueError(%d)  # raises", i))
}

// Run runs a method with a model on benchtest.Problem and scores programs with Score.
func Run(tb testing.TB, m bench.Method, model llm.Model, budget int) *record.Loaded {
	tb.Helper()
	return benchtest.Run(tb, m, benchtest.Config{
		Model: model, Budget: budget, Analyzer: programtest.Analyzer(tb),
		Evaluator: &benchtest.Evaluator{Score: Score},
	})
}

// Notes decodes the notes of one kind, both in steps and between steps, in order.
func Notes[T any](tb testing.TB, l *record.Loaded, kind string) []T {
	tb.Helper()
	var out []T
	add := func(n record.Note) {
		if n.Kind != kind {
			return
		}
		var v T
		must.Do(tb, json.Unmarshal(n.Value, &v))
		out = append(out, v)
	}
	for _, r := range l.Records {
		if r.Note != nil {
			add(*r.Note)
			continue
		}
		for _, n := range r.Step.Notes {
			add(n)
		}
	}
	return out
}

// Survivors returns the scores of the last population in the notes, fittest first, and the
// generation of that population. The score of a filler is -Inf.
func Survivors(tb testing.TB, l *record.Loaded) (scores []float64, generation int) {
	tb.Helper()
	all, given := Notes[note.Survivors](tb, l, "population"), Scores(l)
	last := all[len(all)-1]
	for _, m := range last.Members {
		if s := given[m.Program-1]; s == nil || m.Filler {
			scores = append(scores, math.Inf(-1))
		} else {
			scores = append(scores, *s)
		}
	}
	return scores, last.Generation
}

// Proposed returns the operators of all proposals, in order.
func Proposed(tb testing.TB, l *record.Loaded) []string {
	tb.Helper()
	var out []string
	for _, o := range Notes[note.Offspring](tb, l, "offspring") {
		out = append(out, o.Operator)
	}
	return out
}

// Count returns how often each word, such as an operator, occurs.
func Count(words []string) map[string]int {
	n := map[string]int{}
	for _, w := range words {
		n[w]++
	}
	return n
}

// Follows checks with Pearson's chi-square test that the counts of draws are in proportion to the
// weights, and that nothing without weight was drawn.
func Follows(tb testing.TB, what string, counts, weights []float64) {
	tb.Helper()
	draws, total := floats.Sum(counts), floats.Sum(weights)
	chi2, free := 0.0, -1
	for i, w := range weights {
		want := draws * w / total
		switch {
		case w > 0:
			chi2 += (counts[i] - want) * (counts[i] - want) / want
			free++
		case counts[i] > 0:
			tb.Errorf("%s: %d has no weight and was drawn %v times", what, i, counts[i])
		}
	}
	if p := (distuv.ChiSquared{K: float64(free)}).Survival(chi2); p < 0.001 {
		tb.Errorf("%s: counts %v, chi-square %.1f, p = %.2g", what, counts, chi2, p)
	}
}

// Scores returns the scores of all evaluations in order, nil for a fault.
func Scores(l *record.Loaded) []*float64 {
	var out []*float64
	for _, r := range l.Records {
		if r.Step == nil {
			continue
		}
		for _, e := range r.Step.Evaluations {
			if e.Fault != nil {
				out = append(out, nil)
			} else {
				out = append(out, &e.Score)
			}
		}
	}
	return out
}
