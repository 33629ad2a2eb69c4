package suite

import (
	"cmp"
	"context"
	"crypto/sha256"
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

// A Backend holds the Python environments and worker processes that all runs of one command share.
type Backend struct {
	Sandboxes map[string]*Sandbox   // by bench.Task.Packages
	worlds    map[string]*pyenv.Env // for trusted scorers, by bench.Scorer.Packages
	Hosts     *host.Workers         // run trusted scorers; a worker starts when a task needs it
}

// A Sandbox runs the candidates of all tasks that need the same packages. It has a Python
// environment with these packages, worker processes and an analyser.
type Sandbox struct {
	tool     Environment
	Env      *pyenv.Env
	Workers  *sandbox.Workers
	Analyzer *sandbox.Analyzer
}

// OpenPython finds or makes a Python environment with the packages for candidates. If extra is not
// empty, the environment also has the packages of extra: one of pyenv.Extras, or the path of a
// user's lock file. With o.NoInstall, OpenPython makes nothing.
func OpenPython(ctx context.Context, o Options, extra string) (*pyenv.Env, error) {
	open := pyenv.Ensure
	if o.NoInstall {
		open = pyenv.Installed
	}
	return open(ctx, pyenv.Options{
		Python: o.Python, Lock: o.Lock, Extra: extra, Log: o.Notes,
	})
}

// OpenBackend sets up Python and the sandbox for the tasks. The caller must close the Backend.
func OpenBackend(ctx context.Context, o Options, tasks ...*bench.Task) (*Backend, error) {
	w := &Backend{Sandboxes: map[string]*Sandbox{}, worlds: map[string]*pyenv.Env{}}
	for _, t := range tasks {
		if err := w.openFor(ctx, o, t); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	w.Hosts = host.Open(ctx, host.Config{
		Python: func(_ context.Context, packages string) (string, error) {
			world := w.worlds[packages]
			if world == nil {
				return "", fmt.Errorf(
					"this command has no task that needs the packages %q", packages)
			}
			return world.Python, nil
		},
		Workers: o.Jobs,
		Cache:   hostCache(),
		Log:     o.Log,
	})
	return w, nil
}

func hostCache() string {
	dir, err := pyenv.CacheDir()
	if err != nil {
		return "" // the default directory
	}
	return filepath.Join(dir, "host")
}

// WithBackend opens a Backend for the tasks and calls use. Then it closes o.Purse and the Backend.
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

// openFor adds the Sandbox that a task needs and, if the task has a trusted scorer, the scorer's
// Python environment.
func (w *Backend) openFor(ctx context.Context, o Options, t *bench.Task) (err error) {
	if s := t.Scorer; s != nil && w.worlds[s.Packages] == nil {
		if w.worlds[s.Packages], err = OpenPython(ctx, o, s.Packages); err != nil {
			return err
		}
	}
	if w.Sandboxes[t.Packages] != nil {
		return nil
	}
	env, err := OpenPython(ctx, o, t.Packages)
	if err != nil {
		return err
	}
	cfg := sandbox.Config{
		Python: env.Python, Workers: o.Jobs, Unsafe: o.Unsafe, Log: o.Log,
	}
	workers, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return err
	}
	analyzer, err := sandbox.OpenAnalyzer(ctx, cfg)
	if err != nil {
		return errors.Join(err, workers.Close())
	}
	w.Sandboxes[t.Packages] = &Sandbox{Machine(o), env, workers, analyzer}
	return nil
}

func (w *Backend) Close() error {
	var errs []error
	if w.Hosts != nil {
		errs = append(errs, w.Hosts.Close())
	}
	for _, p := range w.Sandboxes {
		errs = append(errs, p.Analyzer.Close(), p.Workers.Close())
	}
	return errors.Join(errs...)
}

func (w *Backend) Sandbox(t *bench.Task) *Sandbox { return w.Sandboxes[t.Packages] }

// Evaluator returns an evaluator that scores programs on a task in the worker processes of w. It
// multiplies the task's time limits by timeScale. Unless see is nil, it calls see for each
// candidate, as sandbox.Workers.Watched does.
func (w *Backend) Evaluator(t *bench.Task, timeScale float64,
	see func(bench.Target) (ended func())) *bench.TaskEvaluator {
	return &bench.TaskEvaluator{
		Task: t, Loader: w.Sandbox(t).Workers.Watched(see), Hosts: w.Hosts, TimeScale: timeScale,
	}
}

// ScoredHere fills in the fields of a run's header that describe how this machine scores programs
// of the task: the versions of Python and its packages, the arithmetic and the sandbox.
func (w *Backend) ScoredHere(h *record.Header, t *bench.Task) {
	env := w.Sandbox(t).Env
	scoredWith(h, env)
	h.Unsafe = w.Sandbox(t).Workers.Report().Unsafe
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

// scoredWith fills in the fields of a run's header that describe a Python environment.
func scoredWith(h *record.Header, env *pyenv.Env) {
	h.Python, h.NumPy, h.SciPy, h.Lock = env.Version, env.NumPy, env.SciPy, env.Lock
	h.Packages, h.Arithmetic = maps.Clone(env.Extras), env.Class
}

// Environment is the description of the machine in run.json.
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
	// Endpoints are the hosts of the models that have a server, by role.
	Endpoints map[string]string `json:"endpoints,omitempty"`
}

// Machine returns the Environment without the fields that describe Python and the sandbox.
func Machine(o Options) Environment {
	return Environment{
		Tool: o.Version, Revision: o.Revision, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// With returns e with the fields that describe the Python environment p.
func (e Environment) With(p *pyenv.Env) Environment {
	e.Python, e.NumPy, e.SciPy, e.Lock, e.Canary = p.Version, p.NumPy, p.SciPy, p.Lock, p.Canary
	return e
}

func (p *Sandbox) Environment(endpoints map[string]string) Environment {
	e := p.tool.With(p.Env)
	e.Sandbox, e.Endpoints = p.Workers.Report(), endpoints
	return e
}

// unsafeName matches a sequence of characters that a directory's name must not contain.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._,=+-]+`)

// SafeName returns name with each match of unsafeName replaced by "-".
func SafeName(name string) string { return unsafeName.ReplaceAllString(name, "-") }

// settingsName returns the settings that follow the method in a run's name: the variant and the
// factor on time limits, as in "k=5,time-scale=2".
func settingsName(h record.Header) string {
	if h.Factor() == 1 {
		return h.Variant
	}
	return strings.TrimPrefix(h.Variant+fmt.Sprintf(",time-scale=%g", h.Factor()), ",")
}

// RunDir returns <out>/<task>/<method>[@settings]/<model>/<seed>. The path of a trained policy has
// no <model>, because a policy uses no model.
func RunDir(out string, h record.Header) string {
	method := h.Method
	if settings := settingsName(h); settings != "" {
		name := SafeName(settings)
		if name != settings || len(name) > maxDirName {
			name = name[:min(len(name), maxDirName-9)] + "-" + digest(settings)
		}
		method += "@" + name
	}
	if h.Family == record.Trained {
		return filepath.Join(out, h.Task, method, fmt.Sprint(h.Seed))
	}
	model := h.Models[""]
	if eap := h.Models["eap"]; eap != "" {
		model += "+eap=" + eap
	}
	dir := shorten(SafeName(model))
	return filepath.Join(out, h.Task, method, dir, fmt.Sprint(h.Seed))
}

// maxDirName bounds the settings, the model and the host in the name of a file or directory. File
// systems allow names of 255 bytes.
const maxDirName = 150

// shorten cuts a long name and appends its digest, so that different names stay different.
func shorten(name string) string {
	if len(name) <= maxDirName {
		return name
	}
	return name[:maxDirName-9] + "-" + digest(name)
}

// digest returns a short hash. It distinguishes names that are equal after they are cut or made
// safe.
func digest(name string) string {
	return fmt.Sprintf("%.4x", sha256.Sum256([]byte(name)))
}
