// Package tspconstruct is the task TSP-Construct: design the function that picks the next city of a
// tour, given the current city, the unvisited cities in order of distance, and the distance matrix.
// A loop in the candidate's process (questions.py) asks for each choice. This package builds the
// tour from the answers, checks it and measures it. Start at Task, or at Measure for a rule written
// in Go.
package tspconstruct

import (
	"context"
	"embed"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "tsp-construct"

// train is the training split: numpy.random.RandomState(2024).rand(16, 50, 2), as in the public
// LLM4AD task. The paper's printed program scores 6.103043479 on it.
const train = "train"

// testSeed and valSeed are the seeds of the test splits and the validation split, as in TSP-ACO.
// Nearest neighbour gives the published 6.938, 13.362, 20.794 and 28.917 on the test splits with
// this seed, and with no other seed that was tried.
const testSeed, valSeed = 5678, 4321

// data has the instances of every split; 30 s for the training set is LLM4AD's limit. The instances
// are drawn on first use and never changed.
var data = tsp.Data(Name,
	tsp.Split{Name: train, Seed: 2024, Count: 16, Nodes: 50, Limit: 30 * time.Second},
	testSeed, valSeed)

//go:embed questions.py
var questions string

// seeding sets the global generators of random and NumPy to a known state before each evaluation.
// The state of NumPy's generator is the state after drawing the training set, as in LLM4AD.
const seeding = `import random
import numpy as np

np.random.seed(2024)
np.random.rand(16, 50, 2)
random.seed(2024)
`

// Task returns the task.
func Task() *bench.Task {
	t := words()
	t.Goal = bench.Minimize
	splits := data.Bench()
	for i, s := range data.Splits {
		// 1 GiB for the candidate, plus the matrices: a process keeps every array that it receives.
		splits[i].Limits.Memory = 1<<30 + int64(8*s.Instances*s.Size*s.Size)
	}
	t.SetSplits(splits)
	t.Prelude = questions + seeding
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		length, err := score(ctx, in, f)
		return bench.Measure{Value: length}, err
	}
	t.Pictures = "tours"
	t.Digest = data.Digest
	t.References = references()
	return &t
}

// sources are the task's texts and reference programs: the template's default, two rules that look
// beyond the next city, the program that the paper prints, and two programs that plan the tour in
// the first call.
//
//go:embed references/*.py *.toml
var sources embed.FS

var words = sync.OnceValue(func() bench.Task { return programs.Read(sources) })

// improve is Python that, appended to a program that plans tours, improves each tour before the
// program returns it.
//
//go:embed improve.py
var improve string

// references returns the reference programs. Each program that plans tours is repeated as
// NAME_2opt, with improve appended.
func references() []bench.Reference {
	all := slices.Clone(words().References)
	for _, r := range all {
		if strings.Contains(r.Source, "def plan(") {
			all = append(all, bench.Reference{
				Name: r.Name + "_2opt", Source: Improved(r.Source),
			})
		}
	}
	return all
}

// Improved adds 2-opt and Or-opt to a program that plans a tour in its function plan.
func Improved(source string) string { return source + "\n\n" + improve }
