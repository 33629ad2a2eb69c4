//go:build linux

package pytask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/python"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// A task that does not run is refused with the reason, before Python starts. Without a network, the
// message says what installs the packages.
func TestLLM4ADRefused(t *testing.T) {
	if n := len(LLM4AD()); n != 22 {
		t.Errorf("%d tasks", n)
	}
	for _, c := range []struct{ name, says string }{
		{"ode_1d", "runs the program's text in its own process"},
		{"online_bin_packing_2O", "a running time"},
		{"moon_lander", "one method of LLM4AD"},
		{"car_racing", "--task racing-car"},
		{"maximal_independent_set_co_bench", "passes objects"},
		{"pymoo_moead", "without a seed"},
		{"tsp", "no task has this name"},
	} {
		_, err := Load(t.Context(), "llm4ad:"+c.name, Options{})
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(hint.Of(err), "pacebench list tasks") {
			t.Errorf("%s: %v: %s", c.name, err, hint.Of(err))
		}
	}
	_, err := Load(t.Context(), "llm4ad:tsp_construct", Options{
		Python: func(context.Context, string) (*pyenv.Env, error) {
			return nil, pyenv.ErrNoNetwork
		},
	})
	if !errors.Is(err, pyenv.ErrNoNetwork) ||
		!strings.Contains(hint.Of(err), "pacebench doctor --packages llm4ad") {
		t.Errorf("without packages: %v: %s", err, hint.Of(err))
	}
}

// checkout is as much of LLM4AD's interface as the adapter uses, with an evaluator of our own.
var checkout = map[string]string{
	"llm4ad/__init__.py": "raise ImportError('this imports every method')\n",
	"llm4ad/base/__init__.py": `class Evaluation:
    def __init__(self, template_program, task_description, timeout_seconds):
        self.template_program, self.task_description = template_program, task_description
        self.timeout_seconds = timeout_seconds
`,
	"llm4ad/task/__init__.py":                                 "raise ImportError\n",
	"llm4ad/task/optimization/__init__.py":                    "raise ImportError\n",
	"llm4ad/task/optimization/knapsack_construct/__init__.py": "from .evaluation import *\n",
	"llm4ad/task/optimization/knapsack_construct/evaluation.py": `import numpy as np
from llm4ad.base import Evaluation

TEMPLATE = """
import numpy as np

def take(room: int, items: List[int]) -> int:
    \"\"\"Take an item.\"\"\"
    return items[0]
"""

class KnapsackEvaluation(Evaluation):
    def __init__(self, timeout_seconds=7, n_items=4, **kwargs):
        super().__init__(TEMPLATE, "Fill a sack.", timeout_seconds)
        self.items = [i + 1 for i in range(n_items)]

    def evaluate_program(self, program_str, callable_func):
        taken = callable_func(10, self.items)
        if taken is None:
            return None
        return -(self.items[self.items.index(taken)] + sum(self.items)) - np.random.random() / 8
`,
}

