package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestCheckMethodInstallsNothing checks that check-method with an empty cache asks no package index
// and names the command that makes the environment.
func TestCheckMethodInstallsNothing(t *testing.T) {
	index := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("it asks for %s", r.URL)
	}))
	defer index.Close()
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("PIP_INDEX_URL", index.URL)
	t.Setenv("HTTPS_PROXY", index.URL)
	method := filepath.Join(t.TempDir(), "m.py")
	must.Write(t, method, "def run(search): pass\n")
	var told bytes.Buffer
	status := Main([]string{"pacebench", "check-method", method}, nil, &bytes.Buffer{}, &told)
	if status != 1 || !strings.Contains(told.String(), "hint: pacebench doctor installs it") {
		t.Errorf("status %d\n%s", status, told.String())
	}
	if made, err := os.ReadDir(cache); err != nil || len(made) > 0 {
		t.Errorf("it made %v, %v", made, err)
	}
}

// TestPlainTask: check-method installs no packages of a task.
func TestPlainTask(t *testing.T) {
	if task := plainTask(); task.Packages != "" || task.Scorer != nil {
		t.Errorf("%s needs packages", task.Problem.Name)
	}
}
