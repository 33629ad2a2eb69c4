package mctsahd

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// spread scores program i so that good programs occur at any depth.
func spread(i int, _ string) string {
	return methodtest.Scored(i, -10+math.Mod(float64(i)*0.618034, 3))
}

func TestS1(t *testing.T) {
	model := script(spread)
	l := methodtest.Run(t, one(), model, 200)
	tr, scores := follow(t, l), methodtest.Scores(l)
	attempts, asked := tr.attempts(0), requests(model, "algorithm")
	with, without := 0, 0
	for i, e := range attempts[:len(attempts)-1] {
		if e.Operator != "m2" || attempts[i-1].Operator != "m2" {
			continue
		}
		leaf := e.Parents[0]
		deep := tr.nodes[leaf].depth >= 2
		if got := attempts[i+1].Operator == "s1"; got != deep {
			t.Fatalf("s1 after attempt %d: %v, the leaf's depth is %d", i, got,
				tr.nodes[leaf].depth)
		}
		if !deep {
			without++
			continue
		}
		with++
		var want []string
		var line []int
		for id := leaf; id > 0; id = tr.nodes[id].parent {
			line = append(line, id)
		}
		slices.SortFunc(line, func(a, b int) int {
			return -int(math.Copysign(1, *scores[a-1]-*scores[b-1]))
		})
		for _, id := range line {
			want = append(want, fmt.Sprint(*scores[id-1]))
		}
		if got := shown(asked[i+1]); !cmp.Equal(want, got) {
			t.Errorf("s1 shows %v, want %v", got, want)
		}
	}
	if with < 10 || without < 2 {
		t.Errorf("%d waves with s1, %d without: too few for the check", with, without)
	}
}

func TestWidening(t *testing.T) {
	for _, compat := range []Compat{NoCompat, LLM4AD} {
		t.Run(string(compat), func(t *testing.T) {
			m := one()
			m.Compat = compat
			// Widening makes by far the best programs, so a walk that could enter them would do so.
			l := methodtest.Run(t, m, script(func(i int, op string) string {
				if op == "e1" && i > 3 {
					return methodtest.Scored(i, 1000+i)
				}
				return spread(i, op)
			}), 80)
			tr := follow(t, l)
			var at []int
			attempts := tr.attempts(4)
			for i, e := range attempts {
				if e.Operator != "e1" {
					continue
				}
				at = append(at, e.rootSize)
				leaf := slices.IndexFunc(attempts[i:], func(e event) bool {
					return e.Operator == "m1"
				})
				if e.rootSize == at[0] && leaf >= 0 &&
					!slices.Contains([]int{1, 2, 3, 4}, tr.branch(attempts[i+leaf].Parents[0])) {
					t.Errorf("the walk that widened the root went into the new child")
				}
			}
			due := []int{25, 36, 49, 64}
			if compat == LLM4AD {
				due = []int{25, 49}
			}
			if len(at) != len(due) {
				t.Fatalf("the root widens at N = %v, want soon after each of %v", at, due)
			}
			for i := range due {
				// One iteration adds six nodes, and one more for each node that widens on the way.
				if at[i] < due[i] || at[i] > due[i]+10 {
					t.Errorf("the root widens at N = %v, want soon after each of %v", at, due)
				}
			}
			if n := len(tr.children(0)); n != 4+len(due) {
				t.Errorf("the root has %d children, want %d", n, 4+len(due))
			}
		})
	}
}

// branch returns the child of the root above a program.
func (tr *trail) branch(id int) int {
	for tr.nodes[id].parent > 0 {
		id = tr.nodes[id].parent
	}
	return id
}

func TestInnerNodesWidenByE2(t *testing.T) {
	l := methodtest.Run(t, one(), script(spread), 300)
	tr := follow(t, l)
	widenings := 0
	attempts := tr.attempts(4)
	for i, e := range attempts {
		if !e.widening {
			continue
		}
		widenings++
		if int(math.Sqrt(float64(e.visits))) <= e.children {
			t.Errorf("N = %d with %d children is widened", e.visits, e.children)
		}
		if e.rootSize == tr.nodes[0].visits {
			continue
		}
		// The new program is a child of the node, and the walk continued elsewhere.
		made := 0
		for _, g := range tr.events {
			if g.node != nil && g.rootSize == e.rootSize {
				made = g.node.Program
			}
		}
		if tr.nodes[made].parent != e.Parents[0] || tr.nodes[made].operator != "e2" {
			t.Errorf("program %d is a child of %d by %s, want of %d by e2", made,
				tr.nodes[made].parent, tr.nodes[made].operator, e.Parents[0])
		}
		next := slices.IndexFunc(attempts[i:], func(e event) bool { return e.Operator == "m1" })
		if next >= 0 && attempts[i+next].Parents[0] == made {
			t.Errorf("the walk went into program %d, which it had made", made)
		}
	}
	if widenings < 5 {
		t.Errorf("only %d widenings by e2", widenings)
	}
}

