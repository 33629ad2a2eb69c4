package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/sandbox"
)

// machineFlags say how the work is done; none of them can change a result.
func machineFlags() []cli.Flag {
	jobs := intFlag("jobs", runtime.NumCPU(), 1, maxJobs, "candidates evaluated at once")
	jobs.DefaultText = "as many as there are cores"
	return []cli.Flag{
		jobs,
		&cli.StringFlag{Name: "lock", Usage: "packages of candidates: paper (NumPy 1.26) or current (NumPy 2); default: paper where Python 3.11 or 3.12 is there"},
		&cli.StringFlag{Name: "python", Usage: "Python interpreter with NumPy to use instead of the one pacebench sets up"},
		&cli.BoolFlag{Name: "unsafe-sandbox", Usage: "run candidates even where Landlock or seccomp is missing; every table says so"},
		&cli.BoolFlag{Name: "quiet", Usage: "show no progress and no notes, only results, warnings and errors"},
	}
}

// A backend is what the machine offers to all cells of one command: Python, the sandbox and the
// analyser.
type backend struct {
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

// openPython finds or makes the Python of candidates.
func (c *console) openPython(ctx context.Context, cc *cli.Context) (*python.Env, error) {
	lock := cc.String("lock")
	if lock != "" && !slices.Contains(python.Locks(), lock) {
		return nil, bench.Hint(usagef("--lock %s: there is no such lock", lock), oneOf("locks", lock, python.Locks()))
	}
	return python.Ensure(ctx, python.Options{Python: cc.String("python"), Lock: lock, Log: c.notes(cc)})
}

// openBackend sets up Python and the sandbox. Close it.
func (c *console) openBackend(ctx context.Context, cc *cli.Context) (*backend, error) {
	env, err := c.openPython(ctx, cc)
	if err != nil {
		return nil, err
	}
	cfg := sandbox.Config{Python: env.Python, Workers: cc.Int("jobs"), Unsafe: cc.Bool("unsafe-sandbox"), Log: c.err}
	pool, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	analyzer, err := sandbox.OpenAnalyzer(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &backend{env: env, pool: pool, analyzer: analyzer, unsafe: cfg.Unsafe, quiet: cc.Bool("quiet")}, nil
}

// Close ends all its processes.
func (w *backend) Close() error { return errors.Join(w.analyzer.Close(), w.pool.Close()) }

// environment is what run.json says of the machine.
type environment struct {
	Tool     string         `json:"tool"`
	Revision string         `json:"revision,omitempty"`
	Go       string         `json:"go"`
	Platform string         `json:"platform"`
	Python   string         `json:"python"`
	NumPy    string         `json:"numpy"`
	SciPy    string         `json:"scipy,omitempty"`
	Lock     string         `json:"lock"`
	Canary   string         `json:"numeric_canary"`
	Sandbox  sandbox.Report `json:"sandbox"`
	// Endpoints are the hosts of the models behind a server, by role.
	Endpoints map[string]string `json:"endpoints,omitempty"`
}

func (w *backend) environment(endpoints map[string]string) environment {
	return environment{
		Tool: Version, Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Python: w.env.Version, NumPy: w.env.NumPy, SciPy: w.env.SciPy, Lock: w.env.Lock, Canary: w.env.Canary,
		Sandbox: w.pool.Report(), Endpoints: endpoints,
	}
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
	return filepath.Join(out, h.Task, method, shorten(unsafeName.ReplaceAllString(model, "-")), fmt.Sprint(h.Seed))
}

// maxDirName bounds the name of a directory; file systems take 255 bytes.
const maxDirName = 150

// shorten cuts a long name and ends it with its digest, so that different ones stay different.
func shorten(name string) string {
	if len(name) <= maxDirName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:maxDirName-9] + "-" + hex.EncodeToString(sum[:4])
}
