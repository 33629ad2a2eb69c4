package suite

import (
	"context"
	"sync"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
)

// refusedInARow is the number of consecutive replies without a program that causes a warning. A
// suitable model hardly ever fails so often by chance, and 20 requests cost little.
const refusedInARow = 20

// warnOfRefusals warns once, with advice, when many replies in a row have no program.
func warnOfRefusals(m llm.Model, say func(string)) llm.Model {
	return &refusalWarner{Model: m, say: say}
}

type refusalWarner struct {
	llm.Model
	say     func(string)
	mu      sync.Mutex
	refused results.Refusals
	warned  bool
}

func (t *refusalWarner) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	reply, err := t.Model.Complete(ctx, r)
	if err != nil || r.Purpose.Role() != "algorithm" {
		return reply, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind := results.RefusalOf(reply)
	if kind == "" {
		t.refused = results.Refusals{}
		return reply, nil
	}
	t.refused.Of++
	if t.refused.Add(kind); t.refused.Of >= refusedInARow && !t.warned {
		t.warned = true
		t.say(t.refused.String() + "; " + t.refused.Cure())
	}
	return reply, nil
}
