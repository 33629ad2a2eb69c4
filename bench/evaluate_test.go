package bench_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// A machine is a Loader and Hosts with a number of places. It counts its processes.
type machine struct {
	places chan struct{} // nil: no limit
	load   func(prelude string) error

	mu            sync.Mutex // guards the following
	loaded, using int
	most          int
}

func (m *machine) Load(
	ctx context.Context, text, prelude, _ string, _ bench.Limits) (bench.Target, error) {
	if m.places != nil {
		select {
		case m.places <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loaded++
	if m.load != nil {
		if err := m.load(prelude); err != nil {
			return nil, err
		}
	}
	m.using++
	m.most = max(m.most, m.using)
	return &seat{source(text), prelude, m}, nil
}

// A seat is a candidate in a place of the machine.
type seat struct {
	source
	prelude string
	m       *machine
}

func (s *seat) Close() error {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.m.using--
	if s.m.places != nil {
		<-s.m.places
	}
	return nil
}

func (m *machine) evaluator(task *bench.Task) *bench.TaskEvaluator {
	return &bench.TaskEvaluator{Task: task, Loader: m, Hosts: m}
}

func (m *machine) Lend(_ context.Context, s *bench.Scorer, use func(bench.Host) error) error {
	return use(host{Scorer: s})
}

type host struct {
	bench.Unmeasured
	*bench.Scorer
}

func (host) Call(context.Context, string, any,
	func(context.Context, []bench.Value) ([]bench.Value, error)) ([]bench.Value, error) {
	return nil, nil
}

// isolated returns an Isolated task with four training instances and ten test instances.
func isolated(score func(bench.Instance, bench.Target) (float64, error)) *bench.Task {
	return &bench.Task{
		Problem: bench.Problem{
			Name: "drive", Goal: bench.Maximize, Template: program.Function{Name: "f"},
		},
		Splits:  []bench.Split{{Name: "train", Instances: 4}, {Name: "test", Instances: 10}},
		Prelude: "prelude\n",
		Seeding: func(split string, i int) string {
			return fmt.Sprintf("seed(%s, %d)\n", split, i)
		},
		Isolated: true,
		Scorer:   &bench.Scorer{Main: "world"},
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			v, err := score(in, f)
			return bench.Measure{Value: v}, err
		},
	}
}

var anyProgram = program.Program{Source: "def f(): pass"}

// TestInstancesAtOnce checks that each instance has its own process and seeds, that values come in
// order, and that the number of processes changes nothing.
func TestInstancesAtOnce(t *testing.T) {
	for _, places := range []int{1, 3, 100} {
		synctest.Test(t, func(t *testing.T) {
			task := isolated(func(in bench.Instance, f bench.Target) (float64, error) {
				want := fmt.Sprintf("prelude\nseed(%s, %d)\n", in.Split, in.Number)
				if got := f.(*seat).prelude; got != want {
					t.Errorf("prelude %q, want %q", got, want)
				}
				if in.Host == nil || in.Traced {
					t.Errorf("%+v", in)
				}
				time.Sleep(time.Duration(10-in.Number) * time.Second) // the last ends first
				return float64(in.Number), nil
			})
			m := &machine{places: make(chan struct{}, places)}
			e := m.evaluator(task)
			o, err := e.Score(t.Context(), "test", anyProgram)
			if err != nil || o.Fault != nil || o.Score != 4.5 {
				t.Fatalf("%+v, %v", o, err)
			}
			golden.Same(t, "values", []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, o.Values)
			if m.most != min(places, 10) || m.using != 0 {
				t.Errorf("%d concurrent processes, %d still open", m.most, m.using)
			}
		})
	}
}

// TestTheEarliestFaultIsReported checks that the reported fault does not depend on which instance
// fails first. A failure stops later instances, but no earlier ones.
func TestTheEarliestFaultIsReported(t *testing.T) {
	for _, places := range []int{1, 2, 4} {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(places)))
			for range 20 {
				var delay [4]time.Duration
				for i := range delay {
					delay[i] = time.Duration(r.IntN(1000)) * time.Millisecond
				}
				task := isolated(nil)
				task.Score = func(
					ctx context.Context, in bench.Instance, _ bench.Target,
				) (m bench.Measure, err error) {
					select {
					case <-time.After(delay[in.Number]):
					case <-ctx.Done():
						return m, record.Faultf(record.Crashed, "killed with its context")
					}
					if in.Number > 0 {
						err = record.Faultf(record.Raised, "seed %d", in.Number)
					}
					return m, err
				}
				m := &machine{places: make(chan struct{}, places)}
				e := m.evaluator(task)
				o, err := e.Evaluate(t.Context(), anyProgram)
				if err != nil || fmt.Sprint(o.Fault) != "raised: seed 1" || o.Values != nil {
					t.Fatalf("%v: %+v, %v", delay, o, err)
				}
			}
		})
	}
}

