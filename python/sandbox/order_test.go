//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// addressPrograms return an order that follows from addresses in memory.
func addressPrograms(n int) []string {
	kinds := []string{
		"object()", "(lambda: i)", "type('T', (), {})()", "type('T%d' % i, (), {})", "iter([i])",
		"np.zeros(i + 1)", "np.random.default_rng(i)", "bytearray(i * 100)",
		"(lambda i=i: i).__get__(i)", "re.compile(str(i))",
	}
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`import re
import numpy as np
waste = [bytes(k %% %d) for k in range(%d)]


def f():
    things = [%s for i in range(200)]
    index = {id(thing): i for i, thing in enumerate(things)}
    seen = {thing if type(thing).__hash__ else type("K", (), {})() for thing in things}
    return [index.get(id(thing), -1) for thing in seen] + [id(object()) %% (1 << 31)]
`, 7+i, 50*i, kinds[i%len(kinds)]))
	}
	return out
}

// TestOrderByAddressIsReproducible: sets of plain objects iterate in the order of addresses, which
// must not depend on what ran before, how much of it, or how much ran at the same time.
func TestOrderByAddressIsReproducible(t *testing.T) {
	n, jobs := 12, []int{1, 2}
	if os.Getenv("PACEBENCH_LONG") != "" {
		n, jobs = 60, []int{1, 2, 5}
	}
	programs := addressPrograms(n)
	var want [][]byte
	for round, workers := range jobs {
		p := openPool(t, Config{Workers: workers})
		if !p.server.zygote.Fixed {
			t.Skip("this machine gives every process other addresses")
		}
		got := make([][]byte, n)
		var wg sync.WaitGroup
		slots := make(chan struct{}, workers)
		for i := range n {
			k := (i*[]int{1, 7, 11}[round] + round) % n // another order each time
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				v, fault := evaluate(t, p, programs[k], bench.Limits{})
				if fault != nil {
					t.Errorf("%v\n%s", fault, programs[k])
					return
				}
				got[k] = v.(bench.Array).Data
			})
		}
		wg.Wait()
		if want == nil {
			want = got
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("with %d workers another order:\n%s", workers, programs[i])
			}
		}
	}
}

// TestChildrenAreAlike looks at the heap itself, in many children of one zygote: the next addresses
// of every size, the collector's counters, and all that could tell how many came before.
func TestChildrenAreAlike(t *testing.T) {
	p := openPool(t, Config{Workers: 10})
	source := `import gc, os, sys, threading, resource
import numpy as np
import random
counts = gc.get_count()
hoard = [[bytearray(size) for _ in range(20)] for size in (1, 20, 40, 60, 100, 200, 400, ` +
		`1000, 5000)]
state = [id(thing) for row in hoard for thing in row] + [id(row) for row in hoard]
state += [id(object()) for _ in range(3)] + [id(lambda: 1), id({}), id(float(3.5)), id((1, state))]
state += [*counts, sys.getallocatedblocks(), len(gc.get_objects()), gc.get_freeze_count()]
state += [os.getpid(), os.getppid(), threading.get_native_id(), threading.main_thread().native_id]
state += [resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, ` +
		`id(np.zeros(10)), int(random.random() * 2**50)]


def f():
    return state
`
	var want bench.Array
	for i := range 30 {
		if i%3 == 1 { // another history
			_, _ = evaluate(t, p, "def f():\n    1 // 0\n", bench.Limits{})
		}
		if i%5 == 2 { // and company
			defer load(t, p, answer42, "f", bench.Limits{}).Close()
		}
		v, fault := evaluate(t, p, source, bench.Limits{})
		if fault != nil {
			t.Fatal(fault)
		}
		if want.Data == nil {
			want = v.(bench.Array)
		}
		if got := v.(bench.Array); !bytes.Equal(got.Data, want.Data) {
			t.Errorf("child %d differs from the first: %v", i, differing(got.Data, want.Data))
		}
	}
}

// differing lists the words that differ.
func differing(a, b []byte) (out []int) {
	for i := 0; i+8 <= min(len(a), len(b)); i += 8 {
		if !slices.Equal(a[i:i+8], b[i:i+8]) {
			out = append(out, i/8)
		}
	}
	return out
}
