package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/methods/pace"
	"github.com/pacebench/pacebench/tasks"
)

// A suite is a list of cells under a name: a table of the paper, or a file of one's own.
type suite struct {
	Name  string   `toml:"name"`
	About string   `toml:"about"`
	Seeds []uint64 `toml:"seeds"` // nil: the command's --seeds
	Evals int      `toml:"evals"` // 0: the command's --evals
	Test  string   `toml:"test"`  // "": the command's --test
	Group []group  `toml:"cells"`
	// Models are run one after the other in every group that names none. nil: the command's
	// --model.
	Models   []string               `toml:"-"`
	Profiles map[string]llm.Profile `toml:"-"` // of the suite's own file
}

// A group is every method on every task with every model, with the same settings.
type group struct {
	Tasks    []string `toml:"tasks"`
	Methods  []string `toml:"methods"`
	Set      []string `toml:"set"`
	Model    string   `toml:"model"`
	EAPModel string   `toml:"eap_model"`
}

// The methods of the paper's tables, in their order.
var searchers = []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"}

// suites are the built-in ones.
func suites() []suite {
	construct := suite{
		Name: "tsp-construct", About: "the paper's TSP-Construct table",
		Group: []group{{Tasks: []string{"tsp-construct"}, Methods: slices.Concat([]string{"greedy"}, searchers, []string{"randsample"})}},
	}
	aco := suite{
		Name: "tsp-aco", About: "the paper's TSP-ACO table",
		Group: []group{{Tasks: []string{"tsp-aco"}, Methods: slices.Concat([]string{"aco", "deepaco", "deepaco-train-k"}, searchers, []string{"randsample"})}},
	}
	control := suite{
		Name: "control", About: "the paper's table of Racing Car and Bipedal Walker",
		Group: []group{{
			Tasks:   []string{"racing-car", "bipedal-walker"},
			Methods: slices.Concat(searchers, []string{"mles", "randsample"}),
		}},
	}
	ablated := []string{"tsp-aco", "racing-car"}
	ablation := suite{
		Name: "ablation", About: "the paper's ablation table, on TSP-ACO and Racing Car",
		Group: []group{{Tasks: ablated, Methods: []string{"pace"}}},
	}
	for _, v := range bench.LabelOf(pace.New()).Variants { // each is one setting
		ablation.Group = append(ablation.Group,
			group{Tasks: ablated, Methods: []string{"pace"}, Set: []string{v.Name}})
	}
	return []suite{
		construct, aco, control, ablation,
		{
			Name: "paper", About: "every table of the paper whose tasks are here",
			Group: slices.Concat(construct.Group, aco.Group, control.Group, ablation.Group),
		},
		{
			Name: "ci", About: "a small budget on every method, for regress", Evals: 60, Test: "test50",
			Group: []group{{Tasks: []string{"tsp-construct"}, Methods: []string{"greedy"}}, everything()},
		},
	}
}

// everything is every method on every task that has the split of the suite ci.
func everything() (g group) {
	fitting := methods.All()
	for _, t := range tasks.All() {
		if _, ok := t.Split("test50"); ok {
			g.Tasks = append(g.Tasks, t.Name)
			fitting = slices.DeleteFunc(fitting, func(m bench.Method) bool { return !fits(m, t) })
		}
	}
	for _, m := range fitting {
		g.Methods = append(g.Methods, m.Name())
	}
	return g
}

func suiteNames() []string {
	var names []string
	for _, s := range suites() {
		names = append(names, s.Name)
	}
	return names
}

// findSuite takes a built-in name or the path of a TOML file.
func findSuite(name string) (*suite, error) {
	for _, s := range suites() {
		if s.Name == name {
			return &s, nil
		}
	}
	return readSuite(name)
}

