package cli

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

// mine is the content of a file of the user, which a directory from elsewhere must neither reveal
// nor change.
const mine = "a secret of the user\n"

// TestHostileFiles replaces each file of a finished run by links, pipes and devices, and runs every
// command on it: each command must end, and must neither change nor copy a file outside of the
// results. The quick tier tests a sample.
func TestHostileFiles(t *testing.T) {
	pyenv.ForTest(t)
	rows := &faultTable{}
	t.Cleanup(rows.print) // after the parallel attacks
	whole := t.TempDir()
	search := []string{"run", "--quiet", "--task", "tsp-construct", "--method", "randsample",
		"--evals", "3", "--test", "test50"}
	mustRun(t, append(search, "--out", whole)...)
	commands := map[string]func(root, run string) []string{
		"verify": func(_, run string) []string { return []string{"verify", "--quiet", run} },
		"report": func(root, _ string) []string {
			return []string{"report", "--out", root + "/made", root + "/runs"}
		},
		"export": func(root, _ string) []string {
			return []string{"export", "--out", root + "/made", root + "/runs"}
		},
		"bundle": func(root, _ string) []string {
			return []string{"pack", "--out", root + "/made.tar.zst", root + "/runs"}
		},
		"run":    func(root, _ string) []string { return append(search, "--out", root+"/runs") },
		"pack":   func(root, _ string) []string { return []string{"pack", root + "/runs"} },
		"status": func(root, _ string) []string { return []string{"status", root + "/runs"} },
		"replay": func(_, run string) []string {
			return append(search, "--model", "replay:"+run, "--out", run+"/../again")
		},
	}
	names := []string{"journal.jsonl", "timing.jsonl", "result.json", "run.json", "best.py",
		"journal.crc", "blobs", "verified.json", "lock", "lease.1", "failed.json",
		"cassette.jsonl", "journal.jsonl.zst", "tune.jsonl", "tuned.json", "tuned.py",
		"explain.jsonl",
		"."} // the last one is the run's directory
	for _, name := range names {
		for _, kind := range attacks {
			if name == "." && kind.name != "a directory" {
				continue
			}
			for command, args := range commands {
				attack := name + " " + kind.name + " " + command
				if !benchtest.Long() && !sampled[attack] ||
					command == "replay" &&
						!strings.Contains("journal.jsonl.zst cassette.jsonl", name) {
					continue
				}
				t.Run(attack, func(t *testing.T) {
					t.Parallel()
					root := t.TempDir()
					run := attacked(t, whole, root, name, kind.put)
					ok := harmless(t, root, process(t, args(root, run)...))
					rows.add("hostile files of a run, 6 kinds", 1, held(ok, 1))
				})
			}
		}
	}
}

// TestHostileUnfinished replaces files of an unfinished run of a method in Python in the same ways,
// and continues the run, which must write only to its own directory.
func TestHostileUnfinished(t *testing.T) {
	pyenv.ForTest(t)
	whole := t.TempDir()
	method := write(t, filepath.Join(t.TempDir(), "prints.py"), `
def run(search):
    print("hello")
    async def one(step):
        return await step.sample(search.problem.prompt, purpose="algorithm/I1")
    for _ in search.stream(lambda: one, 1):
        pass
`)
	t.Setenv("OPENAI_API_KEY", secret)
	search := []string{"run", "--quiet", "--task", "tsp-construct", "--method", method,
		"--evals", "3", "--test", "none", "--model", "openai:offline", "--base-url",
		embedded(t).URL}
	mustRun(t, append(search, "--out", whole)...)
	length := int64(size(whole, "journal.jsonl"))
	must.Do(t, os.Truncate(runFile(whole, "journal.jsonl"), length-100),
		os.Remove(runFile(whole, "result.json")))
	for _, name := range []string{"method.log", "timing.jsonl", "journal.jsonl", "journal.crc",
		"run.json", "result.json", "best.py", "blobs", "lock", "lease.1", "failed.json",
		suite.AnswersDir, "../../../../.limits", "../../../../.suites"} {
		for _, kind := range attacks {
			attack := name + " " + kind.name
			if !benchtest.Long() && !sampled[attack] {
				continue
			}
			t.Run(attack, func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				attacked(t, whole, root, name, kind.put)
				harmless(t, root, process(t, append(search, "--out", root+"/runs")...))
			})
		}
	}
}

// attacks are the things that may replace a file; target is a file of the user.
var attacks = []struct {
	name string
	put  func(path, target string) error
}{
	{"a symbolic link", func(path, target string) error { return os.Symlink(target, path) }},
	{"a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o644) }},
	{"a device", func(path, _ string) error { return os.Symlink("/dev/zero", path) }},
	{"a directory", func(path, target string) error {
		return os.Symlink(filepath.Dir(target), path)
	}},
	{"a hard link", func(path, target string) error { return os.Link(target, path) }},
	{"a large file", func(path, _ string) error {
		return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40))
	}},
}

// sampled are the attacks of the quick tier: the attacks that once worked.
var sampled = map[string]bool{
	"timing.jsonl a symbolic link bundle": true, "blobs a directory bundle": true,
	"journal.jsonl a symbolic link run": true, "journal.jsonl a pipe verify": true,
	"journal.jsonl a pipe report": true, "journal.jsonl a device verify": true,
	"result.json a pipe status": true, "lock a symbolic link run": true, "lease.1 a pipe run": true,
	"cassette.jsonl a device replay": true, "cassette.jsonl a pipe replay": true,
	"failed.json a pipe run": true, ". a directory run": true,
	"method.log a symbolic link": true, "method.log a pipe": true, "method.log a hard link": true,
	"timing.jsonl a hard link": true, "../../../../.limits a directory": true,
	"answers a directory": true,
}

