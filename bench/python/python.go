package python

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/bench"
)

// Why there is no Python. Errors of Ensure wrap them and carry a hint.
var (
	ErrNoPython  = errors.New("no Python found")
	ErrTooOld    = errors.New("this Python is too old")
	ErrNoNumPy   = errors.New("no NumPy")
	ErrNoNetwork = errors.New("no connection to a package index")
	ErrHash      = errors.New("a downloaded package is not the locked one")
	ErrNoWheel   = errors.New("no locked NumPy for this Python")
	ErrNoVenv    = errors.New("this Python cannot make environments")
	ErrCache     = errors.New("the cache directory cannot be written")
	ErrDiskFull  = errors.New("no space left on the disk")
)

// Options say where to look.
type Options struct {
	// Python is an interpreter that has NumPy already (--python), used as it is; empty: the
	// environment in Cache, which is made when it is not there.
	Python string
	// Cache is where the environment is kept; empty: pacebench in the user's cache directory.
	Cache string
	// Log is told what is being done, one line each; nil: nobody.
	Log io.Writer
}

// An Env is a Python that can run candidates.
type Env struct {
	Python  string // the interpreter, an absolute path
	Version string // "3.11.7"
	NumPy   string // "2.3.5"
	// Canary is a digest of a few numbers that NumPy computed here just now, with the settings
	// that candidates get. Scores that NumPy computes compare bit for bit only on equal canaries.
	Canary string
	// Origin says where the interpreter comes from: "--python", "environment" or "system".
	Origin string
	// Roots are the directories that must be readable for the interpreter to run, sorted.
	Roots []string
}

// Ensure returns a Python that can run candidates: the one named in o, else the environment in the cache,
// else a new one made there from the lock, else, when none can be made, an interpreter of the system
// that has NumPy of any version. Two processes may call it at once; one of them waits.
func Ensure(ctx context.Context, o Options) (*Env, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Python != "" {
		return named(ctx, o.Python, o.Log)
	}
	if o.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, bench.Hint(fmt.Errorf("%w: %w", ErrCache, err), hintCache)
		}
		o.Cache = filepath.Join(dir, "pacebench")
	}
	c := cache{dir: o.Cache, log: o.Log, lock: lockFile}
	if env, err := c.find(ctx); env != nil || err != nil {
		return env, err
	}
	bases, err := bases(ctx)
	if err != nil {
		return nil, err
	}
	env, err := c.make(ctx, bases)
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrHash) { // files that were tampered with are no reason to look further
		return env, err
	}
	for _, b := range bases {
		if b.NumPy != "" {
			fmt.Fprintf(o.Log, "python: %v; using %s with its own NumPy %s instead\n", err, b.Executable, b.NumPy)
			return b.env("system"), nil
		}
	}
	return nil, err
}

const (
	hintCache  = "set XDG_CACHE_HOME to a directory that can be written, or name an interpreter that has NumPy with --python"
	hintPython = "install Python 3.11 or later, or name an interpreter that has NumPy with --python"
)

// named returns the interpreter that the user chose. Any NumPy will do; the run's header says which.
func named(ctx context.Context, python string, log io.Writer) (*Env, error) {
	b, err := probe(ctx, python)
	switch {
	case err != nil:
		return nil, bench.Hint(fmt.Errorf("%w: --python %s: %w", ErrNoPython, python, err), hintPython)
	case !b.recent():
		return nil, bench.Hint(fmt.Errorf("%w: --python %s is Python %s, 3.11 or later is needed", ErrTooOld, python, b.Version), hintPython)
	case b.NumPy == "":
		return nil, bench.Hint(fmt.Errorf("%w: --python %s: %s", ErrNoNumPy, python, b.Problem),
			"install numpy "+lockedNumPy()+" there, or leave --python out to have an environment made")
	}
	if b.NumPy != lockedNumPy() {
		fmt.Fprintf(log, "python: %s has NumPy %s, not the locked %s: scores that NumPy computes may differ\n", python, b.NumPy, lockedNumPy())
	}
	return b.env("--python"), nil
}
