package pyenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// lockedBuffer is a log that two processes' worth of goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// withLocks makes the test see other locks.
func withLocks(t *testing.T, other ...lock) {
	kept := locks
	locks = other
	t.Cleanup(func() { locks = kept })
}

// numpyOnly is a lock without SciPy, which takes the most of pip's time.
func numpyOnly(l lock) lock {
	l.text, _, _ = strings.Cut(l.text, "scipy==")
	return l
}

// The real thing: made by two at once, once, and reused in silence. ForTest has made one with
// SciPy.
func TestEnvironmentIsMadeWithPip(t *testing.T) {
	if env := ForTest(t); env.Origin == "environment" {
		if lockOf(env.NumPy, env.SciPy) != env.Lock ||
			env.Lock != "paper" && env.Lock != "current" || env.SciPy == "" {
			t.Errorf("ForTest = %+v", env)
		}
	}
	withLocks(t, numpyOnly(locks[0]), numpyOnly(locks[1]))
	dir := t.TempDir()
	var log lockedBuffer
	envs, errs := make([]*Env, 2), make([]error, 2)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { envs[i], errs[i] = Ensure(t.Context(), Options{Cache: dir, Log: &log}) })
	}
	wg.Wait()
	if err := errors.Join(errs...); errors.Is(err, ErrNoNetwork) {
		t.Skipf("no package index: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(envs[0], envs[1]); diff != "" {
		t.Errorf("two at once found two environments:\n%s", diff)
	}
	if n := strings.Count(log.String(), "making an environment"); n != 1 {
		t.Errorf("two at once made it %d times:\n%s", n, &log)
	}
	log = lockedBuffer{}
	again, err := Ensure(t.Context(), Options{Cache: dir, Log: &log})
	must.Do(t, err)
	if diff := cmp.Diff(envs[0], again); diff != "" || log.String() != "" {
		t.Errorf("reused: it said %q; mismatch (-first +again):\n%s", log.String(), diff)
	}
	if lockOf(again.NumPy, "") != again.Lock || again.Lock == NoLock ||
		again.Origin != "environment" || len(again.Canary) != 16 ||
		!strings.HasPrefix(again.Python, dir) {
		t.Errorf("Ensure = %+v", again)
	}
}

// An environment is repaired after damage, and made anew for another lock or Python.
func TestEnvironmentIsRepaired(t *testing.T) {
	path := fake(t, map[string]string{
		"python3": fakePython("3.11.2", "", makes("exit 0", "1.26.4")),
	})
	dir := t.TempDir()
	ensure := func() (*Env, string) {
		t.Helper()
		var log lockedBuffer
		env, err := Ensure(t.Context(), Options{Cache: dir, Log: &log})
		must.Do(t, err)
		return env, log.String()
	}
	first, said := ensure()
	if !strings.Contains(said, "making an environment") || !strings.Contains(said, "ready") {
		t.Fatalf("first: it said %q", said)
	}
	if _, said := ensure(); said != "" {
		t.Errorf("second: it said %q", said)
	}
	home := filepath.Dir(filepath.Dir(first.Python))
	script := func(text string) func() error {
		return func() error {
			return os.WriteFile(first.Python, []byte("#!/bin/sh\n"+text+"\n"), 0o755)
		}
	}
	for _, c := range []struct {
		name   string
		damage func() error
		want   string
	}{
		{"NumPy deleted", script(fakePython("3.11.2", "", "exit 1")), "none here"},
		{"another NumPy", script(fakePython("3.11.2", "2.0.0", "exit 1")), "it has NumPy 2.0.0"},
		{"interpreter broken", script("echo 'no library' >&2; exit 127"), "no library"},
		{"interpreter removed", func() error { return os.Remove(first.Python) }, "no such file"},
		{"marker damaged", func() error {
			return os.WriteFile(filepath.Join(home, markerName), []byte("{"), 0o644)
		}, "its marker is damaged"},
		{"never finished", func() error { return os.Remove(filepath.Join(home, markerName)) }, ""},
		{"deleted whole", func() error { return os.RemoveAll(dir) }, ""},
	} {
		must.Do(t, c.damage())
		env, said := ensure()
		if diff := cmp.Diff(first, env); diff != "" || !strings.Contains(said, "ready") {
			t.Errorf("%s: it said %q; mismatch (-first +repaired):\n%s", c.name, said, diff)
		}
		if strings.Contains(said, "does not work") != (c.want != "") ||
			!strings.Contains(said, c.want) {
			t.Errorf("%s: it said %q, want %q", c.name, said, c.want)
		}
	}
	// Found without an interpreter below, a lock or anything else to write.
	must.Do(t, os.Remove(filepath.Join(path, "python3")))
	if env, said := ensure(); env.Python != first.Python || said != "" {
		t.Errorf("reused without python3: %+v, said %q", env, said)
	}
}

