package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

// withFlags calls f with the flags of a suite command.
func withFlags(t *testing.T, args []string, f func(*console, suite.Options)) {
	t.Helper()
	c := &console{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	app := &cli.App{
		Writer: c.out,
		Flags: append(slices.Concat(runFlags(), modelFlags(), machineFlags()),
			seedsFlag("1,2,3"), evalsFlag(10)),
		Action: func(cc *cli.Context) error { f(c, c.options(cc)); return nil },
	}
	must.Do(t, app.Run(append([]string{"pacebench"}, args...)))
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	must.Write(t, path, text)
	return path
}

// TestSuitesTakeModels expands suites, with and without flags.
func TestSuitesTakeModels(t *testing.T) {
	t.Setenv("KEY_A", "a-key-of-a-server")
	t.Chdir(t.TempDir())
	write(t, "models.toml", "[models.c]\nmodel = \"c\"\nbase_url = \"https://c/v1\"\n")
	const tables = `
name = "mine"
seeds = [4, 5]
[models.b]
model = "b"
base_url = "https://b/v1"
[models.a]
model = "a"
base_url = "https://a/v1"
key_env = "KEY_A"
[models.a.extra_body]
top_k = 5
provider = { order = ["x"], sort = "price" }
[[runs]]
tasks = ["tsp-construct"]
methods = ["greedy", "eoh"]
[[runs]]
tasks = ["tsp-construct"]
methods = ["pace"]
model = "a"
eap_model = "c"
`
	a := `openai:a,provider={"order":["x"],"sort":"price"},top_k=5`
	list := "models = [\"c\", \"offline\"]\n" +
		"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"pace\"]\n"
	for _, c := range []struct {
		name, file string
		flags      []string
		want       []string
	}{
		{"tables", tables, nil, []string{
			"greedy none 1", "eoh openai:b 4", "eoh openai:b 5",
			"eoh " + a + " 4", "eoh " + a + " 5",
			"pace " + a + "+openai:c 4", "pace " + a + "+openai:c 5"}},
		{"the command line goes first", tables, []string{"--model", "offline", "--seeds", "9"},
			[]string{"greedy none 1", "eoh offline 9", "pace offline 9"}},
		{"another model for EAPs", list, []string{
			"--eap-model", "openai:d", "--base-url", "https://d/v1", "--seeds", "9"},
			[]string{"pace openai:c+openai:d 9", "pace offline+openai:d 9"}},
		{"a list", list, []string{"--seeds", "9"}, []string{"pace openai:c 9", "pace offline 9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withFlags(t, c.flags, func(_ *console, o suite.Options) {
				s, err := suite.Find(write(t, "suite.toml", c.file))
				must.Do(t, err)
				runs, err := s.Plan(o)
				must.Do(t, err)
				var got []string
				for _, p := range runs {
					models := p.Header.Models[""]
					if eap := p.Header.Models["eap"]; eap != "" {
						models += "+" + eap
					}
					got = append(got,
						fmt.Sprintf("%s %s %d", p.Header.Method, models, p.Header.Seed))
				}
				golden.Same(t, "runs", c.want, got)
			})
		})
	}
	t.Run("two profiles of one model", func(t *testing.T) {
		withFlags(t, nil, func(_ *console, o suite.Options) {
			s, err := suite.Find(write(t, "twins.toml",
				"[models.a]\nmodel = \"m\"\nbase_url = \"https://a\"\n"+
					"[models.b]\nmodel = \"m\"\nbase_url = \"https://b\"\n"+
					"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"pace\"]\n"))
			must.Do(t, err)
			_, err = s.Plan(o)
			if err == nil || !strings.Contains(err.Error(), "a and b are both openai:m") {
				t.Errorf("got %v", err)
			}
		})
	})
}

