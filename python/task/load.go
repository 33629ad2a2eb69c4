// Package pytask makes tasks from Python files. Start at Load. A task file describes the task and
// scores candidates, in its own trusted process (python/host). Go is between that process and the
// candidate, and passes their values on without decoding them. A task file imports
// pacebench/task.py; pacebench/scorer.py is the other end of this package.
package pytask

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/python"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
)

// Options say where tasks find Python.
type Options struct {
	// Python returns an environment with packages of python/env ("": only the packages of
	// candidates), and makes it if it is missing.
	Python func(ctx context.Context, packages string) (*pyenv.Env, error)
	LLM4AD string    // a checkout of LLM4AD; "": the package of python/env
	Cache  string    // see host.Config
	Log    io.Writer // receives what a process printed before it failed; nil: no log
}

// Named reports whether a task's name is the name of a file, or of a task of LLM4AD.
func Named(name string) bool {
	return strings.HasSuffix(name, ".py") || strings.HasPrefix(name, foreignPrefix)
}

// ErrFile means that a file is not a task. The error says where in the file, and what to do.
var ErrFile = errors.New("no task")

// described is scorer.py's description of a file.
type described struct {
	Packages []string `json:"packages"`
	Python   string   `json:"python"`
	Problem  *struct {
		Text, Advice string
		Line         int
	} `json:"problem"`
	Task *content `json:"task"`
}

// content is the task in a task file.
type content struct {
	Name, Title, Unit, Goal, Description string
	Folder                               string `json:",omitempty"` // of the files
	Line                                 int    `json:",omitempty"` // of the score
	Digits                               int
	Tolerance                            float64
	Template                             program.Function
	Imports, Modules                     []string
	Fresh, Stateless                     bool
	Evidence, Film, Drawn                bool `json:",omitempty"`
	Adapter                              string
	Noisy                                *struct{ Top, Replicates int } `json:",omitempty"`
	Splits                               []struct {
		Name, Digest string
		Instances    int
		CPU, Wall    float64
		Memory       float64
	}
	References        []reference
	CandidatePackages []string          `json:"candidate_packages"`
	Files             map[string]string // SHA-256 by path, the task file among them
}

// A reference is a program of the file, with its known value on a split.
type reference struct {
	Name, Source, Split string
	Value               *float64
}

// contract is the version of the contract with task files; a new one changes the versions of tasks.
const contract = 1

