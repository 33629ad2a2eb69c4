package tasks_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/racingcar"
	"github.com/pacebench/pacebench/tasks/shipped"
)

// TestOfflinePrograms scores the first programs that the offline model writes. Enough of them must
// have a score, and the scores must differ. Controllers must be weak, so that a search can improve
// them. Circle26 needs fewer scores, because most changes make circles overlap.
func TestOfflinePrograms(t *testing.T) {
	type expected struct {
		task             *bench.Task
		rates            offline.Rates
		draws, scored    int
		low, above, most float64 // worst score ≤ low, above ≤ best score ≤ most
	}
	all := []expected{
		{bipedal.Task(), offline.Rates{offline.Repaired: 1}, 10, 10, -90, -80, 0},
	}
	if benchtest.Long() {
		all = append(all,
			expected{racingcar.Task(), offline.Rates{offline.Repaired: 1}, 4, 4, 20, 20, 60})
		for _, task := range shipped.All() {
			task.Splits[0].Limits.CPU = 5 * time.Second // some programs loop without end
			inf := math.Inf(1)
			c := expected{task, offline.StatedRates(), 10, 6, inf, -inf, inf}
			if task.Name == "circle26" {
				c.scored = 3
			}
			all = append(all, c)
		}
	}
	for _, c := range all {
		t.Run(c.task.Name, func(t *testing.T) {
			e := tasktest.Control(t, c.task)
			c.task.Splits[0].Instances = 1 // each instance takes long, and one is enough
			m := offline.New([]*bench.Task{c.task}, c.rates)
			prompt := c.task.Description + "\n\nThe Python function to design:\n\n" +
				c.task.Template.Header() + "\n    \"\"\"Choose.\"\"\"\n\nAnswer with the code only."
			var scores []float64
			for draw := range uint64(c.draws) {
				reply, err := m.Complete(t.Context(),
					llm.Request{User: llm.Text(prompt), Temperature: 1, Draw: draw})
				must.Do(t, err)
				_, code, _ := strings.Cut(reply.Text, "```python\n")
				code, _, _ = strings.Cut(code, "```")
				code = strings.Join(c.task.Imports, "\n") + "\n" + code
				o, err := e.Evaluate(t.Context(), program.Program{Source: code})
				must.Do(t, err)
				if o.OK() {
					scores = append(scores, o.Score)
				}
			}
			slices.Sort(scores)
			t.Logf("from worst to best: %.1f", scores)
			if len(scores) < c.scored {
				t.Fatalf("%d of %d have a score, want %d", len(scores), c.draws, c.scored)
			}
			n := len(slices.Compact(slices.Clone(scores)))
			best := scores[len(scores)-1]
			if scores[0] > c.low || best < c.above || best > c.most || n < 2 {
				t.Errorf("%d of %d differ; want some below %v, some above %v and none above %v",
					n, len(scores), c.low, c.above, c.most)
			}
		})
	}
}
