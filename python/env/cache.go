package pyenv

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
)

// A cache is the directory of the environments, one for each lock, extra and minor version of
// Python: python-3.11-<digest of the lock>, python-3.11-control-<digest>. An environment without
// its marker is unfinished.
type cache struct {
	dir  string
	log  io.Writer
	lock lock
}

// A marker is written when an environment is complete.
type marker struct {
	Lock   string `json:"lock"` // digest
	Python string `json:"python"`
	NumPy  string `json:"numpy"`
	SciPy  string `json:"scipy"`
	// Canary is from the machine that made the environment. Other machines may use it, too.
	Canary string `json:"canary"`
}

const markerName = "pacebench.json"

func (c cache) find(ctx context.Context) (*Env, error) {
	dirs, err := filepath.Glob(filepath.Join(escape(c.dir), "python-3.*-"+c.lock.digest()))
	if err != nil {
		return nil, err
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		env, problem := c.check(ctx, dir)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if env != nil {
			return env, nil
		}
		if problem != "" {
			fmt.Fprintf(c.log, "python: %s does not work (%s); building it again\n", dir, problem)
		}
	}
	return nil, nil
}

// escape returns a glob pattern that matches only dir.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// check returns the environment in dir, or a text that says what is wrong with it. The text is
// empty if the environment is unfinished, which need not be reported.
func (c cache) check(ctx context.Context, dir string) (*Env, string) {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if err != nil {
		return nil, ""
	}
	var m marker
	if err := json.Unmarshal(text, &m); err != nil || m.Lock != c.lock.digest() {
		return nil, "its marker is damaged"
	}
	i, err := ask(ctx, dir)
	switch {
	case err != nil:
		return nil, err.Error()
	case i.NumPy == "":
		return nil, i.Problem
	case i.NumPy != m.NumPy:
		return nil, "it has NumPy " + i.NumPy
	case i.SciPy != m.SciPy:
		return nil, cmp.Or(i.Problem, "it has SciPy "+i.SciPy)
	}
	env, err := i.env("environment", c.lock)
	if err != nil {
		return nil, err.Error()
	}
	return env, ""
}

// make builds the environment with the first interpreter that the lock covers.
func (c cache) make(ctx context.Context, bases []*interpreter) (*Env, error) {
	n := slices.IndexFunc(bases, c.lock.covers)
	if n < 0 {
		return nil, hint.Add(fmt.Errorf("%w: lock %s has %s for Python %s, but this is %s",
			ErrNoWheel, c.lock.name, c.lock, c.lock.pythons(), bases[0].Version),
			c.lock.hintWheel())
	}
	base := bases[n]
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return nil, cannotWrite(err)
	}
	unlock, err := c.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	// Another process may have made the environment while this one waited.
	dir := filepath.Join(c.dir, fmt.Sprintf("python-3.%d%s-%s",
		base.minor(), with("-", c.lock.extra()), c.lock.digest()))
	if env, _ := c.check(ctx, dir); env != nil {
		return env, nil
	}
	return c.build(ctx, base, dir)
}

// flock is the system call, except in tests.
var flock = syscall.Flock

// acquire takes the cache's lock, and waits while another process holds it.
func (c cache) acquire(ctx context.Context) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(c.dir, "python.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, cannotWrite(err)
	}
	tick := time.NewTicker(200 * time.Millisecond) // a blocking flock could not be cancelled
	defer tick.Stop()
	for told := false; ; told = true {
		err := flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { _ = f.Close() }, nil // closing releases the lock
		case errors.Is(err, syscall.EINTR):
			continue
		case plain.NoLocks(err):
			fmt.Fprintf(c.log, "python: the file system of %s has no file locks: let only one "+
				"process at a time set up Python there\n", c.dir)
			return func() { _ = f.Close() }, nil
		case !errors.Is(err, syscall.EWOULDBLOCK):
			_ = f.Close()
			return nil, cannotWrite(fmt.Errorf("locking %s: %w", f.Name(), err))
		}
		if !told {
			fmt.Fprintf(c.log, "python: waiting for another process to finish setting up "+
				"Python in %s\n", c.dir)
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func cannotWrite(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return hint.Add(fmt.Errorf("%w: %w", ErrDiskFull, err), hintDisk)
	}
	return hint.Add(fmt.Errorf("%w: %w", ErrCache, err), hintCache)
}

const hintDisk = "free some space, or set XDG_CACHE_HOME to another disk"

