package pyenv

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// controlPackages are the packages that tasks rely on, with the versions of the lock.
var controlPackages = map[string]string{
	"gymnasium": "1.2.3", "box2d": "2.3.10", "pygame": "2.6.1",
	"opencv-python-headless": "4.11.0.86", "matplotlib": "3.10.8",
}

// having adds controlPackages to the script of a fake interpreter. change overrides versions.
func having(t *testing.T, script string, change map[string]string) string {
	t.Helper()
	packages := maps.Clone(controlPackages)
	maps.Copy(packages, change)
	text, err := json.Marshal(packages)
	must.Do(t, err)
	return strings.ReplaceAll(script, `"problem"`, `"packages":`+string(text)+`,"problem"`)
}

// The two locks differ only in NumPy. Every package, including the packages of extras, is locked
// with hashes, and an extra can extend either lock.
func TestLocks(t *testing.T) {
	for _, l := range locks {
		numpy, pythons := "1.26.4", 2
		if l.name == "current" {
			numpy, pythons = "2.3.5", 4
		}
		if l.version("numpy") != numpy || l.version("scipy") != fakeSciPy ||
			lockOf(numpy, fakeSciPy) != l.name || l.newest-l.oldest+1 != pythons {
			t.Errorf("lock %s: %s for Python 3.%d to 3.%d", l.name, l, l.oldest, l.newest)
		}
		control, err := l.with("control")
		must.Do(t, err)
		for p, want := range controlPackages {
			if got := control.version(p); got != want {
				t.Errorf("lock %s with control has %s %s, want %s", l.name, p, got, want)
			}
		}
		rl, err := l.with("rl")
		must.Do(t, err)
		if !strings.HasPrefix(rl.text, control.text) ||
			rl.version("stable-baselines3") != "2.8.0" || rl.version("torch") == "" {
			t.Errorf("lock %s with rl is not control with more on top", l.name)
		}
		if control.newest != min(l.newest, 13) || rl.newest > control.newest || rl.extra() != "rl" {
			t.Errorf("lock %s: control for Python 3.%d, %s for 3.%d",
				l.name, control.newest, rl.extra(), rl.newest)
		}
		digests := map[string]bool{l.digest(): true, control.digest(): true, rl.digest(): true}
		if len(digests) != 3 {
			t.Error("two environments share a directory")
		}
		if strings.Contains(rl.text, "pygame-ce") {
			t.Error("pygame-ce is locked: it draws other pixels")
		}
		packages := strings.Count(rl.text, "==") - strings.Count(rl.text, `== "`)
		blocks := 0
		for line := range strings.Lines(rl.text) {
			hash := strings.Contains(line, "--hash=sha256:")
			if !hash && strings.HasSuffix(line, " \\\n") {
				blocks++
			}
		}
		if blocks != packages {
			t.Errorf("lock %s with rl: %d of %d packages have hashes", l.name, blocks, packages)
		}
	}
}

// TestControlIsInstalled uses the real environment of the control tasks.
func TestControlIsInstalled(t *testing.T) {
	env := ForTestWith(t, "control")
	golden.Same(t, "packages", controlPackages, env.Extras)
	plain := ForTest(t)
	if plain.NumPy != env.NumPy || plain.SciPy != env.SciPy || plain.Lock != env.Lock {
		t.Errorf("%+v here, %+v without the extra", env, plain)
	}
}