func TestDepth(t *testing.T) {
	// The last program of every round is the best so far, so each walk goes one node deeper.
	for _, compat := range []Compat{NoCompat, LLM4AD} {
		m := one()
		m.Compat = compat
		tr := follow(t, methodtest.Run(t, m, script(func(i int, op string) string {
			if op == "s1" {
				return methodtest.Scored(i, 1000+i)
			}
			return rising(i, op)
		}), 150))
		deepest, noted := 0, 0
		for id, n := range tr.nodes {
			depth := 0
			for p := id; p > 0; p = tr.nodes[p].parent {
				depth++
			}
			deepest, noted = max(deepest, depth), max(noted, n.depth)
		}
		if compat == NoCompat && (deepest != 11 || noted != 11) ||
			compat == LLM4AD && (deepest < 12 || noted != 1) {
			t.Errorf("compat %s: the largest depth is %d, in notes %d", compat, deepest, noted)
		}
	}
}

// TestAttempts scripts the first e2 of the first round, which begins at program 4.
func TestAttempts(t *testing.T) {
	tests := []struct {
		name                         string
		bad                          []string
		evaluations, requests, nodes int
	}{
		{"the third is valid", []string{methodtest.Crash(4), junk}, 2, 5, 1},
		{"three crashes", []string{methodtest.Crash(4), methodtest.Crash(5), methodtest.Crash(6)},
			3, 6, 0},
		{"three unparsable", []string{junk, junk, junk}, 0, 3, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := methodtest.Run(t, one(), script(func(i int, op string) string {
				if j := i - 4; j >= 0 && j < len(tt.bad) {
					return tt.bad[j]
				}
				return rising(i, op)
			}), 10)
			tr := follow(t, l)
			evaluations, requests := 0, 0
			for _, e := range tr.attempts(4)[:4] {
				if e.Operator == "e2" {
					requests += e.requests
					if e.evaluated {
						evaluations++
					}
				} else if e.Operator != "m1" || e.rootSize != 4+tt.nodes {
					t.Errorf("after e2 comes %s with N(root) = %d, want m1 with %d", e.Operator,
						e.rootSize, 4+tt.nodes)
				}
			}
			if evaluations != tt.evaluations || requests != tt.requests {
				t.Errorf("%d evaluations, %d requests; want %d, %d", evaluations, requests,
					tt.evaluations, tt.requests)
			}
		})
	}
}

// lateE1 answers e1 with late after the initialisation, and all other requests with spread.
func lateE1(late func(i int) string) *llm.Scripted {
	return script(func(i int, op string) string {
		if op == "e1" && i > 3 {
			return late(i)
		}
		return spread(i, op)
	})
}

func TestE1IsTriedOnce(t *testing.T) {
	tr := follow(t, methodtest.Run(t, one(), lateE1(methodtest.Crash), 60))
	attempts := tr.attempts(4)
	found := 0
	for i, e := range attempts[:len(attempts)-1] {
		if e.Operator != "e1" {
			continue
		}
		found++
		if next := attempts[i+1]; next.Operator == "e1" || next.rootSize != e.rootSize ||
			!e.evaluated {
			t.Errorf("after a crash of e1 with N(root) = %d comes %s with %d", e.rootSize,
				next.Operator, next.rootSize)
		}
	}
	if found == 0 {
		t.Error("no attempt by e1 after the initialisation")
	}
}

func TestE1WithAKnownScore(t *testing.T) {
	for _, compat := range []Compat{NoCompat, LLM4AD} {
		m := one()
		m.Compat = compat
		asTheFirst := func(i int) string { return methodtest.Scored(i, -10) }
		l := methodtest.Run(t, m, lateE1(asTheFirst), 60)
		tr := follow(t, l)
		first := slices.IndexFunc(tr.events, func(e event) bool {
			return e.Operator == "e1" && e.rootSize > 3
		})
		e, next := tr.events[first], tr.events[first+1]
		switch {
		case compat == LLM4AD:
			if next.node == nil || next.node.Parent != 0 {
				t.Errorf("compat: after e1 comes %+v, want a child of the root", next)
			}
		case next.rejected == nil || next.rejected.Of != 1 || !e.evaluated ||
			len(tr.children(0)) != 4:
			t.Errorf("after e1 comes %+v, and the root has children %v", next, tr.children(0))
		}
	}
}

func TestDuplicates(t *testing.T) {
	// Programs 4 to 8 are the first round: e2, m1, m1, m2, m2. The second m1 repeats the first,
	// then is retried. Program 13 is the next round's second m2.
	model := script(func(i int, op string) string {
		if i == 6 || i == 13 {
			return rising(5, op)
		}
		return rising(i, op)
	})
	l := methodtest.Run(t, one(), model, 20)
	tr := follow(t, l)
	golden.Same(t, "operators",
		[]string{"e2", "m1", "m1", "m1", "m2", "m2"}, operatorsOf(tr.attempts(4)[:6]))
	golden.Same(t, "rejections",
		[]Rejected{{Program: 7, Operator: "m1", Reason: "the code of a sibling", Of: 6}},
		methodtest.Notes[Rejected](t, l, "rejected"))
	if n := tr.nodes[14]; n == nil || n.parent == tr.nodes[6].parent {
		t.Errorf("the same code at another leaf gives %+v, want a node", n)
	}
}

