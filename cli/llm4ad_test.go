package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// The embedded model searches on three tasks of LLM4AD. Another run gives the same journal, and the
// journal replays.
func TestLLM4ADSearch(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("PACEBENCH_LONG is not set")
	}
	pyenv.ForTestWith(t, "llm4ad")
	for _, name := range []string{"jssp_construct", "knapsack_construct@typing=true"} {
		t.Run(name, func(t *testing.T) {
			var journals [2][]byte
			for i, jobs := range []string{"1", "4"} {
				dir := t.TempDir()
				for _, args := range [][]string{
					{"run", "--quiet", "--task", "llm4ad:" + name, "--method", "eoh",
						"--evals", "20", "--jobs", jobs, "--out", dir},
					{"verify", "--quiet", dir},
				} {
					cmd := process(t, args...)
					cmd.Dir = dir
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v\n%s", args[0], err, out)
					}
				}
				path := filepath.Join(dir, "llm4ad-"+name, "eoh", "offline", "1", "journal.jsonl")
				var err error
				if journals[i], err = os.ReadFile(path); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(journals[0], journals[1]) {
				t.Error("the journals differ")
			}
			scored := strings.Count(string(journals[0]), `"values":[`)
			if scored < 5 {
				t.Errorf("%d of 20 have a score", scored)
			}
			t.Logf("%d of 20 have a score", scored)
		})
	}
}
