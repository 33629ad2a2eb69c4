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

var forTest = sync.OnceValues(func() (*Env, error) { return Ensure(context.Background(), Options{}) })

var controlForTest = sync.OnceValues(func() (*Env, error) {
	return Ensure(context.Background(), Options{Extra: "control"})
})

var rlForTest = sync.OnceValues(func() (*Env, error) {
	return Installed(context.Background(), Options{Extra: "rl"})
})

// ForTest returns the Python of Ensure, found once per process. It skips the test, with one line,
// where there is none and none can be made; an environment that is broken fails it.
func ForTest(tb TB) *Env {
	tb.Helper()
	return orSkip(tb, "no Python with NumPy", forTest)
}

// ForTestControl is ForTest with the packages of the control tasks, which it installs.
func ForTestControl(tb TB) *Env {
	tb.Helper()
	return orSkip(tb, "no Python with the packages of the control tasks", controlForTest)
}

// ForTestRL is ForTest with the packages of reinforcement learning, which it never installs.
func ForTestRL(tb TB) *Env {
	tb.Helper()
	return orSkip(tb, "no Python with the packages rl (pacebench doctor --packages rl)", rlForTest)
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