func TestE2Parents(t *testing.T) {
	model := script(spread)
	l := methodtest.Run(t, one(), model, 200)
	scores, asked := methodtest.Scores(l), requests(model, "algorithm")
	elites, members, attempt, seen := methodtest.Notes[Elite](t, l, "elite"), []int(nil), 0, 0
	for _, rec := range l.Records {
		if rec.Note != nil {
			if rec.Note.Kind == "elite" {
				members, elites = elites[0].Members, elites[1:]
			}
			continue
		}
		r := asked[attempt]
		attempt++
		if r.Purpose != "algorithm/e2" {
			continue
		}
		seen++
		var parents []int
		alone := &record.Loaded{Records: []record.Line{rec}}
		for _, n := range methodtest.Notes[note.Offspring](t, alone, "offspring") {
			parents = n.Parents
		}
		want := []string{fmt.Sprint(*scores[parents[1]-1]), fmt.Sprint(*scores[parents[0]-1])}
		if got := shown(r); !cmp.Equal(want, got) || want[0] == want[1] {
			t.Errorf("e2 shows %v, want %v", got, want)
		}
		if !slices.Contains(members, parents[1]) {
			t.Errorf("e2 shows program %d, which is not in the elite set %v of the last survival",
				parents[1], members)
		}
	}
	if seen < 20 {
		t.Errorf("only %d attempts by e2", seen)
	}
}

func TestE2WithoutPartnerIsSkipped(t *testing.T) {
	m := one()
	m.Initial, m.Parents = 1, 1
	tr := follow(t, methodtest.Run(t, m, script(rising), 8))
	golden.Same(t, "operators",
		[]string{"i1", "m1", "m1", "m2", "m2", "e1", "e2"}, operatorsOf(tr.attempts(0)[:7]))
}

func TestE1References(t *testing.T) {
	model := script(spread)
	l := methodtest.Run(t, one(), model, 150)
	tr := follow(t, l)
	attempts := tr.attempts(0)
	for i, r := range requests(model, "algorithm") {
		if r.Purpose != "algorithm/e1" || i < 4 {
			continue
		}
		var branches []int
		for _, id := range attempts[i].Parents {
			branches = append(branches, tr.branch(id))
		}
		if want := tr.children(0)[:len(branches)]; !cmp.Equal(want, branches) || len(branches) < 4 {
			t.Errorf("e1 shows programs of the branches %v, want %v", branches, want)
		}
	}
	m := one()
	m.E1Refs = Sampled
	model = script(spread)
	methodtest.Run(t, m, model, 300)
	counts := map[int]int{}
	for i, r := range requests(model, "algorithm") {
		if r.Purpose == "algorithm/e1" && i > 3 {
			counts[len(shown(r))]++
		}
	}
	for n := range counts {
		if n < 2 || n > 5 {
			t.Errorf("a sample has %d references, want 2 to 5", n)
		}
	}
	if len(counts) < 2 {
		t.Errorf("sizes of samples: %v", counts)
	}
}

// TestWindowChangesNothing checks that a deterministic model without failures gives the same
// journal with every window.
func TestWindowChangesNothing(t *testing.T) {
	byDraw := func(r llm.Request) string {
		if r.Purpose == forThought {
			return fmt.Sprintf("aligned %d", r.Draw)
		}
		return methodtest.Scored(int(r.Draw), -10+3*float64(r.Draw)/(1<<31))
	}
	var want []record.Line
	for _, window := range []int{1, 6} {
		m := New()
		m.Window = window
		l := methodtest.Run(t, m, llm.NewScripted(byDraw), 80)
		if want == nil {
			want = l.Records
		}
		golden.Same(t, fmt.Sprint("records with window ", window), want, l.Records)
	}
}

// TestRetriesKeepTheirPlace checks that, with failures and four expansions in flight, the nodes of
// a round are made in the operators' order.
func TestRetriesKeepTheirPlace(t *testing.T) {
	m := New()
	l := methodtest.Run(t, m, llm.NewScripted(func(r llm.Request) string {
		switch {
		case r.Purpose == forThought:
			return "aligned"
		case r.Draw%3 == 0:
			return methodtest.Crash(int(r.Draw))
		}
		return methodtest.Scored(int(r.Draw), -10+3*float64(r.Draw)/(1<<31))
	}), 200)
	order := "e2 m1 m1 m2 m2 s1"
	var wave []string
	parent := -1
	for _, n := range methodtest.Notes[Grown](t, l, "node")[4:] {
		if n.Operator == "e1" || n.Operator == "e2" || n.Parent != parent {
			wave, parent = nil, n.Parent
		}
		wave = append(wave, n.Operator)
		rest := order
		for _, op := range wave {
			_, after, ok := strings.Cut(rest, op)
			if !ok && op != "e1" {
				t.Fatalf("nodes of a wave come in the order %v", wave)
			}
			rest = after
		}
	}
	if n := l.Summarize().Evaluations; n != 200 {
		t.Errorf("%d evaluations, want 200", n)
	}
}
