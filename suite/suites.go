package suite

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
)

// A Suite is a named list of runs. It is built in, such as a table of the paper, or from a user's
// file.
type Suite struct {
	Name  string   `toml:"name"`
	About string   `toml:"about"`
	Seeds []uint64 `toml:"seeds"` // nil: the command's --seeds
	Evals *int     `toml:"evals"` // nil: the command's --evals
	Test  string   `toml:"test"`  // "": the command's --test
	// TimeScale is the factor on time limits. Zero means the command's --time-scale.
	TimeScale float64 `toml:"time_scale"`
	// Paper means that reports show the tests of one program of each row, as the paper does.
	Paper bool `toml:"paper"`
	// Paired means that the variants of a method share the beginning of the first variant's run.
	Paired bool `toml:"paired"`
	// Separate is the rule of suite --until-separated. It may be nil.
	Separate *record.Separate `toml:"separate"`
	Group    []Group          `toml:"runs"`
	// Models are the models of every group that names none, in the order of their runs. Nil means
	// the command's --model.
	Models   []string               `toml:"-"`
	Profiles map[string]llm.Profile `toml:"-"` // of the suite's own file
	file     string                 // path of the suite's file
}

// A Group is every combination of its methods, variants, tasks and models, once for each seed.
type Group struct {
	Tasks    []string `toml:"tasks"`
	Methods  []string `toml:"methods"`
	Set      []string `toml:"set"`      // settings of all its variants
	Variants []string `toml:"variants"` // settings joined by spaces, or ""; nil: one variant
	Model    string   `toml:"model"`
	EAPModel string   `toml:"eap_model"`
	// Models are the models in the order of their runs. The model for EAPs follows the model for
	// algorithms: "gpt-4o-mini+eap=other".
	Models []string `toml:"models"`
	Seeds  []uint64 `toml:"seeds"` // nil: Suite.Seeds
	Evals  *int     `toml:"evals"` // nil: Suite.Evals
	Test   *string  `toml:"test"`  // nil: Suite.Test
}

func (g Group) Sets() [][]string {
	if g.Variants == nil {
		return [][]string{g.Set}
	}
	var all [][]string
	for _, v := range g.Variants {
		all = append(all, slices.Concat(g.Set, strings.Fields(v)))
	}
	return all
}

// All returns the built-in suites: first paper, which contains all tables of the paper, then one
// suite for each of these tables, and then field, llm4ad and ci.
var All = sync.OnceValue(func() (all []*Suite) {
	paper := &Suite{
		Name: "paper", Paper: true, Test: "all",
		Models: []string{"gpt-4o-mini"}, // the model of the paper's searches
		About:  "every table of the paper, with the paper's models unless --model names another",
	}
	for _, name := range []string{
		"control", "tsp-construct", "tsp-aco", "ablation", "k", "models", "tokens", "field",
		"llm4ad", "ci",
	} {
		s := builtIn(name)
		all = append(all, s)
		if s.Paper {
			paper.Group = append(paper.Group, s.Group...)
		}
	}
	return append([]*Suite{paper}, all...)
})

// Demo returns the suite of the demo. data.Demo has the model's answers.
var Demo = sync.OnceValue(func() *Suite { return builtIn("demo") })

// builtIn reads a suite in data/suites. It panics if there is a mistake in the file.
func builtIn(name string) *Suite {
	path := "suites/" + name + ".toml"
	text, err := data.Suites.ReadFile(path)
	s, perr := parseSuite("data/"+path, text)
	if err := cmp.Or(err, perr); err != nil {
		panic(err)
	}
	return s
}

func Names() []string {
	return Map(All(), func(s *Suite) string { return s.Name })
}

// Find returns a suite by its built-in name or by the path of its TOML file.
func Find(name string) (*Suite, error) {
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
	}
	text, err := ReadFile(name, MaxFile)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, hint.Add(Usagef("no suite and no file %q", name),
			OneOf("suites", name, Names()))
	case err != nil:
		return nil, err
	}
	return parseSuite(name, text)
}

