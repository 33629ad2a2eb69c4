package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// An error about a value of the wrong type describes the value as it looks in the file. A broken
// file stops only commands that need one of its models or name it with --models.
func TestWrongModelsFile(t *testing.T) {
	for line, want := range map[string]string{
		"temperature = 0.7":            `want "omit" or "send"; the method sets the value`,
		`rpm = "60"`:                   "models.q.rpm: this is text in quotes",
		"max_tokens = 8192.5":          "q.max_tokens: this is a number, want a whole number",
		"query = {api-version = 2024}": "want text in quotes",
		"seed = 0":                     "models.q.seed: this is a whole number, want true or false",
	} {
		path := filepath.Join(t.TempDir(), ModelsFile)
		text := "[models.q]\nmodel = \"m\"\n" + line + "\n"
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := ReadModels(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
		o, err := OpenModels(Options{Models: path}, nil)
		must.Do(t, err)
		if _, err := o.Choose("offline", ""); err != nil {
			t.Errorf("%s: the embedded model: %v", line, err)
		}
		if _, err := o.Choose("q", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: a profile: %v, want %q", line, err, want)
		}
		if _, err := OpenModels(Options{Models: path,
			Given: map[string]bool{"models": true}}, nil); err == nil {
			t.Errorf("%s: --models takes a broken file", line)
		}
	}
}
