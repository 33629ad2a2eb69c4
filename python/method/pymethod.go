// Package pymethod makes methods from Python files. Start at Load. A method file runs in its own
// process, trusted like any program that the user starts. pacebench/method.py drives it there, and
// conversation.go is the other end of the conversation.
package pymethod

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// Options configure how methods in Python run.
type Options struct {
	// Python returns an environment with NumPy, which it may have to make.
	Python func(ctx context.Context) (*pyenv.Env, error)
	// Patience is the CPU time that a process may take for one command; zero: the constant
	// Patience.
	Patience time.Duration
	// Environment is added to the environment of processes: NAME=VALUE, such as PYTHONHASHSEED=1.
	Environment []string
}

// Patience is the default of Options.Patience: a method that fits a model to its history needs
// minutes, and a stuck method must end.
const Patience = 300 * time.Second

// Named reports whether the name of a method is the name of a file.
func Named(name string) bool { return strings.HasSuffix(name, ".py") }

// ErrFile means that a file is not a method, or that its code failed. The error names the line.
var ErrFile = errors.New("method in Python")

// A file is the source of methods.
type file struct {
	options Options
	path    string
	name    string
	env     *pyenv.Env
	sources [][]byte // of the file and its own modules
	program record.MethodFile
	described

	mu  sync.Mutex
	met map[string]string // guarded by mu; see Method.Met
}

// described is the description of a file by method.py.
type described struct {
	Title               string
	Defaults            map[string]json.RawMessage
	Files               map[string]string // SHA-256 by path
	Evidence, Scheduled bool
	Python              string
}

// A Method is a method in Python with its configuration.
type Method struct {
	*file
	config map[string]json.RawMessage

	worked, waited atomic.Int64 // sums over all steps, in ns; see Waited
}

