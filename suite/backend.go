package suite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/pacebench/pacebench/bench"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/record"
)

// A Backend is what the machine offers to all runs of one command.
type Backend struct {
	Places map[string]*Place     // by bench.Task.Packages
	worlds map[string]*pyenv.Env // by bench.Scorer.Packages
	Hosts  *host.Pool            // trusted Python in worlds, started when a task asks for it
}

// A Place is where the candidates of some tasks run: Python with the packages that they need, the
// sandbox and the analyser.
type Place struct {
	tool     Environment
	Env      *pyenv.Env
	Pool     *sandbox.Pool
	Analyzer *sandbox.Analyzer
}

// OpenPython finds or makes a Python with the packages of candidates and an extra (pyenv.Extras),
// which may be "".
func OpenPython(ctx context.Context, o Options, extra string) (*pyenv.Env, error) {
	open := pyenv.Ensure
	if o.NoInstall {
		open = pyenv.Installed
	}
	return open(ctx, pyenv.Options{
		Python: o.Python, Lock: o.Lock, Extra: extra, Log: o.Notes,
	})
}

// OpenBackend sets up Python and the sandbox for these tasks. Close it.
func OpenBackend(ctx context.Context, o Options, tasks ...*bench.Task) (*Backend, error) {
	w := &Backend{Places: map[string]*Place{}, worlds: map[string]*pyenv.Env{}}
	for _, t := range tasks {
		if err := w.openFor(ctx, o, t); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	w.Hosts = host.Open(ctx, host.Config{
		Python: func(_ context.Context, packages string) (string, error) {
			world := w.worlds[packages]
			if world == nil {
				return "", fmt.Errorf("no task here has the packages %q", packages)
			}
			return world.Python, nil
		},
		Workers: o.Jobs,
		Cache:   hostCache(),
		Log:     o.Log,
	})
	return w, nil
}

// hostCache is host.Config.Cache.
func hostCache() string {
	dir, err := pyenv.CacheDir()
	if err != nil {
		return "" // the usual one
	}
	return filepath.Join(dir, "host")
}

// WithBackend sets up Python and the sandbox for these tasks while use runs.
func WithBackend(ctx context.Context, o Options, use func(*Backend) error,
	tasks ...*bench.Task) error {
	w, err := OpenBackend(ctx, o, tasks...)
	if err != nil {
		return err
	}
	err = use(w)
	if o.Purse != nil {
		o.Purse.Close()
	}
	return cmp.Or(err, w.Close())
}

// openFor adds what a task needs.
func (w *Backend) openFor(ctx context.Context, o Options, t *bench.Task) (err error) {
	if s := t.Scorer; s != nil && w.worlds[s.Packages] == nil {
		if w.worlds[s.Packages], err = OpenPython(ctx, o, s.Packages); err != nil {
			return err
		}
	}
	if w.Places[t.Packages] != nil {
		return nil
	}
	env, err := OpenPython(ctx, o, t.Packages)
	if err != nil {
		return err
	}
	cfg := sandbox.Config{
		Python: env.Python, Workers: o.Jobs, Unsafe: o.Unsafe, Log: o.Log,
	}
	pool, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return err
	}
	analyzer, err := sandbox.OpenAnalyzer(ctx, cfg)
	if err != nil {
		return errors.Join(err, pool.Close())
	}
	w.Places[t.Packages] = &Place{Machine(o), env, pool, analyzer}
	return nil
}

// Close ends all its processes.
func (w *Backend) Close() error {
	var errs []error
	if w.Hosts != nil {
		errs = append(errs, w.Hosts.Close())
	}
	for _, p := range w.Places {
		errs = append(errs, p.Analyzer.Close(), p.Pool.Close())
	}
	return errors.Join(errs...)
}

// Place is where candidates of a task run.
func (w *Backend) Place(t *bench.Task) *Place { return w.Places[t.Packages] }

// Evaluator scores programs on a task with the machine's processes. Limits of time are the task's
// times a factor. see is told of the candidates; nil: nobody (sandbox.Pool.Watched).
func (w *Backend) Evaluator(t *bench.Task, timeScale float64,
	see func(bench.Target) (ended func())) *bench.TaskEvaluator {
	return &bench.TaskEvaluator{
		Task: t, Loader: w.Place(t).Pool.Watched(see), Hosts: w.Hosts, TimeScale: timeScale,
	}
}

// ScoredHere fills in what the header of a run on a task says of this machine.
func (w *Backend) ScoredHere(h *record.Header, t *bench.Task) {
	env := w.Place(t).Env
	h.Python, h.NumPy, h.SciPy, h.Lock = env.Version, env.NumPy, env.SciPy, env.Lock
	h.Unsafe = w.Place(t).Pool.Report().Unsafe
	h.Packages, h.Arithmetic = maps.Clone(env.Extras), env.Class
	if s := t.Scorer; s != nil {
		world := w.worlds[s.Packages]
		if h.Packages == nil {
			h.Packages = map[string]string{}
		}
		maps.Copy(h.Packages, world.Extras)
		if world.Class != env.Class {
			h.Arithmetic += "; scorer: " + world.Class
		}
	}
}

// Environment is what run.json says of the machine.
type Environment struct {
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

// Machine is the environment where no Python takes part.
func Machine(o Options) Environment {
	return Environment{
		Tool: o.Version, Revision: o.Revision, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// With is the environment with a Python.
func (e Environment) With(p *pyenv.Env) Environment {
	e.Python, e.NumPy, e.SciPy, e.Lock, e.Canary = p.Version, p.NumPy, p.SciPy, p.Lock, p.Canary
	return e
}

func (p *Place) Environment(endpoints map[string]string) Environment {
	e := p.tool.With(p.Env)
	e.Sandbox, e.Endpoints = p.Pool.Report(), endpoints
	return e
}

// unsafeName is what must not stand in a directory's name.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._,=+-]+`)

// SafeName is a name for a file.
func SafeName(name string) string { return unsafeName.ReplaceAllString(name, "-") }

// rowSettings names what a run sets besides its method: the variant and the factor on limits of
// time, "k=5,time-scale=2".
func rowSettings(h record.Header) string {
	if h.Factor() == 1 {
		return h.Variant
	}
	return strings.TrimPrefix(h.Variant+fmt.Sprintf(",time-scale=%g", h.Factor()), ",")
}

// RunDir is runs/<task>/<method>[@settings]/<model>/<seed>; a row that asks no model and is
// trained has no <model>.
func RunDir(out string, h record.Header) string {
	method := h.Method
	if settings := rowSettings(h); settings != "" {
		name := SafeName(settings)
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
	dir := shorten(SafeName(model))
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
