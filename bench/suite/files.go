package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/pytask"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/tasks"
)

// Files are the tasks in Python that a command has named so far.
type Files struct {
	load func(path string) (*bench.Task, error)
	lock func(path string) (string, int, error)

	mu    sync.Mutex // held while one is loaded
	paths map[string]*bench.Task
	list  []*bench.Task
}

// NewFiles has none yet. ctx and the options are those of the command.
func NewFiles(ctx context.Context, o Options) *Files {
	options := pytask.Options{
		Python: func(ctx context.Context, packages string) (*python.Env, error) {
			return OpenPython(ctx, o, packages)
		},
		Cache: hostCache(), Log: o.Log,
	}
	return &Files{
		paths: map[string]*bench.Task{},
		load:  func(path string) (*bench.Task, error) { return pytask.Load(ctx, path, options) },
		lock: func(path string) (string, int, error) {
			return pytask.Lock(ctx, path, options,
				func(ctx context.Context, path string, packages []string) (int, error) {
					return python.WriteLock(ctx, python.Options{
						Python: o.Python, Lock: o.Lock, Log: o.Notes,
					}, path, packages)
				})
		},
	}
}

// Lock writes the lock of a task file's packages, and returns its path and how many it has.
func (f *Files) Lock(path string) (string, int, error) { return f.lock(path) }

// All are the tasks in the order in which they were named. No Files have none.
func (f *Files) All() []*bench.Task {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}

// open loads a file once.
func (f *Files) open(path string) (*bench.Task, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fmt.Errorf("%s: no file can be a task here", path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.paths[path]; t != nil {
		return t, nil
	}
	t, err := f.load(path)
	if err != nil {
		return nil, err
	}
	if _, taken := tasks.Lookup(t.Name); taken {
		return nil, hint.Add(Usagef("%s: its name %s is that of a task in Go", path, t.Name),
			"give it another one: Task(name=...), or another name of the file")
	}
	for other, old := range f.paths {
		if old.Name == t.Name {
			return nil, hint.Add(Usagef("%s and %s: both are the task %s", other, path, t.Name),
				"give one of them another name: Task(name=...)")
		}
	}
	f.paths[path], f.list = t, append(f.list, t)
	return t, nil
}

// Load loads the task files among names, so that their runs and models can be found by name.
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

// LookupTask finds a task by its name or file, or says which there are.
func (o Options) LookupTask(name string) (*bench.Task, error) {
	if name == "" {
		return nil, hint.Add(Usagef("--task is missing"), OneOf("tasks", "", TaskNames()))
	}
	if pytask.Named(name) {
		return o.Files.open(name)
	}
	for _, t := range o.Files.All() {
		if t.Name == name {
			return t, nil
		}
	}
	if t, ok := tasks.Lookup(name); ok {
		return t, nil
	}
	return nil, hint.Add(Usagef("no task %q", name),
		OneOf("tasks", name, TaskNames())+"; a task in Python is named by its file")
}
