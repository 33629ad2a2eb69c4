package note

import (
	"errors"
	"testing"
)

func TestDecodeTakesExactlyWhatIsWritten(t *testing.T) {
	v := KindsOf(Offspring{}, Trial{}, Callers{})
	for _, c := range []struct {
		kind, data, why string
		want            error
	}{
		{"offspring", `{"operator":"P1","parents":[3],"focus":0}`, "as it is written", nil},
		{"population", `{"members":[{"algorithm":4,"calls":[0]}]}`, "as it is written", nil},
		{"offspring", `{"operator":"P1","parent":[3]}`, "a renamed field", ErrMismatch},
		{"offspring", `{"parents":[3]}`, "a required field is missing", ErrMismatch},
		{"offspring", `{"operator":1}`, "another type", ErrMismatch},
		{"population", `{"members":[{"program":4}]}`,
			"the population of another method", ErrMismatch},
		{"trials", `{}`, "a renamed kind", ErrUnknown},
	} {
		if _, err := v.Decode(c.kind, []byte(c.data)); !errors.Is(err, c.want) {
			t.Errorf("%s %s (%s): error %v, want %v", c.kind, c.data, c.why, err, c.want)
		}
	}
	n, err := v.Decode("offspring", []byte(`{"operator":"P1","parents":[3]}`))
	if o, ok := n.(Offspring); err != nil || !ok || o.Operator != "P1" || o.Parents[0] != 3 {
		t.Errorf("got %#v, %v", n, err)
	}
}
