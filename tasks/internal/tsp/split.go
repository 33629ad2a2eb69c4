package tsp

import (
	"fmt"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
)

// A Split says how the instances of one split are drawn.
type Split struct {
	Name  string
	Seed  uint32
	Count int           // instances
	Nodes int           // cities of each
	Limit time.Duration // of a candidate on the whole split, wall and CPU
}

// TestSplits are the test sets of both routing tasks: 64 instances of each size, the
// generator seeded again for each size. Nearest neighbour gives the published 6.938, 13.362,
// 20.794 and 28.917 on them, and on no other seed that was tried. The paper states no limits for
// the tests: they are our choice. They let a program of TSP-Construct finish that is cubic in the
// number of cities: the printed one needs 368 s of CPU for 64 instances of 1000 cities. They are
// generous for TSP-ACO, where the candidate has one call for each instance.
func TestSplits() []Split {
	return []Split{
		{"test50", 5678, 64, 50, 5 * time.Minute},
		{"test200", 5678, 64, 200, 10 * time.Minute},
		{"test500", 5678, 64, 500, 30 * time.Minute},
		{"test1000", 5678, 64, 1000, 60 * time.Minute},
	}
}

// Data draws each split when it is first asked for and keeps it. It is safe for concurrent
// use; nobody may write to what it returns.
type Data struct {
	splits []Split
	sets   map[string]func() Set
}

// NewData returns the data of the given splits.
func NewData(splits []Split) *Data {
	d := &Data{splits: splits, sets: make(map[string]func() Set, len(splits))}
	for _, s := range splits {
		d.sets[s.Name] = sync.OnceValue(func() Set { return Draw(s.Seed, s.Count, s.Nodes) })
	}
	return d
}

// Splits lists the splits in the order given to NewData.
func (d *Data) Splits() []Split { return d.splits }

// TaskSplits are the splits as a task lists them. memory is a candidate's limit on one, in bytes.
func (d *Data) TaskSplits(memory func(Split) int64) []bench.Split {
	var out []bench.Split
	for _, s := range d.splits {
		out = append(out, bench.Split{
			Name: s.Name, Title: fmt.Sprintf("n=%d", s.Nodes), InDomain: s.Nodes == 50,
			Instances: s.Count,
			Limits:    bench.Limits{CPU: s.Limit, Memory: memory(s)},
		})
	}
	return out
}

// Set returns the instances of a split, and false when there is no such split.
func (d *Data) Set(split string) (Set, bool) {
	draw, ok := d.sets[split]
	if !ok {
		return nil, false
	}
	return draw(), true
}

// Digest is the digest of a split's coordinates, or "" when there is no such split.
func (d *Data) Digest(split string) string {
	set, ok := d.Set(split)
	if !ok {
		return ""
	}
	return set.Digest()
}
