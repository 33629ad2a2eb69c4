//go:build linux

package ppo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestPackages checks that train.py, before it imports anything, refuses incomplete settings and a
// Python whose packages differ from the lock file or that has both distributions of pygame.
func TestPackages(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	site := t.TempDir()
	for name, version := range map[string]string{
		"pygame": "2.6.1", "pygame_ce": "2.5.6", "torch": "1.0.0",
	} {
		dir := filepath.Join(site, name+"-"+version+".dist-info")
		must.Do(t, os.Mkdir(dir, 0o755))
		text := "Metadata-Version: 2.1\nName: " + strings.ReplaceAll(name, "_", "-") +
			"\nVersion: " + version + "\n"
		must.Write(t, filepath.Join(dir, "METADATA"), text)
	}
	s := paper(t, "bipedal-walker")
	refused := func(settings, packages string) string {
		job := `{"settings":` + settings + `,"directory":"` + t.TempDir() +
			`","packages":` + packages + `}`
		script := filepath.Join("..", "..", "..", "scripts", "ppo", "train.py")
		cmd := exec.Command(python, "-S", script, job) // -S: no packages but these
		cmd.Env = append(os.Environ(), "PYTHONPATH="+site)
		out, err := cmd.Output()
		if cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("status %v, want 2: %s", err, out)
		}
		return string(out)
	}
	settings, err := s.job()
	must.Do(t, err)
	for settings, want := range map[string]string{
		string(settings): "pygame and pygame-ce are both installed",
		`{"seed":1}`:     "the job has no setting environment",
	} {
		if out := refused(settings, `{}`); !strings.Contains(out, want) {
			t.Errorf("got %s, want %s", out, want)
		}
	}
	must.Do(t, os.RemoveAll(filepath.Join(site, "pygame_ce-2.5.6.dist-info")))
	for packages, want := range map[string]string{
		`{"torch":"2.15.0"}`: `"kind": "packages", ` +
			`"message": "torch 1.0.0 is installed, want 2.15.0"`,
		`{"stable-baselines3":"2.8.0"}`: `"kind": "missing", ` +
			`"message": "stable-baselines3 2.8.0 is not installed"`,
		`{"pygame":"2.6.1"}`: `"kind": "missing"`, // torch itself cannot be imported
	} {
		if out := refused(string(settings), packages); !strings.Contains(out, want) {
			t.Errorf("%s: got %s, want %s", packages, out, want)
		}
	}
}
