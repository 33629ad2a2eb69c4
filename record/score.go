package record

import (
	"encoding/json"
	"errors"
	"math"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A failure is never a number: the score of a failed program is null in JSON, not Go's 0.

var errNoScore = errors.New("neither a score nor a fault")

// nullable returns a score for JSON: nil with a fault.
func nullable(score float64, fault *Fault) *float64 {
	if fault != nil {
		return nil
	}
	return &score
}

var errInfinite = errors.New("values without a finite mean")

// fromNullable returns a score from JSON: 0 with a fault. values are the values of the instances.
func fromNullable(score *float64, fault *Fault, values []float64) (float64, error) {
	switch {
	case fault != nil:
		return 0, nil
	case score == nil:
		return 0, errNoScore
	case math.IsInf(Mean(values), 0):
		return 0, errInfinite
	}
	return *score, nil
}

// evaluationJSON is the form of an Evaluation in a journal.
type evaluationJSON struct {
	Evaluation int      `json:"evaluation"`
	Source     string   `json:"source"`
	Policy     string   `json:"policy,omitempty"`
	Score      *float64 `json:"score"`
	Outcome             // its Score is hidden by the field above
}

// MarshalJSON implements json.Marshaler.
func (r Evaluation) MarshalJSON() ([]byte, error) {
	return json.Marshal(evaluationJSON{
		r.Evaluation, r.Source, r.Policy, nullable(r.Score, r.Fault), r.Outcome,
	})
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Evaluation) UnmarshalJSON(data []byte) error {
	var in evaluationJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	return r.from(in)
}

// UnmarshalJSONFrom is UnmarshalJSON for the decoder of ParseLine.
func (r *Evaluation) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var in evaluationJSON
	if err := json2.UnmarshalDecode(d, &in); err != nil {
		return err
	}
	return r.from(in)
}

func (r *Evaluation) from(in evaluationJSON) (err error) {
	*r = Evaluation{in.Evaluation, in.Source, in.Policy, in.Outcome}
	r.Score, err = fromNullable(in.Score, in.Fault, in.Values)
	return err
}

type splitFields SplitOutcome

// splitJSON is the form of a SplitOutcome in result.json.
type splitJSON struct {
	Mean        *float64 `json:"mean"`
	splitFields          // its Mean is hidden by the field above
}

// MarshalJSON implements json.Marshaler.
func (o SplitOutcome) MarshalJSON() ([]byte, error) {
	return json.Marshal(splitJSON{nullable(o.Mean, o.Fault), splitFields(o)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *SplitOutcome) UnmarshalJSON(data []byte) (err error) {
	var in splitJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*o = SplitOutcome(in.splitFields)
	o.Mean, err = fromNullable(in.Mean, in.Fault, in.Values)
	return err
}
