package tspconstruct

import (
	"context"
	"embed"
	"slices"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "tsp-construct"

// train is the training split: numpy.random.RandomState(2024).rand(16, 50, 2), as the public
// LLM4AD task draws it. The paper's printed program scores 6.103043479 on it.
const train = "train"

// data holds the instances of every split; 30 s for the training set is LLM4AD's limit. They are
// drawn when first used and never written to.
var data = tsp.NewData(Name,
	tsp.Split{Name: train, Seed: 2024, Count: 16, Nodes: 50, Limit: 30 * time.Second})

//go:embed questions.py
var questions string

// seeding brings both global generators into one known state before each evaluation: NumPy's
// to where drawing the training set leaves it, which is what a candidate finds in LLM4AD.
const seeding = `import random
import numpy as np

np.random.seed(2024)
np.random.rand(16, 50, 2)
random.seed(2024)
`

// Task returns the task.
func Task() *bench.Task { return task(nil) }

// An observer sees every finished tour before its length is reported.
type observer func(split string, instance int, tour []int32, length float64)

func task(see observer) *bench.Task {
	t := words
	t.Goal = bench.Minimize
	// 1 GiB for the candidate, and room for the matrices: a process keeps every array it was
	// handed.
	t.SetSplits(data.Splits(func(s tsp.Split) int64 {
		return 1<<30 + int64(8*s.Count*s.Nodes*s.Nodes)
	}))
	t.Prelude = questions + seeding
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		length, err := score(ctx, in, f, see)
		return bench.Measure{Value: length}, err
	}
	t.Pictures = "tours"
	t.Digest = data.Digest
	t.References = references()
	return &t
}

// sources are the task in words, and programs to compare with: the template's default, two rules
// that look further than the next city, and two constructions that plan the tour in the first call.
//
//go:embed references/*.py *.toml
var sources embed.FS

var words = programs.Read(sources)

// improve makes a program that plans its tours one that improves them before it hands them out.
//
//go:embed improve.py
var improve string

// references are the sources, and those that plan with improve behind them, as NAME_2opt.
func references() []bench.Reference {
	all := slices.Clone(words.References)
	for _, r := range all {
		if strings.Contains(r.Source, "def plan(") {
			all = append(all, bench.Reference{
				Name: r.Name + "_2opt", Source: Improved(r.Source),
			})
		}
	}
	return all
}

// Improved is a program that plans a tour, its function plan, with 2-opt and Or-opt behind that.
func Improved(source string) string { return source + "\n\n" + improve }
