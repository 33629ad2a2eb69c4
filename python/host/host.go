// Package host runs scorers: trusted Python next to the confined one. A Pool lends processes in
// which a bench.Scorer's modules are imported; Run calls one of its functions, which may ask Go as
// often as it likes. Start at Pool and host.py.
//
// It knows no task, and no candidate: what is asked of a candidate, and what is done with its
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

// Config says how processes are started.
type Config struct {
	// Python returns an interpreter that has a scorer's packages (bench.Scorer.Packages) and NumPy.
	// It is called whenever a process starts, by one goroutine at a time.
	Python  func(ctx context.Context, packages string) (string, error)
	Workers int // processes at most, of all scorers together; 0: 1
	// Cache is a directory for what packages keep from start to start, such as matplotlib's list of
	// fonts, and their home: no settings of the user change a picture. Empty: pacebench in the
	// user's cache directory.
	Cache string
	Log   io.Writer // told what a process printed before it failed; nil: nobody
	// HashSeed is another PYTHONHASHSEED than that of scores, for who wants to see what depends on
	// it; 0: the usual one.
	HashSeed int

	patience patience // for tests
}

// patience is how long a process is waited for.
type patience struct {
	tick  time.Duration // how often somebody looks at it
	stall int           // ticks in one question
	leave int           // ticks in one question whose context has ended
	runs  int           // after so many, a process is replaced
}

// standard is what applies outside of tests. A question is a reset or a step of an environment, or
// a picture: a second at most, and many on a machine that is overloaded. A process that nobody
// waits for any more is kept when it comes to its next question soon, because starting one takes
// seconds. 500 runs: a Racing Car environment leaves 0.15 MB behind. All our choice.
var standard = patience{tick: time.Second, stall: 300, leave: 5, runs: 500}
