package pyenv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
)

// The usual reasons why there is no Python. The errors of Ensure that wrap them carry a hint.
var (
	ErrNoPython  = errors.New("no Python found")
	ErrTooOld    = errors.New("this Python is too old")
	ErrNoNumPy   = errors.New("no NumPy")
	ErrNoNetwork = errors.New("no connection to a package index")
	ErrHash      = errors.New("a downloaded package is not the locked one")
	ErrNoWheel   = errors.New("no locked packages for this Python")
	ErrLock      = errors.New("lock of packages")
	ErrNoVenv    = errors.New("this Python cannot make environments")
	ErrCache     = errors.New("the cache directory cannot be written")
	ErrDiskFull  = errors.New("no space left on the disk")
	// Only Installed returns ErrNotInstalled.
	ErrNotInstalled = errors.New("not installed yet")
)

// Options choose a Python and its packages.
type Options struct {
	// Python is an interpreter that already has NumPy (--python); pacebench installs nothing in it.
	// Empty: the environment in Cache, which Ensure makes if it is missing.
	Python string
	// Lock is one of Locks (--env); empty: the first lock that an interpreter of this machine can
	// use.
	Lock string
	// Extra is what a task needs in addition to the packages of candidates: one of Extras, or the
	// absolute path of a user's lock (WriteLock). Empty: nothing.
	Extra string
	// Cache is the directory of the environments; empty: pacebench in the user's cache directory.
	Cache string
	// Log receives one line for each step of the installation; nil: no log.
	Log io.Writer
}

// An Env is a Python that can run candidates.
type Env struct {
	Python  string // the interpreter, an absolute path
	Version string // "3.11.7"
	NumPy   string // "1.26.4"
	SciPy   string // "1.16.3"; empty: no SciPy, possible with --python or a system's Python
	Lock    string // the lock that has these two versions, or NoLock
	// Extras are the packages of Options.Extra that tasks rely on, with their versions, by name:
	// "gymnasium": "1.2.3". nil without an extra.
	Extras map[string]string
	// Canary is a digest of numbers that NumPy, SciPy and the C library computed on this machine,
	// with the settings of candidates.
	Canary string
	// Class names the arithmetic, including the canary. In equal classes, the scores of equal
	// programs agree bit for bit.
	Class string
	// Origin is the source of the interpreter: "--python", "environment" or "system".
	Origin string
}

// Ensure returns a Python that can run candidates, with the packages of o.Extra. It takes the
// interpreter named in o, else the environment in the cache, else a new one made there from the
// lock. If none can be made, it takes an interpreter of the system with NumPy of any version, or
// of the lock that o names. Two processes may call it concurrently; one of them waits.
func Ensure(ctx context.Context, o Options) (*Env, error) {
	wanted, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Python != "" {
		return named(ctx, o, wanted[0])
	}
	c := cache{dir: o.Cache, log: o.Log, lock: wanted[0]}
	if env, err := c.find(ctx); env != nil || err != nil {
		return env, err
	}
	bases, err := bases(ctx)
	if err != nil {
		return nil, err
	}
	if len(wanted) > 1 && !slices.ContainsFunc(bases, c.lock.covers) {
		c.lock = wanted[1]
		fmt.Fprintf(o.Log, "python: Python %s is not installed, so lock %s is used (%s): "+
			"its scores are not comparable with lock %s\n",
			wanted[0].pythons(), c.lock.name, c.lock, wanted[0].name)
		if env, err := c.find(ctx); env != nil || err != nil {
			return env, err
		}
	}
	env, err := c.make(ctx, bases)
	// After a wrong hash, do not look for another interpreter.
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrHash) {
		return env, err
	}
	for _, b := range bases {
		env, lacking := b.env("system", c.lock)
		if lacking == nil && b.NumPy != "" && (o.Lock == "" || env.Lock == o.Lock) {
			fmt.Fprintf(o.Log, "python: %v; using %s with its own %s instead\n",
				err, b.Executable, packages(b.NumPy, b.SciPy))
			return env, nil
		}
	}
	return nil, err
}

