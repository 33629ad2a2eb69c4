package suite

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// planOf reads a suite and lists the directories of its runs.
func planOf(text string, o Options) ([]string, error) {
	s, err := parseSuite("mine.toml", []byte(text))
	if err != nil {
		return nil, err
	}
	runs, err := s.Plan(o)
	if err == nil {
		runs, err = Chosen(o, runs)
	}
	return Map(runs, (*Planned).Path), err
}

// flags returns the options of a command with the given flags.
func flags(given ...string) Options {
	o := Options{Seeds: "1", Evals: 5, Test: "none", Model: "offline", Models: ModelsFile,
		TimeScale: 1, Given: map[string]bool{}, Log: io.Discard, Notes: io.Discard}
	for _, name := range given {
		o.Given[name] = true
	}
	return o
}

// group returns a group of a suite file, on TSP-Construct unless the lines name tasks.
func group(lines ...string) string {
	text := "[[runs]]\n"
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "tasks") }) {
		text += "tasks = [\"tsp-construct\"]\n"
	}
	return text + strings.Join(lines, "\n") + "\n"
}

// TestPlan expands suites into runs.
func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("OPENAI_API_KEY", "a-key-of-a-server")
	t.Setenv("KEY_A", "a-key-of-a-server")
	must.Write(t, ModelsFile, "[models.c]\nmodel = \"c\"\nbase_url = \"https://c/v1\"\n")
	seven, scaled, paired := flags("seeds"), flags("time-scale"), flags()
	model, eap, only := flags("model"), flags("eap-model"), flags()
	only.Only = []string{"bipedal-walker/mles/offline/1"}
	seven.Seeds, eap.EAPModel, eap.BaseURL = "7", "openai:d", "https://d/v1"
	paired.Only = []string{"tsp-construct/pace@k=1/offline/2"}
	pace := group(`methods = ["pace"]`, `variants = ["", "k=1"]`)
	slow := "[models.slow]\nmodel = \"big\"\nbase_url = \"https://h\"\n" +
		"[models.other]\nmodel = \"small\"\nbase_url = \"https://h\"\n"
	tables := "seeds = [4]\n[models.b]\nmodel = \"b\"\nbase_url = \"https://b/v1\"\n" +
		"[models.a]\nmodel = \"a\"\nbase_url = \"https://a/v1\"\nkey_env = \"KEY_A\"\n" +
		"[models.a.extra_body]\ntop_k = 5\nprovider = { order = [\"x\"], sort = \"price\" }\n" +
		group(`methods = ["greedy", "eoh"]`) +
		group(`methods = ["pace"]`, `model = "a"`, `eap_model = "c"`)
	const a = "openai-a,provider=-order-x-,-sort-price-,top_k=5"
	list := "models = [\"c\", \"offline\"]\n" + group(`methods = ["pace"]`)
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // the runs, without their task
	}{
		{"the grid", "seeds = [2, 1]\nmodels = [\"offline\", \"openai:org/m:free\"]\n" + pace +
			group(`methods = ["greedy"]`), flags(),
			"pace/offline/2 pace/offline/1 pace@k=1/offline/2 pace@k=1/offline/1 " +
				"pace/openai-org-m-free/2 pace/openai-org-m-free/1 " +
				"pace@k=1/openai-org-m-free/2 pace@k=1/openai-org-m-free/1 greedy/none/1"},
		{"what appears twice", group(`methods = ["eoh", "eoh"]`,
			`models = ["offline", "offline", "offline+eap="]`) + group(`methods = ["eoh"]`) +
			group(`methods = ["pace"]`, `variants = ["", "k=3", "k=1", " k=1 "]`), flags(),
			"eoh/offline/1 pace/offline/1 pace@k=1/offline/1"},
		{"settings of a group and of variants", group(`methods = ["pace"]`, `set = ["ts=false"]`,
			`variants = ["", "k=5", "operators=P1,P3 k=1", "k=1 operators=P1,P3"]`), flags(),
			"pace@ts=false/offline/1 pace@k=5,ts=false/offline/1 " +
				"pace@k=1,operators=P1,P3,ts=false/offline/1"},
		{"spellings of defaults", group(`methods = ["pace"]`, `variants = ["", "k=3", "k=03", `+
			`"k=3.0", "ts=1", "operators=P1,P2,P3,P4,", "temperature=1e0 window=+4"]`) +
			group(`methods = ["hsevo"]`, `variants = ["external-knowledge="]`), flags(),
			"pace/offline/1 hsevo/offline/1"},
		{"spellings of others", group(`methods = ["pace"]`, `variants = ["k=5", "k=05", "k=+5", `+
			`"k=5.0", "k=5e0", "k=10", "k=1e1", "ts=false", "ts=0", "ts=F", "temperature=.5", `+
			`"temperature=5e-1", "operators=P3,P1"]`), flags(), "pace@k=5/offline/1 " +
			"pace@k=10/offline/1 pace@ts=false/offline/1 pace@temperature=0.5/offline/1 " +
			"pace@operators=P3,P1/offline/1"},
		{"settings that bound each other", group(`methods = ["mcts-ahd"]`,
			`variants = ["elite=3 initial=3", "initial=5 parents=5"]`), flags(),
			"mcts-ahd@elite=3,initial=3/offline/1 mcts-ahd@initial=5,parents=5/offline/1"},
		{"seeds of a group", "seeds = [1, 9223372036854775807]\n" + group(`methods = ["eoh"]`) +
			group(`methods = ["reevo"]`, `seeds = [3]`), flags(),
			"eoh/offline/1 eoh/offline/9223372036854775807 reevo/offline/3"},
		{"seeds of the command", "seeds = [1, 2]\n" + group(`methods = ["greedy", "eoh"]`) +
			group(`methods = ["reevo"]`, `seeds = [3]`), seven,
			"greedy/none/1 eoh/offline/7 reevo/offline/7"},
		{"a factor on time", "time_scale = 2.5\n" + group(`methods = ["greedy"]`) + pace, flags(),
			"greedy/none/1 pace@time-scale=2.5/offline/1 pace@k=1,time-scale=2.5/offline/1"},
		{"another factor", "time_scale = 2.5\n" + pace, scaled,
			"pace/offline/1 pace@k=1/offline/1"},
		{"a model for EAPs", slow + group(`methods = ["eoh", "pace"]`,
			`models = ["slow", "slow+eap=other", "other"]`), flags(), "eoh/openai-big/1 " +
			"pace/openai-big/1 pace/openai-big+eap=openai-small/1 eoh/openai-small/1 " +
			"pace/openai-small/1"},
		{"every method that fits", group(`methods = ["*"]`), flags(), "randsample/offline/1 " +
			"bestofn/offline/1 funsearch/offline/1 eoh/offline/1 reevo/offline/1 " +
			"mcts-ahd/offline/1 hsevo/offline/1 pace/offline/1"},
		{"a method that looks at evidence", group(`tasks = ["bipedal-walker"]`,
			`methods = ["*"]`), only, "bipedal-walker/mles/offline/1"},
		{"tables of models", tables, flags(), "greedy/none/1 eoh/openai-b/4 eoh/" + a + "/4 " +
			"pace/" + a + "+eap=openai-c/4"},
		{"the model of the command", tables, model,
			"greedy/none/1 eoh/offline/4 pace/offline/4"},
		{"another model for EAPs of the command", list, eap,
			"pace/openai-c+eap=openai-d/1 pace/offline+eap=openai-d/1"},
		{"a paired run and its base", "seeds = [1, 2]\npaired = true\n" + pace, paired,
			"pace/offline/2 pace@k=1/offline/2"},
		{"a file from Windows", "\ufeff" + strings.ReplaceAll(pace, "\n", "\r\n"), flags(),
			"pace/offline/1 pace@k=1/offline/1"},
	} {
		got, err := planOf(c.text, c.o)
		var want []string
		for run := range strings.FieldsSeq(c.want) {
			if !strings.HasPrefix(run, "bipedal-walker/") {
				run = "tsp-construct/" + run
			}
			want = append(want, run)
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, d)
		}
	}
}