func parseSuite(path string, text []byte) (*Suite, error) {
	s, md, err := decodeSuite(path, text)
	if err != nil {
		return nil, err
	}
	if err := unknownKey(path, md, KeysOf(Suite{})); err != nil {
		return nil, err
	}
	if err := checkNames(path, s.Profiles); err != nil {
		return nil, err
	}
	if len(s.Group) == 0 {
		return nil, hint.Add(Usagef("%s: no [[runs]]", path),
			"pacebench docs suites shows a suite file")
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(path), ".toml")
	}
	if len(s.Name) > maxName {
		return nil, Usagef("%s: the name of the suite is longer than %d bytes", path, maxName)
	}
	empty := func(where string) error {
		return hint.Add(Usagef("%s: test is empty", where),
			"use cheap, all, none, or names separated by commas")
	}
	if md.IsDefined("test") && s.Test == "" {
		return nil, empty(path)
	}
	if md.IsDefined("models") && len(s.Models) == 0 {
		return nil, Usagef("%s: models must not be empty", path)
	}
	if err := checkNumbers(path, s.Seeds, s.Evals); err != nil {
		return nil, err
	}
	if md.IsDefined("time_scale") {
		if err := CheckTimeScale(path+": time_scale =", s.TimeScale); err != nil {
			return nil, err
		}
	}
	if s.Separate != nil {
		if err := checkSeparate(path+": [separate]", s.Separate); err != nil {
			return nil, err
		}
	}
	for i, g := range s.Group {
		beside := func(names []string, isFile func(string) bool) {
			for j, name := range names {
				if isFile(name) { // paths are relative to the suite's directory
					names[j] = pytask.From(filepath.Dir(path), name)
				}
			}
		}
		beside(g.Tasks, pytask.Named)
		beside(g.Methods, pymethod.Named)
		where := fmt.Sprintf("%s: runs %d", path, i+1)
		if !slices.ContainsFunc(g.Tasks, isFile) {
			s.Group[i].Methods = everything(g, tasks.Lookup)
		}
		if g.Test != nil && *g.Test == "" {
			return nil, empty(where)
		}
		if g.Models != nil && (g.Model != "" || g.EAPModel != "") {
			return nil, hint.Add(
				Usagef("%s: models cannot be combined with model or eap_model", where),
				`write models = ["NAME", "NAME+eap=OTHER"]`)
		}
		for what, list := range map[string][]string{"models": g.Models, "variants": g.Variants} {
			if list != nil && len(list) == 0 {
				return nil, Usagef("%s: %s must not be empty", where, what)
			}
		}
		if err := checkNumbers(where, g.Seeds, g.Evals); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// isFile reports whether a task is a file. Only Options can load such a task and know whether it
// has evidence.
func isFile(task string) bool { return strings.HasSuffix(task, ".py") }

// everything returns the methods of a group. It replaces "*" with all methods that fit the tasks. A
// task of LLM4AD has no evidence, so it excludes the methods that observe programs, even if lookup
// does not find the task.
func everything(g Group, lookup func(string) (*bench.Task, bool)) []string {
	at := slices.Index(g.Methods, "*")
	if at < 0 {
		return g.Methods
	}
	var fit []string
	for _, m := range methods.All() {
		if !slices.ContainsFunc(g.Tasks, func(name string) bool {
			t, ok := lookup(name)
			return ok && !Fits(m, t) || !ok && pytask.Named(name) && bench.Observes(m)
		}) {
			fit = append(fit, m.Name())
		}
	}
	return slices.Replace(slices.Clone(g.Methods), at, at+1, fit...)
}

const maxName = 100 // bytes of a suite's name, so that the name fits in a file's name

// checkNumbers checks the seeds and evals of a suite or of a group.
func checkNumbers(where string, seeds []uint64, evals *int) error {
	if seeds != nil && len(seeds) == 0 {
		return Usagef("%s: seeds must not be empty", where)
	}
	if len(seeds) > MaxSeeds {
		return Usagef("%s: %d seeds: want at most %d", where, len(seeds), MaxSeeds)
	}
	for i, seed := range seeds {
		if seed > math.MaxInt64 { // the TOML library wraps negative numbers around
			return Usagef("%s: seeds: %d: must not be negative", where, int64(seed))
		}
		if slices.Contains(seeds[:i], seed) {
			return Usagef("%s: seeds: %d appears twice", where, seed)
		}
	}
	if evals != nil && (*evals < 1 || *evals > MaxEvals) {
		return Usagef("%s: evals = %d: must be from 1 to %d", where, *evals, MaxEvals)
	}
	return nil
}

// decodeSuite decodes a suite. The key models is either a list of names or a set of tables that are
// profiles, as in models.toml. In both cases, these are the models of Suite.Models.
func decodeSuite(path string, text []byte) (*Suite, toml.MetaData, error) {
	var file struct {
		Suite
		Models toml.Primitive `toml:"models"`
	}
	md, err := decode(path, text, &file)
	s := &file.Suite
	s.file = path
	switch {
	case err != nil || !md.IsDefined("models"):
		return s, md, err
	case slices.Contains([]string{"", "Hash"}, md.Type("models")): // "": only [models.NAME] tables
		err = md.PrimitiveDecode(file.Models, &s.Profiles)
	default:
		err = md.PrimitiveDecode(file.Models, &s.Models)
	}
	if err != nil {
		return s, md, Usagef("%s: %w", path, err)
	}
	for _, k := range md.Keys() {
		if s.Profiles != nil && len(k) > 1 && k[0] == "models" &&
			!slices.Contains(s.Models, k[1]) {
			s.Models = append(s.Models, k[1])
		}
	}
	return s, md, nil
}

// A pair is a model for algorithms and an optional model for EAPs.
type pair struct{ Model, Eap string }

// Pairs returns the models of a group. The command line overrides the suite.
func (s *Suite) Pairs(g Group, o Options) []pair {
	models := s.Models
	switch {
	case o.Given["model"]:
		return []pair{{o.Model, o.EAPModel}}
	case g.Models != nil:
		models = g.Models
	case g.Model != "":
		models = []string{g.Model}
	case len(models) == 0:
		models = []string{o.Model}
	}
	var all []pair
	for _, m := range models {
		model, eap, _ := strings.Cut(m, "+eap=")
		if eap == "" {
			eap = g.EAPModel
		}
		if o.Given["eap-model"] {
			eap = o.EAPModel
		}
		all = append(all, pair{model, eap})
	}
	return all
}
