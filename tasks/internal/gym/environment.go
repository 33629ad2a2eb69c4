package gym

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pacebench/pacebench/bench"
)

// An Environment is an environment of Gymnasium with the protocol of its episodes.
type Environment struct {
	ID      string         // for gymnasium.make: "BipedalWalker-v3"
	Options map[string]any // further arguments of gymnasium.make
	// Arguments are the policy's arguments, in the order of the template's parameters.
	Arguments []Argument
	Action    Action
	// Opening is an action before the policy's first action; its reward counts, and the policy sees
	// it as its last action. If it is nil, there is no such action, and the last action is zero at
	// first.
	Opening  []float64
	MaxSteps int // limit on the policy's steps; 0: the environment ends the episode
	// PastTruncation continues an episode after Gymnasium's own limit of steps.
	PastTruncation bool
	Value          string // the measure that is the episode's value; empty: the sum of rewards
	// Unstarted is the largest value of an episode in which the policy made no step.
	Unstarted float64
	Splits    []bench.Split // the instances are seeds
	// Modules are Python sources by name. gym.py lists what they may define, such as measures. An
	// environment that uses only the constants of Argument needs no modules.
	Modules map[string]string
	// Decode becomes the Decode of bench.Scorer, for the output of the module "view". nil: the
	// output is the observation.
	Decode func() func(values []bench.Value) (bench.Array, error)
	// Evidence has the media types of the pieces of evidence that the modules make from a trace.
	// nil: the modules define no Trace and no evidence.
	Evidence []string
	Probe    *Probe // nil: no check of the environment's behaviour
}

// An Argument is an argument of the policy: one of the constants, or the name of a measure.
type Argument string

// Every argument is a copy that the policy owns.
const (
	Observation     Argument = "an observation"
	LastObservation Argument = "the observation before" // at first, the reset's observation
	LastAction      Argument = "the last action"
)

//go:embed gym.py
var player string

// main is the name of the module gym.py. It is not "gym", because Gymnasium's predecessor has that
// name.
const main = "pacebench_gym"

// Task completes t, which has the task's texts: the instances are the seeds, and this package plays
// the episodes for the score.
func (e *Environment) Task(t bench.Task) *bench.Task {
	t.Scorer = &bench.Scorer{
		Packages: "control", Modules: map[string]string{main: player}, Main: main,
		Decode: e.Decode,
	}
	maps.Copy(t.Scorer.Modules, e.Modules)
	if e.Probe != nil {
		t.Scorer.Probe = func(ctx context.Context, h bench.Host) error {
			return e.probe(ctx, t.Name, h)
		}
	}
	splits := slices.Clone(e.Splits)
	for i := range splits {
		splits[i].Instances = len(splits[i].Seeds)
	}
	t.SetSplits(splits)
	t.Isolated = true
	t.Seeding = func(split string, instance int) string {
		const seeding = "import random\nimport numpy\n" +
			"random.seed(%[1]d)\nnumpy.random.seed(%[1]d)\n"
		return fmt.Sprintf(seeding, e.seeds(split)[instance])
	}
	t.Score, t.Pictures = e.score, "an episode"
	if e.Evidence != nil {
		t.Evidence = e.evidence
	}
	t.Digest = e.digest
	return &t
}

// seeds returns the seeds of a split. It panics if there is no such split.
func (e *Environment) seeds(split string) []int {
	for _, s := range e.Splits {
		if s.Name == split {
			return s.Seeds
		}
	}
	panic(fmt.Sprintf("gym: %s has no split %q", e.ID, split))
}

// digest covers the seeds and the protocol, but not the Python modules and packages that also
// determine a score.
func (e *Environment) digest(split string) string {
	text, err := json.Marshal(struct {
		ID             string
		Options        map[string]any
		Arguments      []Argument
		Action         Action
		Opening        []float64
		MaxSteps       int
		PastTruncation bool
		Value          string
		Unstarted      float64
		Seeds          []int
	}{
		e.ID, e.Options, e.Arguments, e.Action, e.Opening, e.MaxSteps, e.PastTruncation, e.Value,
		e.Unstarted, e.seeds(split),
	})
	if err != nil {
		panic(fmt.Sprintf("gym: protocol of %s: %v", e.ID, err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A job is a request to gym.py.
type job struct {
	ID             string         `json:"id"`
	Options        map[string]any `json:"options"`
	Modules        []string       `json:"modules"`
	Seed           int            `json:"seed"`
	Measures       []string       `json:"measures"`
	Value          string         `json:"value"`
	Opening        int            `json:"opening"` // steps before the policy's first step
	PastTruncation bool           `json:"past_truncation"`
	Traced         bool           `json:"traced"`
	Blind          bool           `json:"blind"` // draw nothing, send no observations
	Film           int            `json:"film"`  // steps between pictures; 0: none

	// Only for the probe.
	Action   any      `json:"action,omitempty"`
	Frames   int      `json:"frames,omitempty"`
	Versions []string `json:"versions,omitempty"`
}

func (e *Environment) job(seed int) job {
	j := job{ // gym.py does not accept null
		ID: e.ID, Options: map[string]any{}, Seed: seed, Measures: []string{}, Value: e.Value,
		Modules:        slices.AppendSeq([]string{}, maps.Keys(e.Modules)),
		PastTruncation: e.PastTruncation,
	}
	maps.Copy(j.Options, e.Options)
	slices.Sort(j.Modules)
	if e.Opening != nil {
		j.Opening = 1
	}
	for _, a := range e.Arguments {
		if a != Observation && a != LastObservation && a != LastAction {
			j.Measures = append(j.Measures, string(a))
		}
	}
	return j
}

// evidence returns the evidence that gym.py makes from a trace.
func (e *Environment) evidence(
	ctx context.Context, in bench.Instance, trace []byte,
) ([]bench.Blob, error) {
	seed := e.seeds(in.Split)[in.Number]
	picture := bench.Array{DType: "uint8", Shape: []int{len(trace)}, Data: trace}
	answer := func(context.Context, []bench.Value) ([]bench.Value, error) {
		return []bench.Value{picture}, nil
	}
	values, err := in.Host.Call(ctx, "evidence", e.job(seed), answer)
	if err != nil {
		return nil, err
	}
	if len(values) != len(e.Evidence) {
		return nil, fmt.Errorf("evidence of %s has %d pieces, not %d: %w",
			e.ID, len(values), len(e.Evidence), bench.ErrScorer)
	}
	var blobs []bench.Blob
	for i, v := range values {
		content, ok := v.(bench.Array)
		if !ok {
			return nil, fmt.Errorf("evidence of %s: piece %d is a %T: %w",
				e.ID, i, v, bench.ErrScorer)
		}
		blobs = append(blobs, bench.Blob{MediaType: e.Evidence[i], Data: content.Data})
	}
	return blobs, nil
}
