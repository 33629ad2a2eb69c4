package gym

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// A fakeHost acts as gym.py with its own world: the observation is the number of actions, the
// reward of a step is the action's first number, and an episode ends after length steps.
type fakeHost struct {
	bench.Unmeasured
	length int
	jobs   []job
	given  []bench.Value
	broken error   // the error that the world returns instead of its third observation
	reward float64 // added to every reward
}

func (h *fakeHost) Call(
	ctx context.Context, function string, j any,
	ask func(context.Context, []bench.Value) ([]bench.Value, error),
) ([]bench.Value, error) {
	h.jobs = append(h.jobs, j.(job))
	value, data := 0.0, make([]byte, 4) // one buffer for all observations
	for taken := 0; ; taken++ {
		if h.broken != nil && taken == 2 {
			return nil, h.broken
		}
		values := []bench.Value{bench.Float(value)}
		for range j.(job).Measures {
			values = append(values, bench.Float(0.5+float64(taken)))
		}
		if taken == h.length {
			steps := bench.Int(taken - j.(job).Opening)
			return []bench.Value{values[0], steps, bench.Int(1), bench.None{}}, nil
		}
		binary.LittleEndian.PutUint32(data, math.Float32bits(float32(taken)))
		observation := bench.Array{DType: "float32", Shape: []int{1}, Data: data}
		answer, err := ask(ctx, append(values, observation))
		if err != nil {
			return nil, err
		}
		if len(answer) == 0 {
			steps := bench.Int(taken - j.(job).Opening)
			return []bench.Value{values[0], steps, bench.Int(0), bench.None{}}, nil
		}
		h.given = append(h.given, answer[0])
		value += numbers(answer[0])[0] + h.reward
	}
}

// A policy is a candidate in Go that keeps its arguments as text.
type policy struct {
	bench.Unmeasured
	returns func(call int) (bench.Value, error)
	calls   []string
}

func (p *policy) Call(_ context.Context, args ...bench.Value) (bench.Value, error) {
	var words []string
	for _, a := range args {
		words = append(words, fmt.Sprint(numbers(a)))
	}
	p.calls = append(p.calls, strings.Join(words, " "))
	return p.returns(len(p.calls))
}

func (p *policy) Upload(context.Context, bench.Array) (bench.Handle, error) { panic("not used") }
func (p *policy) Close() error                                              { return nil }

func numbers(v bench.Value) []float64 {
	n, ok := numbersOf(v)
	if !ok {
		panic(fmt.Sprintf("%T", v))
	}
	return n
}

func floats(x ...float64) bench.Array { return Action{DType: "float64"}.array(x) }

// car is like Racing Car, walker like Bipedal Walker.
func car() *Environment {
	return &Environment{
		ID: "car", Arguments: []Argument{Observation, "speed", LastAction, LastObservation},
		Action: Action{
			DType: "float64", Low: []float64{-1, 0, 0}, High: []float64{1, 1, 1}, Unclipped: true,
		},
		Opening: []float64{0, 1, 0}, MaxSteps: 3, PastTruncation: true,
		Splits: []bench.Split{{Name: "train", Seeds: []int{4, 9}}},
	}
}

func walker() *Environment {
	return &Environment{
		ID: "walker", Arguments: []Argument{Observation, LastAction, LastObservation},
		Action:    Action{DType: "float32", Low: []float64{-1, -1}, High: []float64{1, 1}},
		Unstarted: -100,
		Splits:    []bench.Split{{Name: "train", Seeds: []int{0, 3}}},
	}
}

func play(t *testing.T, e *Environment, h *fakeHost, p *policy) (bench.Measure, error) {
	t.Helper()
	in := bench.Instance{Split: "train", Number: 1, Host: h}
	return e.Task(bench.Task{}).Score(t.Context(), in, p)
}

func TestAnEpisodeOfTheCar(t *testing.T) {
	h := &fakeHost{length: 9}
	p := &policy{returns: func(int) (bench.Value, error) { return floats(5, 9, -3), nil }}
	m, err := play(t, car(), h, p)
	if err != nil || m.Value != 3 {
		t.Errorf("%+v, %v: three steps of 1 each, the opening brings none", m, err)
	}
	want := []string{
		"[1] [1.5] [0 1 0] [0]",
		"[2] [2.5] [5 9 -3] [1]",
		"[3] [3.5] [5 9 -3] [2]",
	}
	golden.Same(t, "calls", want, p.calls)
	actions := []bench.Value{floats(0, 1, 0), floats(1, 1, 0), floats(1, 1, 0), floats(1, 1, 0)}
	golden.Same(t, "actions", actions, h.given)
	j := h.jobs[0]
	if j.Seed != 9 || j.Opening != 1 || !j.PastTruncation ||
		!cmp.Equal(j.Measures, []string{"speed"}) {
		t.Errorf("job %+v", j)
	}
}

func TestAnEpisodeOfTheWalker(t *testing.T) {
	h := &fakeHost{length: 3}
	p := &policy{returns: func(call int) (bench.Value, error) {
		return bench.Array{DType: "int8", Shape: []int{1, 2}, Data: []byte{byte(2 - call), 7}}, nil
	}}
	m, err := play(t, walker(), h, p)
	if err != nil || m.Value != 1+0-1 {
		t.Errorf("%+v, %v", m, err)
	}
	calls := []string{"[0] [0 0] [0]", "[1] [1 1] [0]", "[2] [0 1] [1]"}
	golden.Same(t, "calls", calls, p.calls)
	if a := h.given[0].(bench.Array); a.DType != "float32" || !cmp.Equal(a.Shape, []int{2}) {
		t.Errorf("the environment is given %+v", a)
	}
}

