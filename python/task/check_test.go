//go:build linux

package pytask

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

// checked checks a task file, and returns what is wrong and what is noted, by group.
func checked(t *testing.T, name, source string) (wrong, notes map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Write(t, path, source)
	must.Write(t, filepath.Join(filepath.Dir(path), "x"), "")
	at := func(task *bench.Task, use func(bench.Loader) error) error {
		return use(tasktest.Control(t, task).Loader)
	}
	found, err := Check(t.Context(), path, options(t), at, func(string) {})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	wrong, notes = map[string]string{}, map[string]string{}
	for _, f := range found {
		if len(f.Wrong) > 0 {
			wrong[f.Check] = strings.Join(f.Wrong, "\n")
		}
		notes[f.Check] = f.Did + "\n" + strings.Join(f.Notes, "\n")
	}
	return wrong, notes
}

// planted is a task with places for faults. Its score is the answer plus what SCORE leaves in
// extra.
const planted = `"""Pick the largest number."""
import numpy as np
from pacebench.task import Invalid, Task

task = Task(goal="maximize", splits={"train": 4, "test": 2}, cpu=20)
#TOP

` + picking + `
@task.instance
def make(split, number):
    #MAKE
    return task.rng(split, number).integers(0, 100, 5).tolist()

@task.score
def picked(numbers, pick):
    answer, extra = pick(numbers, 0), 0
    #CHECK
    #SCORE
    return answer + extra

@task.reference()
def largest(numbers, last):
    return max(numbers)
`

// plant puts lines of code in the places.
func plant(places ...string) string {
	check := "if type(answer) is not int or answer not in numbers: raise Invalid('none of them')"
	return strings.NewReplacer(append(places, "#CHECK", check)...).Replace(planted)
}

// check-task names what a score wrongly depends on, and what a task fails to check.
func TestCheckNamesFaults(t *testing.T) {
	const hash, clock = "depends on the order of a set", "depends on the clock"
	const order, state = "depends on the order of instances", "state between evaluations"
	for name, c := range map[string]struct {
		quick  bool
		source string
		wrong  map[string][]string // by group
	}{
		// Each fault is named although the other faults are in the same file.
		"many.py": {true, plant("#TOP",
			"import datetime\nSEEN = []\nDATA = open(__file__[:-7] + 'x')", "#SCORE",
			"extra = len(next(iter({'a', 'bb', 'ccc', 'dddd'}))) + "+
				"datetime.datetime.now().month; SEEN.append(1); extra += len(SEEN)",
			"        last: what was picked last.\n", ""), map[string][]string{
			"file":   {"does not say what last is", "many.py:8 reads ", "Task(files=...)"},
			"scores": {hash, clock + " (many.py:31)"}, "order": {order, state},
		}},
		"ticks.py": {false, plant("#TOP", "import time", "#SCORE", "extra = time.perf_counter()"),
			map[string][]string{"scores": {clock + " (ticks.py:30)"}}},
		"urandom.py": {false, plant("#TOP", "import secrets", "#SCORE",
			"extra = secrets.randbelow(10**6)"), map[string][]string{
			"scores": {"entropy of the system (urandom.py:30)"}}},
		"counter.py": {false, plant("#TOP", "import os, pathlib\nAT = pathlib.Path(__file__+'.n')",
			"#SCORE", "extra = os.path.getsize(AT) if AT.exists() else 0; AT.open('a').write('x')"),
			map[string][]string{"scores": {"a file that it writes (counter.py:31)"}}},
		"best.py": {false, plant("#TOP", "BEST = []", "#SCORE",
			"BEST.append(answer); extra = max(BEST)"), map[string][]string{"order": {order}}},
		"drawn.py": {false, plant("#TOP", "RNG = np.random.default_rng(1)", "#MAKE",
			"return RNG.integers(0, 100, 5).tolist()"), map[string][]string{
			"instances": {"depends on the order of instances"}, "order": {state}}},
		"leak.py": {false, plant("#MAKE", "split = 'train'"), map[string][]string{
			"instances": {"instance 0 of test is the same as instance 0 of train"}}},
		"unchecked.py": {false, strings.Replace(planted, "#SCORE",
			"answer = answer if type(answer) is int else 10**6", 1), map[string][]string{
			"wrong answers": {"a text has a score", "a huge index scores 1e+09 on the first"}}},
		"known.py": {false, strings.Replace(plant(), "reference()", "reference(value=9.5)", 1),
			map[string][]string{"scores": {"but the file says 9.5"}}},
	} {
		if c.quick == tasktest.Long() { // the long tier follows the quick one
			continue
		}
		wrong, notes := checked(t, name, c.source)
		for group, texts := range c.wrong {
			for _, text := range texts {
				if !strings.Contains(wrong[group], text) {
					t.Errorf("%s: %s: %q, want %q", name, group, wrong[group], text)
				}
			}
			delete(wrong, group)
		}
		for group, text := range wrong {
			t.Errorf("%s: %s: %s", name, group, text)
		}
		if len(notes) < 7 {
			t.Errorf("%s: %d groups of checks", name, len(notes))
		}
	}
}