func TestAWorldThatBreaksIsNoFault(t *testing.T) {
	broken := errors.New("no disk")
	synctest.Test(t, func(t *testing.T) {
		task := isolated(func(in bench.Instance, _ bench.Target) (float64, error) {
			if in.Number == 1 {
				return 0, broken
			}
			time.Sleep(time.Second)
			return 0, record.Faultf(record.Raised, "seed %d", in.Number)
		})
		m := &machine{}
		e := m.evaluator(task)
		if o, err := e.Evaluate(t.Context(), anyProgram); err != nil ||
			fmt.Sprint(o.Fault) != "raised: seed 0" {
			t.Errorf("%+v, %v; want the fault of the earlier instance", o, err)
		}
		if _, err := e.Test(t.Context(), "test", anyProgram); err != broken {
			t.Errorf("Test = %v, want the error of the machine", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, err := e.Test(ctx, "test", anyProgram); !errors.Is(err, context.Canceled) &&
			err != broken {
			t.Error(err)
		}
	})
}

// TestWhatIsRepeated checks that only the affected instance is repeated: up to three times after an
// interruption, and once after an error of a scorer.
func TestWhatIsRepeated(t *testing.T) {
	for _, c := range []struct {
		err   error
		times int
		ok    bool
	}{
		{bench.ErrInterrupted, 3, true},
		{bench.ErrInterrupted, 4, false},
		{bench.ErrScorer, 1, true},
		{bench.ErrScorer, 2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			failed := 0
			task := isolated(func(in bench.Instance, _ bench.Target) (float64, error) {
				mu.Lock()
				defer mu.Unlock()
				if in.Number == 2 && failed < c.times {
					failed++
					return 0, fmt.Errorf("episode: %w", c.err)
				}
				return 1, nil
			})
			m := &machine{}
			e := m.evaluator(task)
			o, err := e.Evaluate(t.Context(), anyProgram)
			if ok := err == nil && o.Score == 1; ok != c.ok || !ok && !errors.Is(err, c.err) {
				t.Errorf("%v %d times: %+v, %v", c.err, c.times, o, err)
			}
			if want := 3 + c.times; c.ok && m.loaded != want+1 {
				t.Errorf("%v %d times: %d processes, want %d", c.err, c.times, m.loaded, want+1)
			}
		})
	}
}

// TestATestGoesOnAfterAFault checks that the outcome names the failed instances and contains the
// values that they reached.
func TestATestGoesOnAfterAFault(t *testing.T) {
	task := isolated(func(in bench.Instance, f bench.Target) (float64, error) {
		if _, ok := f.(*seat); !ok { // the candidate could not be loaded
			_, err := f.Call(t.Context())
			return -100, err
		}
		if in.Number == 3 {
			return 12, record.Faultf(record.Raised, "seed 13, step 7")
		}
		return 50, nil
	})
	m := &machine{load: func(prelude string) error {
		if strings.Contains(prelude, "(test, 8)") {
			return record.Faultf(record.Memory, "at import")
		}
		return nil
	}}
	e := m.evaluator(task)
	got, err := e.Test(t.Context(), "test", anyProgram)
	must.Do(t, err)
	want := &record.SplitOutcome{
		Mean: (8*50 + 12 - 100) / 10.0, Values: []float64{50, 50, 50, 12, 50, 50, 50, 50, -100, 50},
		Failed: []record.InstanceFault{
			{Instance: 3, Fault: record.Fault{Kind: record.Raised, Detail: "seed 13, step 7"}},
			{Instance: 8, Fault: record.Fault{Kind: record.Memory, Detail: "at import"}},
		},
	}
	golden.Same(t, "outcome", want, got)
	partly := "ran on 8 of 10 instances: instance 3 failed, raised: seed 13, step 7"
	if got.Partly() != partly {
		t.Errorf("Partly = %q, want %q", got.Partly(), partly)
	}
	if o, err := e.Test(t.Context(), "train", anyProgram); err != nil ||
		o.Fault == nil || o.Failed != nil {
		t.Errorf("training continues after a fault: %+v, %v", o, err)
	}
	if o, err := e.Score(t.Context(), "test", anyProgram); err != nil || o.OK() || o.Values != nil {
		t.Errorf("Score = %+v, %v; want no partial score", o, err)
	}
	task.Isolated = false
	got, err = e.Test(t.Context(), "test", anyProgram)
	must.Do(t, err)
	want = &record.SplitOutcome{Fault: &want.Failed[0].Fault}
	golden.Same(t, "outcome of instances in one process", want, got)
}

// TestEvidence checks that evidence shows the first of the worst training instances, and is made
// only for methods that read it.
func TestEvidence(t *testing.T) {
	values := []float64{3, 1, 2, 1}
	task := isolated(nil)
	task.Score = func(_ context.Context, in bench.Instance, _ bench.Target) (bench.Measure, error) {
		m := bench.Measure{Value: values[in.Number]}
		if in.Traced {
			m.Trace = fmt.Appendf(nil, "trace %d", in.Number)
		}
		return m, nil
	}
	drawn := 0
	task.Evidence = func(_ context.Context, in bench.Instance, trace []byte) ([]bench.Blob, error) {
		drawn++
		if in.Host == nil {
			t.Error("no host")
		}
		if drawn%2 == 1 {
			return nil, fmt.Errorf("picture: %w", bench.ErrScorer) // repeated once
		}
		return []record.Blob{{MediaType: "text/plain", Data: trace}}, nil
	}
	m := &machine{}
	for _, c := range []struct {
		goal     bench.Goal
		evidence bool
		want     string
	}{
		{bench.Maximize, true, "trace 1"},
		{bench.Minimize, true, "trace 0"},
		{bench.Maximize, false, ""},
	} {
		task.Goal = c.goal
		e := m.evaluator(task)
		e.Evidence = c.evidence
		o, err := e.Evaluate(t.Context(), anyProgram)
		if err != nil || !o.OK() {
			t.Fatalf("%+v, %v", o, err)
		}
		got := ""
		for _, b := range o.Evidence {
			got += string(b.Data)
			if len(b.Digest) != 64 {
				t.Errorf("digest %q", b.Digest)
			}
		}
		if got != c.want {
			t.Errorf("%v: evidence %q, want %q", c.goal, got, c.want)
		}
		if o, err := e.Score(t.Context(), "train", anyProgram); err != nil || o.Evidence != nil {
			t.Errorf("Score: %+v, %v", o, err)
		}
	}
	if drawn != 4 {
		t.Errorf("Evidence was called %d times, want 4", drawn)
	}
}
