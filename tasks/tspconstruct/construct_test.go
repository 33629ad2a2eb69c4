package tspconstruct

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

// known is testdata/lengths.json: lengths and tours of the eight rules, from an evaluator
// that agrees with the public LLM4AD task.
type known struct {
	Sets map[string]map[string]struct {
		Mean        float64   `json:"mean"`
		PerInstance []float64 `json:"per_instance"`
		First3      []float64 `json:"first3"`
		Last        float64   `json:"last"`
	} `json:"sets"`
	Tours map[string][]int32 `json:"tours_train_instance0"`
}

func load(t *testing.T) known {
	t.Helper()
	raw, err := os.ReadFile("testdata/lengths.json")
	if err != nil {
		t.Fatal(err)
	}
	var k known
	if err := json.Unmarshal(raw, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

// setOf maps the names of the file to splits.
var setOf = map[string]string{
	"train": "train_seed2024_16x50", "test50": "test_seed5678_64x50",
	"test200": "test_seed5678_64x200",
	"test500": "test_seed5678_64x500", "test1000": "test_seed5678_64x1000",
}

// near is the tolerance of the golden lengths: 1e-9, relative 1e-11 above 100.
func near(got, want float64) bool { return math.Abs(got-want) <= max(1e-9, 1e-11*math.Abs(want)) }

func TestKnownLengths(t *testing.T) {
	golden := load(t)
	for _, c := range []struct {
		rule   string
		splits []string
		why    string
	}{
		{"nearest", []string{"train", "test50", "test200"}, "the array comes in order"},
		{"nearest_by_matrix", []string{"train"}, "the array is ordered as the matrix orders"},
		{"farthest", []string{"train", "test50", "test200"}, "the array's other end"},
		{"middle", []string{"train", "test50", "test200"}, "the whole order of the array"},
		{"lookahead2", []string{"train", "test50", "test200"}, "distances beyond the current row"},
		{"isolation", []string{"train", "test50"}, "the destination is city 0"},
		{
			"mutating", []string{"train", "test50"},
			"one matrix per instance, the same at every call",
		},
		{
			"step_parity", []string{"train", "test50", "test200"},
			"module state lives through a split",
		},
	} {
		for _, split := range c.splits {
			t.Run(c.rule+"/"+split, func(t *testing.T) {
				audits := 0
				task := task(func(_ string, instance int, tour []int32, length float64) {
					set, _ := data.Set(split)
					audited, err := tasktest.Audit(set[instance], tour)
					if err != nil || math.Abs(audited-length) > 1e-12*length {
						t.Errorf("instance %d: measured %v, audited %v, %v",
							instance, length, audited, err)
					}
					want := golden.Tours[c.rule]
					if split == train && instance == 0 && want != nil {
						if diff := cmp.Diff(want, tour); diff != "" {
							t.Errorf("tour of instance 0 mismatch (-want +got):\n%s", diff)
						}
					}
					audits++
				})
				e := &bench.TaskEvaluator{Task: task, Loader: loader{t, rules()[c.rule]}}
				got, err := e.Score(context.Background(), split, program.Program{})
				if err != nil || !got.OK() {
					t.Fatalf("outcome %+v, %v", got, err)
				}
				if audits != len(got.Values) {
					t.Errorf("%d tours seen, %d values", audits, len(got.Values))
				}
				want := golden.Sets[setOf[split]][c.rule]
				if !near(-got.Score, want.Mean) {
					t.Errorf("mean %.12f, want %.12f (%s)", -got.Score, want.Mean, c.why)
				}
				for i, v := range append(slices.Clone(want.PerInstance), want.First3...) {
					if !near(got.Values[i], v) {
						t.Errorf("instance %d: %.12f, want %.12f", i, got.Values[i], v)
					}
				}
				if last := got.Values[len(got.Values)-1]; want.Last != 0 && !near(last, want.Last) {
					t.Errorf("last instance: %.12f, want %.12f", last, want.Last)
				}
			})
		}
	}
}

func TestCallsAreThoseOfTheContract(t *testing.T) {
	var sizes []int
	f := &fakeTarget{t: t}
	f.rule = func(c, d int, u []int64, _ [][]float64) bench.Value {
		if d != 0 || (len(sizes) == 0) != (c == 0) {
			t.Errorf("call %d: current %d, destination %d", len(sizes), c, d)
		}
		sizes = append(sizes, len(u))
		return bench.Int(u[len(u)-1])
	}
	if _, err := Task().Score(
		context.Background(), bench.Instance{Split: train, Number: 3}, f); err != nil {
		t.Fatal(err)
	}
	if len(sizes) != 48 || sizes[0] != 49 || sizes[47] != 2 {
		t.Errorf("%d calls with %v cities, want 48 with 49 to 2", len(sizes), sizes)
	}
	if len(f.uploaded) != 1 {
		t.Errorf("%d matrices for one instance", len(f.uploaded))
	}
}

func TestAnswersOutsideTheContractAreFaults(t *testing.T) {
	always := func(v bench.Value) callee {
		return func(_, _ int, u []int64, _ [][]float64) bench.Value {
			if len(u) > 40 {
				return bench.Int(u[0])
			}
			return v
		}
	}
	for _, c := range []struct {
		name   string
		answer bench.Value
		want   string
	}{
		{"the destination", bench.Int(0), "invalid: call 10 returned city 0, which is visited"},
		{"a visited city", bench.Int(33), "invalid: call 10 returned city 33, which is visited"},
		{"a negative index", bench.Int(-1), "invalid: call 10 returned -1, not one of 50 cities"},
		{"one too many", bench.Int(50), "invalid: call 10 returned 50, not one of 50 cities"},
		{
			"a huge index", bench.Int(math.MaxInt64),
			"invalid: call 10 returned 9223372036854775807, not one of 50 cities",
		},
		{
			"a float with an integer's value", bench.Float(3),
			"invalid: call 10 returned a float, not a city's index",
		},
		{"NaN", bench.Float(math.NaN()), "invalid: call 10 returned a float, not a city's index"},
		{"None", bench.None{}, "invalid: call 10 returned None, not a city's index"},
		{"True", bench.Bool(true), "invalid: call 10 returned a bool, not a city's index"},
		{
			"an array of one index",
			bench.Array{DType: "int64", Shape: []int{1}, Data: make([]byte, 8)},
			"invalid: call 10 returned an array of shape [1], not a city's index",
		},
		{
			"a string", bench.Other{Type: "str"},
			"invalid: call 10 returned an object of type str, not a city's index",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &bench.TaskEvaluator{Task: Task(), Loader: loader{t, still(always(c.answer))}}
			got, err := e.Score(context.Background(), train, program.Program{})
			if err != nil || got.OK() {
				t.Fatalf("outcome %+v, %v", got, err)
			}
			if got.Fault.Error() != c.want {
				t.Errorf("fault %q, want %q", got.Fault, c.want)
			}
		})
	}
}

func TestAFaultInTheLastChoiceIsAFault(t *testing.T) {
	f := &fakeTarget{t: t, failAt: 48, rule: rules()["nearest"]()}
	_, err := Task().Score(context.Background(), bench.Instance{Split: train, Number: 0}, f)
	var fault *bench.Fault
	if !errors.As(err, &fault) || fault.Kind != bench.Raised {
		t.Errorf("a program that raises with two cities left: %v", err)
	}
}

func TestUnknownSplitsAndInstancesAreErrors(t *testing.T) {
	for _, c := range []struct {
		split    string
		instance int
		want     string
	}{
		{"test51", 0, `tsp-construct has no split "test51"`},
		{"train", 16, "tsp-construct has no instance 16 in split train"},
		{"train", -1, "tsp-construct has no instance -1 in split train"},
	} {
		_, err := Task().Score(
			context.Background(), bench.Instance{Split: c.split, Number: c.instance}, nil)
		if fmt.Sprint(err) != c.want {
			t.Errorf("Score(%q, %d): %v, want %s", c.split, c.instance, err, c.want)
		}
	}
}

func TestMeasureNeedsNoProcess(t *testing.T) {
	got, err := Measure("train", 0, func(_ int, unvisited []int32) (int, error) {
		return int(unvisited[0]), nil
	})
	if err != nil || !near(got, 6.40450617493) {
		t.Errorf("nearest neighbour on instance 0: %.12f, %v", got, err)
	}
	_, err = Measure("train", 0, func(int, []int32) (int, error) { return 0, nil })
	want := "train, instance 0: invalid: call 1 returned city 0, which is visited"
	if fmt.Sprint(err) != want {
		t.Errorf("a rule that stays: %v, want %s", err, want)
	}
}

func TestDigestsOfTheSplits(t *testing.T) {
	got := map[string]string{}
	task := Task()
	for _, s := range task.Splits {
		got[s.Name] = task.Digest(s.Name)
	}
	want := map[string]string{
		"train":    "353652d67fcc6a5f6109d83b51fb6b15b795ff23d98f1ebc11702c7b7d33f2eb",
		"test50":   "37dada82e9658e75e6598181c804ea4d7e7c29f95a384327b80d192c2eabf77d",
		"test200":  "ee271aa7249ef3a67f45d73a14cdc90eb08dd16b00ec00bc7a3232589c5b9891",
		"test500":  "1c62d71f5c2dbcbda405c152d1bf81244bbe0440766102cc442753450c620fae",
		"test1000": "cc3e0b3f81a9e6f21d3a09bcd7aa9c2a8406f84ccac6e8ad1c359bf58bff3d2c",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("digests mismatch (-want +got):\n%s", diff)
	}
	if task.Splits[0].Name != train {
		t.Errorf("first split is %s", task.Splits[0].Name)
	}
}

func BenchmarkScoreTraining(b *testing.B) {
	f := &silentTarget{}
	for b.Loop() {
		for i := range 16 {
			in := bench.Instance{Split: train, Number: i}
			if _, err := score(context.Background(), in, f, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
}

// A silentTarget goes to the nearest city at no cost; the rest is this package's own cost.
type silentTarget struct{ bench.Unmeasured }

func (*silentTarget) Upload(context.Context, bench.Array) (bench.Handle, error) { return 0, nil }
func (*silentTarget) Close() error                                              { return nil }
func (*silentTarget) Call(_ context.Context, args ...bench.Value) (bench.Value, error) {
	raw := args[2].(bench.Array).Data
	return bench.Int(int64(raw[0]) | int64(raw[1])<<8), nil
}

// TestFilm checks that nearest neighbour's tour is shown with the program's, complete or not, and
// that pictures change no value.
func TestFilm(t *testing.T) {
	broken := func(c, d int, u []int64, m [][]float64) bench.Value {
		if len(u) < 40 {
			return bench.None{}
		}
		return bench.Int(u[0])
	}
	for _, c := range []struct {
		name, want string
		rule       func() callee
	}{
		{"nearest", "this program: 6.4045", rules()["nearest"]},
		{"broken", "this program, until it failed: 11 of 50 cities", still(broken)},
	} {
		e := &bench.TaskEvaluator{Task: Task(), Loader: loader{t, c.rule}}
		var shown []bench.Picture
		value, fault, err := e.Film(t.Context(), train, 0, program.Program{}, bench.Film{
			Show: func(p bench.Picture) error { shown = append(shown, p); return nil },
		})
		if err != nil || len(shown) != 2 ||
			shown[0].Title != "nearest neighbour: 6.4045" || shown[1].Title != c.want {
			t.Fatalf("%s: %v, %d pictures: %+.60v", c.name, err, len(shown), shown)
		}
		if fault != nil != (c.name == "broken") ||
			fault == nil && fmt.Sprintf("%.4f", value) != "6.4045" {
			t.Errorf("%s: value %v, fault %v", c.name, value, fault)
		}
		same := bytes.Equal(shown[0].Pixels.Data, shown[1].Pixels.Data)
		if same == (c.name == "broken") {
			t.Errorf("%s: the picture of nearest neighbour again: %v", c.name, same)
		}
	}
}
