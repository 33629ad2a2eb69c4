package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	xmodule "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/python"
)

const installPath = "github.com/pacebench/pacebench"

// TestGoInstall installs the committed tree as a user does, with `go install …@VERSION` in an empty
// directory, from a module proxy in a folder. Then it runs the binary there, which must contain
// everything that a run needs.
func TestGoInstall(t *testing.T) {
	long(t)
	root, err := os.Getwd()
	must.Do(t, err)
	// The content of a version must never change, because the module cache keeps it.
	commit := strings.TrimSpace(run(t, root, nil, "git", "rev-parse", "--short=12", "HEAD"))
	version := "v0.0.1-commit" + commit
	proxy := filepath.Join(t.TempDir(), "proxy")
	folder := filepath.Join(proxy, installPath, "@v")
	must.Do(t, os.MkdirAll(folder, 0o755))
	var archive bytes.Buffer
	of := xmodule.Version{Path: installPath, Version: version}
	must.Do(t, modzip.CreateFromVCS(&archive, of, clone(t), "HEAD", ""))
	gomod := must.Read(t, "go.mod")
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version),
		version + ".mod":  gomod,
		version + ".zip":  archive.Bytes(),
	} {
		must.Write(t, filepath.Join(folder, name), data)
	}
	bin, empty := t.TempDir(), t.TempDir()
	others := strings.TrimSpace(run(t, root, nil, "go", "env", "GOPROXY"))
	run(t, empty, []string{
		"GOBIN=" + bin, "GOFLAGS=", "GONOSUMDB=" + installPath,
		"GOPROXY=file://" + proxy + "," + others,
	}, "go", "install", installPath+"@"+version)
	tryCommand(t, filepath.Join(bin, "pacebench"), version)
}

// TestWheel builds the wheel in two clones, and checks that both builds have the same bytes and
// contain the Python module of the binary. Then it installs the wheel into a fresh virtual
// environment and runs the demo from there.
func TestWheel(t *testing.T) {
	long(t)
	var paths, first []string
	for range 2 {
		said := run(t, clone(t), nil, "bash", "scripts/build-wheel", t.TempDir())
		if paths = strings.Fields(said); len(paths) != 2 {
			t.Fatalf("scripts/build-wheel prints %q, want a binary and a wheel", said)
		}
		first = append(first, paths...)
	}
	for i, path := range paths {
		if !bytes.Equal(must.Read(t, first[i]), must.Read(t, path)) {
			t.Errorf("%s: two builds differ", filepath.Base(path))
		}
	}
	wheel, venv := paths[1], filepath.Join(t.TempDir(), "venv")
	if !bytes.Contains(must.Read(t, "README.md"), []byte("/"+filepath.Base(wheel)+"\n")) {
		t.Errorf("README.md does not install %s", filepath.Base(wheel))
	}
	z, err := zip.OpenReader(wheel)
	must.Do(t, err)
	defer z.Close()
	if len(z.File) < 20 {
		t.Errorf("the wheel holds %d files: the licences of the modules are missing", len(z.File))
	}
	modules := 0
	for _, f := range z.File {
		path, ours := strings.CutPrefix(f.Name, "pacebench/")
		if !ours {
			continue
		}
		embedded, err := fs.ReadFile(python.Files(), "pacebench/"+path)
		must.Do(t, err)
		packed, err := fs.ReadFile(z, f.Name)
		if err != nil || !bytes.Equal(packed, embedded) {
			t.Errorf("%s in the wheel is not the embedded one (%v)", f.Name, err)
		}
		modules++
	}
	if all, err := fs.ReadDir(python.Files(), "pacebench"); err != nil || modules != len(all) {
		t.Errorf("%d files of the module in the wheel, %d embedded (%v)", modules, len(all), err)
	}
	run(t, ".", nil, "python3", "-m", "venv", venv)
	run(t, ".", nil, filepath.Join(venv, "bin", "pip"), "install", "--quiet", "--no-index", wheel)
	tryCommand(t, filepath.Join(venv, "bin", "pacebench"), "")
	tryNotebook(t, venv)
}

// tryNotebook executes docs/notebook.ipynb in an environment that has the wheel and Jupyter's
// kernel, again after adding polars, and again after adding pandas. It compares the frames with the
// tables of export.
func tryNotebook(t *testing.T, venv string) {
	t.Helper()
	lock := must.Read(t, "scripts/notebook.lock")
	root, err := os.Getwd()
	must.Do(t, err)
	dir, kinds := t.TempDir(), map[string]string{"notebook": "list"}
	for _, name := range []string{"notebook", "polars", "pandas"} {
		_, pins, found := strings.Cut(string(lock), "# "+name+"\n")
		if !found {
			t.Fatalf("scripts/notebook.lock has no line \"# %s\"", name)
		}
		pins, _, _ = strings.Cut(pins, "# ")
		requirements := filepath.Join(t.TempDir(), "requirements.txt")
		must.Write(t, requirements, pins)
		run(t, dir, nil, filepath.Join(venv, "bin", "pip"), "install", "--quiet", "--no-deps",
			"--require-hashes", "--only-binary", ":all:", "-r", requirements)
		python := filepath.Join(venv, "bin", "python")
		run(t, dir, nil, python, "-c", `
import sys
import nbclient, nbformat
nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=None).execute()
`, filepath.Join(root, "docs", "notebook.ipynb"))
		run(t, dir, nil, python, filepath.Join(root, "cli/testdata/module/equal.py"),
			cmp.Or(kinds[name], name), "runs")
	}
}

// TestWorkflows checks the workflows of .github with actionlint. It downloads actionlint, and is
// skipped if that fails.
func TestWorkflows(t *testing.T) {
	long(t)
	const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
	if err := exec.Command("go", "run", actionlint, "-version").Run(); err != nil {
		t.Skip("cannot run actionlint: ", err)
	}
	run(t, ".", nil, "go", "run", actionlint, "-shellcheck=", "-pyflakes=")
}

// clone returns the directory of a fresh clone of the committed tree.
func clone(t *testing.T) string {
	t.Helper()
	root, err := os.Getwd()
	must.Do(t, err)
	dir := filepath.Join(t.TempDir(), "clone")
	run(t, root, nil, "git", "clone", "--quiet", "--depth", "1", "file://"+root, dir)
	return dir
}

// tryCommand runs an installed pacebench in an empty directory.
func tryCommand(t *testing.T, exe, revision string) {
	t.Helper()
	dir := t.TempDir()
	if got := run(t, dir, nil, exe, "--version"); !strings.Contains(got, revision) {
		t.Errorf("--version prints %q, which does not contain %q", got, revision)
	}
	release := string(must.Read(t, ".github/workflows/release.yml"))
	_, demo, _ := strings.Cut(release, " pacebench ") // the release tries the wheel with it
	demo, _, _ = strings.Cut(demo, "\n")
	out := run(t, dir, nil, exe, strings.Fields(demo)...)
	if !strings.Contains(out, "\n PACE ") {
		t.Errorf("the demo prints no row for PACE:\n%s", out)
	}
	for _, path := range []string{
		"reports/report.html", "runs/asp/pace@*/openai-qwen2.5-coder-1.5b/1/best.py",
	} {
		if found, _ := filepath.Glob(filepath.Join(dir, path)); found == nil {
			t.Errorf("the demo wrote no %s", path)
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
