package pytask

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/internal/hint"
)

// Tasks of LLM4AD are named llm4ad:NAME, and their folders llm4ad-NAME. pacebench/llm4ad.py makes
// them from the evaluators of LLM4AD, in a package of python/env or in the user's checkout.
const (
	foreignPrefix = "llm4ad:"
	foreignFolder = "llm4ad-"
	foreignExtra  = "llm4ad"
)

const hintForeign = "pacebench doctor --packages " + foreignExtra + " installs the packages from " +
	"the package index or from pip's wheels (PIP_FIND_LINKS); later runs need no network"

// foreignTyping at the end of a name adds imports of typing and NumPy to every program.
const foreignTyping = "@typing=true"

// A row has the facts that pacebench adds to a task of LLM4AD; llm4ad.toml explains the fields.
type row struct {
	Area      string         `toml:"area" json:"area"`
	Test      map[string]any `toml:"test" json:"test"`
	Negated   bool           `toml:"negated" json:"negated"`
	Heuristic string         `toml:"heuristic" json:"heuristic"`
	Refused   string         `toml:"refused" json:"-"`
	// The fields below are not in the table. Tests shorten a task by the arguments in Train.
	Dir    string         `toml:"-" json:"dir"` // a checkout, or ""
	Name   string         `toml:"-" json:"name"`
	Full   string         `toml:"-" json:"full"`
	Typing bool           `toml:"-" json:"typing"`
	Train  map[string]any `toml:"-" json:"train"`
	Checks int            `toml:"-" json:"checks"`
}

//go:embed llm4ad.toml
var foreignTable string

func foreignRows() map[string]row {
	var table struct{ Tasks map[string]row }
	if _, err := toml.Decode(foreignTable, &table); err != nil {
		panic("pytask: llm4ad.toml: " + err.Error())
	}
	return table.Tasks
}

// LLM4AD returns the names of the tasks of LLM4AD that run here.
func LLM4AD() (names []string) {
	rows := foreignRows()
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if rows[name].Refused == "" {
			names = append(names, foreignPrefix+name)
		}
	}
	return names
}

// ErrForeign means that a task of LLM4AD is missing, or does not run here.
var ErrForeign = errors.New("no task of LLM4AD")

// OfRun returns the name by which Load knows the task of a run; "": not a task of LLM4AD.
func OfRun(task string) string {
	if name, ok := strings.CutPrefix(task, foreignFolder); ok {
		return foreignPrefix + name
	}
	return ""
}

// From resolves the name of a task in Python that is relative to a folder.
func From(folder, name string) string {
	if strings.HasPrefix(name, foreignPrefix) || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

func openForeign(name string, o Options) (*file, error) {
	r, err := foreignRow(name)
	if err != nil {
		return nil, err
	}
	if o.LLM4AD != "" {
		if r.Dir, err = filepath.Abs(o.LLM4AD); err != nil {
			return nil, err
		}
	}
	f := &file{path: name, options: o, foreign: r}
	f.Packages = []string{foreignExtra}
	return f, nil
}

// foreignRow returns the row of a task that runs here.
func foreignRow(name string) (*row, error) {
	bare, typing := strings.CutSuffix(strings.TrimPrefix(name, foreignPrefix), foreignTyping)
	r, ok := foreignRows()[bare]
	switch {
	case !ok:
		return nil, hint.Add(fmt.Errorf("%w: %s: no task has this name", ErrForeign, name),
			"pacebench list tasks names them")
	case r.Refused != "":
		return nil, hint.Add(fmt.Errorf("%w that runs here: %s: %s", ErrForeign, name, r.Refused),
			"pacebench list tasks names the tasks that do")
	}
	r.Name, r.Full, r.Typing = bare, foreignFolder+bare, typing
	r.Train = map[string]any{}
	if typing {
		r.Full += foreignTyping
	}
	return &r, nil
}

// foreignChecks is the version of the checks in pacebench/checked.py; a new one changes the
// versions of tasks.
const foreignChecks = 1

// content returns the part of a row that a version depends on.
func (r row) content() []byte {
	r.Dir = "" // the digests of its files represent it
	r.Checks = foreignChecks
	text, err := json.Marshal(r)
	if err != nil {
		panic("pytask: llm4ad.toml: " + err.Error())
	}
	return text
}
