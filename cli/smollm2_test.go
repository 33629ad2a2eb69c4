package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// TestRecordedSmallModel replays runs with a real language model of 135 million parameters, and
// evaluates their programs again. It checks which program is extracted from each clumsy reply,
// which replies are refused, and how each program fails. `bash scripts/try-llm --update` records
// the runs again; testdata/smollm2/README.md names the origin of the replies.
func TestRecordedSmallModel(t *testing.T) {
	pyenv.ForTest(t)
	for _, method := range []string{"randsample", "pace"} {
		t.Run(method, func(t *testing.T) {
			dir := t.TempDir()
			journal := unpack(t, filepath.Join("testdata", "smollm2", method+".jsonl.gz"))
			err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), journal, 0o644)
			must.Do(t, err)
			out, err := process(t, "verify", "--rescore", dir).CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte("replay-exact: ")) ||
				!bytes.Contains(out, []byte("re-evaluate-exact: ")) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
