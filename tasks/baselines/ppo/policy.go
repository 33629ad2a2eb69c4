package ppo

import (
	"context"
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	scripts "github.com/pacebench/pacebench/scripts/ppo"
)

// source returns a file of scripts/ppo.
func source(name string) string {
	text, err := scripts.Files.ReadFile(name)
	if err != nil {
		panic(err) // name is not an embedded file
	}
	return string(text)
}

// player is the trusted Python module that plays a policy.
var player = &bench.Scorer{
	Packages: Packages,
	Modules:  map[string]string{"policy_adapter": source("policy_adapter.py")},
	Main:     "policy_adapter",
}

// A Policy loads one stored policy instead of a program, so that the task's own evaluator scores
// it. The policy receives a program's arguments but uses only the first one, the observation.
type Policy struct {
	Settings *Settings
	Path     string // path of the stored policy
	// Hosts have the extra Packages and serve only policies: a policy keeps its host for a whole
	// episode, so another scorer would have to wait.
	Hosts bench.Hosts
}

var _ bench.Loader = (*Policy)(nil)

// Load starts the policy. It ignores source, prelude and limits, which are for programs.
func (p *Policy) Load(ctx context.Context, _, _, _ string, _ bench.Limits) (bench.Target, error) {
	job := map[string]any{
		"environment": p.Settings.Environment, "options": p.Settings.Options,
		"policy": p.Settings.Policy, "model": p.Path,
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &target{
		observations: make(chan bench.Value), actions: make(chan bench.Value),
		over: make(chan struct{}), cancel: cancel,
	}
	go func() {
		defer close(t.over)
		t.err = p.Hosts.Lend(ctx, player, func(h bench.Host) error {
			_, err := h.Call(ctx, "serve", job, t.ask)
			return err
		})
	}()
	if _, err := t.action(ctx); err != nil { // an empty action means that the policy is ready
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// A target is a policy that waits in its process for the next observation. Calls and the process
// take turns: serve in policy_adapter.py asks for an observation with each action.
type target struct {
	bench.Unmeasured
	observations, actions chan bench.Value
	over                  chan struct{} // closed when the process is given back; err is then final
	err                   error
	cancel                context.CancelFunc
	uploads               []bench.Array
	closed                bool
}

// ask sends an action and waits for the next observation. It returns no values when the episode is
// over.
func (t *target) ask(ctx context.Context, values []bench.Value) ([]bench.Value, error) {
	var action bench.Value = bench.None{}
	if len(values) == 1 {
		action = values[0]
	}
	select {
	case t.actions <- action:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case o, ok := <-t.observations:
		if !ok {
			return nil, nil
		}
		return []bench.Value{o}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// action waits for the policy's next action.
func (t *target) action(ctx context.Context) (bench.Value, error) {
	select {
	case a := <-t.actions:
		return a, nil
	case <-t.over:
		if t.err == nil {
			return nil, fmt.Errorf("%w: the policy ended before its episode", bench.ErrScorer)
		}
		return nil, t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *target) Call(ctx context.Context, args ...bench.Value) (bench.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("ppo: a call without an observation")
	}
	observation := args[0]
	if h, ok := observation.(bench.Handle); ok {
		observation = t.uploads[h]
	}
	select {
	case t.observations <- observation:
	case <-t.over:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return t.action(ctx)
}

func (t *target) Upload(_ context.Context, a bench.Array) (bench.Handle, error) {
	t.uploads = append(t.uploads, a)
	return bench.Handle(len(t.uploads) - 1), nil
}

// Close releases the process. A call has already reported any error.
func (t *target) Close() error {
	if t.closed {
		return nil
	}
	t.closed = true
	defer t.cancel()
	close(t.observations)
	for {
		select {
		case <-t.actions: // the action of an abandoned call
		case <-t.over:
			return nil
		}
	}
}