// A task from a checkout is described and scored, and wrong answers are refused.
func TestLLM4ADCheckout(t *testing.T) {
	plain, dir := pyenv.ForTest(t), t.TempDir()
	for name, text := range checkout {
		must.Write(t, filepath.Join(dir, name), text)
	}
	o := Options{LLM4AD: dir, Python: func(_ context.Context, packages string) (
		*pyenv.Env, error) {
		if packages != foreignExtra {
			t.Errorf("packages %q", packages)
		}
		return plain, nil
	}}
	const name = "llm4ad:knapsack_construct"
	task, err := Load(t.Context(), name, o)
	must.Do(t, err)
	train, files := task.Splits[0], slices.Sorted(maps.Keys(task.Files))
	if task.Name != "llm4ad-knapsack_construct" || task.Goal != bench.Maximize ||
		task.Description != "Fill a sack." || task.Imports[0] != "import numpy as np" ||
		task.Template.Header() != "def take(room: int, items: List[int]) -> int:" ||
		len(task.Splits) != 2 || train.Instances != 1 || train.Limits.CPU != seconds(7) ||
		task.Digest("train") == task.Digest("test") || task.Sources != nil {
		t.Errorf("%+v", task)
	}
	if len(files) != 3 || files[0] != "llm4ad/base/__init__.py" {
		t.Errorf("files %v", files)
	}
	typed, err := Load(t.Context(), name+foreignTyping, o)
	if err != nil || len(typed.Imports) != 2 || typed.Imports[0] != "from typing import *" ||
		typed.Version == task.Version || typed.Name != task.Name+foreignTyping {
		t.Errorf("typing: %+v, %v", typed, err)
	}
	task.Scorer.Packages, typed.Scorer.Packages = "", "" // of this test's Python
	e := tasktest.Control(t, task)
	score := func(e *bench.TaskEvaluator, body string) bench.Outcome {
		t.Helper()
		return outcome(t, e, "def take(room, items):\n    "+body+"\n")
	}
	first := score(e, "return items[-1]")
	if first.Fault != nil || first.Score < 14 || first.Score > 14.125 ||
		score(e, "items.append(99); return items[-2]").Score != first.Score {
		t.Errorf("%+v", first)
	}
	for body, says := range map[string]string{
		"return None": "invalid: the evaluator returned None",
		"return 99":   "invalid: 99 is not an item that is left",
		"return List": "raised: ",
	} {
		if f := score(e, body).Fault; f == nil || !strings.Contains(f.Error(), says) {
			t.Errorf("%s: %v, want %s", body, f, says)
		}
	}
	if f := outcome(t, tasktest.Control(t, typed), strings.Join(typed.Imports, "\n")+"\n"+
		typed.Default()).Fault; f != nil {
		t.Errorf("the template with typing: %v", f)
	}
	const base = "llm4ad/base/__init__.py"
	must.Write(t, filepath.Join(dir, base), checkout[base]+"#")
	changed := *task
	scorer := *task.Scorer
	changed.Scorer = &scorer
	if _, err := tasktest.Control(t, &changed).Evaluate(t.Context(), program.Program{
		Source: "def take(room, items):\n    return 1\n",
	}); err == nil || !strings.Contains(err.Error(), base+" has changed") {
		t.Errorf("a changed file: %v", err)
	}
	o.LLM4AD = filepath.Join(dir, "llm4ad")
	if _, err := Load(t.Context(), name, o); !errors.Is(err, ErrFile) ||
		!strings.Contains(hint.Of(err), "--llm4ad takes a checkout") {
		t.Errorf("another folder: %v", err)
	}
}

// A contest has the programs of a task for the cross-check.
type contest struct {
	Row      *row     `json:"row"`
	Programs []string `json:"programs"`
	ours     []bench.Outcome
	theirs   []*float64
}

// TestLLM4AD scores three programs of every third task in LLM4AD's own process and here. With
// -update it takes all tasks, and makes the table of docs/llm4ad.md (scripts/cross-llm4ad). An
// answer that is not a solution has no score.
func TestLLM4AD(t *testing.T) {
	if !tasktest.Long() && !*golden.Update {
		t.Skip("PACEBENCH_LONG is not set")
	}
	pyenv.ForTestWith(t, foreignExtra)
	var extra map[string]struct {
		Other, Cheat, Fake, Says string
		Train                    map[string]any
	}
	if _, err := toml.DecodeFile("testdata/llm4ad.toml", &extra); err != nil {
		t.Fatal(err)
	}
	var all []*contest
	one := func(t *testing.T, name string) {
		f, err := open(name, options(t))
		must.Do(t, err)
		more := extra[f.foreign.Name]
		if more.Train != nil {
			f.foreign.Train = more.Train
		}
		must.Do(t, f.describe(t.Context(), f.Packages))
		task, err := f.task()
		must.Do(t, err)
		first := task.Template.Body
		if f.foreign.Heuristic != "" {
			first = f.foreign.Heuristic
		}
		c := &contest{Row: f.foreign}
		whole := func(body string) string {
			return "from typing import *\nimport numpy as np\n\n" + task.Template.Header() +
				"\n    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n"
		}
		for _, body := range []string{first, more.Other, "raise ValueError()", more.Cheat} {
			if body != "" {
				c.Programs = append(c.Programs, whole(body))
			}
		}
		e := tasktest.Control(t, task)
		for _, p := range c.Programs {
			c.ours = append(c.ours, outcome(t, e, p))
		}
		all = append(all, c)
		if o := outcome(t, e, whole(more.Fake)); o.OK() || o.Fault.Kind != bench.Invalid ||
			!strings.Contains(o.Fault.Detail, more.Says) {
			t.Errorf("no solution: %v, %v, want %s", o.Score, o.Fault, more.Says)
		}
	}
	for i, name := range LLM4AD() { // each subtest ends its processes
		if i%3 == 0 || *golden.Update {
			t.Run(name, func(t *testing.T) { one(t, name) })
		}
	}
	theirs(t, all)
	table(t, all)
}

