// Package tspaco is the task TSP-ACO: design the function that turns a distance matrix into the
// heuristic matrix of an ant colony. The candidate answers one call for each instance; this package
// runs the colony that uses the answer. Start at Task, or at Solve for a matrix made in Go.
package tspaco

import (
	"embed"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "tsp-aco"

// seed is the seed of the training instances and of the colony's random streams. MCTS-AHD and the
// paper use 1234.
const seed = 1234

// testSeed and valSeed are the seeds of the test splits and the validation split, as in
// TSP-Construct.
const testSeed, valSeed = 5678, 4321

// data has the instances of every split. The training split is
// numpy.random.RandomState(1234).rand(5, 50, 2). The sources state no time limit; the limit here is
// 30 s for the five training calls. The instances are drawn on first use and never changed.
var data = tsp.Data(Name,
	tsp.Split{Name: "train", Seed: seed, Count: 5, Nodes: 50, Limit: 30 * time.Second},
	testSeed, valSeed)

// Config is the configuration of the task. The zero value is the paper's protocol.
type Config struct {
	// Replicates is the number of solves whose mean is an instance's value in training and
	// validation; 0 means 1. The standard deviation of an evaluation, 0.03 for a good program with
	// one replicate, falls with the square root of Replicates.
	Replicates int
	// Iterations is the number of iterations on the test splits; 0 means 100, as in training and in
	// the paper. MCTS-AHD's test scripts use 500. Iterations does not change training.
	Iterations int
	// Workers is the number of concurrent ants when a test split is scored; 0 means one for each
	// core. In training there is one ant at a time, because several evaluations run concurrently.
	// No score depends on Workers.
	Workers int
}

// rescored is the number of new evaluations of each of the best programs. In the paper's protocol,
// it reduces the standard error to 0.006. The best of a thousand noisy scores is about 0.1 too
// optimistic, several times the differences between good methods.
const rescored = 30

// Task returns the task under the paper's protocol.
func Task() *bench.Task { return New(Config{}) }

// New returns the task under a configuration. With other replicates or iterations than in the
// paper, it is another task with its own name: "tsp-aco@replicates=10,iterations=500".
func New(c Config) *bench.Task {
	if c.Replicates < 0 || c.Iterations < 0 {
		panic("tspaco: a negative number of replicates or iterations")
	}
	c.Replicates = max(c.Replicates, 1)
	if c.Iterations == 0 {
		c.Iterations = aco.Standard.Iterations
	}
	if c.Workers == 0 {
		c.Workers = runtime.NumCPU()
	}
	t := words()
	t.Name, t.Goal = c.name(), bench.Minimize
	t.SetSplits(data.Bench())
	programs.Noisy(&t, rescored, c.score)
	t.Pictures = "its heuristic and tours"
	t.Digest = data.Digest
	return &t
}

func (c Config) name() string {
	var settings []string
	if c.Replicates > 1 {
		settings = append(settings, fmt.Sprintf("replicates=%d", c.Replicates))
	}
	if c.Iterations != aco.Standard.Iterations {
		settings = append(settings, fmt.Sprintf("iterations=%d", c.Iterations))
	}
	if settings == nil {
		return Name
	}
	return Name + "@" + strings.Join(settings, ",")
}

// Bounds of the settings in Lookup. An evaluation with a thousand replicates takes a minute.
const (
	mostReplicates = 1000
	mostIterations = 10_000
)

// Lookup returns the task from New that has the given name, with its settings. It refuses other
// spellings of the same settings, because a name is also a folder of results.
func Lookup(name string) (*bench.Task, bool) {
	var c Config
	_, settings, _ := strings.Cut(name, "@")
	for setting := range strings.SplitSeq(settings, ",") {
		key, text, _ := strings.Cut(setting, "=")
		n, err := strconv.Atoi(text)
		switch {
		case key == "replicates" && err == nil && n >= 1 && n <= mostReplicates:
			c.Replicates = n
		case key == "iterations" && err == nil && n >= 1 && n <= mostIterations:
			c.Iterations = n
		}
	}
	if t := New(c); t.Name == name {
		return t, true
	}
	return nil, false
}

// sources are the task's texts and reference programs: the template's default 1/d, its square, and
// 1/d only on each city's nearest neighbours.
//
//go:embed references/*.py *.toml
var sources embed.FS

var words = sync.OnceValue(func() bench.Task { return programs.Read(sources) })
