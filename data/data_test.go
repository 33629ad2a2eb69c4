package data

import (
	_ "embed"
	"regexp"
	"testing"

	"github.com/pacebench/pacebench/tasks"
)

func TestPublished(t *testing.T) {
	for _, c := range []struct {
		table, row, column, want string
	}{
		{"main-tsp-construct", "greedy", "test50", "6.938"},
		{"main-tsp-construct", "pace", "test1000", "26.596"},
		{"main-tsp-aco", "mcts-ahd", "test1000", "50.291"},
		{"main-control", "mles", "bipedal-walker/train", "30.25 ± 39.05"},
		{"main-bipedal-walker", "mles", "train", "30.25 ± 39.05"},
		{"ablation-pace", "pace@operators=P1,P2,P4", "tsp-aco", "5.832 ± 0.025"},
		{"ablation-pace", "pace", "racing-car", "92.395 ± 7.690"},
		{"models-pace", "gpt-4o-mini|gemini-3.1-flash-lite", "racing-car", "93.448 ± 2.508"},
		{"tokens", "hsevo", "tsp-construct", "1.39 ± 0.09"},
		{"programs", "tsp-aco", "", ""},
		{"programs", "tsp-aco", "train", "5.795181757"},
		{"main-tsp-construct", "pace", "train", ""},
		{"main-no-such-task", "pace", "train", ""},
		{"roles", "pace|eap", "all", "1.6"},
	} {
		table, _ := Published(c.table)
		got := ""
		for _, r := range table.Rows {
			if r.ID == c.row {
				got = r.Cells[c.column]
			}
		}
		if got != c.want {
			t.Errorf("%s, %s, %s is %q, want %q", c.table, c.row, c.column, got, c.want)
		}
	}
}

func TestEveryPublishedNumberIsOne(t *testing.T) {
	form := regexp.MustCompile(`^-?\d+(\.\d+)?( ± \d+\.\d+)?$`)
	for name, table := range published() {
		if table.Source == "" || len(table.Rows) == 0 {
			t.Errorf("%s has no source or no rows", name)
		}
		for _, row := range table.Rows {
			for column, text := range row.Cells {
				words := column == "eaps" || column == "settings" || column == "status"
				if !words && !form.MatchString(text) {
					t.Errorf("%s, %s, %s: %q", name, row.ID, column, text)
				}
			}
		}
	}
}

//go:embed instances.toml
var instancesText string

// A set contains the random seed of a split's instances, and their required shape and digest.
type set struct {
	Seed   uint32 `toml:"seed"`
	Shape  []int  `toml:"shape"`
	SHA256 string `toml:"sha256"`
}

func TestTasksHaveThePromisedInstances(t *testing.T) {
	var promised map[string]map[string]set // by task and split
	decode("instances.toml", instancesText, &promised)
	for name, sets := range promised {
		task, ok := tasks.Lookup(name)
		if !ok {
			t.Errorf("no task %s", name)
			continue
		}
		for split, want := range sets {
			if s, ok := task.Split(split); !ok || s.Instances != want.Shape[0] {
				t.Errorf("%s: split %s is %+v, want %d instances", name, split, s, want.Shape[0])
			}
			if got := task.Digest(split); got != want.SHA256 {
				t.Errorf("%s: digest of %s is %s, want %s", name, split, got, want.SHA256)
			}
		}
	}
}
