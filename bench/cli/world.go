package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/offline"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/sandbox"
)

// machineFlags say how the work is done; none of them can change a result.
func machineFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Value: runtime.NumCPU(), Usage: "candidates evaluated at once"},
		&cli.StringFlag{Name: "python", Usage: "Python interpreter with NumPy to use instead of the one pacebench sets up"},
		&cli.BoolFlag{Name: "unsafe-sandbox", Usage: "run candidates even where Landlock or seccomp is missing; every table says so"},
		&cli.BoolFlag{Name: "quiet", Usage: "show no progress and no notes, only results, warnings and errors"},
	}
}

// modelFlags say which model answers, and how it is spoken to.
func modelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Value: "offline", Usage: "offline, openai:MODEL, or replay:DIR"},
		&cli.StringFlag{Name: "eap-model", Usage: "another model for EAP discovery (E1, E2, E3)"},
		&cli.StringFlag{Name: "base-url", EnvVars: []string{"OPENAI_BASE_URL"}, Usage: "endpoint of an OpenAI-compatible server"},
		&cli.StringFlag{Name: "record", Usage: "keep every answer in this directory, for --model replay:DIR"},
		&cli.IntFlag{Name: "max-tokens", Usage: "limit on the tokens of one answer; 0: the server's"},
		&cli.BoolFlag{Name: "no-seed", Usage: "do not send a seed, for servers that refuse it"},
		&cli.DurationFlag{Name: "request-timeout", Value: 2 * time.Minute, Usage: "for one attempt at one request"},
		&cli.IntFlag{Name: "concurrency", Value: 16, Usage: "requests under way at once"},
		&cli.IntFlag{Name: "rpm", Usage: "requests per minute; 0: no limit"},
		&cli.IntFlag{Name: "tpm", Usage: "tokens per minute; 0: no limit"},
	}
}

// A world is what the machine offers to all cells of one command: Python, the sandbox and the analyser.
type world struct {
	env      *python.Env
	pool     *sandbox.Pool
	analyzer *sandbox.Analyzer
	unsafe   bool
	quiet    bool
}

// notes is where messages go that a person may do without.
func (c *console) notes(cc *cli.Context) io.Writer {
	if cc.Bool("quiet") {
		return io.Discard
	}
	return c.err
}

// openWorld sets up Python and the sandbox. Close it.
func (c *console) openWorld(ctx context.Context, cc *cli.Context) (*world, error) {
	jobs := cc.Int("jobs")
	if jobs < 1 {
		return nil, usagef("--jobs %d: must be at least 1", jobs)
	}
	env, err := python.Ensure(ctx, python.Options{Python: cc.String("python"), Log: c.notes(cc)})
	if err != nil {
		return nil, err
	}
	cfg := sandbox.Config{Python: env.Python, Workers: jobs, Unsafe: cc.Bool("unsafe-sandbox"), Log: c.err}
	pool, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	analyzer, err := sandbox.OpenAnalyzer(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &world{env: env, pool: pool, analyzer: analyzer, unsafe: cfg.Unsafe, quiet: cc.Bool("quiet")}, nil
}

// Close ends all processes of the world.
func (w *world) Close() error { return errors.Join(w.analyzer.Close(), w.pool.Close()) }

// environment is what run.json says of the machine.
type environment struct {
	Tool     string         `json:"tool"`
	Revision string         `json:"revision,omitempty"`
	Go       string         `json:"go"`
	Platform string         `json:"platform"`
	Python   string         `json:"python"`
	NumPy    string         `json:"numpy"`
	Canary   string         `json:"numeric_canary"`
	Sandbox  sandbox.Report `json:"sandbox"`
}

func (w *world) environment() environment {
	return environment{
		Tool: Version, Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Python: w.env.Version, NumPy: w.env.NumPy, Canary: w.env.Canary, Sandbox: w.pool.Report(),
	}
}

// openModel makes the model that the flags ask for; the same for every cell, so its limits hold for all.
func (c *console) openModel(cc *cli.Context) (llm.Model, map[string]string, error) {
	m, err := c.modelOf(cc, "--model", cc.String("model"))
	if err != nil {
		return nil, nil, err
	}
	limits := llm.Limits{Concurrency: cc.Int("concurrency"), RequestsPerMinute: cc.Int("rpm"), TokensPerMinute: cc.Int("tpm")}
	route := &llm.Route{Default: m}
	if spec := cc.String("eap-model"); spec != "" {
		eap, err := c.modelOf(cc, "--eap-model", spec)
		if err != nil {
			return nil, nil, err
		}
		route.ByRole = map[string]llm.Model{"eap": eap}
	}
	// One limit for all models of the command: they often share a server, and a key always.
	return llm.Limit(route, limits), route.Models(), nil
}

func (c *console) modelOf(cc *cli.Context, flag, text string) (llm.Model, error) {
	spec, err := llm.ParseSpec(text)
	if err != nil {
		return nil, usagef("%s %s: %w", flag, text, err)
	}
	var m llm.Model
	switch spec.Kind {
	case llm.SpecOffline:
		m = offline.Default()
	case llm.SpecOpenAI:
		client, err := llm.NewOpenAI(llm.OpenAIConfig{
			Model: spec.Arg, BaseURL: cc.String("base-url"), Key: os.Getenv("OPENAI_API_KEY"), MaxTokens: cc.Int("max-tokens"), OmitSeed: cc.Bool("no-seed"),
		})
		if err != nil {
			return nil, usageError{err}
		}
		for _, n := range client.Notes() {
			fmt.Fprintln(c.notes(cc), "pacebench: note:", n)
		}
		m = llm.Retry(client, llm.RetryConfig{AttemptTimeout: cc.Duration("request-timeout")})
	case llm.SpecReplay:
		if m, err = llm.Replay(spec.Arg); err != nil {
			return nil, err
		}
	case llm.SpecScripted:
		if m, err = llm.ScriptedFile(spec.Arg); err != nil {
			return nil, err
		}
	}
	if dir := cc.String("record"); dir != "" {
		if m, err = llm.Record(m, dir); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// unsafeName is what must not stand in a directory's name.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._,=+-]+`)

// cellDir is results/<task>/<method>[@variant]/<model>/<seed>.
func cellDir(out string, h bench.Header) string {
	method := h.Method
	if h.Variant != "" {
		method += "@" + unsafeName.ReplaceAllString(h.Variant, "-")
	}
	model := h.Models[""]
	if eap := h.Models["eap"]; eap != "" {
		model += "+eap=" + eap
	}
	return filepath.Join(out, h.Task, method, unsafeName.ReplaceAllString(model, "-"), fmt.Sprint(h.Seed))
}
