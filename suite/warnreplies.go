package suite

import (
	"context"
	"sync"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
)

// lostInARow is the number of consecutive replies without a program that causes a warning. A
// suitable model hardly ever fails so often by chance, and 20 requests cost little.
const lostInARow = 20

// warnOfLoss warns once, with advice, when many replies in a row have no program.
func warnOfLoss(m llm.Model, say func(string)) llm.Model {
	return &lossWarner{Model: m, say: say}
}

type lossWarner struct {
	llm.Model
	say  func(string)
	mu   sync.Mutex
	lost results.Lost
	told bool
}

func (t *lossWarner) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	reply, err := t.Model.Complete(ctx, r)
	if err != nil || r.Purpose.Role() != "algorithm" {
		return reply, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind := results.LossOf(reply)
	if kind == "" {
		t.lost = results.Lost{}
		return reply, nil
	}
	t.lost.Of++
	if t.lost.Add(kind); t.lost.Of >= lostInARow && !t.told {
		t.told = true
		t.say(t.lost.String() + "; " + t.lost.Cure())
	}
	return reply, nil
}