// fake puts executables with these shell scripts on an otherwise empty path.
func fake(t *testing.T, scripts map[string]string) string {
	t.Helper()
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		withoutSystem(t)
	}
	dir := t.TempDir()
	for name, body := range scripts {
		text := "#!/bin/sh\n" + body + "\n"
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	t.Setenv("PATH", dir)
	return dir
}

// withoutSystem makes the test forget the interpreter that is not searched on the path.
func withoutSystem(t *testing.T) {
	kept := names
	names = names[:len(names)-1]
	t.Cleanup(func() { names = kept })
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

// makes is what a fake interpreter does for venv and pip: it makes an environment whose interpreter
// is fake and has that NumPy; pip ends as given.
func makes(pip, numpy string) string {
	inner := strings.ReplaceAll(fakePython("3.11.2", numpy, "exit 1"), `'`, `'"'"'`)
	return `case "$*" in *ensurepip*|*" pip "*) ` + pip +
		`;; *) for dir; do :; done; /bin/mkdir -p $dir/bin;
printf '%s\n' '#!/bin/sh' '` + inner + `' >$dir/bin/python; /bin/chmod +x $dir/bin/python;; esac`
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         error
		text, hint   string
	}{
		{"no Python", "", ErrNoPython, "neither python3 nor python", "install Python 3.11 or 3.12"},
		{"broken Python", "echo 'libpython is missing' >&2; exit 127", ErrNoPython,
			"python3: libpython is missing", "install Python 3.11 or 3.12"},
		{"not Python", "echo hello", ErrNoPython,
			`it answers "hello"`, "install Python 3.11 or 3.12"},
		{"too old", fakePython("3.9.2", "", "exit 1"), ErrTooOld,
			"python3 is cpython 3.9.2, 3.11 or later is needed", "--python"},
		{"too new", fakePython("3.99.0", "", "exit 1"), ErrNoWheel, "this is 3.99.0", "--python"},
		{"without ensurepip", fakePython("3.11.2", "", "echo 'The virtual environment was not "+
			"created successfully because ensurepip is not'; exit 1"),
			ErrNoVenv, "lacks venv or pip", "apt install python3.11-venv"},
		{"without venv", fakePython("3.12.2", "", "echo 'No module named venv' >&2; exit 1"),
			ErrNoVenv, "lacks venv", "apt install python3.12-venv"},
		{"disk full", fakePython("3.11.2", "",
			"echo 'OSError: [Errno 28] No space left on device' >&2; exit 1"),
			ErrDiskFull, "No space left", "XDG_CACHE_HOME"},
		{"read-only", fakePython("3.11.2", "",
			"echo 'Error: [Errno 30] Read-only file system: /x' >&2; exit 1"),
			ErrCache, "Read-only file system", "XDG_CACHE_HOME"},
		{"venv in trouble", fakePython("3.11.2", "", "echo 'a new kind of trouble' >&2; exit 3"),
			ErrNoVenv, "a new kind of trouble", "--python"},
		{"pip without network", fakePython("3.11.2", "", makes(
			"echo 'WARNING: Retrying after connection broken by NewConnectionError'; "+
				"echo 'ERROR: No matching distribution found for numpy'; exit 1", "")),
			ErrNoNetwork, "installing NumPy", "proxy"},
		{"pip and another file", fakePython("3.11.2", "", makes("echo 'ERROR: THESE PACKAGES "+
			"DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.'; exit 1", "")),
			ErrHash, "a hash is not in lock paper", "pip's settings"},
		{"pip without a wheel", fakePython("3.11.2", "", makes(
			"echo 'ERROR: No matching distribution found for numpy==1.26.4'; exit 1", "")),
			ErrNoWheel, "for Python 3.11.2 on this machine", "--python"},
		{"pip and a full disk", fakePython("3.11.2", "", makes("echo 'ERROR: Could not install "+
			"packages due to an OSError: [Errno 28] No space left on device'; exit 1", "")),
			ErrDiskFull, "installing NumPy", "free some space"},
		{"pip missing, and ensurepip",
			fakePython("3.11.2", "", makes("echo 'No module named pip'; exit 1", "")),
			ErrNoVenv, "", ""},
		{"NumPy is broken", fakePython("3.11.2", "", makes("exit 0", "")), nil,
			"NumPy cannot be imported: none here", ""},
		{"pip in trouble", fakePython("3.11.2", "",
			makes("echo 'ERROR: a new kind'; echo 'of trouble'; exit 2", "")),
			nil, "pip: a new kind", ""},
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

// An old python3 next to a recent one that is named by its version, and a system interpreter with
// NumPy where no environment can be made.
func TestInterpreterIsChosen(t *testing.T) {
	fake(t, map[string]string{
		"python3":    fakePython("3.10.1", "2.0.0", "exit 1"),
		"python3.13": fakePython("3.13.1", "", "echo 'No module named venv'; exit 1"),
		"python3.12": fakePython("3.12.4", "1.26.4", "echo 'No module named venv'; exit 1"),
	})
	var log lockedBuffer
	env, err := Ensure(t.Context(), Options{Cache: t.TempDir(), Log: &log})
	must.Do(t, err)
	if env.Origin != "system" || env.Version != "3.12.4" || env.NumPy != "1.26.4" ||
		env.Lock != "paper" {
		t.Errorf("Ensure = %+v", env)
	}
	if !strings.Contains(log.String(), "lacks venv or pip; using ") {
		t.Errorf("it said %q", log.String())
	}
}

func TestWrongHashWithPip(t *testing.T) {
	ForTest(t)
	found, err := bases(t.Context())
	must.Do(t, err)
	wrong := locks[1] // the one that covers every Python
	wrong.text = "numpy==" + wrong.version("numpy") +
		" --hash=sha256:" + strings.Repeat("0", 64) + "\n"
	_, err = cache{dir: t.TempDir(), log: new(lockedBuffer), lock: wrong}.make(t.Context(), found)
	if errors.Is(err, ErrNoNetwork) {
		t.Skipf("no package index: %v", err)
	}
	if !errors.Is(err, ErrHash) {
		t.Errorf("make with a wrong lock = %v, want %v", err, ErrHash)
	}
}

func TestNoNetworkWithPip(t *testing.T) {
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

func TestNamedInterpreter(t *testing.T) {
	dir := fake(t, map[string]string{
		"good":   fakePython("3.12.1", "2.1.0", "exit 1"),
		"plain":  fakePython("3.12.1", "", "exit 1"),
		"old":    fakePython("3.10.1", "2.1.0", "exit 1"),
		"broken": "exit 7",
	})
	var log lockedBuffer
	got, err := Ensure(t.Context(), Options{Python: filepath.Join(dir, "good"), Log: &log})
	if err != nil || got.Origin != "--python" || got.NumPy != "2.1.0" ||
		!strings.Contains(log.String(), "which is not a lock") {
		t.Errorf("Ensure = %+v, %v, said %q", got, err, log.String())
	}
	wantError(t, Options{Python: filepath.Join(dir, "plain")}, ErrNoNumPy,
		"none here", "install numpy")
	wantError(t, Options{Python: filepath.Join(dir, "old")}, ErrTooOld,
		"is Python 3.10.1", "--python")
	wantError(t, Options{Python: filepath.Join(dir, "broken")}, ErrNoPython,
		"exit status 7", "install")
	wantError(t, Options{Python: filepath.Join(dir, "missing")}, ErrNoPython,
		"no such file", "install")
	wantError(t, Options{Python: "missing"}, ErrNoPython, "not found", "install")
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

// Whoever waits for another process says so, and can be stopped.
func TestWaitingForAnotherProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	log := &cancelling{cancel: cancel}
	c := cache{dir: t.TempDir(), log: log, lock: locks[0]}
	release, err := c.acquire(ctx)
	must.Do(t, err)
	if _, err := c.acquire(ctx); !errors.Is(err, context.Canceled) ||
		!strings.Contains(log.said, "waiting for another process") {
		t.Errorf("acquire = %v, said %q", err, log.said)
	}
	release()
	release, err = c.acquire(t.Context())
	must.Do(t, err)
	release()
}

// cancelling is a log that cancels as soon as something is said.
type cancelling struct {
	cancel context.CancelFunc
	said   string
}

func (c *cancelling) Write(p []byte) (int, error) {
	c.said += string(p)
	c.cancel()
	return len(p), nil
}

// Keys of models live in the environment; neither an interpreter nor pip is to see them.
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

// pip has the settings of the user that say how packages are reached, and no others.
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
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PIP_") {
			got[name] = value
		}
	}
	want := map[string]string{
		"PIP_CONFIG_FILE": os.DevNull, "PIP_INDEX_URL": "https://a.example/it's",
		"PIP_EXTRA_INDEX_URL": "https://b.example\nhttps://c.example",
		"PIP_PROXY":           "http://install", "PIP_TIMEOUT": "7",
	}
	got["PIP_EXTRA_INDEX_URL"] = strings.TrimSpace(got["PIP_EXTRA_INDEX_URL"])
	for name, value := range got {
		setting := strings.ReplaceAll(strings.TrimPrefix(name, "PIP_"), "_", "-")
		switch w, ok := want[name]; {
		case ok && value != w:
			t.Errorf("%s is %q, want %q", name, value, w)
		case !ok && !slices.Contains(network, strings.ToLower(setting)): // of this machine
			t.Errorf("pip has %s=%q", name, value)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("pip lacks %q", want)
	}
	if said, err := p.run(t.Context(), env, "config", "list"); err != nil ||
		strings.Contains(said, "target") {
		t.Errorf("pip has the settings %s, %v", said, err)
	}
}

// A file system without locks, as Lustre may be, gets an environment all the same.
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

// A library that cannot be loaded is told by its cause, which says what to do.
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

// Two locks, each with the hash of every wheel, that differ in NumPy alone.
func TestLocks(t *testing.T) {
	platforms := 8 // Linux with glibc or musl, and two builds for macOS, each on two architectures
	for _, c := range []struct {
		name, numpy, scipy string
		pythons            int
	}{
		{"paper", "1.26.4", "1.16.3", 2},
		{"current", "2.3.5", "1.16.3", 4},
	} {
		i := slices.Index(Locks(), c.name)
		if i < 0 {
			t.Fatalf("Locks() = %v", Locks())
		}
		l := locks[i]
		if l.version("numpy") != c.numpy || l.version("scipy") != c.scipy ||
			lockOf(c.numpy, c.scipy) != c.name {
			t.Errorf("lock %s has %s", c.name, l)
		}
		if n := l.newest - l.oldest + 1; n != c.pythons {
			t.Errorf("lock %s is for %d versions of Python, want %d", c.name, n, c.pythons)
		}
		_, scipy, _ := strings.Cut(l.text, "scipy==")
		if n := strings.Count(scipy, "--hash=sha256:"); n != c.pythons*platforms {
			t.Errorf("lock %s has %d hashes of SciPy, want %d", c.name, n, c.pythons*platforms)
		}
	}
}

// The lock is the user's, else paper where a Python can have it, else current with a line that says
// so.
func TestLockIsChosen(t *testing.T) {
	for _, c := range []struct {
		name    string
		pythons []string
		lock    string
		want    string // of the environment
		python  string
		said    string
	}{
		{"default", []string{"3.11.2"}, "", "paper", "3.11.2", "lock paper) in"},
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
				var log lockedBuffer
				env, err := Ensure(t.Context(), Options{Cache: dir, Lock: c.lock, Log: &log})
				must.Do(t, err)
				if env.Lock != c.want || env.Version != c.python || env.NumPy != numpy ||
					env.SciPy != fakeSciPy {
					t.Errorf("Ensure = %+v", env)
				}
				if !again && !strings.Contains(log.String(), c.said) {
					t.Errorf("it said %q, want %q", log.String(), c.said)
				}
				n := strings.Count(log.String(), "\n")
				if again && n != strings.Count(c.said, "is not installed") {
					t.Errorf("again: it said %q", log.String())
				}
			}
		})
	}
}

func TestLockThatCannotBeHad(t *testing.T) {
	dir := fake(t, map[string]string{"python3": fakePython("3.13.1", "2.3.5", "exit 1")})
	python := filepath.Join(dir, "python3")
	cache := t.TempDir()
	wantError(t, Options{Cache: cache, Lock: "paper"}, ErrNoWheel,
		"lock paper has NumPy 1.26.4 and SciPy 1.16.3 for Python 3.11 to 3.12, but this is 3.13.1",
		"try another --env")
	wantError(t, Options{Cache: cache, Lock: "papper"}, nil, `no lock "papper"`, "paper, current")
	wantError(t, Options{Python: python, Lock: "paper"}, ErrLock,
		"has NumPy 2.3.5 and SciPy 1.16.3, lock paper has NumPy 1.26.4", "--env")
	env, err := Ensure(t.Context(), Options{Python: python, Lock: "current"})
	if err != nil || env.Lock != "current" {
		t.Errorf("Ensure = %+v, %v", env, err)
	}
}
