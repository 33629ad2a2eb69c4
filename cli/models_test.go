package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/suite"
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

// TestProfilesOfOthers checks that a command reports, before the first request, to which server a
// models.toml sends a key, because the file may be from someone else. The command sends nothing to
// other machines over plain http unless a flag allows it.
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
		{append(run, "plain", "--insecure-http"), ""},
		{append(run, "openai:m", "--insecure-http", "--base-url", "http://plain.example/v1"), ""},
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
		if said := wrongly(t, args...); !strings.Contains(said, "unencrypted") ||
			!strings.Contains(said, "hint: ") || !strings.Contains(said, "--insecure-http") {
			t.Errorf("%v:\n%s", args, said)
		}
	}
}

// TestTwoModelsOnTwoServers runs PACE with a separate model for EAPs, then replays the run.
func TestTwoModelsOnTwoServers(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	big, small := embedded(t), embedded(t)
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
	t.Setenv("BIG_KEY", secret)
	t.Setenv("SMALL_KEY", other)
	run := func(out string, args ...string) string {
		out = filepath.Join(dir, out)
		mustRun(t, append([]string{"run", "--task", "tsp-construct", "--method", "pace",
			"--set", "population=4", "--set", "generation-size=4", "--evals", "12",
			"--test", "test50", "--out", out}, args...)...)
		return out
	}
	first := run("first", "--models", models, "--model", "big", "--eap-model", "small",
		"--record", filepath.Join(dir, "tape"))
	where := filepath.Join("tsp-construct", "pace@generation-size=4,population=4",
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
	journal := must.Read(t, filepath.Join(first, where, "journal.jsonl"))
	header, _, _ := bytes.Cut(journal, []byte("\n"))
	if bytes.Contains(header, []byte("127.0.0.1")) || bytes.Contains(header, []byte("2.5")) {
		t.Errorf("host or price in the header: %s", header)
	}
	var runFile struct {
		Prices      llm.PriceList
		Environment struct{ Endpoints map[string]string }
	}
	must.Do(t, json.Unmarshal(must.Read(t, filepath.Join(first, where, "run.json")), &runFile))
	host := func(s *llmtest.Server) string {
		return strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), "/v1")
	}
	golden.Same(t, "hosts", map[string]string{"": host(big), "eap": host(small)},
		runFile.Environment.Endpoints)
	prices := llm.Prices{"": {In: 2.5, Cached: 1.25, Out: 10}}
	if len(runFile.Prices) != 1 || !maps.Equal(runFile.Prices[0].Prices, prices) {
		t.Errorf("prices: %+v", runFile.Prices)
	}
	again := run("again", "--model", "replay:"+filepath.Join(dir, "tape"))
	if !bytes.Equal(journal, must.Read(t, filepath.Join(again, where, "journal.jsonl"))) {
		t.Error("the replay of the tape has another journal")
	}
	mustRun(t, "verify", filepath.Join(first, where))
	grepSecret(t, first)
	grepSecret(t, filepath.Join(dir, "tape"))
}
