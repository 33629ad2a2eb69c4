//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/sandboxtest"
)

// TestAttacks runs every attack in one pool with one worker. After each attack, a candidate that
// looks around must find everything as it should be, and no process may be left.
func TestAttacks(t *testing.T) {
	t.Setenv("PACEBENCH_TEST_SECRET", sandboxtest.Secret)
	p := openPool(t, Config{Workers: 1})
	runAttacks(t, p, sandboxtest.Attacks())
}

// inOtherModes returns the attacks to try again in another mode: all attacks in the long tier.
func inOtherModes(some ...[]sandboxtest.Attack) []sandboxtest.Attack {
	if os.Getenv("PACEBENCH_LONG") != "" {
		return sandboxtest.Attacks()
	}
	return slices.Concat(some...)
}

// TestAttacksWithoutNamespaces is for machines without namespaces: the other mechanisms suffice.
func TestAttacksWithoutNamespaces(t *testing.T) {
	t.Setenv("PACEBENCH_TEST_SECRET", sandboxtest.Secret)
	var log bytes.Buffer
	p := openPool(t, Config{Workers: 1, Log: &log, without: missing{namespaces: true}})
	missing := p.Report().Missing()
	if !slices.Equal(missing, []string{"namespaces"}) || p.Report().Unsafe ||
		!strings.HasPrefix(log.String(), "sandbox: missing here: namespaces; ") {
		t.Fatalf("missing: %q, told %q", missing, log.String())
	}
	runAttacks(t, p, inOtherModes(
		sandboxtest.Files, sandboxtest.Network, sandboxtest.Processes, sandboxtest.Forging))
}

// TestAttacksAsRootWithoutAnotherUser is for root's interpreters that no other user can read.
func TestAttacksAsRootWithoutAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	t.Setenv("PACEBENCH_TEST_SECRET", sandboxtest.Secret)
	p := openPool(t, Config{Workers: 1, without: missing{user: true}})
	runAttacks(t, p, inOtherModes(sandboxtest.Files, sandboxtest.Processes))
	p = openPool(t, Config{Workers: 1, without: missing{user: true, namespaces: true}})
	runAttacks(t, p, inOtherModes(sandboxtest.Files, sandboxtest.Processes))
}

// TestAttacksAsOrdinaryUser runs the attacks once more as the user nobody, with an environment made
// for that user.
func TestAttacksAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests run as an ordinary user already")
	}
	var out bytes.Buffer
	const all = "-test.run=^(TestAttacks|TestAttacksWithoutNamespaces|TestSelfTest)$"
	tests := all
	if os.Getenv("PACEBENCH_LONG") == "" { // the mode with the fewest mechanisms
		tests = strings.Replace(all, "TestAttacks|", "", 1)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", tests, "-test.v")
	cmd.Args[0], cmd.Dir = os.Args[0], "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TMPDIR=" + os.TempDir(),
		"PACEBENCH_TEST_PYTHON=" + publicPython(t), "PACEBENCH_LONG=" + os.Getenv("PACEBENCH_LONG")}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
	}
	cmd.Stdout, cmd.Stderr = &out, &out
	const last = "--- PASS: TestAttacksWithoutNamespaces ("
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), last) {
		t.Errorf("as nobody: %v\n%s", err, out.String())
	}
	// scripts/test-long counts these lines.
	t.Log(strings.ReplaceAll(out.String(), ": TestAttacks", ": as nobody: TestAttacks"))
}

func runAttacks(t *testing.T, p *Workers, tests []sandboxtest.Attack) {
	for _, a := range tests {
		t.Run(a.Name, func(t *testing.T) {
			limits := longLimits
			if slices.Contains(a.Kinds, bench.Timeout) {
				limits = shortLimits
			}
			v, fault := evaluate(t, p, a.Source, limits)
			switch {
			case fault == nil && len(a.Kinds) > 0:
				t.Errorf("not stopped by %s: returned %v", a.Stop, v)
			case fault == nil && a.Value != nil && !cmp.Equal(v, a.Value):
				t.Errorf("returned %#v, want %#v", v, a.Value)
			case fault != nil && !slices.Contains(a.Kinds, fault.Kind):
				t.Errorf("fault %v, want one of %v", fault, a.Kinds)
			case fault != nil && !strings.Contains(fault.Detail, a.Detail):
				t.Errorf("fault %v, want a detail with %q", fault, a.Detail)
			}
			if fault != nil {
				t.Logf("%s: %v", a.Stop, fault)
				if fault.Detail != clean(fault.Detail) || fault.Detail == "" {
					t.Errorf("detail is not fit for a journal: %q", fault.Detail)
				}
			}
			lookAround(t, p)
		})
	}
}

// lookAround checks that the next candidate's process has nothing left of the former candidate, and
// that no process is left.
func lookAround(t *testing.T, p *Workers) {
	t.Helper()
	v, fault := evaluate(t, p, `
import builtins, gc, random, sys
import numpy as np
def f():
    assert np.sum([1, 2]) == 3 and np.array([2.0])[0] == 2 and np.pi < 4
    assert len([1]) == 1 and not hasattr(builtins, "leak") and "leak" not in sys.modules
    assert sys.getrecursionlimit() == 1000 and gc.isenabled()
    assert not hasattr(random, "leak") and not hasattr(np.ndarray, "leak")
    return 4711
`, bench.Limits{})
	if fault != nil || v != bench.Int(4711) {
		t.Errorf("the next candidate returns %v, %v", v, fault)
	}
	if left := descendants(p.server.zygote.process.Pid); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// state returns a process's state letter, or 0 when it is gone or a zombie.
func state(pid int) byte {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil || pid == 0 {
		return 0
	}
	s := b[bytes.LastIndexByte(b, ')')+2]
	if s == 'Z' || s == 'X' {
		return 0
	}
	return s
}

// descendants lists the running descendants of a process, as long as that process lives.
func descendants(root int) []int {
	var out []int
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", root))
	for _, list := range lists {
		b, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(b)) {
			pid, _ := strconv.Atoi(field)
			if state(pid) != 0 {
				out = append(append(out, pid), descendants(pid)...)
			}
		}
	}
	return out
}

// publicPython makes an environment that every user can read: the system's interpreter, and NumPy
// copied from the interpreter of the tests, which may be in root's home.
func publicPython(t *testing.T) string {
	const system = "/usr/bin/python3"
	numpy, err := exec.Command(testPython(t), "-c", "import numpy, os, sys; "+
		"print(sys.version_info[:2], os.path.dirname(numpy.__path__[0]))").Output()
	must.Do(t, err)
	version, err := exec.Command(
		system, "-c", "import sys; print(sys.version_info[:2], end='')").Output()
	text := strings.TrimSpace(string(numpy))
	site, same := strings.CutPrefix(text, string(version)+" ")
	if err != nil || !same {
		t.Skipf("%s is not of the same version as the tests' Python: %q", system, text)
	}
	dir, err := os.MkdirTemp("", "pacebench-public")
	must.Do(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	script := `set -e
chmod 755 "$1"
"$2" -m venv --without-pip "$1/env"
target=$(echo "$1"/env/lib/python3*/site-packages)
cp -r "$3"/numpy "$3"/numpy.libs "$target"
chmod -R a+rX "$1"
`
	out, err := exec.Command("sh", "-c", script, "sh", dir, system, site).CombinedOutput()
	if err != nil {
		t.Skipf("no environment for another user: %v: %s", err, out)
	}
	return filepath.Join(dir, "env", "bin", "python")
}
