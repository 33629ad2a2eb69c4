package suite

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

// TestDeclarations removes, alters and exchanges the declaration that a header names.
func TestDeclarations(t *testing.T) {
	planned := record.Header{
		Format: 1, Task: "tsp-construct", Method: "pace", Config: json.RawMessage("{}"),
		Models: map[string]string{"": "offline"}, Seed: 1, Budget: 9,
	}
	rule := record.Separate{
		Pairs: [][]string{{"pace", "eoh"}}, Looks: []int{3, 5}, Alpha: 0.05,
	}
	d := record.Declaration{
		Separate: rule, Task: planned.Task, Paired: []bool{false},
		Rows: map[string]string{
			"pace": "tsp-construct/pace/offline", "eoh": "tsp-construct/eoh/offline",
		},
		Headers: map[string]record.Header{"pace": planned},
	}
	type header = record.Header
	for _, tt := range []struct {
		name   string
		change func(file string, h *header) error
		want   string // part of the error; "": no error
	}{
		{"as it was", nil, ""},
		{"another seed and machine", func(_ string, h *header) error {
			h.Seed, h.Python, h.Paired, h.PairedVariant = 5, "3.11.7", "ab", "k=3"
			return nil
		}, ""},
		{"removed", func(file string, _ *header) error { return os.Remove(file) },
			"is missing in .suites"},
		{"altered", func(file string, _ *header) error {
			data, err := os.ReadFile(file)
			altered := strings.Replace(string(data), "0.05", "0.04", 1)
			return errors.Join(err, os.WriteFile(file, []byte(altered), 0o644))
		}, "differs from .suites/two-separate.json"},
		{"damaged", func(file string, _ *header) error { return os.Truncate(file, 100) },
			"may be in .suites/two-separate.json, which cannot be read"},
		{"a link", func(file string, _ *header) error {
			return errors.Join(os.Rename(file, file+"x"), os.Symlink(file+"x", file))
		}, "may be in .suites/two-separate.json, which cannot be read"},
		{"of other headers", func(_ string, h *header) error { h.Budget = 10; return nil },
			"is for other runs: .suites/two-separate.json declares budget = 9, the header says 10"},
		{"of fewer seeds", func(_ string, h *header) error { h.Seed = 6; return nil },
			"is for other runs: .suites/two-separate.json declares seeds 1 to 5"},
		{"of other rows", func(_ string, h *header) error { h.Variant = "k=9"; return nil },
			"is for other runs: .suites/two-separate.json declares other rows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, h := t.TempDir(), planned
			h.Plan = d.Digest()
			plan := &separatePlan{plan: plan{Suite: "two"}, Declaration: d}
			must.Do(t, plan.write(root))
			file := filepath.Join(root, ".suites", "two-separate.json")
			if tt.change != nil {
				must.Do(t, tt.change(file, &h))
			}
			got, _, err := Declarations{}.Of(RunDir(root, h), h)
			switch {
			case tt.want == "" && (err != nil || got != file):
				t.Errorf("%q, %v; want %q", got, err, file)
			case tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.want) ||
				strings.Contains(err.Error(), "\n") || hint.Of(err) == ""):
				t.Errorf("%v; want one line with a hint that ends with %q", err, tt.want)
			}
		})
	}
}
