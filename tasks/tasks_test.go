package tasks

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// TestEveryTaskIsComplete checks a task for everything that other packages rely on.
func TestEveryTaskIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, task := range All() {
		t.Run(task.Name, func(t *testing.T) {
			if seen[task.Name] {
				t.Error("the name is taken")
			}
			seen[task.Name] = true
			if again, ok := Lookup(task.Name); !ok || again.Version != task.Version {
				t.Error("Lookup does not find it")
			}
			if task.Version == "" || task.Description == "" || task.Template.Name == "" ||
				task.Template.Doc == "" || task.Template.Body == "" || task.Score == nil {
				t.Errorf("something is missing: version %q, template %q",
					task.Version, task.Template.Name)
			}
			if !strings.Contains(task.Description, "np") || len(task.Imports) == 0 {
				t.Error("the description must say what is imported")
			}
			for _, p := range task.Template.Params {
				if p.Annotation == "" || !strings.Contains(task.Template.Doc, p.Name+":") {
					t.Errorf("parameter %s is not annotated and described", p.Name)
				}
			}
			if len(task.Splits) < 2 || task.Splits[0].Name != "train" {
				t.Errorf("splits %v: the training split comes first, tests follow", task.Splits)
			}
			digest := regexp.MustCompile(`^[0-9a-f]{64}$`)
			splits := slices.Clone(task.Splits)
			if task.Val != nil {
				splits = append(splits, *task.Val)
				if task.Val.Instances < task.Splits[0].Instances {
					t.Errorf("validation split %+v", task.Val)
				}
			}
			for _, s := range splits {
				if s.Instances < 1 || s.Limits.CPU <= 0 ||
					!digest.MatchString(task.Digest(s.Name)) {
					t.Errorf("split %+v, digest %q", s, task.Digest(s.Name))
				}
			}
			for _, r := range task.References {
				if r.Name == "" || !strings.Contains(r.Source, "def "+task.Template.Name+"(") {
					t.Errorf("reference %q does not define %s", r.Name, task.Template.Name)
				}
			}
		})
	}
	for _, c := range []struct {
		name string
		ok   bool
	}{
		{"tsp-aco@replicates=10", true},
		{"tsp-aco@iterations=500", true},
		{"tsp-aco@replicates=10,iterations=500", true},
		{"tsp-aco@iterations=500,replicates=10", false},
		{"tsp-aco@iterations=100", false},
		{"tsp-aco@iterations=0", false},
		{"tsp-aco@iterations=-5", false},
		{"tsp-aco@iterations=10001", false},
		{"tsp-aco@iterations=500,", false},
		{"tsp-aco@", false},
		{"no-such-task", false},
		{"tsp-aco@replicates=1", false},
		{"tsp-aco@replicates=010", false},
		{"tsp-aco@replicates=1001", false},
		{"tsp-aco@replicates=", false},
		{"tsp-construct@replicates=10", false},
		{"racing-car@renderer=stock", true},
		{"racing-car@renderer=native", false},
		{"tsp-construct@texts=source", true},
		{"racing-car@renderer=stock,texts=source", true},
		{"tsp-aco@replicates=10,iterations=500,texts=source", true},
		{"racing-car@texts=source,renderer=stock", false},
		{"tsp-aco@replicates=10@texts=source", false},
		{"tsp-aco,texts=source", false},
		{"tsp-aco@texts=source,texts=source", false},
		{"tsp-aco@texts=own", false},
		{"texts=source", false},
		{"no-such-task@texts=source", false},
		{"tsp-construct@iterations=500", false},
	} {
		if task, ok := Lookup(c.name); ok != c.ok || ok && task.Name != c.name {
			t.Errorf("Lookup(%q) = %v, %v, want %v", c.name, task, ok, c.ok)
		}
	}
}

// TestSourceTexts checks that they name all parameters, and no fact in the table of
// docs/fidelity.md.
func TestSourceTexts(t *testing.T) {
	added := map[string][]string{
		"racing-car": {
			"50 ", "tile", "1200", "Rows", "column", "panel", "camera", "100 is the most",
			"(0, 1, 0)", "uint8", "float64",
		},
		"bipedal-walker": {
			"50 ", "300", "1600", "tilt", "-100", "radian", "times", "divided", "plus", "0.8",
			"straight down", "zeros", "position",
		},
		"tsp-aco": {
			"pheromone", "probability", "30", "100", "unit square", "Euclidean", "diagonal",
			"hardly",
		},
		"tsp-construct": {
			"city 0", "always 0", "unit square", "Euclidean", "nearest", "order", "single",
			"diagonal", "m >= 2",
		},
	}
	for name, facts := range added {
		own, _ := Lookup(name)
		task, ok := Lookup(name + "@" + SourceTexts)
		if !ok {
			t.Errorf("%s has no texts of its sources", name)
			continue
		}
		if !strings.Contains(task.Description, "np") {
			t.Errorf("%s: the description must say what is imported", own.Name)
		}
		for _, p := range task.Template.Params {
			if !strings.Contains(task.Template.Doc, p.Name+":") {
				t.Errorf("%s: parameter %s is not described", own.Name, p.Name)
			}
		}
		words := func(p bench.Problem) string {
			return strings.Join(strings.Fields(p.Description+" "+p.Template.Doc), " ")
		}
		for _, fact := range facts {
			if !strings.Contains(words(own.Problem), fact) {
				t.Errorf("%s: our texts do not tell %q", own.Name, fact)
			}
			if strings.Contains(words(task.Problem), fact) {
				t.Errorf("%s: the texts of the sources tell %q", own.Name, fact)
			}
		}
		task.Name, task.Description, task.Template.Doc = own.Name, own.Description, own.Template.Doc
		golden.Same(t, own.Name+" without its texts",
			own.Problem, task.Problem)
	}
}
