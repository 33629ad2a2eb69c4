package tasks

import (
	"fmt"
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
			described(t, task)
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
		names string
		ok    bool
	}{
		{`tsp-aco@replicates=10 tsp-aco@iterations=500 tsp-aco@replicates=10,iterations=500
			racing-car@renderer=stock tsp-construct@texts=source
			racing-car@renderer=stock,texts=source
			tsp-aco@replicates=10,iterations=500,texts=source`, true},
		{`tsp-aco@iterations=500,replicates=10 tsp-aco@iterations=100 tsp-aco@iterations=0
			tsp-aco@iterations=-5 tsp-aco@iterations=10001 tsp-aco@iterations=500, tsp-aco@
			no-such-task tsp-aco@replicates=1 tsp-aco@replicates=010 tsp-aco@replicates=1001
			tsp-aco@replicates= tsp-construct@replicates=10 racing-car@renderer=native
			racing-car@texts=source,renderer=stock tsp-aco@replicates=10@texts=source
			tsp-aco,texts=source tsp-aco@texts=source,texts=source tsp-aco@texts=own texts=source
			no-such-task@texts=source tsp-construct@iterations=500`, false},
	} {
		for _, name := range strings.Fields(c.names) {
			if task, ok := Lookup(name); ok != c.ok || ok && task.Name != name {
				t.Errorf("Lookup(%q) = %v, %v, want %v", name, task, ok, c.ok)
			}
		}
	}
}

// described checks that a task's texts describe the imports and all parameters.
func described(t *testing.T, task *bench.Task) {
	t.Helper()
	if !strings.Contains(task.Description, "np") || len(task.Imports) == 0 {
		t.Error("the description must say what is imported")
	}
	for _, p := range task.Template.Params {
		if p.Annotation == "" || !strings.Contains(task.Template.Doc, p.Name+":") {
			t.Errorf("%s: parameter %s is not annotated and described", task.Name, p.Name)
		}
	}
}

// TestUnknownSplitsAndInstancesAreErrors checks the tasks that Go scores.
func TestUnknownSplitsAndInstancesAreErrors(t *testing.T) {
	for _, task := range All() {
		if task.Scorer != nil {
			continue
		}
		for _, c := range []struct {
			split  string
			number int
			want   string
		}{
			{"test51", 0, fmt.Sprintf("%s has no split %q", task.Name, "test51")},
			{"train", -1, task.Name + " has no instance -1 in split train"},
			{"train", 1 << 20, task.Name + " has no instance 1048576 in split train"},
		} {
			in := bench.Instance{Split: c.split, Number: c.number}
			if _, err := task.Score(t.Context(), in, nil); fmt.Sprint(err) != c.want {
				t.Errorf("%+v: %v, want %s", in, err, c.want)
			}
		}
	}
}

// TestSourceTexts checks that our texts state the facts in the table of docs/fidelity.md, and that
// the texts of the sources do not.
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
		described(t, task)
		words := func(p bench.Problem) string {
			return strings.Join(strings.Fields(p.Description+" "+p.Template.Doc), " ")
		}
		for _, fact := range facts {
			if !strings.Contains(words(own.Problem), fact) {
				t.Errorf("%s: our texts do not contain %q", own.Name, fact)
			}
			if strings.Contains(words(task.Problem), fact) {
				t.Errorf("%s: the texts of the sources contain %q", own.Name, fact)
			}
		}
		task.Name, task.Description, task.Template.Doc = own.Name, own.Description, own.Template.Doc
		golden.Same(t, own.Name+" without its texts",
			own.Problem, task.Problem)
	}
}
