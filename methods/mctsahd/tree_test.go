package mctsahd

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// grown returns a tree whose root has children with these scores.
func grown(scores ...float64) *tree {
	t := newTree()
	for i, s := range scores {
		t.add(t.root, &Candidate{ID: i + 1, Code: string(rune('a' + i)), Score: s}, 1)
	}
	return t
}

func attractions(t *tree, v *node, lambda float64) []float64 {
	var out []float64
	for _, c := range v.children {
		out = append(out, t.uct(c, lambda))
	}
	return out
}

// TestWorkedExample compares a small tree with values computed by hand.
func TestWorkedExample(t *testing.T) {
	r := &run{MCTSAHD: New(), budget: 1000}
	near := cmpopts.EquateApprox(0, 1e-6)
	tr := grown(-7, -8, -9, -10)
	root := tr.root
	golden.Same(t, "at 4 evaluations, u",
		[]float64{1.126356, 0.793023, 0.459690, 0.126356}, attractions(tr, root, r.lambda(4)), near)
	first := root.children[0]
	if tr.best(root, r.lambda(4)) != first {
		t.Error("the walk does not go to the first child")
	}
	for i, s := range []float64{-7.5, -7.2, -7.8, -7.6, -7.4} {
		tr.add(first, &Candidate{ID: 5 + i, Code: string(rune('k' + i)), Score: s}, 2)
	}
	if first.value != -7.2 || first.visits != 6 || root.visits != 9 || tr.min != -10 ||
		tr.max != -7 {
		t.Errorf("Q = %v, N = %d, N(root) = %d, q in %v..%v; want -7.2, 6, 9, -10..-7", first.value,
			first.visits, root.visits, tr.min, tr.max)
	}
	golden.Same(t, "at 9 evaluations, u",
		[]float64{0.994725, 0.817044}, attractions(tr, root, r.lambda(9))[:2], near)
	leaf := tr.best(tr.best(root, r.lambda(9)), r.lambda(9))
	if leaf != first.children[1] || math.Abs(tr.uct(leaf, r.lambda(9))-1.071574) > 1e-6 {
		t.Errorf("the leaf scores %v with u = %v, want -7.2 with 1.071574", leaf.program.Score,
			tr.uct(leaf, r.lambda(9)))
	}
	if n := len(path(leaf)); n != 2 {
		t.Errorf("s1 has %d references, want 2", n)
	}
}

func TestLambdaFallsToZero(t *testing.T) {
	r := &run{MCTSAHD: New(), budget: 60}
	for evaluations, want := range map[int]float64{0: 0.1, 30: 0.05, 60: 0, 61: 0} {
		if got := r.lambda(evaluations); math.Abs(got-want) > 1e-12 {
			t.Errorf("lambda(%d of 60) = %v, want %v", evaluations, got, want)
		}
	}
}

func TestTiesGoToTheEarlierChild(t *testing.T) {
	tr := grown(-9, -7, -7)
	if got := tr.best(tr.root, 0.1); got != tr.root.children[1] {
		t.Errorf("the best is program %d, want 2", got.program.ID)
	}
}

func TestBackpropagation(t *testing.T) {
	tr := grown(-7, -8)
	leaf := tr.root.children[0]
	child := tr.add(leaf, &Candidate{ID: 3, Score: -7.5}, 2)
	tr.add(child, &Candidate{ID: 4, Score: -9}, 3)
	if child.value != -9 || leaf.value != -9 || tr.root.value != -8 {
		t.Errorf("values %v, %v, root %v; want -9, -9 and -8: an inner node's own score "+
			"does not count", child.value, leaf.value, tr.root.value)
	}
	if n := len(leaf.subtree); n != 3 || len(tr.root.children[1].subtree) != 1 {
		t.Errorf("the first child's subtree has %d nodes, want 3", n)
	}
}

func TestNormalisation(t *testing.T) {
	if tr := grown(3, 83.2); tr.min != 0 || tr.max != 83.2 {
		t.Errorf("positive scores: %v..%v, want 0..83.2", tr.min, tr.max)
	}
	if tr := grown(-2e4, -3e4); tr.max != -2e4 {
		t.Errorf("scores below the port's start value: max %v, want -20000", tr.max)
	}
	tr := grown(0, 0)
	if u := tr.uct(tr.root.children[0], 0); u != 0 {
		t.Errorf("u without a range = %v, want 0", u)
	}
}

func TestPathHasEachCodeOnceBestFirst(t *testing.T) {
	tr := grown(-8)
	a := tr.root.children[0]
	b := tr.add(a, &Candidate{ID: 2, Code: "b", Score: -7}, 2)
	c := tr.add(b, &Candidate{ID: 3, Code: "a", Score: -8}, 3)
	d := tr.add(c, &Candidate{ID: 4, Code: "d", Score: -8}, 4)
	golden.Same(t, "path", []int{2, 1, 4}, ids(path(d)))
}

// TestS1NeedsTwoDistinctPrograms includes children that repeat their parent's code. The path for s1
// then has one program although the leaf is at depth 2.
func TestS1NeedsTwoDistinctPrograms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		codes []string // from the root's child to the leaf
		want  bool
	}{
		{"one program", []string{"a"}, false},
		{"the parent's code again", []string{"a", "a"}, false},
		{"two programs", []string{"a", "b"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &run{MCTSAHD: New(), tree: newTree(), elite: &elite{size: 20}}
			leaf := r.tree.root
			for i, code := range tt.codes {
				leaf = r.tree.add(leaf, &Candidate{ID: i + 1, Code: code, Score: 1}, i+1)
			}
			if got := slices.Contains(r.applicable(leaf), s1); got != tt.want {
				t.Errorf("s1 after the path %q: %t, want %t", tt.codes, got, tt.want)
			}
		})
	}
}

func TestObjective(t *testing.T) {
	for score, want := range map[float64]string{
		83.2: "-83.2", -6.103043479: "6.103043479", 0: "0", 1e-9: "-1e-09",
	} {
		if got := objective(score); got != want {
			t.Errorf("objective(%v) = %s, want %s", score, got, want)
		}
	}
}
