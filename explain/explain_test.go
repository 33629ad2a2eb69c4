package explain

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// A world is a program whose parts have known effects on each instance.
type world func(instance int, out map[int]bool) (value float64, runs bool)

// planned returns a plan for a program with this number of parts.
func planned(parts int, pairs bool) Plan {
	p := Plan{
		Format: record.FormatVersion, Program: "p", Splits: []string{"train", "val"},
		Maximized: true, Top: 4, Pairs: pairs,
	}
	for i := range parts {
		p.Parts.Parts = append(p.Parts.Parts, program.Part{
			Line: i + 1, Ways: []program.Edit{{Start: 10 * i, End: 10*i + 1}},
		})
	}
	return p
}

// scored returns the function that scores jobs of a world on n instances.
func scored(w world, n int) func([]Job) ([]Measurement, error) {
	return func(jobs []Job) (done []Measurement, err error) {
		for _, j := range jobs {
			m, out := Measurement{Job: j}, map[int]bool{}
			for _, o := range j.Out {
				out[o[0]] = true
			}
			for i := range n {
				v, runs := w(i, out)
				if !runs {
					m.Values, m.Fault = nil, "error"
					break
				}
				m.Values = append(m.Values, v)
			}
			done = append(done, m)
		}
		return done, nil
	}
}

// TestKnownEffects measures a program with two additive terms, a useless term, a product of two
// parts that help only together, a part that is needed to run, a part that hurts, and a dead part.
func TestKnownEffects(t *testing.T) {
	wobble := func(i, k int) float64 { return 0.01 * float64((i*7+k*3)%5-2) }
	w := func(i int, out map[int]bool) (v float64, runs bool) {
		has := func(k int) float64 {
			if out[k] {
				return 0
			}
			return 1
		}
		v = has(0)*(3+wobble(i, 0)) + has(1)*(2+wobble(i, 1)) + has(2)*wobble(i, 2)
		v += has(3)*has(4)*(1.5+wobble(i, 3)) - has(6)*(1+wobble(i, 6))
		return v, has(5) == 1
	}
	p := planned(8, true)
	p.Top = 8
	e, err := Measure(p, scored(w, 20))
	must.Do(t, err)
	for part, want := range []string{
		"3.0", "2.0", "no effect seen", "1.5", "1.5", "needed to run", "-1.0", "changes nothing",
	} {
		if got := e.Verdict(part, 1); got != want {
			t.Errorf("part %d: %s, want %s", part, got, want)
		}
		for _, split := range e.Splits {
			x := e.Effects[split][part]
			if !math.IsNaN(x.Mean) && (x.Mean < x.Low || x.Mean > x.High) {
				t.Errorf("part %d: %+v", part, x)
			}
		}
	}
	found := false
	for _, q := range e.Pairs {
		want := 0.0
		if q.A == 3 && q.B == 4 {
			// Without either part the whole product is lost, and without both it is lost only once.
			want, found = -1.5, true
		}
		if math.Abs(q.Mean-want) > 0.05 {
			t.Errorf("interaction of %d and %d is %v, want %v", q.A, q.B, q.Mean, want)
		}
	}
	e.Gain = 10 // the plan has no template
	n, share, _ := e.Significant()
	if !found || n != 5 {
		t.Errorf("pair found: %v, %d significant parts", found, n)
	}
	largest := slices.MaxFunc(e.Effects[e.Splits[0]], func(a, b Effect) int {
		return cmp.Compare(a.Mean, b.Mean)
	}).Mean
	if share != largest/e.Gain { // both in training
		t.Errorf("the largest part has %v of the gain %v, want %v", share, e.Gain, largest/e.Gain)
	}
}

// TestRounding: a part whose knock-out only changes the last digit changes nothing.
func TestRounding(t *testing.T) {
	e, err := Measure(planned(1, false), scored(func(i int, out map[int]bool) (float64, bool) {
		v := float64(i) + 0.1
		if out[0] {
			v = math.Nextafter(v, 100)
		}
		return v, true
	}, 20))
	must.Do(t, err)
	if got := e.Verdict(0, 1); got != "changes nothing" {
		t.Errorf("the part is said to have the effect %s", got)
	}
}