// Load makes a task from a file: a new process imports and describes it.
func Load(ctx context.Context, path string, o Options) (*bench.Task, error) {
	f, err := read(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return f.task()
}

func read(ctx context.Context, path string, o Options) (*file, error) {
	f, err := open(path, o)
	if err == nil {
		err = f.describe(ctx, f.Packages)
	}
	if err == nil && f.Task == nil { // it can be imported only with its packages
		err = f.describe(ctx, f.Packages)
	}
	return f, err
}

func open(path string, o Options) (*file, error) {
	if strings.HasPrefix(path, foreignPrefix) {
		return openForeign(path, o)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := python.IsFile(path); err != nil {
		return nil, hint.Add(err,
			"a task in Python is named by its file, as in --task ./my_task.py")
	}
	return &file{path: path, options: o}, nil
}

// Describe returns what Shipped must know of a task file in addition to its text.
func Describe(ctx context.Context, path string, o Options) ([]byte, error) {
	f, err := open(path, o)
	if err == nil {
		err = f.describe(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	f.Task.Line = 0
	f.Task.Folder, f.Task.Files = "", map[string]string{f.name(): f.Task.Files[f.path]}
	text, err := json.MarshalIndent(f.Task, "", "  ")
	return append(text, '\n'), err
}

// Shipped makes the task of an embedded file without starting Python: described is the result of
// Describe. Such a file needs no packages and no other files.
func Shipped(name string, source, described []byte) (*bench.Task, error) {
	f := &file{path: name, source: source}
	if err := json.Unmarshal(described, &f.Task); err != nil {
		return nil, err
	}
	return f.task()
}

// A file is the source of a task.
type file struct {
	described
	options  Options
	path     string
	source   []byte // the text of a shipped file; nil: the file is read
	foreign  *row   // for a task of LLM4AD, whose name is in path; nil: path is a file
	packages string // of python/env
	env      *pyenv.Env
}

func (f *file) describe(ctx context.Context, packages []string) (err error) {
	if f.packages, err = f.set(packages); err != nil {
		return err
	}
	f.env, err = f.options.Python(ctx, f.packages)
	if f.foreign != nil && errors.Is(err, pyenv.ErrNoNetwork) {
		err = hint.Add(err, hintForeign)
	}
	if errors.Is(err, pyenv.ErrHash) && f.packages == f.lock() {
		err = hint.Add(f.wrong(0, "%w", err), "pacebench lock "+f.path+" writes its lock again")
	}
	if err != nil {
		return err
	}
	workers := f.workers(ctx, host.Config{})
	defer workers.Close()
	f.described = described{}
	err = workers.Lend(ctx, f.scorer(packages, nil, nil), func(h bench.Host) error {
		list, err := h.Call(ctx, "describe", nil, nil)
		if err != nil {
			return err
		}
		text, _ := list[0].(bench.Array)
		return hint.JSON(json.Unmarshal(text.Data, &f.described))
	})
	if errors.Is(err, bench.ErrScorer) {
		err = hint.Add(err, hintEnded)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.name(), err)
	}
	if p := f.Problem; p != nil {
		return hint.Add(f.wrong(p.Line, "%s", p.Text), p.Advice)
	}
	return nil
}

func (f *file) name() string { return filepath.Base(f.path) }

// workers returns Workers whose trusted processes run in the file's environment.
func (f *file) workers(ctx context.Context, c host.Config) *host.Workers {
	c.Python = func(context.Context, string) (string, error) { return f.env.Python, nil }
	c.Cache, c.Log = f.options.Cache, f.options.Log
	return host.Open(ctx, c)
}

// wrong returns an error in a line of the file; line 0 means no line.
func (f *file) wrong(line int, format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format, append([]any{f.at(line), ErrFile}, args...)...)
}

func (f *file) at(line int) string {
	if line == 0 {
		return f.name()
	}
	return fmt.Sprintf("%s:%d", f.name(), line)
}

// set returns the name of packages in python/env: an extra, or the path of the file's own lock.
func (f *file) set(packages []string) (string, error) {
	switch {
	case len(packages) == 0:
		return "", nil
	case len(packages) == 1 && slices.Contains(pyenv.Extras(), packages[0]):
		return packages[0], nil
	}
	made, err := pyenv.OwnLock(f.lock())
	var why string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "there is no " + filepath.Base(f.lock())
	case err != nil:
		why = err.Error()
	case !slices.Equal(made, packages):
		why = fmt.Sprintf("%s is for other packages: %s",
			filepath.Base(f.lock()), strings.Join(made, ", "))
	default:
		return f.lock(), nil
	}
	return "", hint.Add(f.wrong(0, "packages %s: %s", strings.Join(packages, ", "), why),
		"pacebench lock "+f.path+" writes it; sets that need no lock: "+
			strings.Join(pyenv.Extras(), ", "))
}

func (f *file) lock() string { return strings.TrimSuffix(f.path, ".py") + ".lock" }

// Lock writes the lock of a task file's packages with write, which is pyenv.WriteLock, and returns
// the lock's path and the number of packages.
func Lock(ctx context.Context, path string, o Options, write func(
	ctx context.Context, path string, packages []string) (int, error)) (string, int, error) {
	f, err := open(path, o)
	if err == nil && f.foreign != nil {
		err = hint.Add(f.wrong(0, "pacebench has the lock of its packages"), hintForeign)
	}
	if err == nil {
		err = f.describe(ctx, nil)
	}
	switch {
	case err != nil:
		return "", 0, err
	case len(f.Packages) == 0:
		return "", 0, hint.Add(f.wrong(0, "it names no packages"),
			`write Task(packages=["pandas==2.3.3"]); NumPy and SciPy are included`)
	}
	n, err := write(ctx, f.lock(), f.Packages)
	return f.lock(), n, err
}

// A watch makes a scorer report what check-task observes. The scorer passes it to watch.py.
type watch struct {
	Crooked bool `json:"crooked"` // its clocks are wrong
}

// scorer returns the scorer of the task. Its process refuses a file that differs from its SHA-256
// in files, a map by path.
func (f *file) scorer(packages []string, files map[string]string, w *watch) *bench.Scorer {
	if packages == nil {
		packages = []string{}
	}
	if files == nil {
		files = map[string]string{}
	}
	given, err := json.Marshal(map[string]any{
		"path": f.path, "packages": packages, "files": files, "source": string(f.source),
		"watch": w, "llm4ad": f.foreign,
	})
	if err == nil {
		given, err = json.Marshal(string(given)) // as a literal, which Python reads as JSON does
	}
	if err != nil {
		panic("pytask: strings do not encode: " + err.Error())
	}
	modules := python.Modules()
	modules["pacebench_given"] = "import json\nGIVEN = json.loads(" + string(given) + ")\n"
	return &bench.Scorer{
		Packages: f.packages, Modules: modules, Main: "pacebench.scorer", Fork: true,
	}
}

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

func (f *file) task() (*bench.Task, error) {
	c := f.Task
	if f.foreign == nil && !goodName.MatchString(c.Name) {
		return nil, hint.Add(f.wrong(0, "%q cannot be the name of a task", c.Name),
			"a letter, then at most 39 letters, digits, underscores and dashes: "+
				"use Task(name=...), or rename the file")
	}
	packages := strings.Join(c.CandidatePackages, ", ")
	if packages != "" && !slices.Contains(pyenv.Extras(), packages) {
		return nil, hint.Add(f.wrong(0, "candidate_packages: %s", packages),
			"name one set of packages: "+strings.Join(pyenv.Extras(), ", "))
	}
	if f.packages == f.lock() {
		text, err := os.ReadFile(f.lock())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		c.Files[f.lock()] = hex.EncodeToString(sum[:])
	}
	sources, err := f.texts()
	if err != nil {
		return nil, err
	}
	held := c.Files
	if f.source != nil {
		held = nil
	}
	t := &bench.Task{
		Problem: bench.Problem{
			Name: c.Name, Description: c.Description, Template: c.Template,
			Imports: c.Imports, Modules: c.Modules,
		},
		Label: bench.TaskLabel{
			Title: cmp.Or(c.Title, strings.ReplaceAll(c.Name, "_", " ")),
			Unit:  cmp.Or(c.Unit, "value"), Digits: c.Digits, Tolerance: c.Tolerance,
		},
		Packages: packages, Isolated: c.Fresh, Whole: true,
		Prelude: c.Adapter, Scorer: f.scorer(f.Packages, held, nil),
		Files: map[string]string{}, Sources: sources, ScoreLine: f.at(c.Line),
	}
	if c.Evidence {
		t.Evidence = evidence
	}
	if c.Film {
		t.Pictures = "a film"
	}
	if c.Noisy != nil {
		t.Rescore = &bench.Rescore{Top: c.Noisy.Top, Replicates: c.Noisy.Replicates, Score: again}
	}
	if c.Goal == bench.Maximize.String() {
		t.Goal = bench.Maximize
	}
	digests := map[string]string{}
	var splits []bench.Split
	for _, s := range c.Splits {
		digests[s.Name] = s.Digest
		splits = append(splits, bench.Split{
			Name: s.Name, Title: s.Name, Instances: s.Instances,
			Limits: bench.Limits{
				CPU: seconds(s.CPU), Wall: seconds(s.Wall), Memory: int64(s.Memory),
			},
		})
	}
	t.SetSplits(splits)
	for _, r := range c.References {
		t.References = append(t.References, bench.Reference{Name: r.Name, Source: r.Source})
	}
	for path, digest := range c.Files {
		name, err := filepath.Rel(c.Folder, path)
		if err != nil {
			return nil, err
		}
		t.Files[filepath.ToSlash(name)] = digest
	}
	t.Version = f.version(t.Files)
	t.Digest = func(split string) string { return digests[split] }
	t.Score = score
	if c.Stateless {
		t.Prelude += seeding
		t.Repeat = repeat
	}
	return t, nil
}

// texts returns the contents of the files that a run keeps copies of; nil for a task of LLM4AD,
// whose files stay in their package or checkout.
func (f *file) texts() (all [][]byte, err error) {
	if f.foreign != nil {
		return nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(f.Task.Files)) {
		text := f.source
		if text == nil {
			info, err := os.Stat(path)
			if err == nil && info.Size() > plain.Small { // a run keeps no copy of a large file
				continue
			}
			if err == nil {
				text, err = os.ReadFile(path)
			}
			if err != nil {
				return nil, err
			}
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != f.Task.Files[path] {
			return nil, f.wrong(0, "%s changed while it was read", filepath.Base(path))
		}
		all = append(all, text)
	}
	return all, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// version changes with everything that a score may depend on.
func (f *file) version(files map[string]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00", contract)
	if f.env != nil {
		fmt.Fprintf(h, "%s\x00%s\x00%s\x00", f.Python, f.env.NumPy, f.env.SciPy)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\x00%s\x00", name, files[name])
	}
	if f.foreign != nil {
		h.Write(f.foreign.content())
	}
	return fmt.Sprintf("py%d-%s", contract, hex.EncodeToString(h.Sum(nil)[:8]))
}
