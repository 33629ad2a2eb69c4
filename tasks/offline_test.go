package tasks_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/racingcar"
)

// TestOfflineControllers scores the first controllers that the offline model writes: they run, they
// differ, and they are weak, so that search has something to find.
func TestOfflineControllers(t *testing.T) {
	for _, c := range []struct {
		task             *bench.Task
		programs         int
		long             bool
		low, above, most float64 // some are below low, some above above, none above most
	}{
		{task: bipedal.Task(), programs: 10, low: -90, above: -80, most: 0},
		{task: racingcar.Task(), programs: 4, long: true, low: 20, above: 20, most: 60},
	} {
		t.Run(c.task.Name, func(t *testing.T) {
			if c.long && !benchtest.Long() {
				t.Skip("long: scripts/test-long runs it")
			}
			e := tasktest.Control(t, c.task)
			m := offline.New([]*bench.Task{c.task}, offline.Rates{offline.Repaired: 1})
			prompt := c.task.Description + "\n\nThe Python function to design:\n\n" +
				c.task.Template.Header() + "\n    \"\"\"Control.\"\"\"\n\n" +
				"Answer with the code only."
			var scores []float64
			for draw := range uint64(c.programs) {
				reply, err := m.Complete(context.Background(),
					llm.Request{User: llm.Text(prompt), Temperature: 1, Draw: draw})
				must.Do(t, err)
				_, code, _ := strings.Cut(reply.Text, "```python\n")
				code = strings.Join(c.task.Imports, "\n") + "\n" + strings.TrimSuffix(code, "```")
				first := bench.Instance{Split: "train"} // the others take as long
				m, err := tasktest.Play(t, e, first, code)
				if err != nil {
					t.Fatalf("draw %d: %v in\n%s", draw, err, code)
				}
				scores = append(scores, m.Value)
			}
			slices.Sort(scores)
			t.Logf("from worst to best: %.1f", scores)
			n := len(slices.Compact(slices.Clone(scores)))
			best := scores[len(scores)-1]
			if scores[0] > c.low || best < c.above || best > c.most || n < len(scores)*3/4 {
				t.Errorf("%d of %d differ; want some below %v, some above %v and none above %v",
					n, len(scores), c.low, c.above, c.most)
			}
		})
	}
}
