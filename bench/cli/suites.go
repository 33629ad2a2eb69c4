package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
)

// A suite is a list of cells under a name: a table of the paper, or a file of one's own.
type suite struct {
	Name  string  `toml:"name"`
	About string  `toml:"about"`
	Evals int     `toml:"evals"` // 0: the command's --evals
	Test  string  `toml:"test"`  // "": the command's --test
	Group []group `toml:"cells"`
}

// A group is every method on every task, with the same settings.
type group struct {
	Tasks   []string `toml:"tasks"`
	Methods []string `toml:"methods"`
	Set     []string `toml:"set"`
}

// The methods of the paper's tables, in their order.
var searchers = []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"}

// ablations are the variants of the paper's ablation table, in its order.
var ablations = [][]string{
	{}, {"ts=false"},
	{"operators=P2,P3,P4"}, {"operators=P1,P3,P4"}, {"operators=P1,P2,P4"}, {"operators=P1,P2,P3"},
	{"generation=false"}, {"extraction=false"}, {"k=1"}, {"k=5"},
}

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
	ablation := suite{Name: "ablation", About: "the paper's ablation table, on TSP-ACO"}
	for _, set := range ablations {
		ablation.Group = append(ablation.Group, group{Tasks: []string{"tsp-aco"}, Methods: []string{"pace"}, Set: set})
	}
	return []suite{
		construct, aco, ablation,
		{
			Name: "paper", About: "every table of the paper whose tasks are here",
			Group: slices.Concat(construct.Group, aco.Group, ablation.Group),
		},
		{
			Name: "ci", About: "a small budget on every method, for regress", Evals: 60, Test: "test50",
			Group: []group{
				{Tasks: []string{"tsp-construct"}, Methods: slices.Concat(searchers, []string{"greedy", "randsample"})},
				{Tasks: []string{"tsp-aco"}, Methods: searchers},
			},
		},
	}
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
	var s suite
	md, err := toml.DecodeFile(name, &s)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, bench.Hint(usagef("no suite and no file %q", name), "suites: "+strings.Join(suiteNames(), ", "))
	case err != nil:
		return nil, usagef("%s: %w", name, err)
	}
	if extra := md.Undecoded(); len(extra) > 0 {
		return nil, bench.Hint(usagef("%s: unknown key %q", name, extra[0].String()), "keys: name, about, evals, test, and [[cells]] with tasks, methods, set")
	}
	if len(s.Group) == 0 {
		return nil, bench.Hint(usagef("%s: no [[cells]]", name), "docs/results.md shows a suite file")
	}
	return &s, nil
}

// cells spells a suite out for the seeds. A baseline's row has no seed of its own and comes once.
func (s *suite) cells(seeds []uint64, o cellOptions) ([]*cell, error) {
	var cells []*cell
	seen := map[string]bool{}
	for i, g := range s.Group {
		if len(g.Tasks) == 0 || len(g.Methods) == 0 {
			return nil, usagef("%s: cells %d: tasks and methods must not be empty", s.Name, i+1)
		}
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
					if key := c.name(); !seen[key] {
						seen[key] = true
						cells = append(cells, c)
					}
				}
			}
		}
	}
	return cells, nil
}