var (
	_ bench.Method    = (*Method)(nil)
	_ bench.Noter     = (*Method)(nil)
	_ bench.Observer  = (*Method)(nil)
	_ bench.Scheduler = (*Method)(nil)
	_ bench.Labelled  = (*Method)(nil)
)

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,36}$`)

// Load makes a method from a file, with its default configuration: a process imports the file and
// describes it. taken are the names of the methods in Go: a file with such a name gets the suffix
// -py.
func Load(ctx context.Context, path string, o Options, taken ...string) (*Method, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := python.IsFile(path); err != nil {
		return nil, hint.Add(err,
			"a method in Python is named by its file, as in --method ./my_method.py")
	}
	o.Patience = cmp.Or(o.Patience, Patience)
	f := &file{options: o, path: path, met: map[string]string{}}
	f.name = strings.TrimSuffix(filepath.Base(path), ".py")
	if !goodName.MatchString(f.name) {
		return nil, hint.Add(f.wrong("%q cannot be the name of a method", f.name),
			"rename the file: a letter, then at most 36 letters, digits, underscores and dashes")
	}
	if slices.Contains(taken, f.name) {
		f.name += "-py"
	}
	if f.env, err = o.Python(ctx); err != nil {
		return nil, err
	}
	if err := f.describe(ctx); err != nil {
		return nil, err
	}
	f.program = record.MethodFile{
		Files: map[string]string{}, Python: f.Python, NumPy: f.env.NumPy,
	}
	for path, digest := range f.Files {
		text, err := os.ReadFile(path)
		if sum := sha256.Sum256(text); err == nil && hex.EncodeToString(sum[:]) != digest {
			err = f.wrong("%s changed while it was read", filepath.Base(path))
		}
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(f.dir(), path)
		if err != nil {
			return nil, err
		}
		f.sources = append(f.sources, text)
		f.program.Files[filepath.ToSlash(name)] = digest
	}
	if err := record.CheckCode(f.program.Files); err != nil {
		return nil, f.wrong("%w", err)
	}
	return f.method(), nil
}

func (f *file) method() *Method { return &Method{file: f, config: maps.Clone(f.Defaults)} }

func (f *file) wrong(format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format,
		append([]any{filepath.Base(f.path), ErrFile}, args...)...)
}

// at returns an error with the line of a command.
func (f *file) at(w command, err error) error {
	return f.failure(command{File: w.File, Line: w.Line, Error: err.Error()})
}

func (f *file) dir() string { return filepath.Dir(f.path) }

// New returns the method with its default configuration.
func (m *Method) New() *Method { return m.file.method() }

// Name returns the name of the file without .py, and with -py if a method in Go has that name.
func (m *Method) Name() string { return m.name }

// Label describes the method for tables and figures.
func (m *Method) Label() bench.Label { return bench.Label{Title: m.Title} }

// Notes returns the notes that methods in Python leave in the journal.
func (m *Method) Notes() []note.Note { return note.OfFiles() }

// Observes reports whether the file says EVIDENCE = True.
func (m *Method) Observes() bool { return m.Evidence }

// Scheduled reports whether the file reads search.left.
func (m *Method) Scheduled() bool { return m.file.Scheduled }

// Program returns the header's description of the file.
func (m *Method) Program() *record.MethodFile { return &m.program }

// Sources returns the texts of the file and of the modules in its folder.
func (m *Method) Sources() [][]byte { return m.sources }

// Met returns the forbidden names that the method has used so far, each with its first place.
func (m *Method) Met() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.met)
}

// Waited returns the share of the time of all steps so far in which an answer waited for the
// method, usually because the answers of earlier steps come first.
func (m *Method) Waited() float64 {
	return float64(m.waited.Load()) / float64(max(1, m.worked.Load()))
}

// Settings returns the configuration by the names of run's parameters.
func (m *Method) Settings() map[string]json.RawMessage { return m.config }

// MarshalJSON writes the configuration.
func (m *Method) MarshalJSON() ([]byte, error) { return json.Marshal(m.config) }

// UnmarshalJSON sets the settings in data. Each value must have the type of the setting's default.
func (m *Method) UnmarshalJSON(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		usual, ok := m.Defaults[name]
		if !ok {
			return fmt.Errorf("run of %s has no parameter %q", filepath.Base(m.path), name)
		}
		if !alike(usual, given[name]) {
			return fmt.Errorf("%s is %s, but must have the type of its default, %s", name,
				given[name], usual)
		}
		m.config[name] = given[name]
	}
	return nil
}

// alike reports whether a value has the type of a default. Python writes a default that is an int
// without a point: it takes only whole numbers, and a default such as 1.0 takes all numbers.
func alike(usual, value json.RawMessage) bool {
	var a, b any
	if json.Unmarshal(usual, &a) != nil || json.Unmarshal(value, &b) != nil {
		return false
	}
	switch a.(type) {
	case float64:
		n, ok := b.(float64)
		return ok && (bytes.ContainsAny(usual, ".eE") || n == math.Trunc(n))
	case string:
		_, ok := b.(string)
		return ok
	case bool:
		_, ok := b.(bool)
		return ok
	}
	_, ok := b.([]any)
	return ok
}

func (f *file) describe(ctx context.Context) error {
	p, err := start(ctx, f, "")
	if err != nil {
		return err
	}
	defer p.close()
	commands, err := p.exchange([]byte(`{"ev":"describe","seed":0}` + "\n"))
	if err != nil {
		return f.wrong("%w", err)
	}
	w := commands[len(commands)-1]
	switch {
	case w.Op == opError:
		return f.failure(w)
	case w.Op != "described":
		return f.wrong("%w", misplaced(w.line))
	}
	if err := hint.JSON(json.Unmarshal(w.line, &f.described)); err != nil {
		return f.wrong("%w", err)
	}
	return nil
}

func (f *file) failure(w command) error {
	where := cmp.Or(python.Shorten(oneLine(w.File), 300), filepath.Base(f.path))
	if w.Line > 0 {
		where += fmt.Sprintf(":%d", w.Line)
	}
	err := fmt.Errorf("%s: %w: %s", where, ErrFile, python.Shorten(oneLine(w.Error), 1000))
	return hint.Add(err, python.Shorten(oneLine(w.Advice), 1000))
}