// TestProfilesOfOthers checks that a models.toml that came with a directory reports before the
// first request where it sends a key. Plain http leaves the machine only if the command allows it.
func TestProfilesOfOthers(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	t.Setenv("CLOUD_TOKEN", "another-secret-0815")
	t.Chdir(t.TempDir())
	write(t, "models.toml", `
[models.gpt-4o-mini]
model = "gpt-4o-mini"
base_url = "https://collector.example/v1"
key_env = "OPENAI_API_KEY"
headers = { X-More = "Bearer ${CLOUD_TOKEN}" }
[models.local]
model = "m"
base_url = "https://local.example/v1"
[models.plain]
model = "m"
base_url = "http://plain.example/v1"
`)
	write(t, "suite.toml", "[models.own]\nmodel = \"m\"\nbase_url = \"https://own.example/v1\"\n"+
		"key_env = \"CLOUD_TOKEN\"\n"+
		"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"randsample\"]\nmodel = \"own\"\n")
	run := []string{"run", "--task", "tsp-construct", "--method", "randsample", "--quiet",
		"--set", "nothing=1", "--model"}
	for _, c := range []struct {
		args []string
		want string // precedes the error of the wrong --set
	}{
		{append(run, "gpt-4o-mini"), "pacebench: models.toml: [models.gpt-4o-mini] sends " +
			"CLOUD_TOKEN, OPENAI_API_KEY to collector.example\n"},
		{append(run, "local"), ""},
		{append(run, "deepseek-v4-flash"), ""},
		{append(run, "openai:m", "--base-url", "https://mine.example/v1"), ""},
		{[]string{"suite", "suite.toml", "--quiet", "--dry-run"},
			"pacebench: suite.toml: [models.own] sends CLOUD_TOKEN to own.example\n"},
	} {
		var out, errw bytes.Buffer
		t.Setenv("DEEPSEEK_API_KEY", "yet-another-secret")
		Main(append([]string{"pacebench"}, c.args...), strings.NewReader(""), &out, &errw)
		told, _, _ := strings.Cut(errw.String(), "pacebench: error: ")
		if told != c.want || strings.Contains(errw.String(), secret) {
			t.Errorf("%v told\n%s, want\n%s", c.args, errw.String(), c.want)
		}
	}
	for _, args := range [][]string{append(run, "plain"),
		append(run, "openai:m", "--base-url", "http://plain.example/v1")} {
		var out, errw bytes.Buffer
		status := Main(append([]string{"pacebench"}, args...), strings.NewReader(""), &out, &errw)
		if said := errw.String(); status != 2 || !strings.Contains(said, "unencrypted") ||
			!strings.Contains(said, "hint: ") || !strings.Contains(said, "--insecure-http") {
			t.Errorf("%v: status %d\n%s", args, status, said)
		}
	}
	insecure := []string{"--insecure-http", "--base-url", "http://plain.example/v1"}
	withFlags(t, insecure, func(_ *console, flags suite.Options) {
		o, err := suite.OpenModels(flags, nil)
		must.Do(t, err)
		for _, model := range []string{"plain", "openai:m"} {
			if _, err := o.Choose(model, ""); err != nil {
				t.Errorf("%s, allowed: %v", model, err)
			}
		}
	})
}

