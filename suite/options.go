package suite

import (
	"cmp"
	"io"
	"time"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/suite/status"
)

// Options are the values of a command's flags. A field is zero if the command does not have its
// flag.
type Options struct {
	// The runs, and their directory.
	Out, Seeds, Shard, Test, DeepACO string
	Only                             []string
	Evals, Runs                      int
	Paired, Retry                    bool
	TimeScale                        float64

	// The model, and the requests to it.
	Model, EAPModel, Models, Record, BaseURL string
	Purse                                    *llm.Purse // --max-usd; nil: no limit
	MaxTokens, Concurrency, RPM, TPM         int
	InsecureHTTP, NoSeed                     bool
	RequestTimeout                           time.Duration

	Files  *Files // tasks and methods in Python; nil: unavailable
	LLM4AD string // directory of a checkout of LLM4AD; "": the installed package
	// The CPU time that a method in Python may take for one command, and the names of the
	// environment variables that its processes inherit.
	MethodPatience time.Duration
	PassEnv        []string

	// The execution on this machine.
	Jobs          int
	Lock, Python  string
	NoInstall     bool // use an existing Python environment, and install nothing
	Unsafe, Quiet bool
	Patient       bool // wait for runs that other processes work on

	Given      map[string]bool // flags that the command line or the environment sets
	Log, Notes io.Writer       // messages; Notes is silent with --quiet
	Screen     io.Writer       // for the display
	Events     *Events         // nil: no events
	// The version of this program, for run.json.
	Version, Revision string
}

// AtOnce returns the number of runs that are made concurrently.
func (o Options) AtOnce() int { return cmp.Or(o.Runs, o.Jobs) }

// Line opens the display with a single line, and begins it.
func (o Options) Line(p status.Plan) (line *status.Line, end func()) {
	board := o.Board(0)
	line = board.Add(p)
	line.Begin()
	return line, board.Close
}

// Board opens the display for a command with atOnce concurrent runs.
func (o Options) Board(atOnce int) *status.Board {
	return status.Open(o.Screen, status.Config{
		Quiet: o.Quiet, Elsewhere: o.Events != nil, AtOnce: atOnce, Purse: o.Purse,
	})
}
