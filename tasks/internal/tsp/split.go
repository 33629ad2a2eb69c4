package tsp

import (
	"fmt"
	"slices"
	"time"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/sets"
)

// A Split defines how the instances of one split are drawn.
type Split struct {
	Name  string
	Seed  uint32
	Count int           // instances
	Nodes int           // cities in each instance
	Limit time.Duration // limit on a candidate's CPU time on the whole split
}

// tests returns the test splits of TSP-ACO and TSP-Construct: 64 instances of each size, with the
// generator seeded again for each size. The paper states no limits for the tests. These limits let
// a cubic program of TSP-Construct finish: the program that the paper prints needs 368 s of CPU for
// 64 instances of 1000 cities. The limits are generous for TSP-ACO, which calls the candidate once
// for each instance.
func tests(seed uint32) []Split {
	return []Split{
		{"test50", seed, 64, 50, 5 * time.Minute},
		{"test200", seed, 64, 200, 10 * time.Minute},
		{"test500", seed, 64, 500, 30 * time.Minute},
		{"test1000", seed, 64, 1000, 60 * time.Minute},
	}
}

// validation returns the validation split of TSP-ACO and TSP-Construct, which the paper does not
// define. It has as many instances as a test split. The size and the time limit of an instance are
// as in the training split.
func validation(seed uint32, train Split) Split {
	const instances = 64
	limit := train.Limit * instances / time.Duration(train.Count)
	return Split{record.Val, seed, instances, train.Nodes, limit}
}

// Data returns the data of the named task: its training split, the test splits and the validation
// split. Each split is drawn from its own generator, with the seed train.Seed, test or val.
func Data(task string, train Split, test, val uint32) *sets.Sets[Instance] {
	all := slices.Concat([]Split{train}, tests(test), []Split{validation(val, train)})
	d := &sets.Sets[Instance]{
		Task: task,
		Draw: func(split string) []Instance {
			s := all[slices.IndexFunc(all, func(s Split) bool { return s.Name == split })]
			return Draw(s.Seed, s.Count, s.Nodes)
		},
		Arrays: func(in Instance) [][]byte { return [][]byte{numpy.Bytes(in.Coordinates())} },
	}
	for _, s := range all {
		d.Splits = append(d.Splits, sets.Split{
			Name: s.Name, Title: fmt.Sprintf("n=%d", s.Nodes), Instances: s.Count,
			Seconds: int(s.Limit / time.Second), Size: s.Nodes,
		})
	}
	return d
}
