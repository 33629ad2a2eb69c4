package tsp

import (
	"fmt"
	"sync"
)

// A Split says how the instances of one split are drawn.
type Split struct {
	Name  string
	Seed  uint32
	Count int // instances
	Nodes int // cities of each
}

// Title names the split in tables, by the number of its cities.
func (s Split) Title() string { return fmt.Sprintf("n=%d", s.Nodes) }

// TestSplits are the test sets of both routing tasks: 64 instances of each size, the
// generator seeded again for each size. Nearest neighbour gives the published 6.938, 13.362,
// 20.794 and 28.917 on them, and on no other seed that was tried.
func TestSplits() []Split {
	return []Split{
		{"test50", 5678, 64, 50},
		{"test200", 5678, 64, 200},
		{"test500", 5678, 64, 500},
		{"test1000", 5678, 64, 1000},
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
