//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// TestChildrenAreAlike compares many children: the next heap addresses of every size, the order of
// a set, hashes, random draws, the collector's counters, and everything else that could reveal how
// many children came before. Nothing may depend on earlier or concurrent candidates, in this
// process or in another process.
func TestChildrenAreAlike(t *testing.T) {
	source := `import gc, os, sys, threading, resource
import numpy as np
import random
counts = gc.get_count()
hoard = [[bytearray(size) for _ in range(20)] for size in (1, 20, 40, 60, 100, 200, 400, ` +
		`1000, 5000)]
kinds = [object, lambda: lambda: 0, lambda: type('T', (), {})(), lambda: type('T', (), {}), ` +
		`lambda: iter([]), lambda: np.random.default_rng()]
things = [kind() for kind in kinds for _ in range(100)]
index = {id(thing): i for i, thing in enumerate(things)}
state = [index[id(thing)] for thing in set(things)]
state += [id(thing) for row in hoard for thing in row] + [id(row) for row in hoard]
state += [id(object()) for _ in range(3)] + [id(lambda: 1), id({}), id(float(3.5)), id((1, state))]
state += [*counts, sys.getallocatedblocks(), len(gc.get_objects()), gc.get_freeze_count()]
state += [os.getpid(), os.getppid(), threading.get_native_id(), threading.main_thread().native_id]
state += [resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, hash('pace'), ` +
		`id(np.zeros(10)), int(random.random() * 2**50), int(np.random.rand() * 2**50)]
drawn = [int(np.random.default_rng().random() * 2**50) for _ in range(2)]
assert drawn[0] != drawn[1]
state += drawn


def f():
    return state
`
	var mu sync.Mutex
	var want []byte
	for _, workers := range []int{1, 10} {
		p := openPool(t, Config{Workers: workers})
		if !p.server.zygote.Fixed {
			t.Skip("memory addresses are random on this machine")
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, workers)
		for i := range 30 {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				if i%3 == 1 { // another history
					_, _ = evaluate(t, p, "def f():\n    1 // 0\n", bench.Limits{})
				}
				v, fault := evaluate(t, p, source, bench.Limits{})
				if fault != nil {
					t.Error(fault)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				got := v.(bench.Array).Data
				if want == nil {
					want = got
				}
				if !bytes.Equal(got, want) {
					t.Errorf("child %d of %d workers differs from the first:\n%x\n%x",
						i, workers, got, want)
				}
			})
		}
		wg.Wait()
	}
}
