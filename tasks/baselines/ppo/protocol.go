package ppo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// An event is one line of train.py's output; Event says which fields it has.
type event struct {
	Event string `json:"event"` // start, progress, evaluate, evaluation, done, error

	// start
	Digest      string            `json:"digest"` // of the settings
	Versions    map[string]string `json:"versions"`
	Parameters  int               `json:"parameters"`
	Evaluations []barrier         `json:"evaluations"` // those that a checkpoint has

	// progress
	FPS        float64            `json:"fps"` // steps of the environment in a second
	MeanReturn *float64           `json:"mean_return"`
	Losses     map[string]float64 `json:"losses"`

	// progress, evaluate and evaluation
	barrier

	// done
	Best string `json:"best"` // digest of the policy with the best score

	// error
	Kind    string `json:"kind"` // missing, packages, settings, left, broken
	Message string `json:"message"`
}

// A barrier is where training stands: what it has used, the policy, and from "evaluation" on its
// values.
type barrier struct {
	Completed   []int     `json:"completed"` // episodes by training seed
	Steps       int       `json:"steps"`
	Updates     int       `json:"updates"`
	CutEpisodes int       `json:"cut_episodes"`
	CutSteps    int       `json:"cut_steps"`
	Model       string    `json:"model"` // digest
	Values      []float64 `json:"values"`
	Score       *float64  `json:"score"`
}

// resets is the number of completed episodes.
func (b barrier) resets() (n int) {
	for _, c := range b.Completed {
		n += c
	}
	return n
}

// scored checks a barrier that has been evaluated: a count for each training seed and a value for
// each instance.
func (b barrier) scored(seeds, instances int) error {
	switch {
	case len(b.Completed) != seeds:
		return fmt.Errorf("%d counts for %d training seeds", len(b.Completed), seeds)
	case len(b.Values) != instances || b.Score == nil:
		return fmt.Errorf("%d values for %d instances", len(b.Values), instances)
	case !isDigest(b.Model):
		return fmt.Errorf("%.80q is not a digest", b.Model)
	}
	for _, v := range append([]float64{*b.Score}, b.Values...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a value that is not finite")
		}
	}
	return nil
}

// isDigest keeps what names a file from being a path.
func isDigest(s string) bool {
	for _, c := range s {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return len(s) == 64
}

// An answer is a line to train.py: what the policy that it asked about is worth.
type answer struct {
	Values []float64 `json:"values"`
	Score  float64   `json:"score"`
}

// errProtocol means that train.py wrote a line that is not one of the protocol.
var errProtocol = errors.New("not a line that train.py writes")

// parse reads a line. Fields that are unknown are refused: a script of another version.
func parse(line []byte) (e event, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err = d.Decode(&e); err == nil && d.More() {
		err = errors.New("more than one value")
	}
	switch e.Event {
	case "start", "progress", "evaluate", "evaluation", "done", "error":
	default:
		err = errors.Join(err, fmt.Errorf("event %.40q", e.Event))
	}
	if err != nil {
		return e, fmt.Errorf("%w: %.200q: %w", errProtocol, line, err)
	}
	return e, nil
}
