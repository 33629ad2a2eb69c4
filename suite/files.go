package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/methods"
	pyenv "github.com/pacebench/pacebench/python/env"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// Files holds the tasks and methods in Python that the command has named so far.
type Files struct {
	load       func(path string) (*bench.Task, error)
	loadMethod func(path string) (*pymethod.Method, error)

	mu    sync.Mutex // held while a file is loaded
	paths map[string]*bench.Task
	list  []*bench.Task
	// methods have their default settings.
	methods map[string]*pymethod.Method
	// trusted lists the digests of the code in runs that the command trusts, and at is the
	// directory to which this code is written. See Trust.
	trusted []string
	at      string
}

// NewFiles returns an empty Files that uses the context and the options of the command.
func NewFiles(ctx context.Context, o Options) *Files {
	return &Files{
		paths: map[string]*bench.Task{},
		load: func(path string) (*bench.Task, error) {
			return pytask.Load(ctx, path, taskOptions(o))
		},
		methods: map[string]*pymethod.Method{},
		loadMethod: func(path string) (*pymethod.Method, error) {
			return LoadMethod(ctx, o, path)
		},
	}
}

func taskOptions(o Options) pytask.Options {
	return pytask.Options{
		Python: func(ctx context.Context, packages string) (*pyenv.Env, error) {
			return OpenPython(ctx, o, packages)
		},
		LLM4AD: o.LLM4AD, Cache: hostCache(), Log: o.Log,
	}
}

// LockTask writes the lock file for the packages of a task file. It returns the path of the lock
// file and the number of packages.
func LockTask(ctx context.Context, o Options, path string) (string, int, error) {
	return pytask.Lock(ctx, path, taskOptions(o),
		func(ctx context.Context, path string, packages []string) (int, error) {
			return pyenv.WriteLock(ctx,
				pyenv.Options{Python: o.Python, Lock: o.Lock, Log: o.Notes}, path, packages)
		})
}

// CheckTask checks a task file. See pytask.Check.
func CheckTask(ctx context.Context, o Options, path string, progress func(string)) (
	[]pytask.Finding, error) {
	o.Jobs = 2
	at := func(t *bench.Task, use func(bench.Loader) error) error {
		return WithBackend(ctx, o, func(w *Backend) error { return use(w.Sandbox(t).Workers) }, t)
	}
	return pytask.Check(ctx, path, taskOptions(o), at, progress)
}

// All returns the tasks in the order in which they were named. A nil Files is empty.
func (f *Files) All() []*bench.Task {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}

