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

// environments are the environments of tests by their extra, each found once in a process. Tests
// never install rl, which takes 6 GB.
var environments = map[string]func() (*Env, error){
	"":        once(Ensure, ""),
	"vision":  once(Ensure, "vision"),
	"control": once(Ensure, "control"),
	"rl":      once(Installed, "rl"),
	"llm4ad":  once(Ensure, "llm4ad"),
}

func once(find func(context.Context, Options) (*Env, error), extra string) func() (*Env, error) {
	return sync.OnceValues(func() (*Env, error) {
		return find(context.Background(), Options{Extra: extra})
	})
}

// ForTest returns the Python of Ensure, found once in a process. It skips the test, with one line,
// if no environment exists and none can be made; a broken environment fails the test.
func ForTest(tb TB) *Env {
	tb.Helper()
	return ForTestWith(tb, "")
}

// ForTestWith is ForTest with an extra, which may be "". It installs what is missing, except rl.
func ForTestWith(tb TB, extra string) *Env {
	tb.Helper()
	lacking := "no Python with NumPy"
	if extra != "" {
		lacking = "no Python with the packages " + extra
	}
	env, err := environments[extra]()
	for _, absent := range []error{
		ErrNoPython, ErrTooOld, ErrNoNetwork, ErrNoWheel, ErrNoVenv, ErrCache, ErrNotInstalled,
	} {
		if errors.Is(err, absent) {
			tb.Skipf("%s: %v", lacking, err)
		}
	}
	if err != nil {
		tb.Fatalf("Python: %v", err)
	}
	return env
}