// Installed returns what Ensure would return, but makes nothing: the interpreter named in o, else
// the environment in the cache. The error wraps ErrNotInstalled if there is no environment.
func Installed(ctx context.Context, o Options) (*Env, error) {
	wanted, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Python != "" {
		return named(ctx, o, wanted[0])
	}
	// Ensure reports a damaged environment when it replaces it.
	for _, l := range wanted {
		env, err := (cache{dir: o.Cache, log: io.Discard, lock: l}).find(ctx)
		if env != nil || err != nil {
			return env, err
		}
	}
	return nil, hint.Add(fmt.Errorf("%w: %s", ErrNotInstalled, wanted[0]),
		"pacebench doctor"+with(" --packages ", o.Extra)+with(" --env ", o.Lock)+" installs it")
}

// check fills in defaults and returns the possible locks, the preferred one first.
func (o *Options) check() ([]lock, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Cache == "" && o.Python == "" {
		var err error
		if o.Cache, err = CacheDir(); err != nil {
			return nil, err
		}
	}
	var wanted []lock
	for _, l := range locks {
		if o.Lock == "" || l.name == o.Lock {
			l, err := l.with(o.Extra)
			if err != nil {
				return nil, err
			}
			wanted = append(wanted, l)
		}
	}
	if wanted == nil {
		return nil, hint.Add(fmt.Errorf("there is no lock %q", o.Lock),
			"locks: "+strings.Join(Locks(), ", "))
	}
	return wanted, nil
}

// CacheDir returns the directory of the environments, and of other files that outlive a command.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", hint.Add(fmt.Errorf("%w: %w", ErrCache, err), hintCache)
	}
	return filepath.Join(dir, "pacebench"), nil
}

// with returns a prefix and a value, or "" if the value is empty.
func with(prefix, value string) string {
	if value == "" {
		return ""
	}
	return prefix + value
}

const (
	hintCache = "set XDG_CACHE_HOME to a writable directory, " +
		"or use --python to name an interpreter that has NumPy"
	hintPython = "install Python 3.11 or 3.12, or use --python to name one that has NumPy"
)

func (l lock) hintWheel() string {
	if len(l.extras) == 0 {
		return "install one of these, try another --env, " +
			"or use --python to name an interpreter that has NumPy"
	}
	return fmt.Sprintf("also install Python 3.11 or 3.12, which pacebench finds "+
		"by itself (up to 3.%d with --env current), or name an interpreter that has "+
		"these packages with --python", l.newest)
}

// named returns the interpreter that the user chose. Without --env it may have any version of
// NumPy, which the run's header records.
func named(ctx context.Context, o Options, l lock) (*Env, error) {
	b, err := probe(ctx, o.Python)
	switch {
	case err != nil:
		return nil, hint.Add(
			fmt.Errorf("%w: --python %s: %w", ErrNoPython, o.Python, err), hintPython)
	case !b.recent():
		return nil, hint.Add(fmt.Errorf("%w: --python %s is Python %s, 3.11 or later is needed",
			ErrTooOld, o.Python, b.Version), hintPython)
	case b.NumPy == "":
		return nil, hint.Add(fmt.Errorf("%w: --python %s: %s", ErrNoNumPy, o.Python, b.Problem),
			"install numpy "+l.version("numpy")+
				" there, or leave out --python: pacebench then makes an environment")
	}
	env, err := b.env("--python", l)
	switch {
	case err != nil:
		return nil, hint.Add(fmt.Errorf("%w: --python %s: %w", ErrLock, o.Python, err),
			o.Python+" -m pip install "+strings.Join(l.wanted(), " ")+
				"; or leave out --python: pacebench then makes an environment")
	case o.Lock != "" && env.Lock != o.Lock:
		return nil, hint.Add(fmt.Errorf("%w: --python %s has %s, lock %s has %s",
			ErrLock, o.Python, packages(b.NumPy, b.SciPy), o.Lock, l),
			"leave out --python or --env")
	case env.Lock == NoLock:
		fmt.Fprintf(o.Log, "python: %s has %s, which match no lock: "+
			"scores may differ\n", o.Python, packages(b.NumPy, b.SciPy))
	}
	return env, nil
}
