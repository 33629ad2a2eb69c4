package shipped

import (
	"context"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	pyenv "github.com/pacebench/pacebench/python/env"
	pytask "github.com/pacebench/pacebench/python/task"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

// TestDescriptions checks that NAME.json has the properties in NAME.py, and that NAME.py has at
// most 120 lines. -update writes the JSON.
func TestDescriptions(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			got, err := pytask.Describe(t.Context(), name+".py", pytask.Options{
				Python: func(_ context.Context, packages string) (*pyenv.Env, error) {
					return pyenv.ForTestWith(t, packages), nil
				},
			})
			must.Do(t, err)
			golden.Text(t, name+".json", string(got))
			if lines := len(strings.Split(string(read(name+".py")), "\n")); lines > 121 {
				t.Errorf("%d lines", lines)
			}
		})
	}
}
