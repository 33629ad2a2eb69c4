package tsp

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
)

// A Split defines how the instances of one split are drawn.
type Split struct {
	Name  string
	Seed  uint32
	Count int           // instances
	Nodes int           // cities in each instance
	Limit time.Duration // wall and CPU time of a candidate on the whole split
}

// tests are the test sets of both routing tasks: 64 instances of each size, with the generator
// seeded again for each size. Nearest neighbour gives the published 6.938, 13.362, 20.794 and
// 28.917 on them, and on no other seed that was tried. The paper states no limits for the tests.
// These limits let a cubic program of TSP-Construct finish: the printed one needs 368 s of CPU for
// 64 instances of 1000 cities. They are generous for TSP-ACO, where the candidate has one call for
// each instance.
var tests = []Split{
	{"test50", 5678, 64, 50, 5 * time.Minute},
	{"test200", 5678, 64, 200, 10 * time.Minute},
	{"test500", 5678, 64, 500, 30 * time.Minute},
	{"test1000", 5678, 64, 1000, 60 * time.Minute},
}

// validation is the validation split of both routing tasks; the paper does not define one. It
// has as many instances as the tests, of the training's size, with the training's limit for each
// instance.
func validation(train Split) Split {
	const instances = 64
	limit := train.Limit * instances / time.Duration(train.Count)
	return Split{record.Val, 4321, instances, train.Nodes, limit}
}

// Data draws each split on first use and keeps it. It is safe for concurrent use; callers must not
// change the returned values.
type Data struct {
	task    string
	splits  []Split // the training split first, the validation split last
	sets    map[string]func() Set
	digests map[string]func() string
}

// NewData returns the data of a task of that name: its training split, the test splits and the
// validation split.
func NewData(task string, train Split) *Data {
	d := &Data{
		task: task, splits: slices.Concat([]Split{train}, tests, []Split{validation(train)}),
		sets: map[string]func() Set{}, digests: map[string]func() string{},
	}
	for _, s := range d.splits {
		d.sets[s.Name] = sync.OnceValue(func() Set { return Draw(s.Seed, s.Count, s.Nodes) })
		d.digests[s.Name] = sync.OnceValue(func() string { return d.sets[s.Name]().Digest() })
	}
	return d
}

// Splits returns all splits for a task. memory is a candidate's limit on each, in bytes.
func (d *Data) Splits(memory func(Split) int64) (out []bench.Split) {
	for _, s := range d.splits {
		out = append(out, bench.Split{
			Name: s.Name, Title: fmt.Sprintf("n=%d", s.Nodes), InDomain: s.Nodes == 50,
			Instances: s.Count,
			Limits:    bench.Limits{CPU: s.Limit, Memory: memory(s)},
		})
	}
	return out
}

// Place returns the index of a split in the list, or -1.
func (d *Data) Place(split string) int {
	return slices.IndexFunc(d.splits, func(s Split) bool { return s.Name == split })
}

// Set returns the instances of a split.
func (d *Data) Set(split string) (Set, error) {
	draw, ok := d.sets[split]
	if !ok {
		return nil, fmt.Errorf("%s has no split %q", d.task, split)
	}
	return draw(), nil
}

// Instance returns one instance of a split.
func (d *Data) Instance(split string, number int) (Instance, error) {
	set, err := d.Set(split)
	if err == nil && (number < 0 || number >= len(set)) {
		err = fmt.Errorf("%s has no instance %d in split %s", d.task, number, split)
	}
	if err != nil {
		return nil, err
	}
	return set[number], nil
}

// Digest is the digest of a split's coordinates, or "" for an unknown split.
func (d *Data) Digest(split string) string {
	if digest, ok := d.digests[split]; ok {
		return digest()
	}
	return ""
}
