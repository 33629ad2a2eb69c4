package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// starter makes the same requests in every style at the beginning: a population, then a
// consultation.
type starter struct {
	Style string `json:"style"`
	Twice bool   `json:"twice,omitempty"` // asks twice in the 7th and later steps of the population
}

const starters = 10

func (m *starter) Name() string { return "starter" }

func (m *starter) Run(ctx context.Context, s *bench.Search) error {
	proposed := 0
	job := func(prompts ...string) bench.Job[string] {
		return func(ctx context.Context, st *bench.Step) (string, error) {
			source := ""
			for _, p := range prompts {
				reply, err := st.Ask(ctx, llm.Request{Purpose: "algorithm/x", User: llm.Text(p)})
				if err != nil {
					return "", err
				}
				source += reply.Text
			}
			_, err := st.Evaluate(ctx, program.Program{Source: source})
			return source, err
		}
	}
	if err := drain(bench.Stream(ctx, s, 4, func() bench.Job[string] {
		if proposed++; proposed > starters {
			return nil
		}
		if m.Twice && proposed > 6 {
			return job("begin", "again")
		}
		return job("begin")
	})); err != nil {
		return err
	}
	if _, err := bench.Consult(ctx, s, func(
		ctx context.Context, st *bench.Step,
	) (llm.Reply, error) {
		return st.Ask(ctx, llm.Request{Purpose: "eap/E1", User: llm.Text("propose")})
	}); err != nil && !errors.Is(err, bench.ErrSpent) {
		return err
	}
	n := 0
	return drain(bench.Stream(ctx, s, 4, func() bench.Job[string] {
		if n++; n%5 == 0 {
			return job("vary") // the same in every style, but the runs have diverged
		}
		return job("vary " + m.Style)
	}))
}

// live is a model that never gives the same answer twice, like a paid model.
type live struct{ asked atomic.Int64 }

func (m *live) Name() string { return "live" }

func (m *live) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	n := m.asked.Add(1)
	return llm.Reply{
		Text:  fmt.Sprintf("answer %d to %s", n, llm.TextOf(r.User)),
		Usage: llm.Usage{Prompt: 100, Completion: 10},
	}, nil
}

// pair prepares a run of m that shares the beginning of base.
func pair(t *testing.T, base *record.Loaded, m bench.Method, c benchtest.Config) *bench.Run {
	t.Helper()
	run := benchtest.Prepare(t, m, c)
	run.Base, run.Header.Paired = base, base.Header.Digest()
	return run
}

// execute executes a run in its own directory.
func execute(t *testing.T, run *bench.Run) *record.Loaded {
	t.Helper()
	dir := t.TempDir()
	_, err := run.Execute(t.Context(), dir)
	must.Do(t, err)
	l, err := record.Load(dir)
	must.Do(t, err)
	return l
}

func requests(l *record.Loaded) (all []record.Request) {
	for step := range l.Steps() {
		all = append(all, step.Requests...)
	}
	return all
}

func TestPairedRunsShareTheirBeginning(t *testing.T) {
	const budget = 40
	m := &live{}
	c := benchtest.Config{Model: m, Budget: budget}
	base := benchtest.Run(t, &starter{Style: "plain"}, c)
	paid := m.asked.Load()
	variant := execute(t, pair(t, base, &starter{Style: "fancy"}, c))

	const shared = starters + 1 // the population and the consultation
	a, b := requests(base), requests(variant)
	for i, q := range b {
		same := i < len(a) && reflect.DeepEqual(a[i].Request, q.Request) && a[i].Reply == q.Reply
		if same != (i < shared) || q.Shared != (i < shared) {
			t.Errorf("request %d: same as the base's: %v, shared: %v; want both for the first %d",
				i, same, q.Shared, shared)
		}
	}
	if more := m.asked.Load() - paid; more != int64(len(b)-shared) {
		t.Errorf("the variant made %d new requests, want %d", more, len(b)-shared)
	}
	r := variant.Summarize()
	if r.Evaluations != budget || r.Asked != len(b) {
		t.Errorf("%d evaluations and %d requests, want exactly %d and %d",
			r.Evaluations, r.Asked, budget, len(b))
	}
	if n := r.Usage["algorithm/x"].Requests; n != len(b)-1 {
		t.Errorf("usage has %d requests, want %d: shared ones are a part of it", n, len(b)-1)
	}
	if s := r.Shared["algorithm/x"]; s.Requests != starters || s.Usage.Total() != 110*starters {
		t.Errorf("%d requests and %d tokens shared, want %d and %d",
			s.Requests, s.Usage.Total(), starters, 110*starters)
	}
	if base.Summarize().Shared != nil {
		t.Error("the base's result says that something was shared")
	}
	// The journal is complete: a replay needs neither the base nor a model.
	run := benchtest.Prepare(t, &starter{Style: "fancy"}, c)
	run.Header.Paired = base.Header.Digest()
	for _, run.Base = range []*record.Loaded{nil, base} {
		if _, err := run.Verify(t.Context(), variant.Dir); err != nil {
			t.Error(err)
		}
	}
}

