package tspaco

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// A fakeTarget is a candidate written in Go.
type fakeTarget struct {
	bench.Unmeasured
	answer func(distances []float64, n int) bench.Value
	calls  int
}

func (f *fakeTarget) Upload(context.Context, bench.Array) (bench.Handle, error) {
	return 0, errors.New("nothing is uploaded in this task")
}
func (f *fakeTarget) Close() error { return nil }
func (f *fakeTarget) Call(_ context.Context, args ...bench.Value) (bench.Value, error) {
	f.calls++
	a := args[0].(bench.Array)
	if len(args) != 1 || a.DType != "float64" || len(a.Shape) != 2 || a.Shape[0] != a.Shape[1] {
		return nil, fmt.Errorf("called with %d arguments, %s of shape %v",
			len(args), a.DType, a.Shape)
	}
	d, _ := a.Floats()
	return f.answer(d, a.Shape[0]), nil
}

func (f *fakeTarget) Load(
	context.Context, string, string, string, bench.Limits,
) (bench.Target, error) {
	return f, nil
}

// each makes a float64 matrix from every distance.
func each(rate func(d float64) float64) func([]float64, int) bench.Value {
	return func(d []float64, n int) bench.Value {
		out := make([]float64, len(d))
		for i, v := range d {
			out[i] = rate(v)
		}
		return bench.Array{DType: "float64", Shape: []int{n, n}, Data: numpy.Bytes(out)}
	}
}

var inverse = each(func(d float64) float64 { return 1 / d })

func evaluate(
	t *testing.T, task *bench.Task, split string, answer func([]float64, int) bench.Value,
) bench.Outcome {
	t.Helper()
	o, err := (&bench.TaskEvaluator{Task: task, Loader: &fakeTarget{answer: answer}}).Score(
		context.Background(), split, program.Program{})
	must.Do(t, err)
	return o
}

// TestScoresArePinned has the scores of one program: a change of the colony, of its streams or of a
// sampler changes them, and then needs a new version of the task.
func TestScoresArePinned(t *testing.T) {
	for _, c := range []struct {
		split  string
		answer func([]float64, int) bench.Value
		want   float64
	}{
		{"train", inverse, 6.5785019422147},
		{"train", each(func(d float64) float64 { return 1 / (d * d) }), 5.9735676318785},
		{"test50", inverse, 6.5268317922725},
	} {
		o := evaluate(t, Task(), c.split, c.answer)
		if got := -o.Score; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %.13f, want %.13f", c.split, got, c.want)
		}
	}
}

func TestWorkersChangeNoScore(t *testing.T) {
	var got []float64
	for _, workers := range []int{0, 1, 3, 50} {
		in := bench.Instance{Split: "test200", Number: 9}
		v, err := New(Config{Workers: workers}).Score(
			context.Background(), in, &fakeTarget{answer: inverse})
		must.Do(t, err)
		got = append(got, v.Value)
	}
	if slices.Min(got) != slices.Max(got) {
		t.Errorf("%v for different numbers of workers", got)
	}
}

func TestTheMatrixHasOnesOnItsDiagonal(t *testing.T) {
	set, err := Instances("train")
	must.Do(t, err)
	f := &fakeTarget{answer: func(d []float64, n int) bench.Value {
		golden.Same(t, "matrix", set[2].Matrix(1), d)
		return inverse(d, n)
	}}
	in := bench.Instance{Split: "train", Number: 2}
	if _, err := Task().Score(context.Background(), in, f); err != nil || f.calls != 1 {
		t.Errorf("%d calls, %v", f.calls, err)
	}
}

func TestSolveGivesWhatACandidateGets(t *testing.T) {
	for _, split := range []string{"train", "test50"} {
		set, err := Instances(split)
		must.Do(t, err)
		eta := set[1].Matrix(1)
		for i, d := range eta {
			eta[i] = 1 / d
		}
		aco.Floor(eta)
		got, err := Solve(context.Background(), split, 1, eta)
		must.Do(t, err)
		in := bench.Instance{Split: split, Number: 1}
		want, err := Task().Score(context.Background(), in, &fakeTarget{answer: inverse})
		if err != nil || got != want.Value {
			t.Errorf("%s: Solve %v, Score %v, %v", split, got, want.Value, err)
		}
	}
}

