package cli

import (
	"cmp"
	"io"
	"time"

	"github.com/urfave/cli/v2"
)

// options are what the flags of a command say. A field whose flag the command lacks is zero.
type options struct {
	// Which runs, and where they lie.
	Out, Seeds, Shard, Test, DeepACO string
	Cell                             []string
	Evals, Cells                     int
	Paired, Retry                    bool
	TimeScale                        float64

	// Which model answers, and how it is spoken to.
	Model, EAPModel, Models, Record, BaseURL string
	MaxUSD                                   float64
	MaxTokens, Concurrency, RPM, TPM         int
	InsecureHTTP, NoSeed                     bool
	RequestTimeout                           time.Duration

	// How the work is done; none of these can change a result.
	Jobs          int
	Lock, Python  string
	Unsafe, Quiet bool

	Given      map[string]bool // flags that the command line or the environment names
	Log, Notes io.Writer       // messages for people; Notes: unless --quiet
	// Version and Revision are those of this program, for run.json.
	Version, Revision string
}

// atOnce is how many cells are under way at once.
func (o options) atOnce() int { return cmp.Or(o.Cells, o.Jobs) }

// options reads the flags of a command.
func (c *console) options(cc *cli.Context) options {
	o := options{
		Out: cc.String("out"), Seeds: cc.String("seeds"), Shard: cc.String("shard"),
		Test: cc.String("test"), DeepACO: cc.String("deepaco"),
		Evals: cc.Int("evals"), Cells: cc.Int("cells"),
		Paired: cc.Bool("paired"), Retry: cc.Bool("retry"), TimeScale: cc.Float64("time-scale"),

		Model: cc.String("model"), EAPModel: cc.String("eap-model"), Models: cc.String("models"),
		Record: cc.String("record"), BaseURL: cc.String("base-url"),
		MaxUSD: cc.Float64("max-usd"), MaxTokens: cc.Int("max-tokens"),
		Concurrency: cc.Int("concurrency"), RPM: cc.Int("rpm"), TPM: cc.Int("tpm"),
		InsecureHTTP: cc.Bool("insecure-http"), NoSeed: cc.Bool("no-seed"),
		RequestTimeout: cc.Duration("request-timeout"),

		Jobs: cc.Int("jobs"), Lock: cc.String("lock"), Python: cc.String("python"),
		Unsafe: cc.Bool("unsafe-sandbox"), Quiet: cc.Bool("quiet"),

		Given: map[string]bool{}, Log: c.err, Notes: c.err,
		Version: Version, Revision: revision(),
	}
	if only, ok := cc.Generic("cell").(*settings); ok {
		o.Cell = only.list
	}
	if o.Quiet {
		o.Notes = io.Discard
	}
	for _, f := range cc.Command.Flags {
		name := f.Names()[0]
		o.Given[name] = cc.IsSet(name)
	}
	return o
}