// fullDisk returns the cause for a full disk. pip unpacks in the directory of temporary files,
// which is often on a separate, small disk.
func (c cache) fullDisk(text string) cause {
	if tmp := os.TempDir(); room(tmp) < room(c.dir) {
		return cause{diskFull, ErrDiskFull, text + ": " + tmp + " is full",
			"free some space there, or set TMPDIR to a directory on another disk"}
	}
	return cause{diskFull, ErrDiskFull, text, c.lock.hintDisk()}
}

func room(dir string) uint64 {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}

func (l lock) hintDisk() string {
	size := "230 MB"
	if n := len(l.extras); n > 0 {
		size = l.extras[n-1].disk
	}
	return "an environment takes about " + size + "; " + hintDisk
}

// build makes the environment in dir. The marker completes the environment, which cannot be made
// elsewhere and moved, because its scripts name their interpreter. build first removes what an
// earlier attempt left.
func (c cache) build(ctx context.Context, base *interpreter, dir string) (*Env, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, cannotWrite(err)
	}
	began := time.Now()
	fmt.Fprintf(c.log, "python: making an environment with Python %s, %s (lock %s) in %s\n",
		base.Version, c.lock, c.lock.name, dir)
	env, err := c.fill(ctx, base, dir)
	if err != nil {
		_ = os.RemoveAll(dir) // without its marker it would be made anew anyway
		return nil, err
	}
	fmt.Fprintf(c.log, "python: ready after %.0f s\n", time.Since(began).Seconds())
	return env, nil
}

func (c cache) fill(ctx context.Context, base *interpreter, dir string) (*Env, error) {
	venv := []string{"-I", "-m", "venv", "--without-pip", dir}
	if out, err := c.watch(ctx, environment(), base.Executable, venv...); err != nil {
		return nil, c.failedVenv(ctx, base, out, err)
	}
	requirements := filepath.Join(dir, "requirements.lock")
	if err := os.WriteFile(requirements, []byte(c.lock.text), 0o644); err != nil {
		return nil, cannotWrite(err)
	}
	python := filepath.Join(dir, "bin", "python")
	install := []string{"install", "--require-hashes", "--no-deps", "--only-binary", ":all:",
		"--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--retries", "2",
		"-r", requirements}
	// The pip of the base interpreter is faster than a new one (8 s instead of 11 s on a busy
	// machine), and Debian without python3-venv may have such a pip. A pip before 22.3 cannot
	// install for another interpreter.
	use := func(p pip) (string, error) {
		return c.watch(ctx, p.settings(ctx), p[0], append(slices.Clone(p[1:]), install...)...)
	}
	out, err := use(pip{base.Executable, "-I", "-m", "pip", "--python", python})
	if err != nil && mentions(out, "No module named pip", "no such option: --python") {
		if out, err := c.watch(ctx, environment(), python, "-I", "-m", "ensurepip"); err != nil {
			return nil, c.failedVenv(ctx, base, out, err)
		}
		out, err = use(pip{python, "-I", "-m", "pip"})
	}
	if err != nil {
		return nil, c.failedPip(ctx, base, out, err)
	}
	i, err := probe(ctx, python)
	switch {
	case err != nil:
	case i.NumPy != c.lock.version("numpy"):
		err = fmt.Errorf("NumPy cannot be imported: %s", i.Problem)
	case i.SciPy != c.lock.version("scipy"):
		err = fmt.Errorf("SciPy cannot be imported: %s", i.Problem)
	}
	var env *Env
	if err == nil {
		env, err = i.env("environment", c.lock)
	}
	for _, e := range c.lock.extras {
		if err == nil && len(e.modules) > 0 {
			_, err = run(ctx, environment(), python, "-I", "-c",
				"import "+strings.Join(e.modules, ", "))
		}
	}
	if err != nil {
		return nil, broken(dir, err)
	}
	text, err := json.Marshal(marker{
		Lock: c.lock.digest(), Python: i.Version, NumPy: i.NumPy, SciPy: i.SciPy, Canary: i.Canary,
	})
	if err != nil {
		return nil, err
	}
	if err := writeWhole(filepath.Join(dir, markerName), text); err != nil {
		return nil, cannotWrite(err)
	}
	return env, nil
}

func broken(dir string, err error) error {
	err = fmt.Errorf("the new environment in %s does not work: %w", dir, err)
	if mentions(err.Error(), "failed to map segment") { // of a library
		err = hint.Add(err, "the file system may be mounted noexec: set XDG_CACHE_HOME to a "+
			"directory on another file system")
	}
	return err
}

