package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
)

// A Pool has finished runs of a control with headers that are equal except for the seed. A few
// seeds of any method are tested against it: under the null hypothesis their values and the pool's
// values are exchangeable.
type Pool struct {
	Key
	Runs   []*Run // sorted by seed
	Checks []*Run // made later, to check whether the model has changed
}

const (
	// MinPool is the smallest number of runs of a pool.
	MinPool = 20
	// PoolSeed is the first seed of a pool, and CheckSeed the first seed of its check. Both are
	// larger than ordinary seeds.
	PoolSeed, CheckSeed = 1001, 100_001
)

// Pools returns the pools of a store, which must contain nothing else. Unequal headers are an error
// that names the first field that differs.
func (s *Store) Pools() (pools []*Pool, err error) {
	for _, g := range s.Groups() {
		p := &Pool{Key: g.Key}
		var first *Run
		for _, r := range g.Finished() {
			if first == nil {
				first = r
			}
			if field := Differs(first.Header, r.Header, "seed"); field != "" {
				return nil, hint.Add(fmt.Errorf("%s and %s cannot be in one pool: "+
					"their headers differ in %s", first.Dir, r.Dir, field),
					"move one of them to another directory")
			}
			if r.Header.Seed >= CheckSeed {
				p.Checks = append(p.Checks, r)
			} else {
				p.Runs = append(p.Runs, r)
			}
		}
		if len(p.Runs) < MinPool {
			dir := g.Runs[0].Dir
			return nil, hint.Add(fmt.Errorf("%s: %d finished runs of %s have a score; a pool "+
				"needs at least %d", dir, len(p.Runs), g.Row(), MinPool),
				"pacebench pool makes or extends a pool")
		}
		pools = append(pools, p)
	}
	return pools, nil
}

// Differs returns the first field, in alphabetical order, in which two headers differ. It ignores
// the fields in without, and returns "" if the other fields are equal.
func Differs(a, b record.Header, without ...string) string {
	fields := func(h record.Header) (m map[string]json.RawMessage) {
		data, err := json.Marshal(h)
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			panic("results: a header does not encode: " + err.Error())
		}
		return m
	}
	x, y := fields(a), fields(b)
	both := maps.Clone(x)
	maps.Copy(both, y)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if !slices.Contains(without, name) && !bytes.Equal(x[name], y[name]) {
			return name
		}
	}
	return ""
}

// Refuses returns the first field in which a run's header differs from the pool's headers. It
// ignores fields of the method, and returns "" if the run can be tested against the pool.
func (p *Pool) Refuses(r *Run) string {
	return Differs(p.Runs[0].Header, r.Header, "seed", "method", "method_version", "method_file",
		"variant", "config", "requests", "paired", "paired_variant", "plan")
}

// Values returns the values that number gives for the pool's runs and for its checks.
func (p *Pool) Values(number func(*Run) (float64, bool)) (runs, checks []float64) {
	of := func(runs []*Run) []float64 { return (&Group{Runs: runs}).Over(number).Values }
	return of(p.Runs), of(p.Checks)
}

// Apart returns the number of days from the first run of the pool to the first of the given runs.
// It is negative if the given runs began earlier; ok is false if a day is unknown.
func (p *Pool) Apart(runs []*Run) (days int, ok bool) {
	first := func(runs []*Run) (day time.Time, ok bool) {
		for _, r := range runs {
			t, err := time.Parse(time.DateOnly, r.Began)
			if err != nil {
				return day, false
			}
			if !ok || t.Before(day) {
				day, ok = t, true
			}
		}
		return day, ok
	}
	a, known := first(p.Runs)
	b, also := first(runs)
	return int(b.Sub(a).Hours() / 24), known && also
}

// SmallestAbove returns the smallest one-sided p that m values can reach against a pool of n runs.
func SmallestAbove(m, n int) float64 { return SmallestP(m, n) / 2 }
