package python

import (
	"context"
	"errors"
	"sync"
)

// TB is what ForTest needs of a *testing.T.
type TB interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var forTest = sync.OnceValues(func() (*Env, error) {
	return Ensure(context.Background(), Options{})
})

var extrasForTest = map[string]func() (*Env, error){
	"vision":  ensureForTest("vision"),
	"control": ensureForTest("control"),
	"rl": sync.OnceValues(func() (*Env, error) {
		return Installed(context.Background(), Options{Extra: "rl"})
	}),
}

func ensureForTest(extra string) func() (*Env, error) {
	return sync.OnceValues(func() (*Env, error) {
		return Ensure(context.Background(), Options{Extra: extra})
	})
}

// ForTest returns the Python of Ensure, found once per process. It skips the test, with one line,
// where there is none and none can be made; an environment that is broken fails it.
func ForTest(tb TB) *Env {
	tb.Helper()
	return orSkip(tb, "no Python with NumPy", forTest)
}

// ForTestWith is ForTest with an extra, which may be "". It installs what is missing, but for rl.
func ForTestWith(tb TB, extra string) *Env {
	tb.Helper()
	if extra == "" {
		return ForTest(tb)
	}
	return orSkip(tb, "no Python with the packages "+extra, extrasForTest[extra])
}

func orSkip(tb TB, lacking string, find func() (*Env, error)) *Env {
	tb.Helper()
	env, err := find()
	absences := []error{
		ErrNoPython, ErrTooOld, ErrNoNetwork, ErrNoWheel, ErrNoVenv, ErrCache, ErrNotInstalled,
	}
	for _, absent := range absences {
		if errors.Is(err, absent) {
			tb.Skipf("%s: %v", lacking, err)
		}
	}
	if err != nil {
		tb.Fatalf("Python: %v", err)
	}
	return env
}
