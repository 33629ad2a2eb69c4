package ppo

import (
	"errors"
	"fmt"
	"strings"
)

// An event is one line of train.py's output, without the fields that Go ignores. Event decides
// which fields are set.
type event struct {
	Event       string    `json:"event"`       // start, progress, evaluate, evaluation, done, error
	Evaluations []barrier `json:"evaluations"` // for start: the checkpoint's evaluations
	barrier               // for start, progress, evaluate and evaluation
	Kind        string    `json:"kind"` // for error: missing, packages, settings, left, broken
	Message     string    `json:"message"`
}

// A barrier is a state of training: the resources used, the policy and, once it is evaluated, its
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

// resets returns the number of completed episodes.
func (b barrier) resets() (n int) {
	for _, c := range b.Completed {
		n += c
	}
	return n
}

// scored checks a barrier that was evaluated: it must have a count for each training seed and a
// value for each instance.
func (b barrier) scored(seeds, instances int) error {
	switch {
	case len(b.Completed) != seeds:
		return fmt.Errorf("%d counts for %d training seeds", len(b.Completed), seeds)
	case len(b.Values) != instances || b.Score == nil:
		return fmt.Errorf("%d values for %d instances", len(b.Values), instances)
	case !isDigest(b.Model):
		return fmt.Errorf("%.80q is not a digest", b.Model)
	}
	return nil
}

// isDigest reports whether s is a digest, and therefore a safe file name.
func isDigest(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// An answer is a line to train.py: the values and the score of the policy in an "evaluate" event.
type answer struct {
	Values []float64 `json:"values"`
	Score  float64   `json:"score"`
}

// errProtocol means that train.py wrote a line outside the protocol.
var errProtocol = errors.New("unexpected line from train.py")
