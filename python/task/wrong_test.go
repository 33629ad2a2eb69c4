//go:build linux

package pytask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/internal/testkit/wheeltest"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// placed matches the number of a line at the beginning of a message.
var placed = regexp.MustCompile(`^(\d+): `)

// The error of a wrong file is one line with the place, and has advice.
func TestWrongFiles(t *testing.T) {
	whole := strings.ReplaceAll(variant(true, false, false), "\n\n", "\n")
	instance := "@task.score"
	_, doc, _ := strings.Cut(whole, "-> int:\n")
	doc, _, _ = strings.Cut(doc, "    return numbers[0]")
	for i, c := range []struct{ old, with, says, advice string }{
		{"import random", "import random(", "2: SyntaxError: invalid syntax", "correct"},
		{"import random", "1 / 0", "2: ZeroDivisionError: division by zero", "correct"},
		{"import random", "import gymnasium", "2: ModuleNotFound", "control"},
		{`"""Pick the largest number."""`, "", "1: no docstring", "in words"},
		{"", `"""Nothing."""`, "wrong.py: no task: no Task object", "task = Task("},
		{"NUMBERS =", "two = Task(goal='minimize', splits={'train': 1})\nNUMBERS =",
			"6: 2 Task objects", "has one"},
		{"@task.template", "", "5: no function has @task.templ", "@task.score"},
		{"@task.score", "", "5: no function has @task.score", "@task.score"},
		{"@task.score", "@task.template", "18: there are two functions with", "keep one"},
		{"last: int)", "*last: int)", "9: the template has * or /", "plain"},
		{"last: int)", "last: int = 0)", "parameters with defaults", "plain"},
		{"return numbers[0]", "", "9: the template has no body", "default"},
		{doc, "", "9: the template has no docstring", "what the function is for"},
		{`"train": 2`, `"test": 2`, "5: splits do not begin with train", "train"},
		{`"train": 2`, `"train": 0`, "5: splits: train has 0", "from 1 to 1000000"},
		{`"maximize"`, `"max"`, "5: goal='max'", `"minimize" or "maximize"`},
		{"cpu=20", "cpu='long'", "5: cpu='long'", "number"},
		{"cpu=20", "cpu={'trian': 3}", "5: cpu={'trian': 3}", "by split"},
		{"cpu=20", "cpu=-1", "5: cpu=-1", "larger than 0"},
		{"cpu=20", "memory=1e300", "5: memory=1e+300", "at most 1099511627776"},
		{"cpu=20", "digits=10**5000", "5: digits=an int that is too long", "from 0 to 12"},
		{"cpu=20", "spu=20", "5: TypeError: ", "correct"},
		{"cpu=20", "name=3", "5: name=3", "a string"},
		{"cpu=20", "tolerance=1", "5: tolerance=1", "a float from 1e-15"},
		{"cpu=20", "name='a b'", `"a b" cannot be the name`, "letters"},
		{"cpu=20", "files=['missing.csv']", "5: files: missing.csv", "in the folder of the task"},
		{"cpu=20", "packages=['torch>2']", "packages torch>2: there is no wrong.lock",
			"pacebench lock "},
		{"cpu=20", "candidate_packages=['torch>2']", "candidate_packages: torch>2", "vision"},
		{"cpu=20", "packages=PACKAGES", "5: packages must be", "write them out"},
		{instance, "class Graph: pass\n@task.instance\ndef make(split, number):\n" +
			"    return {'items': [1, {'graph': Graph()}]}\n" + instance,
			"19: instance 0 of train cannot be sent: a Graph at " +
				"['items'][1]['graph']", "the instance's parts, or a seed"},
		{instance, "@task.instance\ndef make(number):\n    return number\n" + instance,
			"18: @task.instance must take split, number", "write def make(split, number):"},
		{"def picked(", "async def picked(", "18: @task.score is an async def", "write def picked"},
		{instance, "import functools\n@task.reference()\n@functools.lru_cache\n" +
			"def first(numbers, last):\n    return 9\n" + instance,
			"19: first is not a plain function of the file", "without other decorators"},
		{instance, "@task.reference\ndef first(numbers, last):\n    return numbers[0]\n" + instance,
			"18: @task.reference is written without parentheses", "@task.reference()"},
		{instance, "@task.reference(value='9')\ndef first(numbers, last):\n    return 9\n" +
			instance, "18: reference first: value='9'", "omit it"},
		{instance, "@task.reference(split='test')\ndef first(numbers, last):\n    return 9\n" +
			instance, "18: reference first: split='test'", "splits: train"},
	} {
		if !tasktest.Sampled(i, 3) {
			continue
		}
		source := c.with
		if c.old != "" {
			source = strings.Replace(whole, c.old, c.with, 1)
		}
		_, err := load(t, "wrong.py", source)
		says := placed.ReplaceAllString(c.says, "wrong.py:$1: no task: ")
		switch {
		case !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %v, want %s", c.with, err, says)
		case !strings.Contains(hint.Of(err), c.advice):
			t.Errorf("%s: hint %q, want %s", c.with, hint.Of(err), c.advice)
		}
	}
	// An array has no truth value, and a module keeps many kinds of values.
	data := strings.Replace(whole, "import random", "import random\nimport numpy as np\nDATA = "+
		"np.arange(5)", 1)
	if _, err := load(t, "data.py", data); err != nil {
		t.Errorf("a task with an array above it: %v", err)
	}
	if _, err := Load(t.Context(), "nowhere.py", options(t)); err == nil ||
		!strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: %v", err)
	}
}

