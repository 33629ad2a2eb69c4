package suite

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/record"
)

// TestUnknownCostOfEAPs: if the number of tokens is unknown, a priced model for EAPs makes the cost
// unknown, even beside a free model.
func TestUnknownCostOfEAPs(t *testing.T) {
	ch := &choice{
		names: map[string]string{"": "offline", "eap": "openai:m"},
		byRole: map[string]*opened{
			"": {}, "eap": {host: "api.example", price: &llm.Price{In: 1}},
		},
	}
	f := Forecast{Unasked: true}
	f.charge(ch, rate{})
	if !f.Unpriced || f.Usd != 0 {
		t.Errorf("unpriced %t, %g USD", f.Unpriced, f.Usd)
	}
}

// TestWhoGrows: a dry run knows which methods cannot continue a run with a larger budget.
func TestWhoGrows(t *testing.T) {
	for _, m := range methods.All() {
		p := &Planned{Method: m, Header: record.Header{Method: m.Name(), Budget: 20}}
		why := p.refuses(record.Header{Method: m.Name(), Budget: 10})
		if refused := strings.HasSuffix(why, "cannot extend it"); refused !=
			(m.Name() == "mcts-ahd") {
			t.Errorf("%s: %q", m.Name(), why)
		}
	}
}
