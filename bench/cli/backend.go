package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/host"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/sandbox"
)

// machineFlags say how the work is done; none of them can change a result.
func machineFlags() []cli.Flag {
	jobs := intFlag("jobs", runtime.NumCPU(), 1, maxJobs, "candidates evaluated at once")
	jobs.DefaultText = "as many as there are cores"
	return append([]cli.Flag{jobs}, placeFlags()...)
}

// placeFlags say where candidates run.
func placeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "lock",
			Usage: "packages of candidates: paper (NumPy 1.26) or current (NumPy 2); " +
				"default: paper where Python 3.11 or 3.12 is there",
			Action: func(_ *cli.Context, lock string) error {
				if lock != "" && !slices.Contains(python.Locks(), lock) {
					return hint.Add(usagef("--lock %s: there is no such lock", lock),
						oneOf("locks", lock, python.Locks()))
				}
				return nil
			},
		},
		&cli.StringFlag{Name: "python",
			Usage: "Python interpreter with NumPy to use instead of the one pacebench sets up"},
		&cli.BoolFlag{Name: "unsafe-sandbox",
			Usage: "run candidates even where Landlock or seccomp is missing; every table says so"},
		&cli.BoolFlag{Name: "quiet",
			Usage: "show no progress and no notes, only results, warnings and errors"},
	}
}

// A backend is what the machine offers to all cells of one command.
type backend struct {
	places map[string]*place      // by bench.Task.Packages
	worlds map[string]*python.Env // by bench.Scorer.Packages
	hosts  *host.Pool             // trusted Python in worlds, started when a task asks for it
	retry  bool                   // cells that failed before are tried again
	// patient says that cells at which other processes work are waited for.
	patient bool
}

// A place is where the candidates of some tasks run: Python with the packages that they need, the
// sandbox and the analyser.
type place struct {
	tool     environment
	env      *python.Env
	pool     *sandbox.Pool
	analyzer *sandbox.Analyzer
}

// openPython finds or makes a Python with the packages of candidates and an extra (python.Extras),
// which may be "".
func openPython(ctx context.Context, o options, extra string) (*python.Env, error) {
	return python.Ensure(ctx, python.Options{
		Python: o.Python, Lock: o.Lock, Extra: extra, Log: o.Notes,
	})
}

