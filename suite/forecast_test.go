package suite

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/record"
)

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
