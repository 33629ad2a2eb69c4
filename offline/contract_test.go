package offline

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// An eap is a helper that a method keeps.
type eap struct {
	name, source string
}

// A pacer acts as PACE: it keeps programs and EAPs and writes the prompts of P1 to P4.
type pacer struct {
	t    *testing.T
	m    *Model
	r    *rand.Rand
	eaps []eap
	pop  []paced
	draw uint64
}

type paced struct {
	idea, code string
	calls      []string
}

func (p *pacer) ask(text string) string {
	p.draw++
	return ask(p.t, p.m, text, p.draw)
}

// program is the whole module: imports, the EAPs called, the target.
func (p *pacer) program(code string, called []string) string {
	text := "import numpy as np\n\n"
	for _, e := range p.eaps {
		if slices.Contains(called, e.name) {
			text += e.source + "\n\n"
		}
	}
	return text + code
}

// called lists the EAPs that code calls. The test reads the text itself.
func (p *pacer) called(code string) []string {
	var names []string
	for _, e := range p.eaps {
		if strings.Contains(code, e.name+"(") {
			names = append(names, e.name)
		}
	}
	return names
}

func (p *pacer) show(names ...string) string {
	var shown []string
	for _, e := range p.eaps {
		if slices.Contains(names, e.name) {
			shown = append(shown, "EAP `"+e.name+"`:\n\n"+e.source)
		}
	}
	return blocks(shown...)
}

