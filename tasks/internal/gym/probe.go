package gym

import (
	"context"
	"fmt"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
)

// A Probe is an episode of one constant action with a known outcome. It shows whether Gymnasium and
// its engines behave as they did when the task was made.
type Probe struct {
	Seed   int
	Action []float64
	Steps  int     // until the episode ends
	Value  float64 // the episode's value; a difference below 1e-6 is allowed
	// SHA256 covers the bytes of Gymnasium's first Frames observations. The reset gives the first.
	Frames   int
	SHA256   string
	Versions []string // packages that determine the behaviour, for the message
}

// advice is the hint if the behaviour differs.
const advice = "scores would not be comparable with other results; " +
	"install the pinned packages (pacebench doctor shows them)"

// probe plays the probe and returns an error if the behaviour differs.
func (e *Environment) probe(ctx context.Context, task string, h bench.Host) error {
	p := e.Probe
	j := e.job(p.Seed)
	j.Action, j.Frames, j.Versions = p.Action, p.Frames, p.Versions
	if e.Action.Discrete > 0 {
		j.Action = int(p.Action[0])
	}
	texts, err := h.Call(ctx, "probe", j, nil)
	if err != nil {
		return err
	}
	var versions, digest, problem string
	for i, text := range []*string{&versions, &digest, &problem} {
		if len(texts) != 3 {
			return fmt.Errorf("the probe of %s returned %d values, want 3: %w",
				e.ID, len(texts), bench.ErrScorer)
		}
		a, _ := texts[i].(bench.Array)
		*text = string(a.Data)
	}
	refused := func(format string, args ...any) error {
		text := fmt.Sprintf(format, args...)
		return hint.Add(fmt.Errorf(
			"%s: %s does not behave like the pinned environment: %s (%s)",
			task, e.ID, text, versions), advice)
	}
	// gym.py asks for the opening first, if there is one. One extra action shows whether the
	// episode continues after p.Steps.
	actions := []bench.Value{}
	if e.Opening != nil {
		actions = append(actions, e.Action.fixed(e.Opening))
	}
	for range p.Steps + 1 {
		actions = append(actions, e.Action.fixed(p.Action))
	}
	j.Blind = true
	ask := func(context.Context, []bench.Value) ([]bench.Value, error) {
		if len(actions) == 0 {
			return nil, nil
		}
		next := actions[0]
		actions = actions[1:]
		return []bench.Value{next}, nil
	}
	result, err := h.Call(ctx, "episode", j, ask)
	if err != nil {
		return err
	}
	if len(result) != 4 {
		return fmt.Errorf("%s returned %d values: %w", e.ID, len(result), bench.ErrScorer)
	}
	value, _ := result[0].(bench.Float)
	made, _ := result[1].(bench.Int)
	switch {
	case problem != "":
		return refused("%s", problem)
	case int(made) != p.Steps || !(math.Abs(float64(value)-p.Value) < 1e-6):
		return refused("on seed %d, the action %v ends an episode at step %d with value %.6f, "+
			"not at step %d with value %.6f",
			p.Seed, p.Action, made, float64(value), p.Steps, p.Value)
	case digest != p.SHA256:
		return refused("on seed %d, the first %d observations differ", p.Seed, p.Frames)
	}
	return nil
}
