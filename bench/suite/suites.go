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

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/tasks"
)

// A Suite is a list of cells under a name: a table of the paper, or a file of one's own.
type Suite struct {
	Name  string   `toml:"name"`
	About string   `toml:"about"`
	Seeds []uint64 `toml:"seeds"` // nil: the command's --seeds
	Evals int      `toml:"evals"` // 0: the command's --evals
	Test  string   `toml:"test"`  // "": the command's --test
	// TimeScale is the factor on limits of time; 0: the command's --time-scale.
	TimeScale float64 `toml:"time_scale"`
	// Paired says that variants of a method share the beginning of the first of them.
	Paired bool    `toml:"paired"`
	Group  []Group `toml:"cells"`
	// Models are run one after the other in every group that names none. nil: the command's
	// --model.
	Models   []string               `toml:"-"`
	Profiles map[string]llm.Profile `toml:"-"` // of the suite's own file
	file     string                 // which it is from
}

// A Group is every method in every variant on every task with every model, once for each seed.
type Group struct {
	Tasks    []string `toml:"tasks"`
	Methods  []string `toml:"methods"`
	Set      []string `toml:"set"`      // settings of all its variants
	Variants []string `toml:"variants"` // settings joined by spaces; "" is none. nil: one variant
	Model    string   `toml:"model"`
	EAPModel string   `toml:"eap_model"`
	// Models are run one after the other. The model for EAPs follows the one for algorithms:
	// "gpt-4o-mini+eap=other".
	Models []string `toml:"models"`
	Seeds  []uint64 `toml:"seeds"` // nil: the suite's
	Evals  *int     `toml:"evals"` // nil: the suite's
}

// Sets are the settings of each variant.
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

// All are the built-in suites: one for each table of the paper, before them all of these together,
// and ci.
var All = sync.OnceValue(func() (all []*Suite) {
	paper := &Suite{
		Name: "paper", Models: []string{"gpt-4o-mini"}, // what the paper's searches ask
		About: "every table of the paper, with the paper's models unless --model names another",
	}
	for _, name := range []string{
		"control", "tsp-construct", "tsp-aco", "ablation", "k", "models", "tokens", "ci",
	} {
		path := "suites/" + name + ".toml"
		text, err := data.Suites.ReadFile(path)
		s, perr := parseSuite("data/"+path, text)
		if err := cmp.Or(err, perr); err != nil {
			panic(err) // a mistake in it is ours
		}
		all = append(all, s)
		if name != "ci" {
			paper.Group = append(paper.Group, s.Group...)
		}
	}
	return append([]*Suite{paper}, all...)
})

// Names are the names of the built-in suites.
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// Find takes a built-in name or the path of a TOML file.
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

