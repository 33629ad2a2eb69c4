package reevo

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// small returns the configuration of the scripted tests: one lane, a population of four, two
// mutations.
func small() *ReEvo {
	m := New()
	m.Population, m.Window = 4, 1
	return m
}

// code returns a program with a score.
func code(i int, score any) string {
	return methodtest.Target(fmt.Sprintf("return unvisited_nodes[%d]  # score %v", i, score))
}

// byCall answers call i with a program whose score is i, or with a reflection that names i.
func byCall(i int, r llm.Request) string {
	if r.Purpose.Role() == "reflection" {
		return fmt.Sprintf("%s-hint-%d", r.Purpose.Operator(), i)
	}
	return code(i, i)
}

// cycle returns the operators of one block of a lane: crossovers, each after its reflection, then
// mutations.
func cycle(crossovers, mutations int) []string {
	out := slices.Repeat([]string{"short", "crossover"}, crossovers)
	return slices.Concat(out, []string{"long"}, slices.Repeat([]string{"mutation"}, mutations))
}

// TestSequences checks the order of the requests, which a bad reply does not change.
func TestSequences(t *testing.T) {
	inits := slices.Repeat([]string{"init"}, 4)
	for _, tt := range []struct {
		name   string
		rate   float64                       // of mutations
		bad    func(i int, op string) string // when not empty, the reply
		budget int
		want   []string
		look   func(t *testing.T, l *record.Loaded)
	}{
		{"valid", 0.5, nil, 30,
			slices.Concat(inits, slices.Repeat(cycle(4, 2), 4), cycle(2, 0)[:4]),
			func(t *testing.T, l *record.Loaded) {
				// 30 − 7·4 = 2 wait in the buffer.
				if _, generation := methodtest.Survivors(t, l); generation != 7 {
					t.Errorf("generation %d, want 7", generation)
				}
			}},
		{"no mutations", 0, nil, 14,
			slices.Concat(inits, slices.Repeat([]string{"short", "crossover"}, 10)), nil},
		{"a refused crossover", 0.5, func(i int, _ string) string {
			return map[int]string{5: "I have no idea."}[i]
		}, 9, slices.Concat(inits, cycle(4, 2)), func(t *testing.T, l *record.Loaded) {
			notes := methodtest.Notes[note.Offspring](t, l, "offspring")
			if notes[4].Refused == "" {
				t.Errorf("the refused reply is noted as %+v", notes[4])
			}
		}},
		{"an empty reflection", 0.5, func(i int, _ string) string {
			return map[int]string{6: " \n"}[i]
		}, 10, slices.Concat(inits, cycle(4, 2)), func(t *testing.T, l *record.Loaded) {
			golden.Same(t, "empty reflections", []EmptyReflection{{"short"}},
				methodtest.Notes[EmptyReflection](t, l, "empty-reflection"))
		}},
		{"crossovers that fail", 0.5, func(i int, op string) string {
			return map[string]string{"crossover": methodtest.Crash(i)}[op]
		}, 16, slices.Concat(inits, slices.Repeat(cycle(4, 2), 2)),
			func(t *testing.T, l *record.Loaded) {
				scores, _ := methodtest.Survivors(t, l)
				golden.Same(t, "survivors", []float64{25, 24, 14, 13}, scores)
			}},
		{"a hopeless start", 0.5, func(i int, _ string) string { return methodtest.Crash(i) }, 100,
			slices.Repeat([]string{"init"}, 40), func(t *testing.T, l *record.Loaded) {
				golden.Same(t, "failure", []note.Failure{{Reason: "initialisation failed"}},
					methodtest.Notes[note.Failure](t, l, "failure"))
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := small()
			m.MutationRate = tt.rate
			model := methodtest.Model(func(i int, r llm.Request) string {
				if tt.bad != nil {
					if reply := tt.bad(i, r.Purpose.Operator()); reply != "" {
						return reply
					}
				}
				return byCall(i, r)
			})
			l := methodtest.Run(t, m, model, tt.budget)
			golden.Same(t, "requests", tt.want, methodtest.Operators(model))
			if tt.look != nil {
				tt.look(t, l)
			}
		})
	}
}

func TestSystemRole(t *testing.T) {
	m := small()
	m.SystemRole = true
	model := methodtest.Model(byCall)
	methodtest.Run(t, m, model, 20)
	for _, r := range model.Requests() {
		if r.System == "" || strings.Contains(r.User[0].Text, "You are") {
			t.Errorf("%s: system %q", r.Purpose, r.System)
		}
	}
}

// TestHintChaining checks that the prompt of call 5 has the hint and the parents of call 4.
func TestHintChaining(t *testing.T) {
	model := methodtest.Model(byCall)
	methodtest.Run(t, small(), model, 10)
	prompts := methodtest.Prompts(model)
	parents := methodtest.Shown(prompts[5])
	golden.Same(t, "parents of the crossover", methodtest.Shown(prompts[4]), parents)
	if len(parents) != 2 {
		t.Errorf("the crossover has the parents %v, want two", parents)
	}
	if !strings.Contains(prompts[4], "def select_next_node(") ||
		strings.Contains(prompts[4], "select_next_node_v") {
		t.Errorf("the reflection's parents do not have their own name:\n%s", prompts[4])
	}
	zero, one := strings.Index(prompts[5], "def select_next_node_v0("),
		strings.Index(prompts[5], "def select_next_node_v1(")
	if zero < 0 || one < zero {
		t.Errorf("the crossover's parents are not versions 0 and 1:\n%s", prompts[5])
	}
	hints := regexp.MustCompile(`\w+-hint-\d+`).FindAllString(prompts[5], -1)
	golden.Same(t, "hints of the crossover", []string{"short-hint-4"}, hints)
}

