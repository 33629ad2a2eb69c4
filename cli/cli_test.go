package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/tasks"
)

// asCommand makes the test binary behave as pacebench itself, for tests that start it as a process.
const asCommand = "PACEBENCH_TEST_AS_COMMAND"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	if os.Getenv(asCommand) != "" {
		obeyTest()
		main()
	}
	testscript.Main(m, map[string]func(){"pacebench": main, "serve-offline": serveOffline})
}

// serveOffline serves the embedded model to stories as a server that speaks OpenAI's protocol. It
// prints its address and serves until an interrupt.
func serveOffline() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	server := httptest.NewServer(
		llmtest.Serve(offline.New(tasks.All(), offline.StatedRates())))
	fmt.Println(server.URL + "/v1")
	<-ctx.Done()
	server.CloseClientConnections()
	server.Close()
}

// endsWith runs a command that must end with the given status and an error message, without a trace
// of goroutines. In the stories, "wrong" expects status 2 and "fails" expects status 1.
func endsWith(ts *testscript.TestScript, status int, args []string) {
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != status {
		ts.Fatalf("ended with %v, want exit status %d", err, status)
	}
	stderr := ts.ReadFile("stderr")
	if !strings.Contains(stderr, "pacebench: error: ") || strings.Contains(stderr, "goroutine ") {
		ts.Fatalf("an error message was wanted")
	}
}

// waitFor waits until a file has a number of lines, or one line: waitfor FILE [LINES]. The wait
// takes minutes only if something hangs.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	lines := 1
	if len(args) > 1 {
		if _, err := fmt.Sscan(args[1], &lines); err != nil {
			ts.Fatalf("waitfor FILE [LINES]: %v", err)
		}
	}
	for range 12000 {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && bytes.Count(data, []byte("\n")) >= lines {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s does not come", args[0])
}

// replace replaces the first OLD in a file by NEW: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	old, err := os.ReadFile(path)
	ts.Check(err)
	now := strings.Replace(string(old), args[1], args[2], 1)
	if now == string(old) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(now), 0o644))
}

// stories returns the files of the stories that this tier runs.
func stories(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || !benchtest.Long() {
		return files
	}
	return slices.DeleteFunc(files, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && !bytes.Contains(text, []byte("long] ")) // [long] or [!long]
	})
}

// nearest is the content of answers.txt, for --model scripted:answers.txt, in a story that does not
// contain this file.
const nearest = "-- any --\n{Go to the nearest city.}\n```python\n" +
	"def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n" +
	"    return int(unvisited_nodes[0])\n```\n"

// TestStories runs the stories. Each story is a file with the input of a user, the output, and the
// files on the disk. The long tier runs after the quick tier, so it repeats only the stories that
// have other steps in the long tier.
func TestStories(t *testing.T) {
	env := pyenv.ForTest(t)
	here, err := filepath.Abs(".")
	must.Do(t, err)
	control := sync.OnceValue(func() bool {
		_, err := pyenv.Ensure(t.Context(), pyenv.Options{Extra: "control"})
		return err == nil
	})
	testscript.Run(t, testscript.Params{
		Files:         stories(t),
		UpdateScripts: *golden.Update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"wrong": func(ts *testscript.TestScript, _ bool, args []string) {
				endsWith(ts, 2, args)
			},
			"fails": func(ts *testscript.TestScript, _ bool, args []string) {
				endsWith(ts, 1, args)
			},
			"waitfor": waitFor,
			"replace": replace,
			// recorded RUN DIR
			"recorded": func(ts *testscript.TestScript, _ bool, args []string) {
				data, err := unzipped(
					filepath.Join(here, "testdata", "recorded", args[0]+".jsonl.gz"))
				ts.Check(err)
				dir := ts.MkAbs(args[1])
				ts.Check(os.MkdirAll(dir, 0o755))
				ts.Check(os.WriteFile(filepath.Join(dir, "journal.jsonl"), data, 0o644))
			},
		},
		Condition: func(word string) (bool, error) {
			switch word {
			case "control":
				return control(), nil
			case "long":
				return benchtest.Long(), nil
			}
			return false, fmt.Errorf("no condition %q", word)
		},
		Setup: func(e *testscript.Env) error {
			// The stories use the user's Python environment, but not the user's home directory.
			e.Vars = append(e.Vars, "PYTHON="+env.Python)
			root, err := filepath.Abs(filepath.Join(".."))
			if err != nil {
				return err
			}
			e.Vars = append(e.Vars, "ROOT="+root)
			if dir, err := os.UserCacheDir(); err == nil {
				e.Vars = append(e.Vars, "XDG_CACHE_HOME="+dir)
			}
			answers := filepath.Join(e.WorkDir, "answers.txt")
			if _, err := os.Stat(answers); err == nil {
				return nil // the story has its own answers
			}
			return os.WriteFile(answers, []byte(nearest), 0o644)
		},
	})
}