func TestSignFlip(t *testing.T) {
	for _, c := range []struct {
		differences []float64
		want        float64
	}{
		{[]float64{1, 2, 3, 4, 5}, 2.0 / 32},
		{[]float64{0, 0, 0}, 1},
		{[]float64{1, 2, -3}, 1}, // the sum is 0, so every sign pattern is at least as far from 0
		{slices.Repeat([]float64{1}, 64), 1.0 / (draws + 1)},
	} {
		if p := signFlip(c.differences, "a"); p != c.want {
			t.Errorf("p of %v is %v, want %v", c.differences, p, c.want)
		}
	}
	if low, high := flipRange([]float64{1, 2, 3, 4, 5}); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("5 values have the range %v to %v", low, high)
	}
	if low, high := flipRange([]float64{1, 2, 3, 4, 5, 6}); low != 1 || high != 6 {
		t.Errorf("6 values have the range %v to %v", low, high)
	}
}

// TestCredit checks the counts of an EAP with three callers: one runs without the EAP's calls, one
// does not, and one does not run at all.
func TestCredit(t *testing.T) {
	p := planned(1, false)
	for i := range 3 {
		p.Callers = append(p.Callers, Caller{i + 1, []Primitive{{EAP: 7, Alpha: 1, Beta: 3}}})
	}
	e, err := Measure(p, func(jobs []Job) (done []Measurement, err error) {
		for _, j := range jobs {
			m := Measurement{Job: j, Values: []float64{3, 4}}
			switch {
			case j.Caller == 1 && j.Drop == 1:
				m.Values = []float64{1, 3}
			case j.Caller == 2 && j.Drop == 1, j.Caller == 3:
				m.Values, m.Fault = nil, "error"
			}
			done = append(done, m)
		}
		return done, nil
	})
	must.Do(t, err)
	golden.Same(t, "credit", []Credit{
		{EAP: 7, Posterior: 0.25, Effect: 1.5, Programs: 1, Needed: 1},
	}, e.Credit)
}

func TestTau(t *testing.T) {
	e := &Explained{Credit: []Credit{
		{Posterior: 0.1, Effect: 1}, {Posterior: 0.2, Effect: 2}, {Posterior: 0.3, Effect: 3},
		{Posterior: 0.9, Effect: math.NaN()},
	}}
	if tau, n, ok := e.Tau(); tau != 1 || n != 3 || !ok {
		t.Errorf("%v over %d, %v", tau, n, ok)
	}
}

// TestASplitTwice: an untrusted file cannot give a program two numbers of values on one split.
func TestASplitTwice(t *testing.T) {
	dir := t.TempDir()
	text := `{"format":1,"splits":["train","train"],"parts":[{"ways":[{}]}]}` + "\n"
	path := filepath.Join(dir, record.ExplainFile)
	must.Write(t, path, text)
	const want = "names a split twice"
	if e, err := Read(dir, ""); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestSample: the random numbers that select the measurements for verify depend on every byte of
// the file.
func TestSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.ExplainFile)
	drawn := func(value string) uint64 {
		text := `{"format":1,"splits":["train"]}` + "\n" +
			`{"split":"train","values":[` + value + "]}\n"
		must.Write(t, path, text)
		_, known, random, err := Known(path)
		if err != nil || len(known) != 1 {
			t.Fatal(known, err)
		}
		return random.Uint64()
	}
	if a, b, c := drawn("1"), drawn("1"), drawn("1.0"); a != b || a == c {
		t.Errorf("%d, %d, %d", a, b, c)
	}
}

// TestPrograms compares the number of programs that progress shows with the number that are scored.
func TestPrograms(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		p := planned(6, pairs)
		p.Default = true
		p.Callers = []Caller{{EAPs: make([]Primitive, 2)}, {EAPs: make([]Primitive, 1)}}
		n := 0
		score := scored(func(i int, out map[int]bool) (float64, bool) {
			return float64(i - len(out)), true
		}, 5)
		_, err := Measure(p, func(jobs []Job) ([]Measurement, error) {
			n += len(jobs)
			return score(jobs)
		})
		must.Do(t, err)
		if n != p.Programs() {
			t.Errorf("pairs %t: %d programs were scored, want %d", pairs, n, p.Programs())
		}
	}
}