// openBackend sets up Python and the sandbox for these tasks. Close it.
func openBackend(ctx context.Context, o options, tasks ...*bench.Task) (*backend, error) {
	w := &backend{
		places: map[string]*place{}, worlds: map[string]*python.Env{}, retry: o.Retry,
	}
	for _, t := range tasks {
		if err := w.openFor(ctx, o, t); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	cache, err := python.CacheDir()
	if err == nil {
		cache = filepath.Join(cache, "host")
	}
	w.hosts = host.Open(ctx, host.Config{
		Python: func(_ context.Context, packages string) (string, error) {
			world := w.worlds[packages]
			if world == nil {
				return "", fmt.Errorf("no task here has the packages %q", packages)
			}
			return world.Python, nil
		},
		Workers: o.Jobs,
		Cache:   cache,
		Log:     o.Log,
	})
	return w, nil
}

// openFor adds what a task needs.
func (w *backend) openFor(ctx context.Context, o options, t *bench.Task) (err error) {
	if s := t.Scorer; s != nil && w.worlds[s.Packages] == nil {
		if w.worlds[s.Packages], err = openPython(ctx, o, s.Packages); err != nil {
			return err
		}
	}
	if w.places[t.Packages] != nil {
		return nil
	}
	p, err := openPlace(ctx, o, t.Packages)
	if err == nil {
		w.places[t.Packages] = p
	}
	return err
}

func openPlace(ctx context.Context, o options, packages string) (*place, error) {
	env, err := openPython(ctx, o, packages)
	if err != nil {
		return nil, err
	}
	cfg := sandbox.Config{
		Python: env.Python, Workers: o.Jobs, Unsafe: o.Unsafe, Log: o.Log,
	}
	pool, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	analyzer, err := sandbox.OpenAnalyzer(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &place{machine(o), env, pool, analyzer}, nil
}

// Close ends all its processes.
func (w *backend) Close() error {
	var errs []error
	if w.hosts != nil {
		errs = append(errs, w.hosts.Close())
	}
	for _, p := range w.places {
		errs = append(errs, p.analyzer.Close(), p.pool.Close())
	}
	return errors.Join(errs...)
}

// place is where candidates of a task run.
func (w *backend) place(t *bench.Task) *place { return w.places[t.Packages] }

// evaluator scores programs on a task with the machine's processes. Limits of time are the task's
// times a factor.
func (w *backend) evaluator(t *bench.Task, timeScale float64) *bench.TaskEvaluator {
	return &bench.TaskEvaluator{
		Task: t, Loader: w.place(t).pool, Hosts: w.hosts, TimeScale: timeScale,
	}
}

// scoredHere fills in what the header of a run on a task says of this machine.
func (w *backend) scoredHere(h *record.Header, t *bench.Task) {
	env := w.place(t).env
	h.Python, h.NumPy, h.SciPy, h.Lock = env.Version, env.NumPy, env.SciPy, env.Lock
	h.Unsafe = w.place(t).pool.Report().Unsafe
	h.Packages, h.Machine = maps.Clone(env.Extras), ""
	if s := t.Scorer; s != nil {
		world := w.worlds[s.Packages]
		if h.Packages == nil {
			h.Packages = map[string]string{}
		}
		maps.Copy(h.Packages, world.Extras)
		h.Machine = world.Machine
	}
}

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

// machine is the environment where no Python takes part.
func machine(o options) environment {
	return environment{
		Tool: o.Version, Revision: o.Revision, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// with is the environment with a Python.
func (e environment) with(p *python.Env) environment {
	e.Python, e.NumPy, e.SciPy, e.Lock, e.Canary = p.Version, p.NumPy, p.SciPy, p.Lock, p.Canary
	return e
}

func (p *place) environment(endpoints map[string]string) environment {
	e := p.tool.with(p.env)
	e.Sandbox, e.Endpoints = p.pool.Report(), endpoints
	return e
}

// unsafeName is what must not stand in a directory's name.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._,=+-]+`)

// rowSettings names what a run sets beside its method: the variant and the factor on limits of
// time, "k=5,time-scale=2".
func rowSettings(h record.Header) string {
	if h.Factor() == 1 {
		return h.Variant
	}
	return strings.TrimPrefix(h.Variant+fmt.Sprintf(",time-scale=%g", h.Factor()), ",")
}

// cellDir is results/<task>/<method>[@settings]/<model>/<seed>; a row that asks no model and is
// trained has no <model>.
func cellDir(out string, h record.Header) string {
	method := h.Method
	if settings := rowSettings(h); settings != "" {
		name := unsafeName.ReplaceAllString(settings, "-")
		if name != settings || len(name) > maxDirName {
			name = name[:min(len(name), maxDirName-9)] + "-" + digest(settings)
		}
		method += "@" + name
	}
	if h.Family == record.Learned {
		return filepath.Join(out, h.Task, method, fmt.Sprint(h.Seed))
	}
	model := h.Models[""]
	if eap := h.Models["eap"]; eap != "" {
		model += "+eap=" + eap
	}
	dir := shorten(unsafeName.ReplaceAllString(model, "-"))
	return filepath.Join(out, h.Task, method, dir, fmt.Sprint(h.Seed))
}

// maxDirName bounds the name of a directory; file systems take 255 bytes.
const maxDirName = 150

// shorten cuts a long name and ends it with its digest, so that different ones stay different.
func shorten(name string) string {
	if len(name) <= maxDirName {
		return name
	}
	return name[:maxDirName-9] + "-" + digest(name)
}

// digest is short and tells names apart that a directory's name would not.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}
