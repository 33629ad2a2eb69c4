package gym

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
)

// An episode is one seed played by a policy.
type episode struct {
	*Environment
	job    job
	policy bench.Target
	decode func(values []bench.Value) (bench.Array, error)

	asked  bool    // the first observation has arrived
	step   int     // the policy's actions so far
	value  float64 // the value so far; finite
	last   bench.Value
	before bench.Value // a copy of the previous observation
	args   []bench.Value
	film   *bench.Film // nil: no pictures
}

// score plays one seed. After a fault, it returns the value reached so far.
func (e *Environment) score(
	ctx context.Context, in bench.Instance, f bench.Target,
) (bench.Measure, error) {
	p := &episode{
		Environment: e, job: e.job(e.seeds(in.Split)[in.Number]), policy: f,
		last: e.Action.fixed(e.Opening), film: in.Film,
	}
	if e.Decode != nil {
		p.decode = e.Decode()
	}
	p.job.Traced = in.Traced && e.Evidence != nil
	if in.Film != nil {
		p.job.Film = in.Film.Every
	}
	result, err := in.Host.Call(ctx, "episode", p.job, p.answer)
	if err != nil {
		return bench.Measure{Value: p.reached()}, err
	}
	if len(result) != 4 {
		return bench.Measure{}, fmt.Errorf("%s returned %d values: %w",
			e.ID, len(result), bench.ErrScorer)
	}
	if err := p.measure(result[0]); err != nil {
		return bench.Measure{Value: p.reached()}, err
	}
	m := bench.Measure{Value: p.value}
	if trace, ok := result[3].(bench.Array); ok {
		m.Trace = trace.Data
	}
	return m, nil
}

// reached returns the value of an episode that a fault ended.
func (p *episode) reached() float64 {
	if p.step == 0 {
		return min(p.value, p.Unstarted)
	}
	return p.value
}

// measure stores the value of the episode, during the episode or at its end.
func (p *episode) measure(v bench.Value) error {
	value, ok := v.(bench.Float)
	if !ok {
		return fmt.Errorf("%s has a value of type %T: %w", p.ID, v, bench.ErrScorer)
	}
	if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
		return p.fault(p.step, bench.NonFinite, fmt.Sprintf("the reward is %v", float64(value)))
	}
	p.value = float64(value)
	return nil
}

// answer receives the environment's output after a step: the value so far, measures and
// observation. It returns the next action, or nil to end the episode. With a film, a single value
// is a picture.
func (p *episode) answer(ctx context.Context, values []bench.Value) ([]bench.Value, error) {
	if p.film != nil && len(values) == 1 {
		picture, ok := values[0].(bench.Array)
		if !ok {
			return nil, fmt.Errorf("picture of %s is a %T: %w", p.ID, values[0], bench.ErrScorer)
		}
		return nil, p.film.Show(bench.Picture{Pixels: picture})
	}
	measures := len(p.job.Measures)
	if len(values) < 2+measures {
		return nil, fmt.Errorf("%s sent %d values: %w", p.ID, len(values), bench.ErrScorer)
	}
	if err := p.measure(values[0]); err != nil {
		return nil, err
	}
	observation, err := p.observation(values[1+measures:])
	if err != nil {
		return nil, err
	}
	first := !p.asked
	p.asked = true
	if first {
		p.keep(observation)
		if p.Opening != nil {
			return []bench.Value{p.last}, nil
		}
	}
	if p.MaxSteps > 0 && p.step == p.MaxSteps {
		return nil, nil
	}
	action, err := p.act(ctx, observation, values[1:1+measures])
	if err != nil {
		return nil, err
	}
	p.keep(observation)
	p.step++
	return []bench.Value{action}, nil
}

// act asks the policy for its next action.
func (p *episode) act(
	ctx context.Context, observation bench.Value, measures []bench.Value,
) (bench.Value, error) {
	p.args = p.args[:0]
	for _, a := range p.Arguments {
		switch a {
		case Observation:
			p.args = append(p.args, observation)
		case LastObservation:
			p.args = append(p.args, p.before)
		case LastAction:
			p.args = append(p.args, p.last)
		default:
			measure, ok := measures[0].(bench.Float)
			if !ok {
				return nil, fmt.Errorf("%s has a measure of type %T: %w",
					p.ID, measures[0], bench.ErrScorer)
			}
			p.args, measures = append(p.args, scalar(measure)), measures[1:]
		}
	}
	returned, err := p.policy.Call(ctx, p.args...)
	var fault *bench.Fault
	if err == nil {
		var given bench.Value
		if given, p.last, fault = p.Action.taken(returned); fault == nil {
			return given, nil
		}
	} else if !errors.As(err, &fault) {
		return nil, err
	}
	return nil, p.fault(p.step+1, fault.Kind, fault.Detail)
}

// fault returns a fault with the seed and the step in its detail. It omits the step if the time or
// memory limit ended the policy, because the step may differ on another machine.
func (p *episode) fault(step int, kind bench.FaultKind, detail string) *bench.Fault {
	where := fmt.Sprintf("seed %d, step %d", p.job.Seed, step)
	if kind == bench.Timeout || kind == bench.Memory {
		where = fmt.Sprintf("seed %d", p.job.Seed)
	}
	detail = where + ": " + detail
	detail = strings.ToValidUTF8(detail[:min(len(detail), maxDetail)], "")
	return &bench.Fault{Kind: kind, Detail: detail}
}

const maxDetail = 300 // bytes; see bench.Fault

// observation converts a view's output to what the policy sees.
func (p *episode) observation(values []bench.Value) (bench.Value, error) {
	if p.decode != nil {
		a, err := p.decode(values)
		if err != nil {
			return nil, fmt.Errorf("view of %s: %w (%w)", p.ID, err, bench.ErrScorer)
		}
		return a, nil
	}
	if len(values) != 1 {
		return nil, fmt.Errorf("view of %s sent %d values: %w", p.ID, len(values), bench.ErrScorer)
	}
	if a, ok := values[0].(bench.Array); ok && !finite(a) {
		return nil, p.fault(p.step, bench.NonFinite, "the observation is not finite")
	}
	return values[0], nil
}

// keep remembers an observation as the previous one. It copies arrays, because the host owns their
// bytes.
func (p *episode) keep(v bench.Value) {
	a, ok := v.(bench.Array)
	if !ok {
		p.before = v
		return
	}
	b, _ := p.before.(bench.Array)
	p.before = bench.Array{
		DType: a.DType, Shape: slices.Clone(a.Shape), Data: append(b.Data[:0], a.Data...),
	}
}

// scalar returns a NumPy float64 for the policy: an array without dimensions.
func scalar(x bench.Float) bench.Array {
	data := binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(x)))
	return bench.Array{DType: "float64", Shape: []int{}, Data: data}
}

// finite reports whether all numbers of a floating array are finite.
func finite(a bench.Array) bool {
	if !strings.HasPrefix(a.DType, "float") {
		return true // integers, such as the numbers of a picture, are finite
	}
	numbers, _ := a.Floats()
	return !slices.ContainsFunc(numbers, func(x float64) bool {
		return math.IsNaN(x) || math.IsInf(x, 0)
	})
}
