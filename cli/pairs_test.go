package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
)

// restless is the embedded model, but it answers the same request differently each time, as a paid
// model does.
type restless struct {
	llm.Model
	mu    sync.Mutex
	asked map[uint64]uint64 // how often, by draw
}

func (m *restless) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	m.mu.Lock()
	m.asked[r.Draw]++
	r.Draw += m.asked[r.Draw] << 31
	m.mu.Unlock()
	return m.Model.Complete(ctx, r)
}

// TestPairedSuite runs a variant of PACE that shares the beginning of the first run, on a server
// that counts its requests.
func TestPairedSuite(t *testing.T) {
	pyenv.ForTest(t)
	const budget = 12
	dir := t.TempDir()
	server := llmtest.New(t, &restless{
		Model: offline.New(tasks.All(), offline.StatedRates()), asked: map[uint64]uint64{},
	})
	file := write(t, filepath.Join(dir, "mine.toml"), fmt.Sprintf(`
name = "mine"
about = "PACE with a small population, and with a larger one"
paired = true
test = "none"
evals = %d
seeds = [1]
[models.m]
model = "m"
base_url = %q
[[runs]]
tasks = ["tsp-construct"]
methods = ["pace"]
set = ["population=2"]
[[runs]]
tasks = ["tsp-construct"]
methods = ["pace"]
set = ["population=4"]
`, budget, server.URL))
	t.Setenv("OPENAI_API_KEY", secret)
	args := []string{"suite", file, "--out", filepath.Join(dir, "results"), "--quiet"}
	mustRun(t, append(args, "--runs", "2")...)
	paid := 0
	var base *record.Loaded
	for _, variant := range []string{"population=2", "population=4"} {
		run := filepath.Join(dir, "results", "tsp-construct", "pace@"+variant, "openai-m", "1")
		l, err := record.Load(run)
		must.Do(t, err)
		shared := 0
		for _, tally := range l.Result.Shared {
			shared += tally.Requests
		}
		paid += l.Result.Asked - shared
		if l.Result.Evaluations != budget {
			t.Errorf("%s: %d evaluations, want exactly %d", run, l.Result.Evaluations, budget)
		}
		if base == nil {
			if base = l; l.Header.Paired != "" || shared > 0 {
				t.Errorf("%s: paired with %q, %d requests shared: it is the first run",
					run, l.Header.Paired, shared)
			}
		} else if l.Header.Paired != base.Header.Digest() ||
			shared < 2 || shared == l.Result.Asked {
			t.Errorf("%s: paired with %q, %d of %d requests shared: "+
				"want the smaller population and not all",
				run, l.Header.Paired, shared, l.Result.Asked)
		}
		said := mustRun(t, "verify", run)
		if shared > 0 && !strings.Contains(said, "requests shared with "+base.Dir) {
			t.Errorf("verify:\n%s", said)
		}
	}
	if int(server.Asked()) != paid {
		t.Errorf("the server was asked %d times, the journals say %d", server.Asked(), paid)
	}
	// Finished paired runs stay finished, and are not mixed with unpaired runs.
	if mustRun(t, args...); int(server.Asked()) != paid {
		t.Errorf("again: asked %d times", int(server.Asked())-paid)
	}
	said := mustFail(t, append(args, "--paired=false")...)
	if !strings.Contains(said, "another run: header says paired = ") {
		t.Errorf("unpaired in the same directory:\n%s", said)
	}
}