// open loads a task file, unless it is already loaded.
func (f *Files) open(path string) (*bench.Task, error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	path = pytask.From(here, path)
	if f == nil {
		return nil, fmt.Errorf("%s: this command takes no task files", path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.paths[path]; t != nil {
		return t, nil
	}
	t, err := f.load(path)
	if errors.Is(err, pytask.ErrForeign) {
		err = Usage(err)
	}
	if err != nil {
		return nil, err
	}
	if _, taken := tasks.Lookup(t.Name); taken {
		return nil, hint.Add(Usagef("%s: pacebench already has a task named %s", path, t.Name),
			"rename it with Task(name=...), or rename the file")
	}
	for other, old := range f.paths {
		if old.Name == t.Name {
			return nil, hint.Add(Usagef("%s and %s both define the task %s", other, path, t.Name),
				"rename one of them with Task(name=...)")
		}
	}
	f.paths[path], f.list = t, append(f.list, t)
	return t, nil
}

// Load loads the task files among names, so that tasks and runs can refer to them by name.
func (f *Files) Load(names ...string) error {
	for _, name := range names {
		if !pytask.Named(name) {
			continue
		}
		if _, err := f.open(name); err != nil {
			return err
		}
	}
	return nil
}

// LookupTask finds a task by its name, its file or llm4ad:NAME. If the task is unknown, the error
// lists the tasks.
func (o Options) LookupTask(name string) (*bench.Task, error) {
	if name == "" {
		return nil, hint.Add(Usagef("--task is missing"), OneOf("tasks", "", TaskNames()))
	}
	if pytask.Named(name) {
		return o.Files.open(name)
	}
	return o.TaskOfRun(name)
}

// TaskOfRun finds the task that a run's header names. It opens no task file, because the author of
// the header may have named any file.
func (o Options) TaskOfRun(name string) (*bench.Task, error) {
	for _, t := range o.Files.All() {
		if t.Name == name {
			return t, nil
		}
	}
	if t, ok := tasks.Lookup(name); ok {
		return t, nil
	}
	if foreign := pytask.OfRun(name); foreign != "" {
		return o.Files.open(foreign)
	}
	return nil, hint.Add(Usagef("no task %q", name),
		OneOf("tasks", name, TaskNames())+
			"; name a task in Python by its file, and a task of LLM4AD by llm4ad:NAME")
}

func methodOptions(o Options) pymethod.Options {
	m := pymethod.Options{
		Python: func(ctx context.Context) (*pyenv.Env, error) {
			return OpenPython(ctx, o, "")
		},
		Patience: o.MethodPatience,
	}
	for _, name := range o.PassEnv {
		if value, ok := os.LookupEnv(name); ok {
			m.Environment = append(m.Environment, name+"="+value)
		}
	}
	return m
}

// LoadMethod loads a method's file without adding it to o.Files, so that its processes can have
// more environment variables.
func LoadMethod(ctx context.Context, o Options, path string, environment ...string) (
	*pymethod.Method, error) {
	with := methodOptions(o)
	with.Environment = append(with.Environment, environment...)
	return pymethod.Load(ctx, path, with, takenNames()...)
}

// takenNames returns the names that a method in Python must not have.
func takenNames() []string {
	names := Map(methods.All(), bench.Method.Name)
	for _, r := range baselines.All("") {
		names = append(names, r.Name)
	}
	return names
}

// OpenMethod returns the method in a file, with its default settings. It loads each file only once.
func (f *Files) OpenMethod(path string) (*pymethod.Method, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fmt.Errorf("%s: this command takes no method files", path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.methods[path]; m != nil {
		return m.New(), nil
	}
	m, err := f.loadMethod(path)
	if err != nil {
		return nil, err
	}
	for other, old := range f.methods {
		if old.Name() == m.Name() {
			return nil, hint.Add(Usagef("%s and %s both define the method %s",
				other, path, m.Name()), "rename one of them")
		}
	}
	f.methods[path] = m
	return m.New(), nil
}

// Methods returns the methods in Python, sorted by name. A nil Files is empty.
func (f *Files) Methods() []bench.Method {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return Map(slices.SortedFunc(maps.Values(f.methods), func(a, b *pymethod.Method) int {
		return cmp.Compare(a.Name(), b.Name())
	}), func(m *pymethod.Method) bench.Method { return m })
}

// newMethod finds a method by its name or file, with its default settings.
func (o Options) newMethod(name string) (bench.Method, error) {
	if pymethod.Named(name) {
		return o.Files.OpenMethod(name)
	}
	return methods.New(name)
}

// methodOf returns the method of a run. It checks that a method in Python has the same files and
// the same Python and NumPy as in the run.
func (o Options) methodOf(l *record.Loaded) (bench.Method, error) {
	was := l.Header.MethodFile
	if was == nil {
		m, err := methods.New(l.Header.Method)
		if err != nil {
			return nil, hint.Add(
				fmt.Errorf("%s: the run's method is %q, which this pacebench does not have",
					l.Dir, l.Header.Method), hintMaker)
		}
		return m, nil
	}
	m, err := o.fileOf(l)
	if err != nil {
		return nil, err
	}
	now := m.Program()
	if d := record.FilesDifference("method", was.Files, now.Files); d != "" {
		return nil, hint.Add(fmt.Errorf("%s: %s", l.Dir, d), hintFiles)
	}
	if was.Python != now.Python || was.NumPy != now.NumPy {
		return nil, hint.Add(fmt.Errorf("%s: the method ran under Python %s with NumPy %s, "+
			"but this machine has Python %s with NumPy %s",
			l.Dir, was.Python, was.NumPy, now.Python, now.NumPy),
			"choose an environment with --env or --python")
	}
	return m.New(), nil
}

// fileOf returns a run's method in Python. If the command names the method, fileOf returns that
// method, and otherwise the run's own copy, which must be trusted.
func (o Options) fileOf(l *record.Loaded) (*pymethod.Method, error) {
	for _, m := range o.Files.Methods() {
		if m.Name() == l.Header.Method {
			return m.(*pymethod.Method), nil
		}
	}
	return o.Files.methodCopy(l)
}
