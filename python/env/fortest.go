package pyenv

import (
	"context"
	"errors"
	"sync"
)

// TB has the methods of *testing.T that ForTest needs.
type TB interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// environments holds the environment of tests for each extra. Each one is found once in a process.
var environments sync.Map

// ForTest returns the Python of Ensure, found once in a process. It skips the test, with one line,
// if no environment exists and none can be made; a broken environment fails the test.
func ForTest(tb TB) *Env {
	tb.Helper()
	return ForTestWith(tb, "")
}

// ForTestWith is ForTest with an extra, which may be "". It installs what is missing, except rl.
func ForTestWith(tb TB, extra string) *Env {
	tb.Helper()
	find := Ensure
	if extra == "rl" { // it takes 6 GB
		find = Installed
	}
	once, _ := environments.LoadOrStore(extra, sync.OnceValues(func() (*Env, error) {
		return find(context.Background(), Options{Extra: extra})
	}))
	env, err := once.(func() (*Env, error))()
	for _, absent := range []error{
		ErrNoPython, ErrTooOld, ErrNoNetwork, ErrNoWheel, ErrNoVenv, ErrCache, ErrNotInstalled,
	} {
		if errors.Is(err, absent) {
			tb.Skipf("no Python with NumPy%s: %v", with(" and the packages ", extra), err)
		}
	}
	if err != nil {
		tb.Fatalf("Python: %v", err)
	}
	return env
}