// writeWhole writes a line under another name first, so that the file is complete or absent.
func writeWhole(name string, text []byte) error {
	if err := os.WriteFile(name+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// progress matches the lines of pip that a user may want to read.
var progress = regexp.MustCompile(`^(Collecting|Downloading|Using cached|Installing)`)

// watch runs a command, reports its progress and returns the end of its output.
func (c cache) watch(ctx context.Context, env []string, name string, args ...string) (
	string, error) {
	cmd := command(ctx, env, name, args...)
	read, write := io.Pipe()
	// The same writer twice: os/exec copies both with one goroutine.
	cmd.Stdout, cmd.Stderr = write, write
	tail := make(chan string)
	go func() {
		var lines []string
		in := bufio.NewReader(io.LimitReader(read, 1<<20))
		for {
			line, err := in.ReadString('\n')
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
				if progress.MatchString(line) {
					fmt.Fprintf(c.log, "python: %s\n", clip(line))
				}
			}
			if err != nil {
				break
			}
		}
		_, _ = io.Copy(io.Discard, read) // a command that continues to write must not block
		tail <- strings.Join(lines[max(0, len(lines)-200):], "\n")
	}()
	err := cmd.Run()
	_ = write.Close() // never fails
	return <-tail, err
}

// A cause is a reason why a command failed, recognised by words in its output.
type cause struct {
	words      []string // the output has one of them; nil: any output
	err        error
	text, hint string
}

var (
	diskFull = []string{"No space left on device", "Disk quota exceeded"}
	readOnly = []string{"Permission denied", "Read-only file system"}
)

// failed returns the error of the first cause whose words are in the output, or the error otherwise
// if there is no such cause.
func failed(ctx context.Context, out string, otherwise error, causes ...cause) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, f := range causes {
		if f.words == nil || mentions(out, f.words...) {
			return hint.Add(fmt.Errorf("%w: %s", f.err, f.text), f.hint)
		}
	}
	return otherwise
}

func (c cache) failedVenv(ctx context.Context, base *interpreter, out string, err error) error {
	last := lastLine(out, err)
	return failed(ctx, out, err,
		c.fullDisk(last),
		cause{readOnly, ErrCache, last, hintCache},
		cause{[]string{"ensurepip", "No module named venv"}, ErrNoVenv,
			fmt.Sprintf("%s (Python %s) lacks venv or pip", base.Executable, base.Version),
			fmt.Sprintf("on Debian and Ubuntu: apt install python3.%d-venv", base.minor())},
		cause{nil, ErrNoVenv, base.Executable + " -m venv: " + last, hintPython})
}

func (c cache) failedPip(ctx context.Context, base *interpreter, out string, err error) error {
	last, installing := lastLine(out, err), fmt.Sprintf("installing %s", c.lock)
	noWheel := cause{[]string{"No matching distribution"}, ErrNoWheel,
		fmt.Sprintf("%s for Python %s on this machine", c.lock, base.Version), c.lock.hintWheel()}
	if len(c.lock.extras) > 0 { // box2d has no wheel for Linux on ARM, and pygame no wheel for musl
		noWheel.text = fmt.Sprintf("%s, Python %s on %s/%s",
			last, base.Version, runtime.GOOS, runtime.GOARCH)
		noWheel.hint = "build the missing package yourself and name an interpreter that has it " +
			"with --python, or use Linux on x86-64"
	}
	return failed(ctx, out, fmt.Errorf("%s: pip: %s", installing, last),
		cause{[]string{"DO NOT MATCH THE HASHES"}, ErrHash,
			fmt.Sprintf("%s: a hash is not in lock %s", c.lock, c.lock.name),
			"the download was changed on the way, or pip's index serves another build: " +
				"try again, or look at pip's settings"},
		c.fullDisk(installing),
		cause{[]string{"Connection", "connection", "Name or service not known",
			"Temporary failure", "Network is unreachable", "Max retries", "timed out",
			"ProxyError", "SSLError", "--no-index", "from versions: none"},
			ErrNoNetwork, installing,
			"check the network and pip's settings (proxy, index, PIP_NO_INDEX), " +
				"or use --python to name an interpreter that has NumPy"},
		noWheel,
		cause{readOnly, ErrCache, last, hintCache})
}

func mentions(out string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(out, p) })
}

// lastLine returns the last line of the output that pip marks as an error. Without such a line, it
// returns the last line, or the text of err if there is no output.
func lastLine(out string, err error) string {
	lines := strings.Split(out, "\n")
	slices.Reverse(lines)
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "ERROR: "); ok {
			return clip(rest)
		}
	}
	if lines[0] != "" {
		return clip(lines[0])
	}
	return err.Error()
}
