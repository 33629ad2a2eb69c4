// Package host runs scorers: trusted Python next to the confined one. A Pool lends processes that
// have imported a bench.Scorer's modules; Run calls one of its functions, which may ask Go as often
// as it likes. Start at Pool and host.py.
//
// The package knows no task and no candidate: the function that a task passes to Run decides what
// to ask a candidate, and what its answer means.
// answer, is up to the function that a task hands to Run.
package host

import (
	"context"
	_ "embed"
	"io"
	"time"

	"github.com/pacebench/pacebench/python/wire"
)

//go:embed host.py
var source string

// Module is the Python side, host.py.
var Module = wire.Python(source)

// Config configures the processes of a pool.
type Config struct {
	// Python returns an interpreter that has NumPy and a scorer's packages (bench.Scorer.Packages).
	// The pool calls it before each start, from one goroutine at a time.
	Python  func(ctx context.Context, packages string) (string, error)
	Workers int // most processes, of all scorers together; 0: 1
	// Cache is the home of the processes, for files that packages keep, such as matplotlib's list
	// of fonts: no settings of the user change a picture. Empty: pacebench in the user's cache
	// directory.
	Cache string
	Log   io.Writer // receives what a process printed before it failed; nil: no log
	// HashSeed is a PYTHONHASHSEED that differs from the scores' usual one, to find results that
	// depend on it; 0 means the usual one.
	HashSeed int

	patience patience // for tests
}

// patience has the limits on waiting for a process.
type patience struct {
	tick  time.Duration // time between two checks
	stall int           // ticks for one question
	leave int           // ticks for one question whose context has ended
	runs  int           // a process is replaced after so many
}

// standard applies outside of tests. A question is a reset or a step of an environment, or a
// picture: a second at most, but many seconds on an overloaded machine. A process whose caller has
// left gets 5 s to reach its next question and is kept then, because a start takes seconds. 500
// runs bound memory: each run of Racing Car leaves 0.15 MB behind.
var standard = patience{tick: time.Second, stall: 300, leave: 5, runs: 500}