// parseSuite reads the text of a suite's file.
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
		return nil, hint.Add(Usagef("%s: no [[cells]]", path),
			"docs/suites.md shows a suite file")
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(path), ".toml")
	}
	if len(s.Name) > maxName {
		return nil, Usagef("%s: its name has more than %d characters, too many for files",
			path, maxName)
	}
	if md.IsDefined("test") && s.Test == "" {
		return nil, hint.Add(Usagef("%s: test is empty", path),
			"all, none, or names joined by commas")
	}
	if md.IsDefined("models") && len(s.Models) == 0 {
		return nil, Usagef("%s: models must not be empty", path)
	}
	if err := checkNumbers(path, s.Seeds, s.Evals, md.IsDefined("evals")); err != nil {
		return nil, err
	}
	if md.IsDefined("time_scale") {
		if err := CheckTimeScale(path+": time_scale =", s.TimeScale); err != nil {
			return nil, err
		}
	}
	for i, g := range s.Group {
		where := fmt.Sprintf("%s: cells %d", path, i+1)
		if at := slices.Index(g.Methods, "*"); at >= 0 {
			s.Group[i].Methods = slices.Replace(g.Methods, at, at+1, everything(g.Tasks)...)
		}
		if g.Models != nil && (g.Model != "" || g.EAPModel != "") {
			return nil, hint.Add(Usagef("%s: both models and model or eap_model", where),
				`write models = ["NAME", "NAME+eap=OTHER"]`)
		}
		for what, list := range map[string][]string{"models": g.Models, "variants": g.Variants} {
			if list != nil && len(list) == 0 {
				return nil, Usagef("%s: %s must not be empty", where, what)
			}
		}
		if err := checkNumbers(where, g.Seeds, valueOf(g.Evals), g.Evals != nil); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// everything is every method that fits tasks.
func everything(names []string) (fit []string) {
	for _, m := range methods.All() {
		if !slices.ContainsFunc(names, func(name string) bool {
			t, ok := tasks.Lookup(name)
			return ok && !Fits(m, t)
		}) {
			fit = append(fit, m.Name())
		}
	}
	return fit
}

const maxName = 100 // bytes of a suite's name; ours

func valueOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// checkNumbers checks seeds and evals of a suite or of a group of its cells.
func checkNumbers(where string, seeds []uint64, evals int, given bool) error {
	if seeds != nil && len(seeds) == 0 {
		return Usagef("%s: seeds must not be empty", where)
	}
	if len(seeds) > MaxSeeds {
		return Usagef("%s: %d seeds: at most %d", where, len(seeds), MaxSeeds)
	}
	for i, seed := range seeds {
		if seed > math.MaxInt64 { // the library wraps negative numbers around
			return Usagef("%s: seeds: %d: must not be negative", where, int64(seed))
		}
		if slices.Contains(seeds[:i], seed) {
			return Usagef("%s: seeds: %d is there twice", where, seed)
		}
	}
	if given && (evals < 1 || evals > MaxEvals) {
		return Usagef("%s: evals = %d: must be from 1 to %d", where, evals, MaxEvals)
	}
	return nil
}

// decodeSuite decodes a suite, whose key models is a list of names, or tables that are
// profiles, as in models.toml. Either way each one is run.
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
	case slices.Contains([]string{"", "Hash"}, md.Type("models")): // "": [models.NAME] alone
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

// A pair is a model for algorithms and, when it is not empty, another one for EAPs.
type pair struct{ Model, Eap string }

// Pairs are the models of a group. What the command line names goes before the suite's.
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

// choices opens the models of a group.
func (s *Suite) choices(g Group, o *opener) ([]*choice, error) {
	var all []*choice
	for _, p := range s.Pairs(g, o.Options) {
		ch, err := o.Choose(p.Model, p.Eap)
		if err != nil {
			return nil, err
		}
		all = append(all, ch)
	}
	return all, nil
}

// An extent is how often each search of a suite runs, and how long.
type extent struct {
	seeds []uint64 // nil: not given
	evals int      // 0: not given
}

// cells spells a suite out. What cmd gives goes before the suite's own, usual comes last. A
// baseline's row has no seed and no model of its own and comes once.
func (s *Suite) cells(cmd, usual extent, o cellOptions, choices func(Group) ([]*choice, error)) (
	[]*Cell, error) {
	l := &cellList{suite: s, seen: map[string]*Cell{}, labels: map[string]bool{}}
	for i, g := range s.Group {
		if len(g.Tasks) == 0 || len(g.Methods) == 0 {
			return nil, Usagef("%s: cells %d: tasks and methods must not be empty", s.Name, i+1)
		}
		models, err := choices(g)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		seeds := cmd.seeds
		for _, list := range [][]uint64{g.Seeds, s.Seeds, usual.seeds} {
			if seeds == nil {
				seeds = list
			}
		}
		own := o
		own.evals = cmp.Or(cmd.evals, valueOf(g.Evals), s.Evals, usual.evals)
		for _, own.model = range models {
			for _, task := range g.Tasks {
				for _, method := range g.Methods {
					for _, set := range g.Sets() {
						if err := l.add(task, method, set, seeds, own); err != nil {
							return nil, err
						}
					}
				}
			}
		}
	}
	for _, c := range l.cells {
		c.Several = len(l.labels) > 1
	}
	return l.cells, nil
}

// A cellList is the cells of a suite, each once.
type cellList struct {
	suite  *Suite
	cells  []*Cell
	seen   map[string]*Cell // by directory
	labels map[string]bool  // of models
}

// add adds a method on a task with each seed.
func (l *cellList) add(task, method string, set []string, seeds []uint64, o cellOptions) error {
	for _, seed := range seeds {
		c, err := newCell(task, method, set, seed, o)
		if err != nil {
			return fmt.Errorf("suite %s: %w", l.suite.Name, err)
		}
		if c.Row != nil {
			c.Header.Seed = 1
		} else {
			l.labels[c.Model.label] = true
		}
		key := CellDir("", c.Header)
		old := l.seen[key]
		switch {
		case old == nil:
			l.seen[key] = c
			l.cells = append(l.cells, c)
		case c.Model != nil && old.Model.label != c.Model.label:
			return hint.Add(
				Usagef("suite %s: %s and %s both are %s, and their runs would share a directory",
					l.suite.Name, old.Model.label, c.Model.label, c.Header.Models[""]),
				"the header knows the model and its settings only, not its server: "+
					"run them with different --out")
		case old.Header.Budget != c.Header.Budget:
			return hint.Add(Usagef("suite %s: %s is there with %d and with %d evaluations, "+
				"and both would share a directory",
				l.suite.Name, c.Name(), old.Header.Budget, c.Header.Budget),
				"name it once, with the larger budget: a run of fewer evaluations is its beginning")
		}
	}
	return nil
}
