package randsample

import (
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/llm"
)

func TestEveryRequestIsTheSameAndTheBestIsKept(t *testing.T) {
	m := New()
	m.Window = 1
	model := methodtest.Model(func(i int, _ llm.Request) string {
		if i%4 == 3 {
			return "no code this time"
		}
		return methodtest.Scored(i, []int{3, 9, 5, 0}[i%4]*10-i)
	})
	r := methodtest.Run(t, m, model, 12).Summarize()
	if r.Evaluations != 12 || r.Asked != 15 {
		t.Errorf("%d evaluations, %d requests; want 12, 15", r.Evaluations, r.Asked)
	}
	if r.Best == nil || r.Best.Score != 89 || r.Best.Evaluation != 2 {
		t.Errorf("best %+v, want the second evaluation with 89", r.Best)
	}
	prompts := methodtest.Prompts(model)
	if len(slices.Compact(prompts)) != 1 {
		t.Error("the prompts differ from call to call")
	}
}
