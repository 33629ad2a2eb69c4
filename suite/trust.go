package suite

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
)

// Trust allows the command to run the code that a run contains if the digest of the code
// (record.CodeDigest) is one of digests. A run contains copies of the Python files of its task and
// its method. The command writes these copies below dir, where they must stay while f is in use.
func (f *Files) Trust(digests []string, dir string) { f.trusted, f.at = digests, dir }

// ErrCode means that a run was verified in part. The checks that need the code of its task or
// method were skipped, because the command neither names the file nor trusts the run's copy.
var ErrCode = errors.New("verified in part")

// A code is the set of Python files of a run's task or method.
type code struct {
	what, name string // what is "task" or "method"
	files      map[string]string
	err        error // why a task cannot be loaded
}

// foreign returns the code of a run's task and method that the command neither names nor trusts. If
// the command trusts other code, foreign also returns an error.
func (o Verifier) foreign(l *record.Loaded, arg string) (lacks []code, err error) {
	h := l.Header
	if _, err := o.TaskOfRun(h.Task); err != nil && h.Files != nil {
		lacks = append(lacks, code{"task", h.Task, h.Files, err})
	}
	named := slices.ContainsFunc(o.Files.Methods(), func(m bench.Method) bool {
		return m.Name() == h.Method
	})
	if h.MethodFile != nil && !named {
		lacks = append(lacks, code{"method", h.Method, h.MethodFile.Files, nil})
	}
	lacks = slices.DeleteFunc(lacks, func(c code) bool { return o.Files.trusts(c.files) })
	if len(lacks) > 0 && len(o.Files.trusted) > 0 {
		err = hint.Add(fmt.Errorf(
			"%s: --trust-code does not include the digest of the run's %s %s",
			l.Dir, lacks[0].what, lacks[0].name), o.advice(lacks, arg))
	}
	return lacks, err
}

// advice explains how to make the missing code available.
func (o Verifier) advice(lacks []code, arg string) string {
	// A run has no copy of a task of LLM4AD. The package llm4ad or a checkout has the task.
	if first := lacks[0]; first.what == "task" && pytask.OfRun(first.name) != "" {
		return hint.Of(first.err)
	}
	var names, flags []string
	words := []string{"pacebench verify"}
	if o.Recheck {
		words = append(words, "--rescore")
	}
	for _, digest := range o.Files.trusted {
		words = append(words, "--trust-code", digest)
	}
	for _, c := range lacks {
		flags = append(flags, "--"+c.what+" FILE.py")
		names = append(names, slices.Sorted(maps.Keys(c.files))...)
		words = append(words, "--trust-code", record.CodeDigest(c.files))
	}
	words = append(words, arg)
	return fmt.Sprintf("name your own file with %s; or read the run's copy of %s, because it "+
		"runs with your permissions, and then run: %s", strings.Join(flags, " "),
		strings.Join(names, ", "), strings.Join(words, " "))
}

// codeless runs the checks of a search that need no code. If they succeed, it returns ErrCode with
// a list of the skipped checks.
func (o Verifier) codeless(l *record.Loaded, lacks []code) error {
	if err := checkRecorded(nil, l); err != nil {
		return err
	}
	steps, evaluations := l.Counts()
	fmt.Fprintf(o.Out, "%s: checked without its code: order, budget, digests and sums of %s and "+
		"%s agree\n", o.Name(l.Dir), Counted(steps, "step"), Counted(evaluations, "evaluation"))
	return o.partly(l, lacks)
}

// partly returns ErrCode with the checks that were skipped, or nil if no code is missing.
func (o Verifier) partly(l *record.Loaded, lacks []code) error {
	if len(lacks) == 0 {
		return nil
	}
	left := "the search was not replayed"
	if lacks[0].what == "task" {
		left += ", the instances were not compared"
		if o.Recheck {
			left += ", the programs were not scored again"
		}
	}
	var files []string
	for _, c := range lacks {
		files = append(files, fmt.Sprintf("its %s %s", c.what, c.name))
	}
	return hint.Add(
		fmt.Errorf("%s: %w, because the command neither names nor trusts the code of %s: %s",
			l.Dir, ErrCode, strings.Join(files, " and "), left),
		o.advice(lacks, o.Argument(l.Dir)))
}

func (f *Files) trusts(files map[string]string) bool {
	return f != nil && files != nil && slices.Contains(f.trusted, record.CodeDigest(files))
}

// copies writes the run's copies of trusted files, unless they are already written. It returns the
// files that may define the named task or method, a file of the same name first.
func (f *Files) copies(l *record.Loaded, name string, files map[string]string) (
	paths []string, err error) {
	dir := filepath.Join(f.at, record.CodeDigest(files))
	if _, err := os.Stat(dir); err != nil {
		if err := l.WriteCode(files, dir); err != nil {
			return nil, err
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		stem, python := strings.CutSuffix(file, ".py")
		switch {
		case !python || path.Base(file) != file:
		case stem == name:
			paths = slices.Insert(paths, 0, filepath.Join(dir, file))
		default:
			paths = append(paths, filepath.Join(dir, file))
		}
	}
	return paths, nil
}

// taskCopy loads the task of a run from the run's own copy, which is trusted.
func (f *Files) taskCopy(l *record.Loaded) (*bench.Task, error) {
	digest := record.CodeDigest(l.Header.Files)
	if t := f.paths[digest]; t != nil {
		return t, nil
	}
	paths, err := f.copies(l, l.Header.Task, l.Header.Files)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		t, wrong := f.load(path)
		if wrong == nil && t.Name == l.Header.Task {
			f.paths[digest] = t
			return t, nil
		}
		err = cmp.Or(err, wrong)
	}
	return nil, cmp.Or(err,
		fmt.Errorf("%s: no file of the run defines the task %s", l.Dir, l.Header.Task))
}

// methodCopy loads the method of a run from the run's own copy, which is trusted.
func (f *Files) methodCopy(l *record.Loaded) (*pymethod.Method, error) {
	name, files := l.Header.Method, l.Header.MethodFile.Files
	paths, err := f.copies(l, strings.TrimSuffix(name, "-py"), files)
	if err != nil {
		return nil, err
	}
	if len(paths) > 0 {
		m, err := f.loadMethod(paths[0])
		if err != nil || m.Name() == name {
			return m, err
		}
	}
	return nil, fmt.Errorf("%s: no file of the run defines the method %s", l.Dir, name)
}