// TestWrongSuites: the error about a mistake in a file names the file, the place and the key.
func TestWrongSuites(t *testing.T) {
	t.Chdir(t.TempDir())
	eoh := group(`methods = ["eoh"]`)
	for _, c := range [][2]string{
		{"name = \"a\"\nname = \"b\"\n" + eoh, `mine.toml: toml: line 2 (last key "name"): `},
		{"seeds = \"1-3\"\n" + eoh,
			`seeds: this is text in quotes, as in key = "text", want a list`},
		{group(`tasks = "asp"`), "mine.toml: line 2: runs.tasks: this is text in quotes"},
		{"nmae = \"mine\"\n" + eoh, `mine.toml: unknown key "nmae"`},
		{eoh + "methds = []\n", `mine.toml: [[runs]]: unknown key "methds"`},
		{eoh + "[runs.extra]\na = 1\n", `mine.toml: [[runs]]: unknown key "extra"`},
		{"[models.m]\nmodel = \"m\"\nprice = 3\n" + eoh,
			`mine.toml: [models.m]: unknown key "price"`},
		{"", "mine.toml: no [[runs]]"},
		{"[models.a]\nmodel = \"m\"\nbase_url = \"https://a\"\n[models.b]\nmodel = \"m\"\n" +
			"base_url = \"https://b\"\n" + eoh, "suite mine: a and b are both openai:m"},
		{"name = \"" + strings.Repeat("n", 101) + "\"\n" + eoh,
			"mine.toml: the name of the suite is longer than 100 bytes"},
		{"evals = -5\n" + eoh, "mine.toml: evals = -5: must be from 1 to 429496729"},
		{eoh + "evals = 0\n", "mine.toml: runs 1: evals = 0: must be from 1 to "},
		{"seeds = [1, 2, 1]\n" + eoh, "mine.toml: seeds: 1 appears twice"},
		{"seeds = [-1]\n" + eoh, "mine.toml: seeds: -1: must not be negative"},
		{"seeds = [0" + strings.Repeat(",0", 1000) + "]\n" + eoh, "1001 seeds: want at most 1000"},
		{eoh + eoh + "seeds = []\n", "mine.toml: runs 2: seeds must not be empty"},
		{"[separate]\npairs = [[\"eoh\", \"pace\"]]\nlooks = [3, 4]\nalpha = 0.05\n" + eoh,
			"mine.toml: [separate]: with 4 seeds, the smallest possible p is 0.029, " +
				"and each look needs 0.02"},
		{"models = []\n" + eoh, "mine.toml: models must not be empty"},
		{"test = \"\"\n" + eoh, "mine.toml: test is empty"},
		{"time_scale = 0.5\n" + eoh, "mine.toml: time_scale = 0.5: must be from 1 to 100"},
		{eoh + "models = [\"offline\"]\neap_model = \"offline\"\n",
			"mine.toml: runs 1: models cannot be combined with model or eap_model"},
		{eoh + "[[runs]]\n", "mine: runs 2: tasks and methods must not be empty"},
		{group(`methods = ["pac"]`), `suite mine: unknown method "pac"`},
		{group(`methods = ["mles"]`),
			"suite mine: method mles does not run on task tsp-construct: "},
		{group(`methods = ["pace"]`, `variants = ["k = 1"]`),
			"suite mine: --set k: want name=value"},
		{group(`methods = ["pace"]`, `variants = ["k=1,ts=false"]`),
			`--set k=1,ts=false: ` + `"1,ts=false" is not a number`},
		{group(`methods = ["pace"]`, `set = ["k=1"]`, `variants = ["", "k=5"]`),
			"suite mine: --set k=5: k is set twice"},
		{group(`methods = ["greedy"]`, `set = ["k=1"]`), "greedy is a baseline without settings"},
		{eoh + "evals = 50\n" + group(`methods = ["pace", "eoh"]`, "evals = 60"),
			"tsp-construct/eoh/1 appears with 50 and with 60 evaluations, and both runs would"},
	} {
		if _, err := planOf(c[0], flags()); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s\n%v, want %s", c[0], err, c[1])
		}
	}
}

func TestSeeds(t *testing.T) {
	for text, want := range map[string]string{
		"1-3, 9": "[1 2 3 9]", "0": "[0]", "007": "[7]",
		"18446744073709551614-18446744073709551615": "[18446744073709551614 18446744073709551615]",
		"18446744073709551616":                      "is not a whole number or a range",
		"1,,2":                                      `"" is not a whole number or a range`,
		"-3":                                        `"-3" is not a whole number or a range`,
		"5-3":                                       "the range 5-3 ends before it begins",
		"1-4,3":                                     "3 appears twice",
		"1-1001":                                    "more than 1000 seeds",
		"0-" + fmt.Sprint(uint64(math.MaxUint64)): "more than 1000 seeds",
	} {
		seeds, err := parseSeeds(text)
		if got := fmt.Sprint(seeds); got != want &&
			(err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	if seeds, err := parseSeeds("0-999"); len(seeds) != MaxSeeds || err != nil {
		t.Errorf("0-999: %d seeds, %v", len(seeds), err)
	}
}