// process returns a command that runs pacebench as a separate process.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// mustRun runs pacebench as a process, which must succeed. It returns what pacebench says.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := process(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// inProcess runs a command in the test's process. The command must succeed. It returns the output.
func inProcess(t *testing.T, args ...string) string {
	t.Helper()
	var out, errw bytes.Buffer
	status := Main(append([]string{"pacebench"}, args...), strings.NewReader(""), &out, &errw)
	if status != 0 {
		t.Fatalf("%v: status %d\n%s", args, status, errw.String())
	}
	return out.String()
}

// mustFail runs pacebench as a process, which must end with status 1 and one error. It returns what
// pacebench says.
func mustFail(t *testing.T, args ...string) string {
	t.Helper()
	cmd := process(t, args...)
	out, _ := cmd.CombinedOutput()
	said := string(out)
	if cmd.ProcessState.ExitCode() != 1 || strings.Count(said, "pacebench: error: ") != 1 ||
		strings.Contains(said, "goroutine ") {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), cmd.ProcessState, said)
	}
	return said
}

// TestKills runs a method and kills the process without warning when its journal has a random
// length. It continues the run after each kill, with eight workers, and checks that the files equal
// the files of an undisturbed run with one worker. The long tier uses a control task. TestFaults
// kills more often.
func TestKills(t *testing.T) {
	pyenv.ForTest(t)
	tries, run := 2, []string{"--task", "tsp-construct", "--method", "pace", "--evals", "40"}
	if benchtest.Long() {
		pyenv.ForTestWith(t, "control")
		tries, run = 3, []string{"--task", "bipedal-walker", "--method", "mles", "--evals", "12"}
	}
	g := undisturbed(t, append(run, "--test", "none")...)
	g.jobs = "8"
	dir, r, kills := t.TempDir(), rand.New(rand.NewPCG(5, 6)), 0
	for n := tries; n > 0; n-- {
		if g.killInSearch(t, dir, r, n) {
			kills++
		}
	}
	if !g.finish(t, dir) {
		t.Errorf("after %d kills", kills)
	}
	t.Logf("%d of %d runs were killed before their end", kills, tries)
}

// TestInterruptStopsSoon sends the signal of Ctrl-C when the display shows that a program computes.
// The program may use 30 s of CPU time. A command that waited for the program would write its
// timeout to the journal.
func TestInterruptStopsSoon(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	answers := filepath.Join(dir, "answers.txt")
	write(t, answers, "-- any --\n{Wait.}\n```python\n"+
		"def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"+
		"    while True:\n        pass\n```\n")
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample",
		"--set", "window=1", "--evals", "3", "--test", "none", "--model", "scripted:"+answers,
		"--out", dir)
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	screen := startOnScreen(t, cmd)
	screen.look(t, `1 candidate,[^,]* (s|min), CPU [1-9]\d* s of 30 s`)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	err := cmd.Wait()
	<-screen.ended
	if cmd.ProcessState.ExitCode() != 1 ||
		!strings.Contains(screen.raw.String(), "run the same command again to continue") {
		t.Errorf("after an interrupt: %v\n%s", err, screen)
	}
	if lines := bytes.Count(readJournal(t, dir), []byte("\n")); lines != 1 {
		t.Errorf("%d lines in the journal: the command waited for the program", lines)
	}
}

// readJournal returns the only journal below dir.
func readJournal(t *testing.T, dir string) []byte {
	t.Helper()
	return must.Read(t, runFile(dir, "journal.jsonl"))
}

func TestFlagsMayFollowArguments(t *testing.T) {
	a := app(&console{out: io.Discard, err: io.Discard})
	for _, c := range [][2]string{
		{"suite ci --seeds 1,2 --evals=3", "suite --seeds 1,2 --evals=3 ci"},
		{"verify RUN --rescore --jobs 2", "verify --rescore --jobs 2 RUN"},
		{"score --task t a.py --split train", "score --task t --split train a.py"},
		{"report a b --out o", "report --out o a b"},
		{"run --set ts=false --set k=5", "run --set ts=false --set k=5"},
		{"suite ci --evals -3", "suite --evals -3 ci"},
		{"report a -- --b", "report -- a --b"},
		{"report a --nothing", "report --nothing a"},
		{"--help", "--help"}, {"frob a --b", "frob a --b"}, {"", ""},
	} {
		args := append([]string{"pacebench"}, strings.Fields(c[0])...)
		if got := strings.Join(flagsFirst(a, args)[1:], " "); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}
