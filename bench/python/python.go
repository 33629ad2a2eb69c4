// Package python sets up the interpreter that candidates run in: CPython with a pinned, hashed
// NumPy in a virtual environment of pacebench's own, built on first use and reused afterwards.
// Start at Ensure. It runs no candidate and knows no task.
package python

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
)

//go:embed requirements.lock
var lock []byte

//go:embed probe.py
var probeSource string

// oldest is the first CPython that the lock has wheels for.
const oldest = 11 // 3.11

var (
	// ErrNoPython means that no interpreter was found.
	ErrNoPython = errors.New("no Python found")
	// ErrTooOld means that the interpreters found are older than 3.11.
	ErrTooOld = errors.New("Python is too old")
	// ErrNoNumPy means that the interpreter given with --python has no NumPy.
	ErrNoNumPy = errors.New("this Python has no NumPy")
	// ErrNoNetwork means that the packages could not be downloaded.
	ErrNoNetwork = errors.New("the package index cannot be reached")
	// ErrHash means that a downloaded package is not the one that the lock names.
	ErrHash = errors.New("a package does not have the hash that the lock names")
	// ErrNoVenv means that the interpreter cannot make virtual environments.
	ErrNoVenv = errors.New("this Python cannot make virtual environments")
	// ErrCache means that the cache directory cannot be written.
	ErrCache = errors.New("the cache directory cannot be written")
	// ErrDiskFull means that the environment does not fit on the disk.
	ErrDiskFull = errors.New("no space left on the disk")
)

// Options say where to look and where to build. The zero value is what users get.
type Options struct {
	Python string    // an interpreter with NumPy to use as it is; empty: an environment of our own
	Cache  string    // directory of environments; empty: pacebench in the user's cache directory
	Log    io.Writer // progress lines; nil: none
	lock   []byte    // another lock, for tests
}

// An Env is an interpreter that is ready for candidates.
type Env struct {
	Python  string   // path of the interpreter
	Version string   // "3.11.7"
	NumPy   string   // "2.3.5"
	Canary  string   // digest of NumPy results: equal canaries mean bitwise equal scores; see probe.py
	Origin  string   // "environment" or "--python"
	Roots   []string // directories that the interpreter reads, absolute
}

// facts are what probe.py prints.
type facts struct {
	Executable, Implementation, Version, NumPy, Canary string
	Roots                                              []string
}

// Ensure returns an interpreter with NumPy: the one given, or that of the environment in the cache, which it builds
// when it is absent or no longer works. Two processes do not build at once. Building takes
// some ten seconds and one download of 16 MB. Every error is one line with a hint.
func Ensure(ctx context.Context, o Options) (*Env, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.lock == nil {
		o.lock = lock
	}
	if o.Python != "" {
		return given(ctx, o.Python)
	}
	if o.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, cacheError(err)
		}
		o.Cache = filepath.Join(dir, "pacebench")
	}
	base, err := find(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(o.lock, "\x00%s\x00%s", base.Executable, base.Version))
	dir := filepath.Join(o.Cache, "python-"+base.Version+"-"+hex.EncodeToString(sum[:6]))
	if env := ready(ctx, dir); env != nil {
		return env, nil
	}
	unlock, err := lockDir(o.Cache)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if env := ready(ctx, dir); env != nil { // another process built it meanwhile
		return env, nil
	}
	return build(ctx, o, base, dir)
}

// given uses an interpreter as it is.
func given(ctx context.Context, path string) (*Env, error) {
	f, err := probe(ctx, path)
	if err != nil {
		return nil, bench.Hint(fmt.Errorf("--python %s: %w", path, err), "name an interpreter of CPython 3.11 or newer, or leave --python out")
	}
	if !newEnough(f.Version) {
		return nil, bench.Hint(fmt.Errorf("--python %s: %w: %s, need 3.%d", path, ErrTooOld, f.Version, oldest), "leave --python out to let pacebench choose")
	}
	if f.NumPy == "" {
		return nil, bench.Hint(fmt.Errorf("--python %s: %w", path, ErrNoNumPy), "install numpy there, or leave --python out")
	}
	return f.env("--python"), nil
}

func (f *facts) env(origin string) *Env {
	return &Env{Python: f.Executable, Version: f.Version, NumPy: f.NumPy, Canary: f.Canary, Origin: origin, Roots: f.Roots}
}

// find returns the first interpreter on PATH that is new enough.
func find(ctx context.Context) (*facts, error) {
	names := []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"}
	seen := ""
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		f, err := probe(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || f.Implementation != "cpython" {
			continue
		}
		if newEnough(f.Version) {
			return f, nil
		}
		seen = fmt.Sprintf("%s is %s", path, f.Version)
	}
	if seen != "" {
		return nil, bench.Hint(fmt.Errorf("%w: %s, need 3.%d", ErrTooOld, seen, oldest), "install Python 3.11 or newer, or name one with --python")
	}
	return nil, bench.Hint(ErrNoPython, "install Python 3.11 or newer (python3), or name one with --python")
}

func newEnough(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	return err1 == nil && err2 == nil && (a > 3 || a == 3 && b >= oldest)
}

// probe runs probe.py in an interpreter.
func probe(ctx context.Context, path string) (*facts, error) {
	cmd := command(ctx, path, "-I", "-B", "-c", probeSource)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("does not run: %s", lastLine(exitText(err)))
	}
	var f facts
	if err := json.Unmarshal(out, &f); err != nil {
		return nil, fmt.Errorf("does not behave like Python: %w", err)
	}
	return &f, nil
}

