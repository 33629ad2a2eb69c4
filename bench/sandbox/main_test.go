package sandbox

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
)

func TestMain(m *testing.M) {
	if Reexec() {
		return
	}
	os.Exit(m.Run())
}

// python finds an interpreter with NumPy.
var python = sync.OnceValue(func() string {
	for _, p := range []string{os.Getenv("PACEBENCH_TEST_PYTHON"), "python3", "/usr/bin/python3"} {
		if p != "" && exec.Command(p, "-c", "import numpy").Run() == nil {
			return p
		}
	}
	return ""
})

func openPool(t testing.TB, cfg Config) *Pool {
	t.Helper()
	if cfg.Python = python(); cfg.Python == "" {
		t.Skip("no Python with NumPy: set PACEBENCH_TEST_PYTHON to one")
	}
	p, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestSelfTest(t *testing.T) {
	if python() == "" {
		t.Skip("no Python with NumPy: set PACEBENCH_TEST_PYTHON to one")
	}
	for _, c := range SelfTest(t.Context(), Config{Python: python()}) {
		t.Logf("%-28s %s", c.Name, c.Detail)
		if !c.OK {
			t.Errorf("%s: not stopped: %s", c.Name, c.Detail)
		}
	}
}