// TestWhereAPairedRunParts checks that a run that diverges within the population shares all
// requests before that point, at any speed, including the steps in flight when the first different
// step was committed.
func TestWhereAPairedRunParts(t *testing.T) {
	m := &live{}
	c := benchtest.Config{Model: m, Budget: 20}
	base := benchtest.Run(t, &starter{Style: "plain"}, c)
	for _, jobs := range []int{1, 8} {
		delay := func() time.Duration { return time.Duration(rand.IntN(300)) * time.Microsecond }
		c.Evaluator = &benchtest.Evaluator{Jobs: make(chan struct{}, jobs), Delay: delay}
		l := execute(t, pair(t, base, &starter{Style: "plain", Twice: true}, c))
		var got []string
		for _, rec := range l.Records[:starters+1] {
			marks := ""
			for _, q := range rec.Step.Requests {
				marks += map[bool]string{true: "s", false: "p"}[q.Shared]
			}
			got = append(got, marks)
		}
		if want := "s s s s s s sp sp sp sp p"; strings.Join(got, " ") != want {
			t.Errorf("with %d jobs: shared %v, want %s", jobs, got, want)
		}
	}
}

func TestAPairedRunGoesOnAfterACutAnywhere(t *testing.T) {
	c := benchtest.Config{Model: model(), Budget: 30}
	base := benchtest.Run(t, &starter{Style: "plain"}, c)
	fancy := pair(t, base, &starter{Style: "fancy"}, c)
	want := journalOf(t, execute(t, fancy).Dir)
	r := rand.New(rand.NewPCG(5, 6))
	for range 4 {
		cut := r.IntN(len(want))
		dir := t.TempDir()
		must.Write(t, filepath.Join(dir, "journal.jsonl"), want[:cut])
		_, err := fancy.Execute(t.Context(), dir)
		must.Do(t, err)
		if !bytes.Equal(want, journalOf(t, dir)) {
			t.Fatalf("cut after %d of %d bytes: the resumed journal differs", cut, len(want))
		}
	}
}

func TestWhatAPairedRunRefuses(t *testing.T) {
	c := benchtest.Config{Model: &live{}, Budget: 20}
	base := benchtest.Run(t, &starter{Style: "plain"}, c)
	again := benchtest.Run(t, &starter{Style: "plain"}, c) // the same header, other answers
	other := benchtest.Run(t, &starter{Style: "other"}, c)
	short := *base
	short.Records = nil
	dir := execute(t, pair(t, base, &starter{Style: "fancy"}, c)).Dir
	for _, tt := range []struct {
		name string
		base *record.Loaded
		want error
		says string
	}{
		{"no base", nil, bench.ErrConfig, "is missing"},
		{"another base", other, bench.ErrConfig, "is not the run"},
		{"the base with other answers", again, bench.ErrDiverged, "which has a different reply"},
		{"the base without steps", &short, bench.ErrDiverged, "which has no such step"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := journalOf(t, dir)
			for _, c.Budget = range []int{20, 40} {
				run := pair(t, base, &starter{Style: "fancy"}, c)
				run.Base = tt.base
				_, err := run.Execute(t.Context(), dir)
				if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("with budget %d: Execute = %v, want %v, %q", c.Budget, err, tt.want,
						tt.says)
				}
				if !bytes.Equal(before, journalOf(t, dir)) {
					t.Errorf("with budget %d: the refused journal was changed", c.Budget)
				}
			}
		})
	}
}

// TestAPairedRunWithAnotherModelForEAPs checks that only requests to the same model are shared.
func TestAPairedRunWithAnotherModelForEAPs(t *testing.T) {
	c := benchtest.Config{Model: &live{}, Budget: 20}
	base := benchtest.Run(t, &starter{Style: "plain"}, c)
	run := pair(t, base, &starter{Style: "plain"}, c)
	run.Header.Models = map[string]string{"": "live", "eap": "another"}
	r := execute(t, run).Summarize()
	if r.Shared["algorithm/x"].Requests != starters || r.Shared["eap/E1"].Requests != 0 {
		t.Errorf("shared %v, want the %d requests before the first for EAPs", r.Shared, starters)
	}
}

// TestDigestOfAHeader checks that the digest does not depend on the budget.
func TestDigestOfAHeader(t *testing.T) {
	h := record.Header{Method: "m", Seed: 1, Budget: 10, Requests: 50}
	longer, other := h, h
	longer.Budget, longer.Requests = 20, 100
	other.Seed = 2
	if h.Digest() != longer.Digest() || h.Digest() == other.Digest() || len(h.Digest()) != 64 {
		t.Errorf("digests %s, %s, %s", h.Digest(), longer.Digest(), other.Digest())
	}
}

// TestDrawsOfRunsOfOneSeed checks that each method and variant has its own draws, and that a paired
// run has the draws of its base.
func TestDrawsOfRunsOfOneSeed(t *testing.T) {
	c := benchtest.Config{Model: model(), Budget: 20}
	var last *record.Loaded
	first := func(set func(*bench.Run)) uint64 {
		run := benchtest.Prepare(t, &starter{Style: "plain"}, c)
		set(run)
		last = execute(t, run)
		return requests(last)[0].Request.Draw
	}
	plain := first(func(*bench.Run) {})
	if again := first(func(*bench.Run) {}); again != plain {
		t.Error("the same run has other draws")
	}
	if first(func(r *bench.Run) { r.Header.Method = "other" }) == plain {
		t.Error("another method has the same draws")
	}
	variant := first(func(r *bench.Run) { r.Header.Variant = "k=5" })
	if variant == plain {
		t.Error("another variant has the same draws")
	}
	base := last
	if first(func(r *bench.Run) {
		r.Base, r.Header.Variant = base, "k=3"
		r.Header.Paired, r.Header.PairedVariant = base.Header.Digest(), "k=5"
	}) != variant {
		t.Error("a paired run has other draws than its base")
	}
}
