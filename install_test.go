package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	xmodule "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const installPath = "github.com/pacebench/pacebench"

// TestGoInstall installs the committed tree as a user does, `go install …@VERSION` in an empty
// directory, from a module proxy in a folder, and runs the binary there. What a run needs must be
// in the binary.
func TestGoInstall(t *testing.T) {
	long(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// A version has one content for ever, and the module cache keeps it.
	commit := strings.TrimSpace(run(t, root, nil, "git", "rev-parse", "--short=12", "HEAD"))
	version := "v0.0.1-commit" + commit
	proxy := filepath.Join(t.TempDir(), "proxy")
	folder := filepath.Join(proxy, installPath, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	run(t, root, nil, "git", "clone", "--quiet", "--depth", "1", "file://"+root, clone)
	var archive bytes.Buffer
	of := xmodule.Version{Path: installPath, Version: version}
	if err := modzip.CreateFromVCS(&archive, of, clone, "HEAD", ""); err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version),
		version + ".mod":  gomod,
		version + ".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bin, empty := t.TempDir(), t.TempDir()
	others := strings.TrimSpace(run(t, root, nil, "go", "env", "GOPROXY"))
	run(t, empty, []string{
		"GOBIN=" + bin, "GOFLAGS=", "GONOSUMDB=" + installPath,
		"GOPROXY=file://" + proxy + "," + others,
	}, "go", "install", installPath+"@"+version)
	tryCommand(t, filepath.Join(bin, "pacebench"), version)
}

// TestWheel installs the wheel into a fresh virtual environment and runs the demo from there.
func TestWheel(t *testing.T) {
	long(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dist, venv := t.TempDir(), filepath.Join(t.TempDir(), "venv")
	var built struct{ Wheel string }
	said := run(t, root, nil, "scripts/build-wheel", dist)
	if err := json.Unmarshal([]byte(said), &built); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(built.Wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if len(z.File) < 20 {
		t.Errorf("the wheel holds %d files: the licences of the modules are missing", len(z.File))
	}
	run(t, root, nil, "python3", "-m", "venv", venv)
	run(t, root, nil, filepath.Join(venv, "bin", "pip"),
		"install", "--quiet", "--no-index", built.Wheel)
	tryCommand(t, filepath.Join(venv, "bin", "pacebench"), "")
}

// tryCommand runs an installed pacebench in an empty directory.
func tryCommand(t *testing.T, exe, revision string) {
	t.Helper()
	dir := t.TempDir()
	if got := run(t, dir, nil, exe, "--version"); !strings.Contains(got, revision) {
		t.Errorf("--version prints %q, want %q in it", got, revision)
	}
	out := run(t, dir, nil, exe, "demo", "--evals", "8", "--seeds", "1", "--test", "test50")
	if !strings.Contains(out, "  published ") {
		t.Errorf("the demo prints no published numbers:\n%s", out)
	}
	for _, path := range []string{
		"report/report.html", "results/tsp-construct/pace/offline/1/best.py",
	} {
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
			t.Error(err)
		}
	}
}

func long(t *testing.T) {
	t.Helper()
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
}

// run returns what a command prints on its standard output.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	if strings.HasPrefix(name, "scripts/") {
		name = filepath.Join(dir, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}