// command is a process that dies with ctx, at the latest a moment after.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// ready returns the environment in dir when it is complete and still works.
func ready(ctx context.Context, dir string) *Env {
	if _, err := os.Stat(filepath.Join(dir, "complete")); err != nil {
		return nil
	}
	f, err := probe(ctx, filepath.Join(dir, "bin", "python"))
	if err != nil || f.NumPy == "" {
		return nil // the interpreter below it was removed or upgraded, or a part was deleted
	}
	return f.env("environment")
}

// build makes the environment beside its place and moves it there when it is complete.
func build(ctx context.Context, o Options, base *facts, dir string) (*Env, error) {
	fmt.Fprintf(o.Log, "pacebench: setting up Python %s with NumPy in %s (once, about 16 MB)\n", base.Version, dir)
	if err := os.RemoveAll(dir); err != nil {
		return nil, cacheError(err)
	}
	tmp, err := os.MkdirTemp(o.Cache, ".building-")
	if err != nil {
		return nil, cacheError(err)
	}
	defer os.RemoveAll(tmp)
	start := time.Now()
	if out, err := command(ctx, base.Executable, "-I", "-m", "venv", "--clear", tmp).CombinedOutput(); err != nil {
		return nil, explain(ctx, "python -m venv", out, err)
	}
	lockPath := filepath.Join(tmp, "requirements.lock")
	if err := os.WriteFile(lockPath, o.lock, 0o644); err != nil {
		return nil, cacheError(err)
	}
	fmt.Fprintf(o.Log, "pacebench: downloading NumPy (its hash is checked)\n")
	pip := command(ctx, filepath.Join(tmp, "bin", "python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input",
		"--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", lockPath)
	if out, err := pip.CombinedOutput(); err != nil {
		return nil, explain(ctx, "pip install", out, err)
	}
	f, err := probe(ctx, filepath.Join(tmp, "bin", "python"))
	if err != nil || f.NumPy == "" {
		return nil, fmt.Errorf("the new Python environment: %w", errors.Join(err, ErrNoNumPy))
	}
	if err := os.WriteFile(filepath.Join(tmp, "complete"), nil, 0o644); err != nil {
		return nil, cacheError(err)
	}
	if err := os.Chmod(tmp, 0o755); err != nil { // MkdirTemp's 0700 would hide it from the sandbox's own user
		return nil, cacheError(err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return nil, cacheError(err)
	}
	env := ready(ctx, dir)
	if env == nil {
		return nil, fmt.Errorf("the Python environment in %s does not work after it was moved there", dir)
	}
	fmt.Fprintf(o.Log, "pacebench: Python is ready after %.0f s\n", time.Since(start).Seconds())
	return env, nil
}

// explain turns what venv or pip printed into one line and a hint.
func explain(ctx context.Context, what string, out []byte, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := string(out)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("No space left on device", "Disk quota exceeded"):
		return bench.Hint(fmt.Errorf("%s: %w", what, ErrDiskFull), "free 200 MB, or set XDG_CACHE_HOME to a directory on another disk")
	case has("DO NOT MATCH THE HASHES", "Hashes are required"):
		return bench.Hint(fmt.Errorf("%s: %w", what, ErrHash), "the package index or a proxy serves another file: check pip's settings")
	case has("ensurepip is not available", "No module named venv", "No module named ensurepip", "No module named pip"):
		return bench.Hint(fmt.Errorf("%s: %w", what, ErrNoVenv), "on Debian and Ubuntu: apt install python3-venv")
	case has("No matching distribution", "Could not find a version", "NewConnectionError", "Temporary failure in name resolution",
		"Max retries exceeded", "Network is unreachable", "Connection refused", "timed out", "ProxyError"):
		return bench.Hint(fmt.Errorf("%s: %w: %s", what, ErrNoNetwork, lastLine(text)),
			"go online once, set pip's index, or name a Python that has NumPy with --python")
	case has("Permission denied", "Read-only file system"):
		return cacheError(errors.New(lastLine(text)))
	}
	return fmt.Errorf("%s: %w: %s", what, err, lastLine(text))
}

func cacheError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return bench.Hint(fmt.Errorf("%w: %w", ErrDiskFull, err), "free 200 MB, or set XDG_CACHE_HOME to a directory on another disk")
	}
	return bench.Hint(fmt.Errorf("%w: %w", ErrCache, err), "set XDG_CACHE_HOME to a directory that you may write")
}

// lockDir lets one process at a time build in the cache.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cacheError(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, cacheError(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, cacheError(err)
	}
	return func() { f.Close() }, nil
}

func exitText(err error) string {
	if ee := (*exec.ExitError)(nil); errors.As(err, &ee) && len(bytes.TrimSpace(ee.Stderr)) > 0 {
		return string(ee.Stderr)
	}
	return err.Error()
}

// lastLine is the last line that says something, cut to a readable length.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "ERROR:") { // pip's own word, before its advertising
			line = lines[i]
			break
		}
	}
	if len(line) > 200 {
		line = line[:200] + "..."
	}
	return line
}

// ForTest returns the environment, or skips the test with one line where there is no Python.
func ForTest(tb testing.TB) *Env {
	tb.Helper()
	env, err := Ensure(tb.Context(), Options{})
	if errors.Is(err, ErrNoPython) || errors.Is(err, ErrTooOld) || errors.Is(err, ErrNoNetwork) {
		tb.Skipf("needs Python: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return env
}
