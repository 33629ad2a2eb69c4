package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// A Tester scores programs after the search: the evaluator of a task, or a Recorded.
type Tester interface {
	// Rescore re-evaluates the best programs on fresh replicates; nil if the task is not noisy.
	Rescore(ctx context.Context, programs []Scored) (*RescoreResult, error)
	// Test scores programs on splits, and may do so concurrently.
	Test(ctx context.Context, all []Tested) ([]*SplitOutcome, error)
	// ValData is the digest of the instances of the validation split.
	ValData() string
}

// A Tested is a program and a split to score it on.
type Tested struct {
	Split  string
	Chosen bool // whether validation chose the program, and not training
	Scored
}

// Tests says which programs are scored on which splits after a search.
type Tests struct {
	Best, Chosen []string // splits for the best program, and for the program that validation chose
	Val          bool     // score the candidates on the validation split
}

// Tested returns the tests that a result contains. The result may be nil.
func (r *Result) Tested() (t Tests) {
	splits := func(tests map[string]*SplitOutcome) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(tests)), func(s string) bool {
			return s == Val
		})
	}
	if r != nil {
		t.Best = splits(r.Tests)
	}
	if r != nil && r.Validation != nil {
		t.Val, t.Chosen = true, splits(r.Validation.Tests)
	}
	return t
}

// Finish derives the result of a run from its journal and from the outcomes that a tester gives.
func (l *Loaded) Finish(ctx context.Context, tests Tests, t Tester) (*Result, error) {
	r, programs := l.Summarize(), l.Programs()
	r.Tests = map[string]*SplitOutcome{}
	if len(programs) == 0 {
		return r, nil
	}
	var err error
	if r.Rescored, err = t.Rescore(ctx, programs); err != nil {
		return nil, err
	}
	var all []Tested
	best := l.Winner(programs)
	for _, split := range tests.Best {
		all = append(all, Tested{Split: split, Scored: best})
	}
	var candidates []Scored
	if tests.Val = tests.Val && l.Header.Family != Trained; tests.Val {
		candidates = r.Candidates(programs)
	}
	for _, s := range candidates {
		all = append(all, Tested{Split: Val, Scored: s})
	}
	outcomes, err := t.Test(ctx, all)
	if err != nil {
		return nil, err
	}
	for i, split := range tests.Best {
		r.Tests[split] = outcomes[i]
	}
	if !tests.Val {
		return r, nil
	}
	r.Validation = r.Validate(t.ValData(), candidates, outcomes[len(tests.Best):])
	if !r.Another() {
		return r, nil
	}
	i := slices.IndexFunc(programs, func(s Scored) bool {
		return s.Evaluation == r.Validation.Chosen
	})
	all = nil
	for _, split := range tests.Chosen {
		all = append(all, Tested{Split: split, Chosen: true, Scored: programs[i]})
	}
	if outcomes, err = t.Test(ctx, all); err != nil {
		return nil, err
	}
	r.Validation.Tests = map[string]*SplitOutcome{}
	for i, split := range tests.Chosen {
		r.Validation.Tests[split] = outcomes[i]
	}
	return r, nil
}

// NewSplitOutcome makes the outcome of a split from the values of its instances, the fault that
// ended the evaluation (nil: no fault), and the instances that failed.
func NewSplitOutcome(values []float64, fault *Fault, failed []InstanceFault) *SplitOutcome {
	if fault != nil {
		return &SplitOutcome{Fault: fault}
	}
	return &SplitOutcome{Mean: Mean(values), Values: values, Failed: failed}
}

// A Recorded is a Tester that returns the outcomes in a result, and refuses outcomes that no
// evaluator produces. The result may be nil.
type Recorded struct {
	*Result
	Instances map[string]int // by split; nil: unknown, so not checked
	Data      string         // the required ValData; empty: unknown
}

// Outcome returns the outcome of a test; nil if the result does not contain the test.
func (r Recorded) Outcome(t Tested) *SplitOutcome {
	switch {
	case r.Result == nil:
	case t.Split != Val && !t.Chosen:
		return r.Tests[t.Split]
	case t.Chosen && r.Validation != nil:
		return r.Validation.Tests[t.Split]
	default:
		if p := r.Validation.Program(t.Evaluation); p != nil && !t.Chosen {
			return p.Val
		}
	}
	return nil
}

// Test implements Tester. It computes the means again, and drops failed instances that are out of
// order or out of range.
func (r Recorded) Test(_ context.Context, all []Tested) (outcomes []*SplitOutcome, err error) {
	for _, t := range all {
		was, n := r.Outcome(t), r.Instances[t.Split]
		switch {
		case was == nil || was.Fault == nil && len(was.Values) == 0:
			return nil, fmt.Errorf("evaluation %d has no values on %s", t.Evaluation, t.Split)
		case r.Instances != nil && n == 0:
			return nil, fmt.Errorf("the task has no split %q", t.Split)
		case r.Instances != nil && was.Fault == nil && n != len(was.Values):
			return nil, fmt.Errorf("evaluation %d has %d values on %s instead of %d",
				t.Evaluation, len(was.Values), t.Split, n)
		}
		last := -1
		failed := slices.DeleteFunc(slices.Clone(was.Failed), func(f InstanceFault) bool {
			wrong := f.Instance <= last || f.Instance >= len(was.Values)
			last = max(last, f.Instance)
			return wrong
		})
		outcomes = append(outcomes, NewSplitOutcome(was.Values, was.Fault, failed))
	}
	return outcomes, nil
}

// Rescore implements Tester. It cannot check the fresh scores and the noise, because a check needs
// an evaluator.
func (r Recorded) Rescore(_ context.Context, programs []Scored) (*RescoreResult, error) {
	if r.Result == nil || r.Rescored == nil {
		return nil, nil
	}
	now := *r.Rescored
	now.Programs = slices.Clone(now.Programs)
	for i, p := range now.Programs {
		j := slices.IndexFunc(programs, func(s Scored) bool { return s.Evaluation == p.Evaluation })
		if j < 0 {
			return nil, fmt.Errorf("evaluation %d was re-evaluated but has no score", p.Evaluation)
		}
		now.Programs[i].Program = programs[j].Program.ID()
		now.Programs[i].Searched = Mean(programs[j].Outcome.Values)
	}
	return &now, nil
}

// ValData implements Tester.
func (r Recorded) ValData() string {
	if r.Data != "" {
		return r.Data
	}
	return r.Validation.Data
}