// TestFaults checks the value so far and the place in the fault's detail.
func TestFaults(t *testing.T) {
	boom := bench.Faultf(bench.Raised, "line 3: ValueError: %s", strings.Repeat("é", 200))
	const form = ", not an array of 2 numbers"
	for _, c := range []struct {
		name   string
		result bench.Value
		err    error
		call   int
		want   string
		value  float64
	}{
		{"raises at once", nil, boom, 1, "raised: seed 3, step 1: line 3: ValueError: éé", -100},
		{"raises later", nil, boom, 3, "raised: seed 3, step 3: line 3: ValueError: éé", 1},
		{"too slow", nil, bench.Faultf(bench.Timeout, "10 s"), 3, "timeout: seed 3: 10 s", 1},
		{"None", bench.None{}, nil, 2, "interface: seed 3, step 2: returned None" + form, 0.5},
		{"a string", bench.Other{Type: "str"}, nil, 2,
			"interface: seed 3, step 2: returned an object of type str" + form, 0.5},
		{"three numbers", floats(1, 2, 3), nil, 2,
			"interface: seed 3, step 2: returned an array of shape [3]" + form, 0.5},
		{"NaN", floats(0, math.NaN()), nil, 2,
			"nonfinite: seed 3, step 2: entry 1 of the action is NaN", 0.5},
		{"infinite as a float32", floats(1e300, 0), nil, 2,
			"nonfinite: seed 3, step 2: entry 0 of the action is +Inf", 0.5},
	} {
		p := &policy{returns: func(call int) (bench.Value, error) {
			if call == c.call {
				return c.result, c.err
			}
			return floats(0.5, 0), nil
		}}
		m, err := play(t, walker(), &fakeHost{length: 9}, p)
		var fault *bench.Fault
		if !errors.As(err, &fault) || !strings.HasPrefix(fault.Error(), c.want) ||
			m.Value != c.value || len(fault.Detail) > 300 {
			t.Errorf("%s: %v with %v, want %s with %v", c.name, err, m.Value, c.want, c.value)
		}
	}
	// A world whose reward is not a number, and a broken world.
	steady := func(int) (bench.Value, error) { return floats(0.5, 0), nil }
	_, err := play(t, walker(), &fakeHost{length: 9, reward: math.NaN()}, &policy{returns: steady})
	if err == nil || err.Error() != "nonfinite: seed 3, step 1: the reward is NaN" {
		t.Errorf("%v", err)
	}
	var fault *bench.Fault
	broken := &fakeHost{length: 9, broken: bench.ErrScorer}
	_, err = play(t, walker(), broken, &policy{returns: steady})
	if !errors.Is(err, bench.ErrScorer) || errors.As(err, &fault) {
		t.Errorf("%v: a broken world is no fault", err)
	}
	// A car that fails immediately has the value 0, although the opening brought a reward.
	fails := &policy{returns: func(int) (bench.Value, error) { return nil, boom }}
	m, _ := play(t, car(), &fakeHost{length: 9, reward: 2}, fails)
	if m.Value != 0 {
		t.Errorf("a car that fails immediately has %v", m.Value)
	}
}

// TestTheDigestCoversTheProtocol changes one part of the protocol at a time.
func TestTheDigestCoversTheProtocol(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(e *Environment){
		"nothing":     func(*Environment) {},
		"environment": func(e *Environment) { e.ID = "truck" },
		"option":      func(e *Environment) { e.Options = map[string]any{"hardcore": true} },
		"seed":        func(e *Environment) { e.Splits[0].Seeds = []int{4, 8} },
		"opening":     func(e *Environment) { e.Opening = nil },
		"steps":       func(e *Environment) { e.MaxSteps++ },
		"truncation":  func(e *Environment) { e.PastTruncation = false },
		"value":       func(e *Environment) { e.Value = "coverage" },
		"float32":     func(e *Environment) { e.Action.DType = "float32" },
		"order": func(e *Environment) {
			e.Arguments[0], e.Arguments[1] = e.Arguments[1], e.Arguments[0]
		},
		"value at start": func(e *Environment) { e.Unstarted = -1 },
	} {
		e := car()
		change(e)
		sum := e.Task(bench.Task{}).Digest("train")
		if other, taken := seen[sum]; taken {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[sum] = name
	}
}

// TestAFilm checks that pictures arrive and are not mistaken for observations.
func TestAFilm(t *testing.T) {
	picture := bench.Array{DType: "uint8", Shape: []int{1, 1, 3}, Data: []byte{1, 2, 3}}
	var shown int
	show := func(bench.Picture) error {
		shown++
		return nil
	}
	e := walker()
	p := &policy{}
	ep := &episode{Environment: e, policy: p, film: &bench.Film{Every: 5, Show: show}}
	for range 2 {
		v, err := ep.answer(context.Background(), []bench.Value{picture})
		if v != nil || err != nil {
			t.Fatalf("a picture was answered with %v, %v", v, err)
		}
	}
	if shown != 2 || ep.asked || ep.step != 0 {
		t.Errorf("%d pictures shown, asked %v, step %d", shown, ep.asked, ep.step)
	}
	_, err := ep.answer(context.Background(), []bench.Value{bench.Int(3)})
	if !errors.Is(err, bench.ErrScorer) {
		t.Errorf("an integer as a picture: %v", err)
	}
	ep = &episode{Environment: e, policy: p}
	_, err = ep.answer(context.Background(), []bench.Value{picture})
	if !errors.Is(err, bench.ErrScorer) {
		t.Errorf("a picture without a film: %v", err)
	}
}
