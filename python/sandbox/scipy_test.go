//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// withSciPy uses the parts of SciPy that candidates mostly use: distances, trees, assignment,
// graphs, and dense linear algebra, for which SciPy has its own BLAS.
const withSciPy = `import numpy as np
import scipy.linalg
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist


def f():
    points = np.arange(24.0).reshape(12, 2) % 7
    distances = cdist(points, points)
    linear_sum_assignment(distances)
    minimum_spanning_tree(distances)
    KDTree(points).query(points + 0.25)
    return scipy.linalg.eigvalsh(np.eye(300))[0]
`

// SciPy is not preloaded, so a candidate reads it from the disk and maps its libraries while it is
// fully confined.
func TestSciPy(t *testing.T) {
	for _, without := range []missing{{}, {namespaces: true}} {
		t.Run(fmt.Sprintf("namespaces=%v", !without.namespaces), func(t *testing.T) {
			p := openPool(t, Config{without: without})
			limits := bench.Limits{Wall: time.Hour, CPU: 10 * time.Minute}
			target := load(t, p, withSciPy, "f", limits)
			defer target.Close()
			if v, err := target.Call(t.Context()); err != nil || v != bench.Float(1) {
				t.Errorf("f() = %v, %v", v, err)
			}
			// SciPy's BLAS and NumPy's BLAS use one thread.
			pid := target.(*Target).process.child.pid
			threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
			if err != nil || len(threads) != 1 {
				t.Errorf("%d threads, want 1; %v", len(threads), err)
			}
		})
	}
}

// BenchmarkLoad measures how long it takes to load a candidate, with and without SciPy, which is
// not preloaded.
func BenchmarkLoad(b *testing.B) {
	p := openPool(b, Config{})
	for _, module := range []string{"numpy", "scipy.spatial"} {
		b.Run(module, func(b *testing.B) {
			for b.Loop() {
				t := load(b, p, "import "+module+"\n"+answer42, "f",
					bench.Limits{Wall: time.Minute})
				must.Do(b, t.Close())
			}
		})
	}
}
