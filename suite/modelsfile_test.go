package suite

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// An error about a value of the wrong type describes the value as it looks in the file. A broken
// file stops only commands that need one of its models or name it with --models.
func TestWrongModelsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ModelsFile)
	for line, want := range map[string]string{
		"temperature = 0.7":            `want "omit" or "send"; the method sets the value`,
		`rpm = "60"`:                   "models.q.rpm: this is text in quotes",
		"max_tokens = 8192.5":          "q.max_tokens: this is a number, want a whole number",
		"query = {api-version = 2024}": "want text in quotes",
		"seed = 0":                     "models.q.seed: this is a whole number, want true or false",
	} {
		must.Write(t, path, "[models.q]\nmodel = \"m\"\n"+line+"\n")
		if _, err := ReadModels(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	must.Write(t, path, "[models.q]\nmodel = \"m\"\nrpm = \"60\"\n")
	o, err := OpenModels(Options{Models: path}, nil)
	must.Do(t, err)
	if _, err := o.Choose("offline", ""); err != nil {
		t.Errorf("the embedded model: %v", err)
	}
	if _, err := o.Choose("q", ""); err == nil || !strings.Contains(err.Error(), "models.q.rpm: ") {
		t.Errorf("a profile: %v", err)
	}
	if _, err := OpenModels(Options{Models: path,
		Given: map[string]bool{"models": true}}, nil); err == nil {
		t.Error("--models takes a broken file")
	}
}