// A task with its own packages cannot run without a lock of exactly these packages. With the lock,
// which is one of the task's files, the file is imported in an environment made from it.
func TestOwnPackages(t *testing.T) {
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	wheels, cache, dir := t.TempDir(), t.TempDir(), t.TempDir()
	wheeltest.Write(t, wheels, "pace_tiny", "")
	t.Setenv("PIP_FIND_LINKS", os.Getenv("PIP_FIND_LINKS")+" "+wheels)
	path := filepath.Join(dir, "tiny.py")
	source := strings.Replace(variant(true, false, false), "cpu=20",
		"packages=['pace-tiny==1.0']", 1)
	must.Write(t, path, strings.Replace(source, "import random", "import pace_tiny, random", 1))
	o := Options{Python: func(ctx context.Context, packages string) (*pyenv.Env, error) {
		if packages == "" {
			return pyenv.ForTest(t), nil
		}
		return pyenv.Ensure(ctx, pyenv.Options{Extra: packages, Cache: cache})
	}}
	refused := func(says string) {
		t.Helper()
		_, err := Load(t.Context(), path, o)
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), says) ||
			!strings.Contains(hint.Of(err), "pacebench lock "+path) {
			t.Errorf("%v: %s, want %s", err, hint.Of(err), says)
		}
	}
	refused("tiny.py: no task: packages pace-tiny==1.0: there is no tiny.lock")
	lock, n, err := Lock(t.Context(), path, o,
		func(ctx context.Context, path string, packages []string) (int, error) {
			return pyenv.WriteLock(ctx, pyenv.Options{}, path, packages)
		})
	if err != nil || n != 1 || lock != filepath.Join(dir, "tiny.lock") {
		t.Fatalf("%s of %d packages, %v", lock, n, err)
	}
	task, err := Load(t.Context(), path, o) // installs NumPy and SciPy
	if errors.Is(err, pyenv.ErrNoNetwork) {
		t.Skip(err)
	}
	must.Do(t, err)
	if len(task.Files) != 2 || task.Files["tiny.lock"] == "" {
		t.Errorf("files %v", task.Files)
	}
	was := o.Python
	o.Python = func(ctx context.Context, packages string) (*pyenv.Env, error) {
		if packages == "" {
			return was(ctx, "")
		}
		return nil, fmt.Errorf("%w: pace-tiny", pyenv.ErrHash)
	}
	refused("a downloaded package is not the locked one")
	must.Write(t, path, strings.Replace(source, "1.0", "2.0", 1))
	refused("tiny.lock is for other packages: pace-tiny==1.0")
	must.Write(t, path, strings.Replace(source, "packages=['pace-tiny==1.0']", "cpu=20", 1))
	_, _, err = Lock(t.Context(), path, o, nil)
	if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "names no packages") {
		t.Errorf("no packages: %v", err)
	}
}

// The version of a task covers the file, the modules that it imports from its folder at any time,
// and its data.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"sized.py": strings.Replace(strings.Replace(variant(true, false, false), "import random",
			"import random\nfrom parts import early", 1), "cpu=20", "files=['data/sizes.csv']", 1) +
			"    from parts.late import later\n",
		"parts/__init__.py": "", "parts/early.py": "import os\n", "parts/late.py": "later = 1\n",
		"data/sizes.csv": "1,2\n", "other.py": "not a part",
	}
	write := func(name, text string) {
		must.Write(t, filepath.Join(dir, name), text)
	}
	version := func() *bench.Task {
		task, err := Load(t.Context(), filepath.Join(dir, "sized.py"), options(t))
		must.Do(t, err)
		return task
	}
	var names []string
	for name, text := range files {
		write(name, text)
		if name != "other.py" {
			names = append(names, name)
		}
	}
	was := version()
	if len(was.Files) != len(names) || !strings.HasPrefix(was.Version, "py1-") {
		t.Errorf("%s of %v", was.Version, was.Files)
	}
	slices.Sort(names)
	for _, name := range names {
		write(name, files[name]+"\n")
		now := version()
		if now.Version == was.Version || now.Files[name] == was.Files[name] {
			t.Errorf("%s: %s of %v", name, now.Version, now.Files)
		}
		write(name, files[name])
	}
	write("other.py", "")
	if now := version(); now.Version != was.Version {
		t.Errorf("%s of %v, and was %s", now.Version, now.Files, was.Version)
	}
}