// attacked copies the results at whole to root/runs, and replaces a file of the only run by an
// attack. It returns the run's directory. The user's file is root/home/mine.
func attacked(t *testing.T, whole, root, name string, put func(path, target string) error) string {
	t.Helper()
	runs, target := filepath.Join(root, "runs"), filepath.Join(root, "home", "mine")
	must.Do(t, os.CopyFS(runs, os.DirFS(whole)), os.Mkdir(filepath.Dir(target), 0o755),
		os.WriteFile(target, []byte(mine), 0o644))
	run := filepath.Dir(runFile(runs, "journal.jsonl"))
	path := filepath.Join(run, name)
	must.Do(t, os.RemoveAll(path), put(path, target))
	return run
}

// harmless runs a command, which must end, and checks that it did no harm.
func harmless(t *testing.T, root string, cmd *exec.Cmd) bool {
	t.Helper()
	cmd.Env = append(cmd.Env, "TMPDIR="+root)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 2 {
		t.Errorf("%v\n%s", err, out)
	}
	if s := string(out); strings.Contains(s, "goroutine ") || strings.Contains(s, mine[:10]) {
		t.Errorf("it says\n%s", out)
	}
	if s := string(out); strings.Contains(s, "pacebench: error: ") &&
		strings.Contains(s, "links are not followed") && !strings.Contains(s, "hint: ") {
		t.Errorf("no hint\n%s", out)
	}
	home := filepath.Join(root, "home")
	if left, _ := os.ReadDir(home); len(left) != 1 {
		t.Errorf("outside there is now %v", left)
	}
	if data, err := os.ReadFile(filepath.Join(home, "mine")); err != nil || string(data) != mine {
		t.Errorf("the user's file is now %.80q, %v", data, err)
	}
	its, err := os.Stat(filepath.Join(home, "mine"))
	must.Do(t, err)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		info, ierr := os.Lstat(path)
		if err != nil || ierr != nil || !d.Type().IsRegular() || info.Size() > 1<<30 ||
			os.SameFile(info, its) {
			return err
		}
		data, err := os.ReadFile(path)
		if filepath.Base(path) == "made.tar.zst" {
			z, zerr := journal.NewUnpacker(bytes.NewReader(data))
			if zerr != nil {
				return zerr
			}
			data, err = io.ReadAll(z)
			z.Close()
		}
		if bytes.Contains(data, []byte(mine)) {
			t.Errorf("%s has the user's file", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return !t.Failed()
}

// TestSearchWithoutItsJournal checks that the tables do not show the result of a search without a
// journal, even if the result claims to be from a baseline.
func TestSearchWithoutItsJournal(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "tsp-construct", "pace", "none", "1")
	task, _ := tasks.Lookup("tsp-construct")
	for _, method := range []string{"pace", "foreign", "aco"} { // aco is a baseline of another task
		h := suite.HeaderOf(task)
		h.Method, h.Models, h.Seed = method, map[string]string{"": "none"}, 1
		result := &record.Result{Header: h, Stopped: "budget", Totals: record.Totals{
			Best: &record.BestResult{Score: -5.5, Value: 5.5}, Evaluations: 1000}}
		must.Do(t, os.MkdirAll(dir, 0o755), record.WriteResult(dir, result))
		out := t.TempDir()
		for _, args := range [][]string{
			{"verify", dir}, {"verify", root}, {"pack", "--out", out + "/b.tar.zst", root},
			{"report", "--out", out, root}, {"export", "--out", out, root},
		} {
			var said, errs bytes.Buffer
			status := Main(append([]string{"pacebench"}, args...), nil, &said, &errs)
			if status != 1 || !strings.Contains(errs.String(), "journal") ||
				strings.Contains(said.String(), "5.5") {
				t.Errorf("%s, %q: %d\n%s%s", method, args, status, &said, &errs)
			}
		}
	}
}

// TestVerifyOfABundleStops checks that a signal ends the unpacking and that no file remains.
func TestVerifyOfABundleStops(t *testing.T) {
	dir := t.TempDir()
	temporary := filepath.Join(dir, "tmp")
	must.Do(t, os.Mkdir(temporary, 0o755))
	bundle, large := filepath.Join(dir, "b.tar.zst"), strings.Repeat("\x00", 64<<20)
	writeBundle(t, bundle, []*tar.Header{
		entry(manifestName, `{"format":1,"runs":["a"]}`), entry("a/0", large), entry("a/1", large),
	})
	late := 0
	for ; late < 100 && !stoppedWhileUnpacking(t, bundle, temporary); late++ {
	}
	if late == 100 {
		t.Error("verify does not unpack the bundle")
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// stoppedWhileUnpacking sends verify a signal when it has begun to unpack a bundle. It returns
// false if the signal came too late, after the whole bundle was read.
func stoppedWhileUnpacking(t *testing.T, bundle, temporary string) bool {
	t.Helper()
	cmd := process(t, "verify", bundle)
	cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for begun := false; !begun; {
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
			_ = filepath.WalkDir(temporary, func(path string, d fs.DirEntry, _ error) error {
				begun = begun || filepath.Base(path) == "a" // the directory of the run
				return nil
			})
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); errors.Is(err, os.ErrProcessDone) {
		return false
	} else if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("ended with %v", err)
	}
	return true
}
