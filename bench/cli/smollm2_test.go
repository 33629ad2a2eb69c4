package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/python"
)

// TestRecordedSmallModel runs against the recorded replies of a real language model with 135
// million parameters, clumsy as they are, and wants the recorded journals: what is read out of each
// reply, what is refused, and what each program scores. `bash scripts/try-llm --update` records
// them anew; testdata/smollm2/README.md says where they come from.
func TestRecordedSmallModel(t *testing.T) {
	python.ForTest(t)
	for _, method := range []string{"randsample", "pace"} {
		t.Run(method, func(t *testing.T) {
			dir := t.TempDir()
			recorded := filepath.Join(dir, "recorded.jsonl")
			want := unpack(t, filepath.Join("testdata", "smollm2", method+".jsonl.gz"))
			if err := os.WriteFile(recorded, want, 0o644); err != nil {
				t.Fatal(err)
			}
			var line struct{ Header bench.Header }
			header, _, _ := bytes.Cut(want, []byte("\n"))
			if err := json.Unmarshal(header, &line); err != nil {
				t.Fatal(err)
			}
			out, err := process(t, "run", "--task", "tsp-construct", "--method", method,
				"--evals", fmt.Sprint(line.Header.Budget), "--test", "none",
				"--model", "replay:"+recorded, "--out", dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !bytes.Equal(want, readJournal(t, dir)) {
				t.Errorf("the journal differs from the recorded one\n%s", out)
			}
		})
	}
}
