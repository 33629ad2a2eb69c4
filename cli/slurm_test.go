package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

// TestSlurm runs a suite on a real Slurm cluster of two nodes. One job is cancelled, one is queued
// again while its node is drained, and one meets its time limit. The journals must equal the
// journals of one process.
func TestSlurm(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	up, err := filepath.Abs(filepath.Join("..", "scripts", "slurm-up"))
	must.Do(t, err)
	cluster, err := os.MkdirTemp("", "slurm") // a short path, because it holds a socket
	must.Do(t, err)
	defer os.RemoveAll(cluster)
	var told bytes.Buffer
	start := exec.Command("bash", up, cluster)
	start.Stderr = &told
	conf, err := start.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 3 {
		t.Skip("no Slurm here: ", told.String())
	}
	if err != nil {
		t.Fatal(err, told.String())
	}
	defer exec.Command("bash", up, "--down", cluster).Run()
	t.Setenv("SLURM_CONF", strings.TrimSpace(string(conf)))
	t.Setenv(asCommand, "1") // for the jobs: sbatch passes the environment on
	t.Setenv("OPENAI_API_KEY", secret)

	// No program loops forever, so each ends within the time limit of a job.
	server := llmtest.New(t, offline.New(tasks.All(), offline.Rates{offline.Repaired: 1}))
	var slowly atomic.Bool
	slowly.Store(true)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slowly.Load() {
			time.Sleep(6 * time.Second) // 14 evaluations take longer than the minute that a job has
		}
		server.ServeHTTP(w, r)
	}))
	defer slow.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "small.toml")
	write(t, file, "name = \"small\"\ntest = \"none\"\nseeds = [1, 2, 3]\nevals = 14\n[[runs]]\n"+
		"tasks = [\"tsp-construct\"]\nmethods = [\"randsample\"]\nset = [\"window=1\"]\n")
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	t.Chdir(dir) // the job of the report writes the report here
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		if args[0] == "pacebench" {
			cmd = process(t, args[1:]...)
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("pacebench", "suite", file, "--out", one, "--model", "openai:offline",
		"--base-url", server.URL, "--quiet")
	submit := []string{"pacebench", "suite", "--slurm", file, "--submit", "--out", many,
		"--jobs", "1",
		"--model", "openai:offline", "--base-url", slow.URL + "/v1",
		"--partition", "main", "--time", "5", "--stop-before", "4m"}
	said := run(submit...)
	job := strings.Fields(said[strings.Index(said, "job ")+len("job "):])[0]

	within := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Minute); !ok(); time.Sleep(200 * time.Millisecond) {
			if time.Now().After(end) {
				logs, _ := filepath.Glob(filepath.Join(many, suite.SlurmDir, "*.log"))
				for _, path := range logs {
					text, _ := os.ReadFile(path)
					t.Logf("%s\n%s", path, text)
				}
				t.Fatalf("%s: not within 20 minutes\n%s%s",
					what, run("squeue", "-r"), run("pacebench", "status", many))
			}
		}
	}
	lines := func(seed string) int {
		data, _ := os.ReadFile(filepath.Join(many,
			"tsp-construct/randsample@window=1/openai-offline", seed, "journal.jsonl"))
		return bytes.Count(data, []byte("\n"))
	}
	within("three jobs at work", func() bool {
		return lines("1") > 2 && lines("2") > 2 && lines("3") > 2
	})
	if text := run("pacebench", "status", many); strings.Count(text, " running ") < 3 {
		t.Errorf("status:\n%s", text)
	}
	run("scancel", job+"_2")
	node := strings.TrimSpace(run("squeue", "-h", "-j", job+"_3", "-o", "%N"))
	run("scontrol", "update", "nodename="+node, "state=drain", "reason=test")
	run("scontrol", "requeue", job+"_3")
	within("the time limit of element 1", func() bool {
		log, _ := os.ReadFile(filepath.Join(many, suite.SlurmDir, "small-1.log"))
		return bytes.Contains(log, []byte("stopped; run the same command again"))
	})
	slowly.Store(false)
	// The report waits for all elements; then nothing is queued.
	nothingQueued := func() bool { return strings.TrimSpace(run("squeue", "-h")) == "" }
	within("the end of the first array", nothingQueued)
	run("scontrol", "update", "nodename="+node, "state=resume")
	if n := lines("2"); n == 0 || n > 14 {
		t.Errorf("the cancelled element has %d lines", n)
	}
	run(submit...)
	within("the end of the second array", nothingQueued)
	sameRuns(t, one, many)
	released(t, many)
	if text := run("pacebench", "status", many); !strings.Contains(text, "3 runs  done") {
		t.Errorf("status:\n%s", text)
	}
	report, err := os.ReadFile(filepath.Join(many, suite.SlurmDir, "small-report.log"))
	if err != nil || !bytes.Contains(report, []byte("randsample")) &&
		!bytes.Contains(report, []byte("Random")) {
		t.Errorf("the report: %v\n%s", err, report)
	}
	grepSecret(t, dir)
	failed, _ := filepath.Glob(filepath.Join(many, "*", "*", "*", "*", suite.FailedFile))
	if len(failed) > 0 {
		t.Errorf("remembered as failed: %v", failed)
	}
}

var (
	bashBlock = regexp.MustCompile("(?ms)^```bash\n(.*?)^```$")
	yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
)

// TestOtherSchedulers runs the example of GNU parallel in docs/suites.md, and reads the page's
// Kubernetes job.
func TestOtherSchedulers(t *testing.T) {
	pyenv.ForTest(t)
	page := must.Read(t, filepath.Join("..", "docs", "suites.md"))
	job := yamlBlock.FindSubmatch(page)
	commands := bashBlock.FindSubmatch(page)
	if job == nil || commands == nil {
		t.Fatal("docs/suites.md shows no job")
	}
	var pods struct{ Spec map[string]any }
	must.Do(t, yaml.Unmarshal(job[1], &pods))
	s := pods.Spec
	if s["completions"] != 8 || s["completionMode"] != "Indexed" || !strings.Contains(
		fmt.Sprint(s["template"]), `--shard "$((JOB_COMPLETION_INDEX + 1))/8"`) {
		t.Errorf("the job is read as %+v", s)
	}
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("GNU parallel is not here")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mine.toml"), "name = \"mine\"\ntest = \"none\"\n"+
		"seeds = [1, 2]\nevals = 2\n"+
		"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"randsample\"]\n")
	exe, err := os.Executable()
	must.Do(t, err)
	write(t, filepath.Join(dir, "pacebench"),
		"#!/bin/sh\nexec env "+asCommand+"=1 "+suite.Quoted(exe)+" \"$@\"\n")
	must.Do(t, os.Chmod(filepath.Join(dir, "pacebench"), 0o755))
	cmd := exec.Command("bash", "-c", "set -o pipefail; "+string(commands[1]))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || len(journals(t, filepath.Join(dir, runsDir))) != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