// Every second file of docs/your-task.md and of the embedded tasks passes.
func TestCheckExamples(t *testing.T) {
	if !tasktest.Long() {
		t.Skip("PACEBENCH_LONG: whole evaluations, again and again")
	}
	files := examples(t)
	shipped, err := filepath.Glob(filepath.Join("..", "..", "tasks", "shipped", "*.py"))
	if err != nil || len(shipped) != 5 {
		t.Fatalf("%v, %v", shipped, err)
	}
	for _, path := range shipped {
		files[filepath.Base(path)] = string(must.Read(t, path))
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i%2 > 0 {
			continue // half of them show what all have in common
		}
		wrong, notes := checked(t, name, files[name])
		if len(wrong) > 0 || len(notes) < 7 {
			t.Errorf("%s: %v, %v", name, wrong, notes)
		}
	}
}

// TestCheckTellsAFailureOnce: an exception that every program and answer causes is reported once,
// with the number of times, and the cost of evaluations is reported in hours.
func TestCheckTellsAFailureOnce(t *testing.T) {
	wrong, notes := checked(t, "broken.py", strings.NewReplacer("IMPORTS", "", "FIELDS", "",
		"SCORE", "return undefined").Replace(picks))
	told := strings.Join(slices.Collect(maps.Values(wrong)), "\n") +
		strings.Join(slices.Collect(maps.Values(notes)), "\n")
	const said = "no score on train: invalid: the task could not use an answer: NameError"
	if n := strings.Count(notes[ofAnswers], "NameError"); n != 1 {
		t.Errorf("%d times in %s", n, notes[ofAnswers])
	}
	if !strings.Contains(notes[ofCosts], "1000 evaluations of ") {
		t.Errorf("no cost: %s", notes[ofCosts])
	}
	if n := strings.Count(told, said); n != 1 {
		t.Errorf("%s: %d times in %s", said, n, told)
	}
}

// TestCostsInHours: check-task warns of evaluations above 5 s.
func TestCostsInHours(t *testing.T) {
	for took, want := range map[time.Duration]string{
		time.Second: "1000 evaluations of 4s, one after another, take 1.1 hours",
		2 * time.Second: "1000 evaluations of 8s, one after another, take 2.2 hours\n" +
			"an evaluation takes more than 5s: fewer instances in train, or --jobs, " +
			"shorten a search",
	} {
		k := &checker{
			task:     &bench.Task{Splits: []bench.Split{{Name: "train", Instances: 4}}},
			programs: []named{{name: "template"}},
			base: &observation{costs: map[string]map[string]measurement{
				"template": {instance("train", 0): {calls: 1, wall: took}},
			}},
			found: map[string]*Finding{},
		}
		k.costs()
		if got := strings.Join(k.in(ofCosts).Notes, "\n"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
