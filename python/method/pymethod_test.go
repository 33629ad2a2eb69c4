//go:build linux

package pymethod_test

import (
	"context"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	pymethod "github.com/pacebench/pacebench/python/method"
	"github.com/pacebench/pacebench/python/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	goleak.VerifyTestMain(m)
}

// options returns options with the Python of tests.
func options(tb testing.TB) pymethod.Options {
	return pymethod.Options{
		Python: func(context.Context) (*pyenv.Env, error) { return pyenv.ForTest(tb), nil },
	}
}

// write makes a method file.
func write(tb testing.TB, name, source string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	must.Write(tb, path, source)
	return path
}

// load makes a method of a source.
func load(tb testing.TB, name, source string) *pymethod.Method {
	tb.Helper()
	m, err := pymethod.Load(tb.Context(), write(tb, name, source), options(tb))
	must.Do(tb, err)
	return m
}
