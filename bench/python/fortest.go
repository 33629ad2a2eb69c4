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

// ForTest returns the Python of Ensure, found once per process. It skips the test, with one line,
// where there is none and none can be made; an environment that is broken fails it.
func ForTest(tb TB) *Env {
	tb.Helper()
	env, err := forTest()
	for _, absent := range []error{ErrNoPython, ErrTooOld, ErrNoNetwork, ErrNoWheel, ErrNoVenv, ErrCache} {
		if errors.Is(err, absent) {
			tb.Skipf("no Python with NumPy: %v", err)
		}
	}
	if err != nil {
		tb.Fatalf("Python: %v", err)
	}
	return env
}