// readSuite reads a suite of one's own.
func readSuite(path string) (*suite, error) {
	s, md, err := decodeSuite(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, bench.Hint(usagef("no suite and no file %q", path), oneOf("suites", path, suiteNames()))
	case err != nil:
		return nil, err
	}
	if err := unknownKey(path, md, keysOf(suite{})); err != nil {
		return nil, err
	}
	if err := checkNames(path, s.Profiles); err != nil {
		return nil, err
	}
	for i, seed := range s.Seeds {
		if seed > math.MaxInt64 { // the library wraps negative numbers around
			return nil, usagef("%s: seeds: %d: must not be negative", path, int64(seed))
		}
		if slices.Contains(s.Seeds[:i], seed) {
			return nil, usagef("%s: seeds: %d is there twice", path, seed)
		}
	}
	switch {
	case len(s.Group) == 0:
		return nil, bench.Hint(usagef("%s: no [[cells]]", path), "docs/results.md shows a suite file")
	case md.IsDefined("evals") && (s.Evals < 1 || s.Evals > maxEvals):
		return nil, usagef("%s: evals = %d: must be from 1 to %d", path, s.Evals, maxEvals)
	case md.IsDefined("test") && s.Test == "":
		return nil, bench.Hint(usagef("%s: test is empty", path), "all, none, or names joined by commas")
	case md.IsDefined("seeds") && len(s.Seeds) == 0, md.IsDefined("models") && len(s.Models) == 0:
		return nil, usagef("%s: seeds and models must not be empty", path)
	}
	return s, nil
}

// decodeSuite decodes a suite, whose key models is a list of names, or tables that are
// profiles, as in models.toml. Either way each one is run.
func decodeSuite(path string) (*suite, toml.MetaData, error) {
	var list struct {
		suite
		Models []string `toml:"models"`
	}
	var tables struct {
		suite
		Models map[string]llm.Profile `toml:"models"`
	}
	var content map[string]any
	data, md, err := decodeFile(path, &content)
	if err != nil {
		return nil, md, err
	}
	if _, ok := content["models"].(map[string]any); !ok {
		md, err = decode(path, data, &list)
		list.suite.Models = list.Models
		return &list.suite, md, err
	}
	md, err = decode(path, data, &tables)
	s := &tables.suite
	s.Profiles = tables.Models
	for _, k := range md.Keys() {
		if len(k) > 1 && k[0] == "models" && !slices.Contains(s.Models, k[1]) {
			s.Models = append(s.Models, k[1])
		}
	}
	return s, md, err
}

// choices are the models of a group. What the command line names goes before the suite's.
func (s *suite) choices(g group, o *opener) ([]*choice, error) {
	models, eap := s.Models, g.EAPModel
	switch {
	case o.cc.IsSet("model"):
		models, eap = []string{o.cc.String("model")}, ""
	case g.Model != "":
		models = []string{g.Model}
	case len(models) == 0:
		models = []string{o.cc.String("model")}
	}
	if o.cc.IsSet("eap-model") {
		eap = o.cc.String("eap-model")
	}
	var all []*choice
	for _, m := range models {
		ch, err := o.choose(m, eap)
		if err != nil {
			return nil, err
		}
		all = append(all, ch)
	}
	return all, nil
}

// cells spells a suite out for the seeds. A baseline's row has no seed and no model of its
// own and comes once.
func (s *suite) cells(seeds []uint64, o cellOptions, choices func(group) ([]*choice, error)) ([]*cell, error) {
	var cells []*cell
	seen := map[string]*cell{}
	labels := map[string]bool{}
	for i, g := range s.Group {
		if len(g.Tasks) == 0 || len(g.Methods) == 0 {
			return nil, usagef("%s: cells %d: tasks and methods must not be empty", s.Name, i+1)
		}
		models, err := choices(g)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		for _, o.model = range models {
			labels[o.model.label] = true
			for _, task := range g.Tasks {
				for _, method := range g.Methods {
					for _, seed := range seeds {
						c, err := newCell(task, method, g.Set, seed, o)
						if err != nil {
							return nil, fmt.Errorf("suite %s: %w", s.Name, err)
						}
						if c.Row != nil {
							c.Header.Seed = 1
						}
						key := cellDir("", c.Header)
						if old := seen[key]; old == nil {
							seen[key] = c
							cells = append(cells, c)
						} else if c.Model != nil && old.Model.label != c.Model.label {
							return nil, bench.Hint(usagef("suite %s: %s and %s both are %s, and their runs would share a directory", s.Name, old.Model.label, c.Model.label, c.Header.Models[""]),
								"the header knows the model and its settings only, not its server: run them with different --out")
						}
					}
				}
			}
		}
	}
	for _, c := range cells {
		c.Several = len(labels) > 1
	}
	return cells, nil
}