func ticks(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// admit keeps the helper functions of a reply.
func (p *pacer) admit(reply string) int {
	functions, _ := pytext.Functions(codeOf(reply))
	for _, f := range functions {
		n := f.Name
		for i := 2; slices.ContainsFunc(p.eaps, func(e eap) bool { return e.name == n }); i++ {
			n = fmt.Sprintf("%s_%d", f.Name, i)
		}
		source := strings.Replace(f.Source, "def "+f.Name+"(", "def "+n+"(", 1)
		p.eaps = append(p.eaps, eap{n, source})
	}
	return len(functions)
}

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

// offspring writes the prompt of an operator and returns what the child's call set must contain
// and what it may contain.
func (p *pacer) offspring(op string, a, b paced) (text string, must, may []string, atMost int) {
	parents := "The parent algorithm:\n" + a.idea + "\n\n" + a.code
	outside := p.outside(a.calls)
	switch op {
	case "P1":
		must = append(slices.Clone(a.calls), outside)
		text = blocks(selectTask, selectTarget, parents, p.show(must...),
			"Goal: insert the focus EAP `"+outside+"`.",
			"Call exactly: "+ticks(must)+" and no other EAP.", closingOffspring)
	case "P2":
		gone := a.calls[0]
		must = append(slices.Clone(a.calls[1:]), outside)
		text = blocks(selectTask, selectTarget, parents, p.show(append(a.calls, outside)...),
			"Goal: replace `"+gone+"` by `"+outside+"`.",
			"Must call: "+ticks(must)+"\nMust not call: `"+gone+"`", closingOffspring)
	case "P3":
		must = a.calls
		text = blocks(selectTask, selectTarget, parents, p.show(must...),
			"Goal: refine how the algorithm uses its EAPs.",
			"Call exactly: "+ticks(must)+" and no other EAP.", closingOffspring)
	case "P4":
		must = slices.Compact(slices.Sorted(slices.Values([]string{a.calls[0], b.calls[0]})))
		for _, n := range append(slices.Clone(a.calls), b.calls...) {
			if !slices.Contains(must, n) && !slices.Contains(may, n) {
				may = append(may, n)
			}
		}
		atMost = 3
		text = blocks(selectTask, selectTarget, parents,
			"Parent algorithm 2:\n"+b.idea+"\n\n"+b.code,
			p.show(append(slices.Clone(must), may...)...),
			"Goal: combine meaningful mechanisms of both parents.",
			"Must call: "+ticks(must)+"\nMay also call: "+ticks(may)+"\nCall at most 3 of them.",
			closingOffspring)
	}
	return text, must, may, atMost
}

// outside returns an EAP that is not in calls, or "".
func (p *pacer) outside(calls []string) string {
	for len(calls) < len(p.eaps) {
		if e := pick(p.r, p.eaps); !slices.Contains(calls, e.name) {
			return e.name
		}
	}
	return ""
}

// kept reports whether a call set keeps a contract.
func kept(called, must, may []string, atMost int) bool {
	for _, n := range must {
		if !slices.Contains(called, n) {
			return false
		}
	}
	for _, n := range called {
		if !slices.Contains(must, n) && !slices.Contains(may, n) {
			return false
		}
	}
	return atMost == 0 || len(called) <= atMost
}

// TestContractsAreKept acts as PACE with a model without mistakes: every child of P1 to P4 keeps
// its contract, and if Python is available, nearly every program runs.
func TestContractsAreKept(t *testing.T) {
	p := &pacer{t: t, m: New(tasks.All(), Perfect()), r: rand.New(rand.NewPCG(3, 4))}
	if n := p.admit(p.ask(blocks(selectTask, selectTarget, promptGoalE1))); n < 2 {
		t.Fatalf("E1 gave %d functions", n)
	}
	for range 10 {
		reply := p.ask(promptI1())
		p.pop = append(p.pop, paced{idea: ideaOf(reply), code: codeOf(reply)})
	}
	var programs []string
	const every = 5 // one in five is scored
	proposals := 120
	if os.Getenv("PACEBENCH_LONG") != "" {
		proposals = 400
	}
	for i := range proposals {
		if i%10 == 9 {
			text := blocks(selectTask, selectTarget,
				p.show(p.eaps[0].name, p.eaps[len(p.eaps)-1].name), promptGoalE3)
			if i%20 == 9 {
				a := pick(p.r, p.pop)
				text = blocks(selectTask, selectTarget,
					"The best algorithm found so far, with the helper functions "+ticks(a.calls)+
						" that it calls:\n"+a.idea+"\n\n"+p.program(a.code, a.calls), promptGoalE2)
			}
			if n := p.admit(p.ask(text)); n != 1 {
				t.Errorf("proposal %d gave %d functions", i, n)
			}
		}
		a, b := pick(p.r, p.pop), pick(p.r, p.pop)
		op := []string{"P1", "P2", "P3", "P4"}[i%4]
		if len(a.calls) == 0 || len(a.calls) < 3 && chance(p.r, 0.3) ||
			op == "P4" && len(b.calls) == 0 {
			op = "P1"
		}
		if op == "P1" && len(a.calls) >= 3 || op != "P4" && len(a.calls) == len(p.eaps) {
			op = "P3"
		}
		text, must, may, atMost := p.offspring(op, a, b)
		reply := p.ask(text)
		code := codeOf(reply)
		called := p.called(code)
		if !kept(called, must, may, atMost) {
			t.Errorf("%d %s: calls %v, must %v, may %v, at most %d\n%s\n--- reply\n%s",
				i, op, called, must, may, atMost, text, reply)
		}
		p.pop = append(p.pop, paced{idea: ideaOf(reply), code: code, calls: called})
		p.pop = p.pop[max(0, len(p.pop)-30):]
		programs = append(programs, p.program(code, called))
	}
	e := newEvaluator(t)
	bad := 0
	for i, source := range programs {
		if i%every > 0 {
			continue
		}
		if v := e.score(source); v.Score == nil {
			bad++
			t.Logf("%d: %s\n%s", i, v.Fault, source)
		}
	}
	if t.Logf("%d of %d programs fail", bad, len(programs)/every); bad*50 > len(programs)/every {
		t.Errorf("%d of %d programs fail, want at most 2 %%", bad, len(programs)/every)
	}
}
