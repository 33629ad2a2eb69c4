package pyenv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// ensure returns the result of Ensure, and what it logged.
func ensure(t *testing.T, o Options) (*Env, string) {
	t.Helper()
	var log strings.Builder
	o.Log = &log
	env, err := Ensure(t.Context(), o)
	must.Do(t, err)
	return env, log.String()
}

// withLocks makes the test see other locks.
func withLocks(t *testing.T, other ...lock) {
	kept := locks
	locks = other
	t.Cleanup(func() { locks = kept })
}

// numpyOnly is a lock without SciPy, because SciPy takes most of pip's time.
func numpyOnly(l lock) lock {
	l.text, _, _ = strings.Cut(l.text, "scipy==")
	return l
}

// Two concurrent calls make one real environment, which a later call uses silently. ForTest has
// made one with SciPy.
func TestEnvironmentIsMadeWithPip(t *testing.T) {
	if env := ForTest(t); env.Origin == "environment" {
		if lockOf(env.NumPy, env.SciPy) != env.Lock ||
			env.Lock != "paper" && env.Lock != "current" || env.SciPy == "" {
			t.Errorf("ForTest = %+v", env)
		}
	}
	withLocks(t, numpyOnly(locks[0]), numpyOnly(locks[1]))
	dir := t.TempDir()
	envs, errs, logs := make([]*Env, 2), make([]error, 2), make([]strings.Builder, 2)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { envs[i], errs[i] = Ensure(t.Context(), Options{Cache: dir, Log: &logs[i]}) })
	}
	wg.Wait()
	if err := errors.Join(errs...); errors.Is(err, ErrNoNetwork) {
		t.Skipf("no package index: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	golden.Same(t, "environments of two concurrent calls", envs[0], envs[1])
	said := logs[0].String() + logs[1].String()
	if n := strings.Count(said, "making an environment"); n != 1 {
		t.Errorf("two concurrent calls made the environment %d times:\n%s", n, said)
	}
	again, said := ensure(t, Options{Cache: dir})
	golden.Same(t, "the environment again", envs[0], again)
	if said != "" || lockOf(again.NumPy, "") != again.Lock || again.Lock == NoLock ||
		again.Origin != "environment" || len(again.Canary) != 16 ||
		!strings.HasPrefix(again.Python, dir) {
		t.Errorf("Ensure = %+v, said %q", again, said)
	}
}

// Environments with and without an extra are separate. Both are repaired after damage.
func TestEnvironmentIsRepaired(t *testing.T) {
	working := strings.ReplaceAll( // it imports everything
		having(t, makes("exit 0", "1.26.4"), nil), "exit 1", "exit 0")
	path := fake(t, map[string]string{"python3": fakePython("3.11.2", "", working)})
	dir := t.TempDir()
	o := Options{Cache: dir, Extra: "control"}
	lacking := func() {
		t.Helper()
		env, err := Installed(t.Context(), o)
		if !errors.Is(err, ErrNotInstalled) ||
			!strings.Contains(hint.Of(err), "pacebench doctor --packages control") {
			t.Errorf("Installed = %+v, %v, hint %q", env, err, hint.Of(err))
		}
	}
	lacking()
	wantError(t, Options{Cache: dir, Extra: "games"}, nil, `no packages "games"`,
		"vision, control, rl")
	first, said := ensure(t, o)
	if !strings.Contains(said, "making an environment") || !strings.Contains(said, "ready") ||
		!strings.Contains(said, "gymnasium 1.2.3, box2d 2.3.10, pygame 2.6.1") {
		t.Fatalf("first: it said %q", said)
	}
	home := filepath.Dir(filepath.Dir(first.Python))
	golden.Same(t, "packages", controlPackages, first.Extras)
	if first.Lock != "paper" || !strings.HasPrefix(filepath.Base(home), "python-3.11-control-") {
		t.Errorf("Ensure = %+v", first)
	}
	found, err := Installed(t.Context(), o)
	must.Do(t, err)
	golden.Same(t, "Installed", first, found)
	plain, _ := ensure(t, Options{Cache: dir})
	if plain.Python == first.Python || plain.Extras != nil {
		t.Errorf("Ensure without the extra = %+v", plain)
	}
	script := func(text string) func() error {
		return func() error {
			return os.WriteFile(first.Python, []byte("#!/bin/sh\n"+text+"\n"), 0o755)
		}
	}
	has := func(numpy string, change map[string]string) func() error {
		return script(having(t, fakePython("3.11.2", numpy, "exit 0"), change))
	}
	for _, c := range []struct {
		name   string
		damage func() error
		want   string
	}{
		{"NumPy deleted", has("", nil), "none here"},
		{"another NumPy", has("2.0.0", nil), "it has NumPy 2.0.0"},
		{"pygame-ce put in its place", has("1.26.4", map[string]string{"pygame-ce": "2.5.6"}),
			"pygame-ce is installed"},
		{"interpreter broken", script("echo 'no library' >&2; exit 127"), "no library"},
		{"interpreter removed", func() error { return os.Remove(first.Python) }, "no such file"},
		{"marker damaged", func() error {
			return os.WriteFile(filepath.Join(home, markerName), []byte("{"), 0o644)
		}, "its marker is damaged"},
		{"never finished", func() error { return os.Remove(filepath.Join(home, markerName)) }, ""},
		{"deleted whole", func() error { return os.RemoveAll(dir) }, ""},
	} {
		must.Do(t, c.damage())
		lacking()
		env, said := ensure(t, o)
		golden.Same(t, c.name, first, env)
		if !strings.Contains(said, "ready") || !strings.Contains(said, c.want) ||
			strings.Contains(said, "does not work") != (c.want != "") {
			t.Errorf("%s: it said %q, want %q", c.name, said, c.want)
		}
	}
	// A complete environment is found without the base interpreter, and nothing is written.
	must.Do(t, os.Remove(filepath.Join(path, "python3")))
	if env, said := ensure(t, o); env.Python != first.Python || said != "" {
		t.Errorf("reused without python3: %+v, said %q", env, said)
	}
}

// fake puts executables with these shell scripts on an otherwise empty path.
func fake(t *testing.T, scripts map[string]string) string {
	t.Helper()
	if _, err := os.Stat("/usr/bin/python3"); err == nil { // it is not searched on the path
		kept := names
		names = names[:len(names)-1]
		t.Cleanup(func() { names = kept })
	}
	dir := t.TempDir()
	for name, body := range scripts {
		text := "#!/bin/sh\n" + body + "\n"
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	t.Setenv("PATH", dir)
	return dir
}

// fakeSciPy is the version that every fake interpreter has.
const fakeSciPy = "1.16.3"

// fakePython is a fake interpreter: it answers the probe with a version and a NumPy, and does rest
// otherwise.
func fakePython(version, numpy, rest string) string {
	return fmt.Sprintf(`case "$*" in *"as one JSON object"*) `+
		`echo '{"executable":"'$0'","implementation":"cpython","version":"%s",`+
		`"numpy":"%s","scipy":"%s","problem":"none here"}';; *) %s;; esac`,
		version, numpy, fakeSciPy, rest)
}

// makes returns what a fake interpreter does for venv and pip: venv makes an environment whose fake
// interpreter has the given NumPy, and pip runs the given script.
func makes(pip, numpy string) string {
	inner := strings.ReplaceAll(fakePython("3.11.2", numpy, "exit 1"), `'`, `'"'"'`)
	return `case "$*" in *ensurepip*|*" pip "*) ` + pip +
		`;; *) for dir; do :; done; /bin/mkdir -p $dir/bin;
printf '%s\n' '#!/bin/sh' '` + inner + `' >$dir/bin/python; /bin/chmod +x $dir/bin/python;; esac`
}

func TestErrorsSayWhatToDo(t *testing.T) {
	const wanted = "install Python 3.11 or 3.12"
	venv := func(says string) string {
		return fakePython("3.11.2", "", "echo '"+says+"' >&2; exit 1")
	}
	pip := func(says string) string {
		return fakePython("3.11.2", "", makes("echo '"+says+"'; exit 1", ""))
	}
	for _, c := range []struct {
		name, script string
		want         error
		text, hint   string
	}{
		{"no Python", "", ErrNoPython, "neither python3 nor python", wanted},
		{"broken Python", "echo 'libpython is missing' >&2; exit 127", ErrNoPython,
			"python3: libpython is missing", wanted},
		{"not Python", "echo hello", ErrNoPython, `unexpected answer "hello"`, wanted},
		{"too old", fakePython("3.9.2", "", "exit 1"), ErrTooOld,
			"python3 is cpython 3.9.2, 3.11 or later is needed", "--python"},
		{"too new", fakePython("3.99.0", "", "exit 1"), ErrNoWheel, "this is 3.99.0", "--python"},
		{"without ensurepip", venv("The virtual environment was not created successfully because " +
			"ensurepip is not"), ErrNoVenv, "lacks venv or pip", "apt install python3.11-venv"},
		{"disk full", venv("OSError: [Errno 28] No space left on device"), ErrDiskFull,
			"No space left", "XDG_CACHE_HOME"},
		{"read-only", venv("Error: [Errno 30] Read-only file system: /x"), ErrCache,
			"Read-only file system", "XDG_CACHE_HOME"},
		{"venv in trouble", venv("a new kind of trouble"), ErrNoVenv, "a new kind of trouble",
			"--python"},
		{"pip without network", pip("Retrying after connection broken by NewConnectionError\n" +
			"ERROR: No matching distribution found for numpy"), ErrNoNetwork, "installing NumPy",
			"proxy"},
		{"pip and another file", pip("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE " +
			"REQUIREMENTS FILE."), ErrHash, "a hash is not in lock paper", "pip's settings"},
		{"pip without a wheel", pip("ERROR: No matching distribution found for numpy==1.26.4"),
			ErrNoWheel, "for Python 3.11.2 on this machine", "--python"},
		{"pip and a full disk", pip("ERROR: Could not install packages due to an OSError: " +
			"[Errno 28] No space left on device"), ErrDiskFull, "installing NumPy",
			"free some space"},
		{"pip missing, and ensurepip", pip("No module named pip"), ErrNoVenv, "", ""},
		{"NumPy is broken", fakePython("3.11.2", "", makes("exit 0", "")), nil,
			"NumPy cannot be imported: none here", ""},
		{"pip in trouble", pip("ERROR: a new kind\nof trouble"), nil, "pip: a new kind", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			scripts := map[string]string{}
			if c.script != "" {
				scripts["python3"] = c.script
			}
			fake(t, scripts)
			cache := t.TempDir()
			wantError(t, Options{Cache: cache}, c.want, c.text, c.hint)
			left, err := filepath.Glob(filepath.Join(cache, "python-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func wantError(t *testing.T, o Options, want error, text, advice string) {
	t.Helper()
	env, err := Ensure(t.Context(), o)
	if err == nil {
		t.Fatalf("Ensure found %+v, want %v", env, want)
	}
	if want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), text) ||
		!strings.Contains(hint.Of(err), advice) {
		t.Errorf("Ensure = %v, hint %q\nwant %v with %q, hint with %q",
			err, hint.Of(err), want, text, advice)
	}
	if strings.Contains(err.Error()+hint.Of(err), "\n") {
		t.Errorf("more than one line: %q", err)
	}
}

// Ensure prefers a recent interpreter that is named by its version to an old python3. It takes a
// system interpreter with NumPy if no environment can be made.
func TestInterpreterIsChosen(t *testing.T) {
	fake(t, map[string]string{
		"python3":    fakePython("3.10.1", "2.0.0", "exit 1"),
		"python3.13": fakePython("3.13.1", "", "echo 'No module named venv'; exit 1"),
		"python3.12": fakePython("3.12.4", "1.26.4", "echo 'No module named venv'; exit 1"),
	})
	env, said := ensure(t, Options{Cache: t.TempDir()})
	if env.Origin != "system" || env.Version != "3.12.4" || env.NumPy != "1.26.4" ||
		env.Lock != "paper" {
		t.Errorf("Ensure = %+v", env)
	}
	if !strings.Contains(said, "lacks venv or pip; using ") {
		t.Errorf("it said %q", said)
	}
}

func TestWrongHashWithPip(t *testing.T) {
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
	ForTest(t)
	found, err := bases(t.Context())
	must.Do(t, err)
	wrong := locks[1] // the lock that covers every Python
	wrong.text = "numpy==" + wrong.version("numpy") +
		" --hash=sha256:" + strings.Repeat("0", 64) + "\n"
	_, err = cache{dir: t.TempDir(), log: io.Discard, lock: wrong}.make(t.Context(), found)
	if errors.Is(err, ErrNoNetwork) {
		t.Skipf("no package index: %v", err)
	}
	if !errors.Is(err, ErrHash) {
		t.Errorf("make with a wrong lock = %v, want %v", err, ErrHash)
	}
}

func TestNoNetworkWithPip(t *testing.T) {
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
	ForTest(t)
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", t.TempDir())
	wantError(t, Options{Cache: t.TempDir()}, ErrNoNetwork, "installing NumPy", "--python")
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Write(t, file, "")
	fake(t, map[string]string{"python3": fakePython("3.11.2", "", "exit 1")})
	wantError(t, Options{Cache: filepath.Join(file, "pacebench")}, ErrCache,
		"not a directory", "XDG_CACHE_HOME")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	wantError(t, Options{}, ErrCache, "HOME", "XDG_CACHE_HOME")
}

// TestWhatCannotBeHad: one line names an interpreter, lock or extra that is unavailable, with
// advice.
func TestWhatCannotBeHad(t *testing.T) {
	plain := fakePython("3.12.1", "1.26.4", "exit 1")
	dir := fake(t, map[string]string{
		"python3": fakePython("3.14.0", "2.3.5", "exit 1"),
		"plain":   plain,
		"bare":    fakePython("3.12.1", "", "exit 1"),
		"odd":     fakePython("3.12.1", "2.1.0", "exit 1"),
		"old":     fakePython("3.10.1", "2.1.0", "exit 1"),
		"broken":  "exit 7",
		"good":    having(t, plain, nil),
		"ce":      having(t, plain, map[string]string{"pygame-ce": "2.5.6"}),
		"newer":   having(t, plain, map[string]string{"gymnasium": "1.4.0"}),
		"trained": having(t, plain, map[string]string{
			"stable-baselines3": "2.8.0", "torch": lock{text: rlLock}.version("torch") + "+cpu",
		}),
	})
	cache := t.TempDir()
	const command = " -m pip install gymnasium==1.2.3 box2d==2.3.10 pygame==2.6.1 " +
		"opencv-python-headless==4.11.0.86 matplotlib==3.10.8;"
	for _, c := range []struct {
		python, lock, extra string
		want                error
		text, hint          string
	}{
		{"bare", "", "", ErrNoNumPy, "none here", "install numpy"},
		{"old", "", "", ErrTooOld, "is Python 3.10.1", "--python"},
		{"broken", "", "", ErrNoPython, "exit status 7", "install"},
		{"missing", "", "", ErrNoPython, "no such file", "install"},
		{"", "paper", "", ErrNoWheel, "lock paper has NumPy 1.26.4 and SciPy 1.16.3 for Python " +
			"3.11 to 3.12, but this is 3.14.0", "try another --env"},
		{"", "papper", "", nil, `no lock "papper"`, "paper, current"},
		{"python3", "paper", "", ErrLock,
			"has NumPy 2.3.5 and SciPy 1.16.3, lock paper has NumPy 1.26.4", "--env"},
		{"", "", "control", ErrNoWheel, "for Python 3.11 to 3.13, but this is 3.14.0",
			"also install Python 3.11 or 3.12"},
		{"plain", "", "control", ErrLock, "gymnasium 1.2.3 is missing", "plain" + command},
		{"newer", "", "control", ErrLock, "gymnasium is 1.4.0, want 1.2.3", command},
		{"ce", "", "control", ErrLock, "pygame-ce is installed", "pygame"},
		{"good", "", "rl", ErrLock, "stable-baselines3 2.8.0 is missing", "torch=="},
	} {
		o := Options{Cache: cache, Lock: c.lock, Extra: c.extra}
		if c.python != "" {
			o.Python = filepath.Join(dir, c.python)
		}
		wantError(t, o, c.want, c.text, c.hint)
	}
	wantError(t, Options{Python: "missing"}, ErrNoPython, "not found", "install")
	for _, c := range []struct{ python, extra, lock, said string }{
		{"odd", "", NoLock, "which match no lock"}, {"python3", "", "current", ""},
		{"good", "control", "paper", ""}, {"trained", "rl", "paper", ""},
	} {
		env, said := ensure(t, Options{Python: filepath.Join(dir, c.python), Extra: c.extra})
		if env.Origin != "--python" || env.Lock != c.lock || !strings.Contains(said, c.said) ||
			c.extra != "" && env.Extras["pygame"] != "2.6.1" {
			t.Errorf("%s: Ensure = %+v, said %q", c.python, env, said)
		}
	}
}

func TestCancelled(t *testing.T) {
	fake(t, map[string]string{"python3": "exec /bin/sleep 600"})
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := Ensure(ctx, Options{Cache: t.TempDir()}); !errors.Is(err, stop) {
		t.Errorf("Ensure = %v, want %v", err, stop)
	}
}

// A call that waits for another process says so, and can be cancelled.
func TestWaitingForAnotherProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	said := ""
	c := cache{dir: t.TempDir(), lock: locks[0], log: log(func(text string) {
		said += text
		cancel()
	})}
	release, err := c.acquire(ctx)
	must.Do(t, err)
	if _, err := c.acquire(ctx); !errors.Is(err, context.Canceled) ||
		!strings.Contains(said, "waiting for another process") {
		t.Errorf("acquire = %v, said %q", err, said)
	}
	release()
	release, err = c.acquire(t.Context())
	must.Do(t, err)
	release()
}

// A log is a writer that calls a function with each text.
type log func(text string)

func (l log) Write(p []byte) (int, error) {
	l(string(p))
	return len(p), nil
}

// The environment may contain keys of models, which neither an interpreter nor pip may see.
func TestEnvironmentIsBuilt(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	t.Setenv("https_proxy", "proxy")
	env := strings.Join(environment(), "\n")
	if strings.Contains(env, "secret") {
		t.Error("a key is handed on")
	}
	for _, want := range []string{
		"https_proxy=proxy", "PATH=", "OPENBLAS_NUM_THREADS=1",
	} {
		if !strings.Contains(env, want) {
			t.Errorf("%s is not handed on", want)
		}
	}
}

// pip gets the user's settings that say how to reach packages, and no others.
func TestPipSettings(t *testing.T) {
	found, err := bases(t.Context())
	if err != nil {
		t.Skip(err)
	}
	p := pip{found[0].Executable, "-I", "-m", "pip"}
	if _, err := p.run(t.Context(), environment(), "--version"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "pip.conf")
	text := "[global]\nindex-url = https://a.example/it's\nproxy = http://global\nquiet = 3\n" +
		"extra-index-url =\n  https://b.example\n  https://c.example\n" +
		"[install]\nuser = true\ntarget = /tmp/t\nproxy = http://install\ntimeout = 3\n"
	must.Write(t, file, text)
	t.Setenv("PIP_CONFIG_FILE", file)
	for _, name := range []string{"USER", "TARGET", "DRY_RUN", "CONSTRAINT", "REQUIRE_VIRTUALENV",
		"PREFIX", "ROOT", "NO_BINARY", "QUIET", "PYTHON"} {
		t.Setenv("PIP_"+name, "1")
	}
	t.Setenv("PIP_TIMEOUT", "7")
	env, got := p.settings(t.Context()), map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		name, ok := strings.CutPrefix(name, "PIP_")
		setting := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if ok && name != "CONFIG_FILE" && !slices.Contains(network, setting) {
			t.Errorf("pip has %s=%q", name, value)
		}
		got[name] = value
	}
	for name, want := range map[string]string{
		"CONFIG_FILE": os.DevNull, "INDEX_URL": "https://a.example/it's",
		"EXTRA_INDEX_URL": "\nhttps://b.example\nhttps://c.example",
		"PROXY":           "http://install", "TIMEOUT": "7",
	} {
		if strings.TrimSpace(got[name]) != strings.TrimSpace(want) {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if said, err := p.run(t.Context(), env, "config", "list"); err != nil ||
		strings.Contains(said, "target") {
		t.Errorf("pip has the settings %s, %v", said, err)
	}
}

// An environment can also be made on a file system without file locks, such as some Lustre systems.
func TestCacheWithoutLocks(t *testing.T) {
	was := flock
	defer func() { flock = was }()
	for _, no := range []syscall.Errno{syscall.ENOSYS, syscall.ENOLCK, 524} {
		flock = func(int, int) error { return no }
		var log strings.Builder
		release, err := (cache{dir: t.TempDir(), log: &log, lock: locks[0]}).acquire(t.Context())
		if err != nil || !strings.Contains(log.String(), "has no file locks") {
			t.Fatalf("%v, said %q", err, log.String())
		}
		release()
	}
}

// The error of a library that cannot be loaded names the cause, with advice.
func TestNoExec(t *testing.T) {
	dir := t.TempDir()
	numpy := "try:\n    raise ImportError('lib.so: failed to map segment from shared object')\n" +
		"except ImportError as error:\n" +
		"    raise ImportError('you should not try to import numpy from its source')\n"
	must.Write(t, filepath.Join(dir, "numpy.py"), numpy)
	found, err := bases(t.Context())
	if err != nil {
		t.Skip(err)
	}
	source := "import sys\nsys.path.insert(0, " + strconv.Quote(dir) + ")\n" + probeSource
	said, err := run(t.Context(), environment(), found[0].Executable, "-I", "-c", source)
	if err != nil || !strings.Contains(said, "failed to map segment") {
		t.Fatalf("%s, %v", said, err)
	}
	err = broken("/cache", errors.New("NumPy cannot be imported: x.so: failed to map segment"))
	if !strings.Contains(hint.Of(err), "noexec") {
		t.Errorf("%v: %s", err, hint.Of(err))
	}
}

// The user may choose the lock. Otherwise it is paper if an installed Python can use it. If not, it
// is current, and a line says so.
func TestLockIsChosen(t *testing.T) {
	for _, c := range []struct {
		name    string
		pythons []string
		lock    string
		want    string // of the environment
		python  string
		said    string
	}{
		{"an older Python next to python3", []string{"3.13.1", "3.12.4"}, "", "paper", "3.12.4",
			"lock paper) in"},
		{"newer Pythons only", []string{"3.13.1"}, "", "current", "3.13.1", "Python 3.11 to 3.12 " +
			"is not installed, so lock current is used (NumPy 2.3.5 and SciPy 1.16.3)"},
		{"asked for", []string{"3.11.2"}, "current", "current", "3.11.2", "lock current) in"},
	} {
		t.Run(c.name, func(t *testing.T) {
			numpy := map[string]string{"paper": "1.26.4", "current": "2.3.5"}[c.want]
			scripts := map[string]string{}
			for i, version := range c.pythons {
				name := "python3"
				if i > 0 {
					name = "python" + version[:4]
				}
				rest := strings.ReplaceAll(makes("exit 0", numpy), `"3.11.2"`, `"`+version+`"`)
				scripts[name] = fakePython(version, "", rest)
			}
			fake(t, scripts)
			dir := t.TempDir()
			for _, again := range []bool{false, true} {
				env, said := ensure(t, Options{Cache: dir, Lock: c.lock})
				if env.Lock != c.want || env.Version != c.python || env.NumPy != numpy ||
					env.SciPy != fakeSciPy {
					t.Errorf("Ensure = %+v", env)
				}
				if !again && !strings.Contains(said, c.said) {
					t.Errorf("it said %q, want %q", said, c.said)
				}
				n := strings.Count(said, "\n")
				if again && n != strings.Count(c.said, "is not installed") {
					t.Errorf("again: it said %q", said)
				}
			}
		})
	}
}
