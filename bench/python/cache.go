package python

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pacebench/pacebench/bench/hint"
)

// A cache is the directory in which environments are kept, one per lock with its extras and minor
// version of Python: python-3.11-<digest of the lock>, python-3.11-control-<digest>. One without
// its marker was not finished.
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
	Canary string `json:"canary"` // on the machine that made it: several kinds may share a home
}

const markerName = "pacebench.json"

// find returns a finished environment that still works, without writing anything.
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
			fmt.Fprintf(c.log, "python: %s does not work (%s); making it anew\n", dir, problem)
		}
	}
	return nil, nil
}

// escape makes a directory's name match itself only.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// check returns the environment in dir, or what is wrong with it. One that was never finished is no
// problem to tell of.
func (c cache) check(ctx context.Context, dir string) (*Env, string) {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if err != nil {
		return nil, ""
	}
	var m marker
	if err := json.Unmarshal(text, &m); err != nil || m.Lock != c.lock.digest() {
		return nil, "its marker is damaged"
	}
	i, err := probe(ctx, filepath.Join(dir, "bin", "python"))
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
		return nil, hint.Add(fmt.Errorf("%w: lock %s has %s for Python %s, this is %s",
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
	// Another process may have made it while this one waited.
	dir := filepath.Join(c.dir, fmt.Sprintf("python-3.%d-", base.minor()))
	if extra := c.lock.extra(); extra != "" {
		dir += extra + "-"
	}
	dir += c.lock.digest()
	if env, _ := c.check(ctx, dir); env != nil {
		return env, nil
	}
	return c.build(ctx, base, dir)
}

// acquire takes the cache's lock, waiting for whoever holds it.
func (c cache) acquire(ctx context.Context) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(c.dir, "python.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, cannotWrite(err)
	}
	tick := time.NewTicker(200 * time.Millisecond) // a blocking flock could not be cancelled
	defer tick.Stop()
	for told := false; ; told = true {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { _ = f.Close() }, nil // closing gives the lock back
		case errors.Is(err, syscall.EINTR):
			continue
		case !errors.Is(err, syscall.EWOULDBLOCK):
			_ = f.Close()
			return nil, cannotWrite(fmt.Errorf("locking %s: %w", f.Name(), err))
		}
		if !told {
			fmt.Fprintf(c.log, "python: waiting for another process that sets up %s\n", c.dir)
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// cannotWrite sorts an error of the file system.
func cannotWrite(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return hint.Add(fmt.Errorf("%w: %w", ErrDiskFull, err), hintDisk)
	}
	return hint.Add(fmt.Errorf("%w: %w", ErrCache, err), hintCache)
}