func TestFreshReplicatesShareNoStreamWithTheSearch(t *testing.T) {
	first := bench.Instance{Split: "train"}
	for _, replicates := range []int{1, 3} {
		task := New(Config{Replicates: replicates})
		var got []float64
		for k := range 4 {
			v, err := task.Rescore.Score(t.Context(), k, first, &fakeTarget{answer: inverse})
			must.Do(t, err)
			got = append(got, v)
		}
		in := bench.Instance{Split: "train", Number: 0}
		searched, err := task.Score(context.Background(), in, &fakeTarget{answer: inverse})
		if err != nil || got[0] != searched.Value {
			t.Errorf("replicate 0 is %v, the search saw %v, %v", got[0], searched.Value, err)
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != 4 {
			t.Errorf("replicates repeat: %v", got)
		}
	}
	// Three replicates an evaluation are the mean of three evaluations of one.
	sum := 0.0
	for k := range 3 {
		v, err := Task().Rescore.Score(context.Background(), k, first, &fakeTarget{answer: inverse})
		must.Do(t, err)
		sum += v
	}
	got, err := New(Config{Replicates: 3}).Rescore.Score(
		context.Background(), 0, first, &fakeTarget{answer: inverse})
	if err != nil || got != sum/3 {
		t.Errorf("mean of three is %v, want %v, %v", got, sum/3, err)
	}
}

func TestReplicatesAreAnotherTask(t *testing.T) {
	if got := New(Config{Replicates: 1}).Name; got != "tsp-aco" {
		t.Errorf("one replicate is task %s", got)
	}
	if got := New(Config{Replicates: 10}).Name; got != "tsp-aco@replicates=10" {
		t.Errorf("ten replicates are task %s", got)
	}
}

// TestIterationsAreThoseOfTheTests checks that a shorter colony finds no better tour on any test
// instance, because a longer one begins with the same iterations, and that training ignores the
// setting.
func TestIterationsAreThoseOfTheTests(t *testing.T) {
	short := New(Config{Iterations: 5})
	if short.Name != "tsp-aco@iterations=5" {
		t.Errorf("5 iterations are task %s", short.Name)
	}
	score := func(task *bench.Task, split string, instance int) float64 {
		in := bench.Instance{Split: split, Number: instance}
		v, err := task.Score(t.Context(), in, &fakeTarget{answer: inverse})
		must.Do(t, err)
		return v.Value
	}
	if got, want := score(short, "train", 0), score(Task(), "train", 0); got != want {
		t.Errorf("training gives %v, want the %v of 100 iterations", got, want)
	}
	for i := range 3 {
		if few, many := score(short, "test50", i), score(Task(), "test50", i); few <= many {
			t.Errorf("instance %d: %v after 5 iterations, %v after 100", i, few, many)
		}
	}
}

func TestZerosAreTheUniformHeuristic(t *testing.T) {
	zeros := evaluate(t, Task(), "train", each(func(float64) float64 { return 0 }))
	below := evaluate(t, Task(), "train", each(func(d float64) float64 { return -d }))
	if diff := cmp.Diff(zeros, below); diff != "" {
		t.Errorf("zeros and negative entries differ (-zeros +negative):\n%s", diff)
	}
	// 20.59 ± 0.24 is the public solver's objective for a constant matrix.
	if got := -zeros.Score; math.Abs(got-20.59) > 5*0.24 {
		t.Errorf("all zeros give %.2f, a constant 20.59", got)
	}
}

func TestWhatIsAccepted(t *testing.T) {
	square := func(dtype string, raw ...byte) bench.Array {
		return bench.Array{DType: dtype, Shape: []int{2, 2}, Data: raw}
	}
	f64 := func(v ...float64) bench.Array { return square("float64", numpy.Bytes(v)...) }
	var f32, i64, u64 []byte
	for _, v := range []float32{1, 0.5, -2, 3} {
		f32 = binary.LittleEndian.AppendUint32(f32, math.Float32bits(v))
	}
	for _, v := range []int64{1, -7, 1 << 60, 0} {
		i64 = binary.LittleEndian.AppendUint64(i64, uint64(v))
	}
	for range 4 {
		u64 = binary.LittleEndian.AppendUint64(u64, math.MaxUint64)
	}
	nan, inf := math.NaN(), math.Inf(1)
	const e = 1e-9
	for _, c := range []struct {
		name  string
		value bench.Value
		want  []float64 // nil: refused
		fault string
	}{
		{"float64", f64(1, 2, 3, 4), []float64{1 + e, 2 + e, 3 + e, 4 + e}, ""},
		{
			"negative entries and zeros are the floor",
			f64(-1, 0, math.Copysign(0, -1), -1e308), []float64{e, e, e, e}, "",
		},
		{"float32", square("float32", f32...), []float64{1 + e, 0.5 + e, e, 3 + e}, ""},
		{"int64", square("int64", i64...), []float64{1 + e, e, 1 << 60, e}, ""},
		{"uint64", square("uint64", u64...), []float64{1 << 64, 1 << 64, 1 << 64, 1 << 64}, ""},
		{
			"int32", square("int32", bytes.Repeat([]byte{255, 255, 255, 255}, 4)...),
			[]float64{e, e, e, e}, "",
		},
		{
			"uint32", square("uint32", bytes.Repeat([]byte{1, 0, 0, 0}, 4)...),
			[]float64{1 + e, 1 + e, 1 + e, 1 + e}, "",
		},
		{
			"int16", square("int16", bytes.Repeat([]byte{2, 0}, 4)...),
			[]float64{2 + e, 2 + e, 2 + e, 2 + e}, "",
		},
		{
			"uint16", square("uint16", bytes.Repeat([]byte{255, 255}, 4)...),
			[]float64{65535 + e, 65535 + e, 65535 + e, 65535 + e}, "",
		},
		{"int8", square("int8", 1, 255, 2, 3), []float64{1 + e, e, 2 + e, 3 + e}, ""},
		{"uint8", square("uint8", 1, 255, 2, 3), []float64{1 + e, 255 + e, 2 + e, 3 + e}, ""},
		{"bool", square("bool", 1, 0, 0, 1), []float64{1 + e, e, e, 1 + e}, ""},
		{"the largest", f64(1e300, 1, 1, 1), []float64{1e300, 1 + e, 1 + e, 1 + e}, ""},

		{"NaN on the diagonal alone", f64(nan, 1, 1, 1), nil, "nonfinite: entry [0, 0] is NaN"},
		{"infinity", f64(1, inf, 1, 1), nil, "nonfinite: entry [0, 1] is +Inf"},
		{"minus infinity", f64(1, 1, -inf, 1), nil, "nonfinite: entry [1, 0] is -Inf"},
		{"too large", f64(1, 1, 1, 1.1e300), nil, "invalid: entry [1, 1] is above 1e+300"},
		{
			"one dimension", bench.Array{DType: "float64", Shape: []int{2}, Data: make([]byte, 16)},
			nil, "invalid: returned an array of shape (2,), not (2, 2)",
		},
		{
			"three dimensions",
			bench.Array{DType: "float64", Shape: []int{2, 2, 1}, Data: make([]byte, 32)},
			nil, "invalid: returned an array of shape (2, 2, 1), not (2, 2)",
		},
		{
			"another size",
			bench.Array{DType: "float64", Shape: []int{3, 3}, Data: make([]byte, 72)},
			nil, "invalid: returned an array of shape (3, 3), not (2, 2)",
		},
		{
			"no dimension", bench.Array{DType: "float64", Shape: nil, Data: make([]byte, 8)},
			nil, "invalid: returned an array of shape (), not (2, 2)",
		},
		{
			"another dtype", square("complex128"),
			nil, "invalid: returned an array of complex128, not of real numbers",
		},
		{
			"an object array", bench.Other{Type: "ndarray of object"}, nil,
			"invalid: returned an object of type ndarray of object, not an array of shape (2, 2)",
		},
		{"None", bench.None{}, nil, "invalid: returned None, not an array of shape (2, 2)"},
		{
			"a number", bench.Float(1),
			nil, "invalid: returned a float, not an array of shape (2, 2)",
		},
		{"an int", bench.Int(1), nil, "invalid: returned an int, not an array of shape (2, 2)"},
		{"a bool", bench.Bool(true), nil, "invalid: returned a bool, not an array of shape (2, 2)"},
	} {
		got, err := aco.Heuristic(c.value, 2, 2)
		golden.Same(t, c.name, c.want, got)
		var fault *bench.Fault
		if (err != nil) != (c.fault != "") ||
			err != nil && (!errors.As(err, &fault) || fault.Error() != c.fault) {
			t.Errorf("%s: %v, want fault %q", c.name, err, c.fault)
		}
	}
	_, err := aco.Heuristic(square("float64", 1, 2, 3), 2, 2)
	if err == nil || errors.As(err, new(*bench.Fault)) {
		t.Errorf("an array whose size is not its shape's: %v, "+
			"want an error that is not a fault", err)
	}
}

func TestAFailingInstanceFailsTheEvaluation(t *testing.T) {
	calls := 0
	o := evaluate(t, Task(), "train", func(d []float64, n int) bench.Value {
		if calls++; calls == 5 {
			return bench.None{}
		}
		return inverse(d, n)
	})
	if o.OK() || o.Fault.Kind != bench.Invalid {
		t.Errorf("outcome %+v", o)
	}
}

func TestUnknownSplitsAndInstancesAreErrors(t *testing.T) {
	for _, c := range []struct {
		split    string
		instance int
		want     string
	}{
		{"test51", 0, `tsp-aco has no split "test51"`},
		{"train", 5, "tsp-aco has no instance 5 in split train"},
		{"train", -1, "tsp-aco has no instance -1 in split train"},
	} {
		_, err := Task().Score(
			context.Background(), bench.Instance{Split: c.split, Number: c.instance}, nil)
		if fmt.Sprint(err) != c.want {
			t.Errorf("Score(%q, %d): %v, want %s", c.split, c.instance, err, c.want)
		}
		_, err = Solve(context.Background(), c.split, c.instance, nil)
		if fmt.Sprint(err) != c.want {
			t.Errorf("Solve(%q, %d): %v, want %s", c.split, c.instance, err, c.want)
		}
	}
}