// TestTwoModelsOnTwoServers runs PACE with a model of its own for EAPs, then replays it.
func TestTwoModelsOnTwoServers(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	big := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
	small := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
	const other = "another-secret-0815"
	models := write(t, filepath.Join(dir, "models.toml"), fmt.Sprintf(`
[models.big]
model = "big-1"
base_url = %q
key_env = "BIG_KEY"
price_in = 2.5
price_cached = 1.25
price_out = 10
[models.small]
model = "small-1"
base_url = %q
headers = { api-key = "${SMALL_KEY}" }
max_tokens = 777
`, big.URL, small.URL))
	run := func(out string, args ...string) string {
		args = append([]string{"run", "--task", "tsp-construct", "--method", "pace",
			"--evals", "30", "--test", "test50", "--out", filepath.Join(dir, out)}, args...)
		cmd := process(t, args...)
		cmd.Env = append(cmd.Env, "BIG_KEY="+secret, "SMALL_KEY="+other)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, msg)
		}
		return filepath.Join(dir, out)
	}
	first := run("first", "--models", models, "--model", "big", "--eap-model", "small",
		"--record", filepath.Join(dir, "tape"))
	where := filepath.Join("tsp-construct", "pace",
		"openai-big-1+eap=openai-small-1,max_tokens=777", "1")
	for _, server := range []struct {
		*llmtest.Server
		header, value string
	}{{big, "Authorization", "Bearer " + secret}, {small, "Api-Key", other}} {
		if server.Asked() == 0 || server.Header().Get(server.header) != server.value {
			t.Errorf("asked %d times, with %s %q",
				server.Asked(), server.header, server.Header().Get(server.header))
		}
	}
	if small.Header().Get("Authorization") != "" {
		t.Error("the key of one server went to the other")
	}
	for _, body := range small.Bodies() {
		if !bytes.Contains(body, []byte(`"max_tokens":777`)) {
			t.Fatalf("not bounded: %s", body)
		}
	}
	journal := must.Read(t, filepath.Join(first, where, "journal.jsonl"))
	header, _, _ := bytes.Cut(journal, []byte("\n"))
	if bytes.Contains(header, []byte("127.0.0.1")) || bytes.Contains(header, []byte("2.5")) {
		t.Errorf("host or price in the header: %s", header)
	}
	var runFile struct {
		Prices      llm.PriceList
		Environment struct{ Endpoints map[string]string }
	}
	data, err := os.ReadFile(filepath.Join(first, where, "run.json"))
	if err != nil || json.Unmarshal(data, &runFile) != nil {
		t.Fatalf("%v: %s", err, data)
	}
	host := func(s *llmtest.Server) string {
		return strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), "/v1")
	}
	hosts := map[string]string{"": host(big), "eap": host(small)}
	if d := cmp.Diff(hosts, runFile.Environment.Endpoints); d != "" {
		t.Error(d)
	}
	prices := llm.Prices{"": {In: 2.5, Cached: 1.25, Out: 10}}
	if len(runFile.Prices) != 1 || !maps.Equal(runFile.Prices[0].Prices, prices) {
		t.Errorf("prices: %+v", runFile.Prices)
	}
	scores := filepath.Join(dir, "scores.json")
	msg, err := process(t, "regress", "--update", "--against", scores, first).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	sources := map[string]string{
		"tape": filepath.Join(dir, "tape"), "run": filepath.Join(first, where),
	}
	for name, from := range sources {
		again := run("from-"+name, "--model", "replay:"+from)
		replayed, err := os.ReadFile(filepath.Join(again, where, "journal.jsonl"))
		if err != nil || !bytes.Equal(journal, replayed) {
			t.Errorf("the replay of the %s has another journal: %v", name, err)
		}
		msg, err := process(t, "regress", "--against", scores, again).CombinedOutput()
		if err != nil {
			t.Errorf("regress: %v\n%s", err, msg)
		}
	}
	if msg, err := process(t, "verify", filepath.Join(first, where)).CombinedOutput(); err != nil {
		t.Errorf("verify: %v\n%s", err, msg)
	}
	grepSecret(t, first)
	grepSecret(t, filepath.Join(dir, "tape"))
}

// TestMaxUSDEndsTheRun ends a run at its limit, checks that it stays ended, and continues it with a
// higher limit.
func TestMaxUSDEndsTheRun(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	server := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
	models := write(t, filepath.Join(dir, "models.toml"), fmt.Sprintf("[models.m]\nmodel = \"m\"\n"+
		"base_url = %q\nprice_in = 100\nprice_out = 100\n", server.URL))
	run := func(out string, args ...string) (string, int) {
		cmd := process(t, append([]string{"run", "--task", "tsp-construct",
			"--method", "randsample", "--evals", "8", "--test", "none", "--concurrency", "1",
			"--models", models, "--model", "m", "--out", filepath.Join(dir, out)}, args...)...)
		msg, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(msg), cmd.ProcessState.ExitCode()
	}
	if msg, status := run("free"); status != 0 || !strings.Contains(msg, " USD\n") {
		t.Fatalf("status %d\n%s", status, msg)
	}
	asked := server.Asked()
	msg, status := run("bounded", "--max-usd", "0.2")
	if status != 1 || strings.Count(msg, "pacebench: error: ") != 1 ||
		!strings.Contains(msg, "the limit of 0.2 USD is reached") ||
		!strings.Contains(msg, "hint: raise --max-usd") {
		t.Errorf("status %d\n%s", status, msg)
	}
	begun := server.Asked() - asked
	if begun < 1 || begun > 7 {
		t.Fatalf("%d requests were made within the limit: the test tests nothing", begun)
	}
	// Only answers in flight at the end of the run are paid again.
	msg, status = run("bounded", "--max-usd", "0.2")
	if again := server.Asked() - asked - begun; status != 1 || again > begun {
		t.Errorf("the same command asked %d more; status %d\n%s", again, status, msg)
	}
	if msg, status := run("bounded", "--max-usd", "1000"); status != 0 {
		t.Fatalf("status %d\n%s", status, msg)
	}
	free, bounded := filepath.Join(dir, "free"), filepath.Join(dir, "bounded")
	if !bytes.Equal(readJournal(t, free), readJournal(t, bounded)) {
		t.Error("the limit changed the journal")
	}
}