// TestLongTermWindow checks which hints a long-term reflection shows, and that the other prompts
// show only reflections of their own kind.
func TestLongTermWindow(t *testing.T) {
	model := methodtest.Model(byCall)
	methodtest.Run(t, small(), model, 16)
	for _, r := range model.Requests() {
		text, op := llm.TextOf(r.User), r.Purpose.Operator()
		if strings.Contains(text, "long-hint") && op != "mutation" && op != "long" ||
			strings.Contains(text, "short-hint") && op != "crossover" && op != "long" {
			t.Errorf("%s shows a reflection of the other kind:\n%s", op, text)
		}
	}
	prompts := methodtest.Prompts(model, "long")
	for i, want := range []string{
		"[Prior reflection]\n\n[New insights]\nshort-hint-4\nshort-hint-6\nshort-hint-8\n" +
			"short-hint-10\n\n",
		"[Prior reflection]\nlong-hint-12\n\n[New insights]\nshort-hint-10\nshort-hint-15\n" +
			"short-hint-17\nshort-hint-19\nshort-hint-21\n\n",
	} {
		if !strings.Contains(prompts[i], want) {
			t.Errorf("long-term reflection %d does not hold %q:\n%s", i, want, prompts[i])
		}
	}
}

// TestMutation checks the programs that mutations show. Newer programs in the buffer may be better
// than the elite.
func TestMutation(t *testing.T) {
	tests := []struct {
		name string
		all  bool
		want [][]string // the program shown in calls 13, 14, 24, 25
	}{
		{"among the survivors", false, [][]string{{"11"}, {"11"}, {"18"}, {"18"}}},
		{"with the buffer", true, [][]string{{"11"}, {"13"}, {"22"}, {"24"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := small()
			m.EliteFromAll = tt.all
			model := methodtest.Model(byCall)
			methodtest.Run(t, m, model, 16)
			prompts := methodtest.Prompts(model, "mutation")
			var got [][]string
			for i, p := range prompts {
				got = append(got, methodtest.Shown(p))
				want := []string{"long-hint-12", "long-hint-23"}[i/2]
				if !strings.Contains(p, "[Prior reflection]\n"+want+"\n") {
					t.Errorf("mutation %d does not hold %s:\n%s", i, want, p)
				}
			}
			golden.Same(t, "programs mutated", tt.want, got)
		})
	}
}

func TestTheWorseParentComesFirst(t *testing.T) {
	model := methodtest.Model(func(i int, r llm.Request) string {
		if r.Purpose.Role() == "reflection" {
			return "hint"
		}
		return code(i, 100-i)
	})
	methodtest.Run(t, small(), model, 40)
	for _, p := range methodtest.Prompts(model, "short", "crossover") {
		pair := methodtest.Shown(p)
		worse, _ := strconv.Atoi(pair[0])
		if better, _ := strconv.Atoi(pair[1]); worse > better {
			t.Errorf("%v before %v:\n%s", worse, better, p)
		}
	}
}

// TestEqualScores checks that DistinctParents does not change how equal scores are handled.
func TestEqualScores(t *testing.T) {
	m := small()
	m.DistinctParents = true
	model := methodtest.Model(func(i int, r llm.Request) string {
		if r.Purpose.Role() == "reflection" {
			return "hint"
		}
		return code(i, 1)
	})
	l := methodtest.Run(t, m, model, 12)
	none := math.Inf(-1)
	scores, _ := methodtest.Survivors(t, l)
	golden.Same(t, "survivors", []float64{1, none, none, none}, scores)
	for _, p := range methodtest.Prompts(model, "short") {
		if strings.Count(p, "return unvisited_nodes[0]") != 2 {
			t.Errorf("the first program is not both parents:\n%s", p)
		}
	}
}

func TestDistinctParents(t *testing.T) {
	m := small()
	m.DistinctParents = true
	l := methodtest.Run(t, m, methodtest.Model(byCall), 100)
	for _, n := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if n.Operator == "crossover" && n.Parents[0] == n.Parents[1] {
			t.Errorf("program %d is both parents", n.Parents[0])
		}
	}
}

// TestLanes checks that every lane has its own hints.
func TestLanes(t *testing.T) {
	model := llm.NewScripted(func(r llm.Request) string {
		if r.Purpose.Role() == "reflection" {
			return fmt.Sprintf("hint-%d", r.Draw)
		}
		return code(int(r.Draw), r.Draw)
	})
	l := methodtest.Run(t, New(), model, 300)
	r := l.Summarize()
	count := func(p llm.Purpose) int { return r.Usage[p].Requests }
	if n := count("reflection/long"); n < 7 || n > 10 ||
		count("algorithm/crossover") != count("reflection/short") {
		t.Errorf("requests %+v, want 7 to 10 long reflections", r.Usage)
	}
	steps, first := map[int]*record.Step{}, 0
	for s := range l.Steps() {
		steps[s.Number] = s
		if s.Requests[0].Request.Purpose == "algorithm/init" {
			first = s.Number + 1
		}
	}
	hints := make([][]string, 4) // by lane
	for n := first; n < len(steps); n++ {
		lane := (n - first) % 4
		switch q := steps[n].Requests[0]; q.Request.Purpose {
		case "reflection/short":
			hints[lane] = append(hints[lane], q.Reply.Text)
		case "reflection/long":
			want := strings.Join(hints[lane][len(hints[lane])-5:], "\n")
			if !strings.Contains(q.Request.User[0].Text, "[New insights]\n"+want+"\n\n") {
				t.Errorf("step %d of lane %d does not read the lane's newest hints:\n%s", n, lane,
					q.Request.User[0].Text)
			}
		}
	}
}
