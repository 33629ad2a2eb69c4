package suite

import (
	"cmp"
	"io"
	"time"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/suite/status"
)

// Options are what the flags of a command say. A field whose flag the command lacks is zero.
type Options struct {
	// Which runs, and where they lie.
	Out, Seeds, Shard, Test, DeepACO string
	Only                             []string
	Evals, Runs                      int
	Paired, Retry                    bool
	TimeScale                        float64

	// Which model answers, and how it is spoken to.
	Model, EAPModel, Models, Record, BaseURL string
	Purse                                    *llm.Purse // --max-usd; nil: nothing is bounded
	MaxTokens, Concurrency, RPM, TPM         int
	InsecureHTTP, NoSeed                     bool
	RequestTimeout                           time.Duration

	Files  *Files // tasks and methods in Python; nil: none can be named
	LLM4AD string // a checkout of it; "": the package
	// What processes of methods in Python may use for one wish, and the names of variables that
	// they get of the environment.
	MethodPatience time.Duration
	PassEnv        []string

	// How the work is done; none of these can change a result.
	Jobs          int
	Lock, Python  string
	NoInstall     bool // use a Python environment that is there, and make none
	Unsafe, Quiet bool
	Patient       bool // wait for runs at which other processes work

	Given      map[string]bool // flags that the command line or the environment names
	Log, Notes io.Writer       // messages for people; Notes: unless --quiet
	Screen     io.Writer       // for the display
	Events     *Events         // nil: nobody reads them
	// Of this program, for run.json.
	Version, Revision string
}

// AtOnce is how many runs are under way at once.
func (o Options) AtOnce() int { return cmp.Or(o.Runs, o.Jobs) }

// Board opens the display, for as long as something is evaluated.
func (o Options) Board(atOnce int) *status.Board {
	return status.Open(o.Screen, status.Config{
		Quiet: o.Quiet, Elsewhere: o.Events != nil, AtOnce: atOnce, Purse: o.Purse,
	})
}