// theirs has LLM4AD score the programs.
func theirs(t *testing.T, all []*contest) {
	dir := t.TempDir()
	for name, source := range python.Modules() {
		path := filepath.Join(dir, strings.ReplaceAll(name, ".", "/")+".py")
		if name == "pacebench" {
			path = filepath.Join(dir, name, "__init__.py")
		}
		must.Write(t, path, source)
	}
	asked, err := json.Marshal(all)
	must.Do(t, err)
	script := must.Read(t, "testdata/llm4ad.py")
	cmd := exec.CommandContext(t.Context(), pyenv.ForTestWith(t, foreignExtra).Python,
		"-I", "-c", string(script))
	cmd.Env = append(slices.Clone(python.Environment), "PACEBENCH_MODULES="+dir, "MPLBACKEND=Agg",
		"MPLCONFIGDIR="+dir)
	cmd.Stdin = bytes.NewReader(asked)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var values [][]*float64
	if err == nil {
		err = json.Unmarshal(out, &values)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	for i, list := range values {
		all[i].theirs = list
	}
}

// differ says why a score here differs from LLM4AD's.
var differ = map[string]string{
	"knapsack_construct": "LLM4AD returns the negative of the value packed",
	"qap_construct":      "LLM4AD uses the list that the template changes in place",
}

// table compares the scores, and checks the page against them.
func table(t *testing.T, all []*contest) {
	text := "| task | template or heuristic | another program |\n|---|---|---|\n"
	var cheated string
	for _, c := range all {
		cells, why := "", differ[c.Row.Name]
		for i := range c.Programs {
			ours, theirs := scoreOf(c.ours[i]), "no score"
			if v := c.theirs[i]; v != nil {
				theirs = digits(*v)
			}
			switch {
			case i == 3:
				cheated = fmt.Sprintf("%s in LLM4AD and %s here", theirs, ours)
			case ours == theirs && i == 2: // the program that raises an error
			case ours == theirs:
				cells += " | " + ours
			case why == "":
				t.Errorf("%s, program %d: %s in LLM4AD, %s here", c.Row.Name, i, theirs, ours)
				fallthrough
			default:
				cells += fmt.Sprintf(" | %s; LLM4AD: %s", ours, theirs)
			}
		}
		name := "`" + c.Row.Name + "`"
		for _, key := range slices.Sorted(maps.Keys(c.Row.Train)) {
			name += fmt.Sprintf(", %s=%v", key, c.Row.Train[key])
		}
		if why != "" {
			name += " (" + why + ")"
		}
		text += "| " + name + cells + " |\n"
	}
	if cheated != "" {
		text += "\nThe program of `jssp_construct` that sets `job_status` to 0 in its " +
			"arguments:\n" + cheated + ".\n"
	}
	compare(t, text)
}

func scoreOf(o bench.Outcome) string {
	if o.Fault != nil {
		return "no score"
	}
	return digits(o.Score)
}

func digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

var crossed = regexp.MustCompile(`(?s)(<!-- scripts/cross-llm4ad -->\n\n).*?(\n<!-- end -->)`)

// compare finds each line in the page's table, or writes the table there. The last digits of sines,
// and the results of optimisers that use them, depend on the machine.
func compare(t *testing.T, text string) {
	path := filepath.Join("..", "..", "docs", "llm4ad.md")
	page := must.Read(t, path)
	if *golden.Update {
		page = crossed.ReplaceAll(page, []byte("${1}"+text+"${2}"))
		must.Write(t, path, page)
	}
	m := crossed.FindSubmatch(page)
	if m == nil {
		t.Fatal("docs/llm4ad.md has no place for the table")
	}
	numbers := regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]?\d+)?`)
	known := map[string]string{}
	for line := range strings.Lines(string(m[0])) {
		known[numbers.ReplaceAllString(line, "N")] = line
	}
	for line := range strings.Lines(text) {
		was := numbers.FindAllString(known[numbers.ReplaceAllString(line, "N")], -1)
		now := numbers.FindAllString(line, -1)
		if len(was) != len(now) {
			t.Errorf("docs/llm4ad.md lacks (scripts/cross-llm4ad writes it) %s", line)
			continue
		}
		for i, old := range was {
			x, _ := strconv.ParseFloat(old, 64)
			y, _ := strconv.ParseFloat(now[i], 64)
			if math.Abs(x-y) > 1e-6*math.Abs(x) {
				t.Errorf("docs/llm4ad.md has %s, now it is %s", old, now[i])
			}
		}
	}
}
