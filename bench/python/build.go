package python

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench/hint"
)

const hintDisk = "free some space, or set XDG_CACHE_HOME to another disk"

// hintDisk says how much is needed.
func (l lock) hintDisk() string {
	size := "230 MB"
	if n := len(l.extras); n > 0 {
		size = l.extras[n-1].disk
	}
	return "an environment takes about " + size + "; " + hintDisk
}

// build makes the environment in dir. It is complete when its marker is there: an environment
// cannot be made elsewhere and moved, since its scripts name their interpreter. What is left of an
// earlier attempt goes first.
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
	if out, err := c.watch(ctx, base.Executable, venv...); err != nil {
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
	// The pip of the interpreter below saves the making of another (8 s in all instead of 11 s,
	// measured on a busy machine), and a Debian without python3-venv may have it; pip before 22.3
	// cannot work for another interpreter.
	out, err := c.watch(ctx, base.Executable,
		append([]string{"-I", "-m", "pip", "--python", python}, install...)...)
	if err != nil && mentions(out, "No module named pip", "no such option: --python") {
		if out, err := c.watch(ctx, python, "-I", "-m", "ensurepip"); err != nil {
			return nil, c.failedVenv(ctx, base, out, err)
		}
		out, err = c.watch(ctx, python, append([]string{"-I", "-m", "pip"}, install...)...)
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
		if err == nil {
			_, err = run(ctx, python, "-I", "-c", "import "+strings.Join(e.modules, ", "))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the new environment in %s does not work: %w", dir, err)
	}
	text, err := json.Marshal(marker{
		Lock: c.lock.digest(), Python: i.Version, NumPy: i.NumPy, SciPy: i.SciPy, Canary: i.Canary,
	})
	if err != nil {
		return nil, err
	}
	// Written beside and renamed: a marker is there whole or not at all.
	temporary := filepath.Join(dir, markerName+".new")
	if err := os.WriteFile(temporary, append(text, '\n'), 0o644); err != nil {
		return nil, cannotWrite(err)
	}
	if err := os.Rename(temporary, filepath.Join(dir, markerName)); err != nil {
		return nil, cannotWrite(err)
	}
	return env, nil
}

// watch runs a command, tells its progress and returns the end of what it wrote.
func (c cache) watch(ctx context.Context, name string, args ...string) (string, error) {
	cmd := command(ctx, name, args...)
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
				for _, word := range []string{
					"Collecting", "Downloading", "Using cached", "Installing",
				} {
					if strings.HasPrefix(line, word) {
						fmt.Fprintf(c.log, "python: %s\n", clip(line))
					}
				}
			}
			if err != nil {
				break
			}
		}
		_, _ = io.Copy(io.Discard, read) // a command that talks on must not block
		tail <- strings.Join(lines[max(0, len(lines)-200):], "\n")
	}()
	err := cmd.Run()
	_ = write.Close() // never fails
	return <-tail, err
}

// failedVenv says why no environment could be made.
func (c cache) failedVenv(ctx context.Context, base *interpreter, out string, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case mentions(out, "No space left on device", "Disk quota exceeded"):
		return hint.Add(fmt.Errorf("%w: %s", ErrDiskFull, lastLine(out, err)), c.lock.hintDisk())
	case mentions(out, "Permission denied", "Read-only file system"):
		return hint.Add(fmt.Errorf("%w: %s", ErrCache, lastLine(out, err)), hintCache)
	case mentions(out, "ensurepip", "No module named venv"):
		return hint.Add(fmt.Errorf("%w: %s (Python %s) lacks venv or pip",
			ErrNoVenv, base.Executable, base.Version),
			fmt.Sprintf("on Debian and Ubuntu: apt install python3.%d-venv", base.minor()))
	}
	return hint.Add(
		fmt.Errorf("%w: %s -m venv: %s", ErrNoVenv, base.Executable, lastLine(out, err)),
		hintPython)
}

// failedPip says why the packages could not be installed.
func (c cache) failedPip(ctx context.Context, base *interpreter, out string, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case mentions(out, "DO NOT MATCH THE HASHES"):
		return hint.Add(
			fmt.Errorf("%w: %s: a hash is not in lock %s", ErrHash, c.lock, c.lock.name),
			"the download was changed on its way or pip's index serves another build: "+
				"try again, or look at pip's settings")
	case mentions(out, "No space left on device", "Disk quota exceeded"):
		return hint.Add(fmt.Errorf("%w: installing %s", ErrDiskFull, c.lock), c.lock.hintDisk())
	case mentions(out, "Connection", "connection", "Name or service not known",
		"Temporary failure", "Network is unreachable", "Max retries", "timed out",
		"ProxyError", "SSLError", "--no-index", "from versions: none"):
		return hint.Add(fmt.Errorf("%w: installing %s", ErrNoNetwork, c.lock),
			"look at the network and at pip's settings (proxy, index, PIP_NO_INDEX), "+
				"or name an interpreter that has NumPy with --python")
	case mentions(out, "No matching distribution"):
		if len(c.lock.extras) > 0 { // box2d has none for Linux on ARM, and pygame none for musl
			return hint.Add(fmt.Errorf("%w: %s, Python %s on %s/%s",
				ErrNoWheel, lastLine(out, err), base.Version, runtime.GOOS, runtime.GOARCH),
				"build what is missing yourself and name the interpreter that has it "+
					"with --python, or use Linux on x86-64")
		}
		return hint.Add(
			fmt.Errorf("%w: %s for Python %s on this machine", ErrNoWheel, c.lock, base.Version),
			c.lock.hintWheel())
	case mentions(out, "Permission denied", "Read-only file system"):
		return hint.Add(fmt.Errorf("%w: %s", ErrCache, lastLine(out, err)), hintCache)
	}
	return fmt.Errorf("installing %s: pip: %s", c.lock, lastLine(out, err))
}

func mentions(out string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(out, p) {
			return true
		}
	}
	return false
}

// lastLine is the last line that pip marks as an error, else the last one.
func lastLine(out string, err error) string {
	lines := strings.Split(out, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(lines[i], "ERROR: "); ok {
			return clip(rest)
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return clip(last)
	}
	return err.Error()
}
