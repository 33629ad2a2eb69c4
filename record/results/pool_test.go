package results_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// poolOf returns a store of n finished control runs.
func poolOf(n int, change func(i int, h *record.Header)) *results.Store {
	s := &results.Store{}
	for i := range n {
		h := record.Header{
			Task: "toy", Version: "1", Data: map[string]string{"train": "a"}, Method: "randsample",
			Config: json.RawMessage(`{}`), Models: map[string]string{"": "m"}, Budget: 10,
			Seed: results.PoolSeed + uint64(i), Lock: "current", NumPy: "2",
		}
		if change != nil {
			change(i, &h)
		}
		s.Runs = append(s.Runs, &results.Run{Dir: fmt.Sprint("pools/", i), Header: h,
			Result: &record.Result{},
			Totals: record.Totals{Best: &record.BestResult{Value: float64(i)}}})
	}
	return s
}

func TestPools(t *testing.T) {
	pools, err := poolOf(32, func(i int, h *record.Header) {
		if i > 29 {
			h.Seed = results.CheckSeed + uint64(i)
		}
	}).Pools()
	if err != nil || len(pools) != 1 || len(pools[0].Runs) != 30 || len(pools[0].Checks) != 2 {
		t.Fatalf("%+v, %v", pools, err)
	}
	if _, err := poolOf(19, nil).Pools(); err == nil ||
		err.Error() != "pools/0: 19 finished runs of randsample have a score; "+
			"a pool needs at least 20" {
		t.Errorf("a pool of 19: %v", err)
	}
}

// TestPoolsRefuseUnequalHeaders changes one field at a time, in a run of the pool and in a run that
// is to be tested. A change of a field of the key divides the pool into two groups.
func TestPoolsRefuseUnequalHeaders(t *testing.T) {
	pools, err := poolOf(20, nil).Pools()
	must.Do(t, err)
	for field, change := range map[string]func(h *record.Header){
		"task":       func(h *record.Header) { h.Task = "other" },
		"version":    func(h *record.Header) { h.Version = "2" },
		"data":       func(h *record.Header) { h.Data = map[string]string{"train": "b"} },
		"models":     func(h *record.Header) { h.Models = map[string]string{"": "n"} },
		"budget":     func(h *record.Header) { h.Budget = 11 },
		"lock":       func(h *record.Header) { h.Lock = "paper" },
		"arithmetic": func(h *record.Header) { h.Arithmetic = "amd64 v2" },
		"time_scale": func(h *record.Header) { h.TimeScale = 2 },
		"numpy":      func(h *record.Header) { h.NumPy = "1" },
		"config":     func(h *record.Header) { h.Config = json.RawMessage(`{"window":8}`) },
		"method":     func(h *record.Header) { h.Method = "pace" },

		"method_version": func(h *record.Header) { h.MethodVersion = "2" },
		"method_file":    func(h *record.Header) { h.MethodFile = &record.MethodFile{NumPy: "1"} },
		"plan":           func(h *record.Header) { h.Plan = "declared" },
	} {
		_, err := poolOf(20, func(i int, h *record.Header) {
			if i == 7 {
				change(h)
			}
		}).Pools()
		if err == nil || !strings.HasSuffix(err.Error(), " headers differ in "+field) &&
			!strings.Contains(err.Error(), "a pool needs at least 20") {
			t.Errorf("a pool with another %s: %v", field, err)
		}
		r := poolOf(1, func(_ int, h *record.Header) { change(h) }).Runs[0]
		got := pools[0].Refuses(r)
		own := []string{"config", "method", "method_file", "method_version", "plan"}
		if brought := slices.Contains(own, field); brought && got != "" ||
			!brought && got != field {
			t.Errorf("a run with another %s is refused for %q", field, got)
		}
	}
}

func TestPoolApart(t *testing.T) {
	run := func(day string) *results.Run { return &results.Run{Began: day} }
	p := &results.Pool{Runs: []*results.Run{run("2026-03-02"), run("2026-03-01")}}
	later := []*results.Run{run("2026-04-01"), run("2026-03-31")}
	if days, ok := p.Apart(later); !ok || days != 30 {
		t.Errorf("%d days, %v; want 30", days, ok)
	}
	if _, ok := p.Apart([]*results.Run{run("2026-04-01"), run("")}); ok {
		t.Error("Apart gives a number of days for a run without a day")
	}
}

// TestPoolReaches checks the smallest p: with three seeds and a pool of thirty runs, it is 0.00018.
func TestPoolReaches(t *testing.T) {
	for sizes, want := range map[[2]int]float64{{1, 30}: 1.0 / 31, {3, 30}: 1.0 / 5456} {
		if got := results.SmallestAbove(sizes[0], sizes[1]); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v runs: %v, want %v", sizes, got, want)
		}
	}
}
