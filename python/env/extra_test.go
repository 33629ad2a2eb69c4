package pyenv

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// controlPackages are what tasks rely on, with the versions of the lock.
var controlPackages = map[string]string{
	"gymnasium": "1.2.3", "box2d": "2.3.10", "pygame": "2.6.1",
	"opencv-python-headless": "4.11.0.86", "matplotlib": "3.10.8",
}

// having makes a fake interpreter have these packages, of which change overrides some; a version
// "" removes one.
func having(t *testing.T, script string, change map[string]string) string {
	t.Helper()
	packages := maps.Clone(controlPackages)
	maps.Copy(packages, change)
	maps.DeleteFunc(packages, func(_, version string) bool { return version == "" })
	text, err := json.Marshal(packages)
	must.Do(t, err)
	return strings.ReplaceAll(script, `"problem"`, `"packages":`+string(text)+`,"problem"`)
}

// Every package of an extra is locked with hashes, and goes on top of either lock.
func TestExtras(t *testing.T) {
	for _, l := range locks {
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
		packages := strings.Count(rl.text, "==") - strings.Count(rl.text, `== "`)
		blocks := 0
		for line := range strings.Lines(rl.text) {
			hash := strings.Contains(line, "--hash=sha256:")
			if !hash && strings.HasSuffix(line, " \\\n") {
				blocks++
			}
			if strings.Contains(line, "pygame-ce") {
				t.Error("pygame-ce is locked: it draws other pixels")
			}
		}
		if blocks != packages {
			t.Errorf("lock %s with rl: %d of %d packages have hashes", l.name, blocks, packages)
		}
	}
	_, err := locks[0].with("games")
	if err == nil || !strings.Contains(err.Error(), `no packages "games"`) {
		t.Errorf("with(games) = %v", err)
	}
}

// The environment with an extra stands next to the one without, and is repaired like it.
func TestEnvironmentWithExtra(t *testing.T) {
	working := having(t, makes("exit 0", "1.26.4"), nil)
	working = strings.ReplaceAll(working, "exit 1", "exit 0") // it imports everything
	fake(t, map[string]string{"python3": fakePython("3.11.2", "", working)})
	dir := t.TempDir()
	o := Options{Cache: dir, Extra: "control"}
	wantNotInstalled := func(want string) {
		t.Helper()
		env, err := Installed(t.Context(), o)
		if !errors.Is(err, ErrNotInstalled) || !strings.Contains(hint.Of(err), want) {
			t.Errorf("Installed = %+v, %v, hint %q; want hint %q",
				env, err, hint.Of(err), want)
		}
		wantError(t, Options{Cache: dir, Extra: "games"}, nil,
			`no packages "games"`, "vision, control, rl")
	}
	wantNotInstalled("pacebench doctor --packages control")
	ensure := func() (*Env, string) {
		t.Helper()
		var log lockedBuffer
		o.Log = &log
		env, err := Ensure(t.Context(), o)
		must.Do(t, err)
		return env, log.String()
	}
	first, said := ensure()
	if !strings.Contains(said, "gymnasium 1.2.3, box2d 2.3.10, pygame 2.6.1") {
		t.Errorf("it said %q", said)
	}
	diff := cmp.Diff(controlPackages, first.Extras)
	if diff != "" || first.Lock != "paper" {
		t.Errorf("Ensure = %+v\n%s", first, diff)
	}
	home := filepath.Dir(filepath.Dir(first.Python))
	if !strings.HasPrefix(filepath.Base(home), "python-3.11-control-") {
		t.Errorf("it is in %s", home)
	}
	plain, err := Ensure(t.Context(), Options{Cache: dir})
	if err != nil || plain.Python == first.Python || plain.Extras != nil {
		t.Errorf("Ensure without the extra = %+v, %v", plain, err)
	}
	if found, err := Installed(t.Context(), o); err != nil || !cmp.Equal(found, first) {
		t.Errorf("Installed = %+v, %v", found, err)
	}
	for _, c := range []struct {
		name, want string
		change     map[string]string
	}{
		{"pygame-ce put in its place", "pygame-ce is there",
			map[string]string{"pygame-ce": "2.5.6"}},
		{"another pygame", "pygame is 2.1.2, want 2.6.1", map[string]string{"pygame": "2.1.2"}},
		{"gymnasium removed", "gymnasium 1.2.3 is missing", map[string]string{"gymnasium": ""}},
	} {
		broken := having(t, fakePython("3.11.2", "1.26.4", "exit 0"), c.change)
		must.Do(t, os.WriteFile(first.Python, []byte("#!/bin/sh\n"+broken+"\n"), 0o755))
		wantNotInstalled("pacebench doctor --packages control")
		again, said := ensure()
		if !strings.Contains(said, c.want) || !cmp.Equal(again, first) {
			t.Errorf("%s: it said %q, Ensure = %+v", c.name, said, again)
		}
	}
}

// Where an extra cannot be installed, one line says why, and what to do.
func TestExtraThatCannotBeHad(t *testing.T) {
	dir := fake(t, map[string]string{
		"python3": fakePython("3.14.0", "2.3.5", "exit 1"),
		"good":    having(t, fakePython("3.12.1", "1.26.4", "exit 1"), nil),
		"plain":   fakePython("3.12.1", "1.26.4", "exit 1"),
		"ce": having(t, fakePython("3.12.1", "1.26.4", "exit 1"), map[string]string{
			"pygame-ce": "2.5.6",
		}),
		"newer": having(t, fakePython("3.12.1", "1.26.4", "exit 1"), map[string]string{
			"gymnasium": "1.4.0",
		}),
		"trained": having(t, fakePython("3.12.1", "1.26.4", "exit 1"), map[string]string{
			"stable-baselines3": "2.8.0", "torch": lock{text: rlLock}.version("torch") + "+cpu",
		}),
	})
	cache := t.TempDir()
	wantError(t, Options{Cache: cache, Extra: "control"}, ErrNoWheel,
		"for Python 3.11 to 3.13, but this is 3.14.0", "also install Python 3.11 or 3.12")
	wantError(t, Options{Cache: cache, Extra: "control", Lock: "paper"}, ErrNoWheel,
		"for Python 3.11 to 3.12, but this is 3.14.0", "also install Python 3.11 or 3.12")
	named := func(name, extra string) Options {
		return Options{Python: filepath.Join(dir, name), Extra: extra}
	}
	command := " -m pip install gymnasium==1.2.3 box2d==2.3.10 pygame==2.6.1 " +
		"opencv-python-headless==4.11.0.86 matplotlib==3.10.8;"
	wantError(t, named("plain", "control"), ErrLock, "gymnasium 1.2.3 is missing", "plain"+command)
	wantError(t, named("newer", "control"), ErrLock, "gymnasium is 1.4.0, want 1.2.3", command)
	wantError(t, named("ce", "control"), ErrLock, "pygame-ce is there", "pygame")
	wantError(t, named("good", "rl"), ErrLock, "stable-baselines3 2.8.0 is missing", "torch==")
	for name, extra := range map[string]string{"good": "control", "trained": "rl"} {
		env, err := Ensure(t.Context(), named(name, extra))
		if err != nil || env.Extras["pygame"] != "2.6.1" {
			t.Errorf("%s: Ensure = %+v, %v", name, env, err)
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
