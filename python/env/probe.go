package pyenv

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/internal/hint"
)

//go:embed probe.py
var probeSource string

// An interpreter is the report of a Python about itself.
type interpreter struct {
	Version        string `json:"version"`
	Executable     string `json:"executable"`
	Implementation string `json:"implementation"`
	NumPy          string `json:"numpy"` // empty: cannot be imported, see Problem
	SciPy          string `json:"scipy"` // empty: as for NumPy
	Canary         string `json:"canary"`
	Problem        string `json:"problem"`
	// Packages are the versions of the installed packages, by normalised name.
	Packages map[string]string `json:"packages"`
}

// minor returns 11 for Python 3.11, and a negative number for an interpreter other than CPython 3.
func (i *interpreter) minor() int {
	rest, ok := strings.CutPrefix(i.Version, "3.")
	text, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || i.Implementation != "cpython" {
		return -1
	}
	return n
}

// recent reports whether candidates and the analyser can run on the interpreter.
func (i *interpreter) recent() bool { return i.minor() >= 11 }

// env returns the interpreter as an environment, or an error if it lacks the packages of an extra
// of l.
func (i *interpreter) env(origin string, l lock) (*Env, error) {
	versions, err := l.versions(i)
	if err != nil {
		return nil, err
	}
	return &Env{
		Python: i.Executable, Version: i.Version, NumPy: i.NumPy, SciPy: i.SciPy,
		Lock: lockOf(i.NumPy, i.SciPy), Extras: versions,
		Canary: i.Canary, Class: class(l, i.Canary), Origin: origin,
	}, nil
}

const probeTime = 10 * time.Minute // a first import from a cold network disk is slow

func probe(ctx context.Context, python string) (*interpreter, error) {
	path, err := exec.LookPath(python)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	out, err := run(ctx, environment(), path, "-I", "-B", "-c", probeSource)
	if err != nil {
		return nil, err
	}
	i, answer := new(interpreter), lastOf(out)
	if err := json.Unmarshal([]byte(answer), i); err != nil || i.Version == "" {
		return nil, fmt.Errorf("unexpected answer %q", clip(answer))
	}
	i.Executable = cmp.Or(i.Executable, path)
	return i, nil
}

func lastOf(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// clip shortens the output of another program for an error.
func clip(s string) string {
	if len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}

// names are the interpreters to try, the preferred one first. The last one is an absolute path,
// because a version manager may put an old Python before the system's Python on the path.
var names = []string{
	"python3", "python3.12", "python3.11", "python3.13", "python3.14", "python", "/usr/bin/python3",
}

// bases returns the interpreters of this machine that are recent enough.
func bases(ctx context.Context) ([]*interpreter, error) {
	var found []*interpreter
	seen := map[string]bool{}
	tooOld, broken := "", ""
	for _, name := range names {
		i, err := probe(ctx, name)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		switch {
		case errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist):
		case err != nil:
			broken = cmp.Or(broken, fmt.Sprintf("%s: %v", name, err))
		case seen[i.Executable]:
		case !i.recent():
			tooOld = cmp.Or(tooOld, fmt.Sprintf("%s is %s %s, 3.11 or later is needed",
				name, i.Implementation, i.Version))
		default:
			seen[i.Executable] = true
			found = append(found, i)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	why, text := ErrTooOld, tooOld
	if tooOld == "" {
		why, text = ErrNoPython, cmp.Or(broken, "neither python3 nor python is on the path")
	}
	return nil, hint.Add(fmt.Errorf("%w: %s", why, text), hintPython)
}

// run runs a command to its end and returns its standard output. If the command fails, the error is
// the last line of its standard error, if there is one.
func run(ctx context.Context, env []string, name string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := command(ctx, env, name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		if last := lastOf(stderr.String()); last != "" {
			return "", errors.New(clip(last))
		}
		return "", err
	}
	return stdout.String(), nil
}

// command prepares a child in its own process group, which is killed as a whole.
func command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// inherited lists the variables that interpreters and pip may see, by name or by prefix, in
// addition to pip's own (pip.settings). No other variable is passed on, because the environment may
// contain keys of models.
var (
	inherited = []string{
		"PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "NETRC", "LD_LIBRARY_PATH",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	}
	inheritedPrefixes = []string{"LC_", "XDG_", "PYENV_"}
)

func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		upper := strings.ToUpper(name) // proxies have lower-case names, too
		hasPrefix := func(p string) bool { return strings.HasPrefix(name, p) }
		if slices.Contains(inherited, upper) || slices.ContainsFunc(inheritedPrefixes, hasPrefix) {
			env = append(env, v)
		}
	}
	// The canary must see the settings of candidates.
	return append(env, Arithmetic...)
}

// An answer is the report of an environment's interpreter to an earlier command.
type answer struct {
	State string       `json:"state"` // of the environment and the machine at that time
	Said  *interpreter `json:"said"`
}

const answerName = "answer.json"

// ask returns what the interpreter of the environment in dir reports about itself. It starts the
// interpreter only once for each state, because importing NumPy and SciPy and computing the canary
// takes half a second.
func ask(ctx context.Context, dir string) (*interpreter, error) {
	var kept answer
	state, name := stateOf(dir), filepath.Join(dir, answerName)
	if text, err := os.ReadFile(name); err == nil && state != "" &&
		json.Unmarshal(text, &kept) == nil && kept.State == state && kept.Said != nil {
		return kept.Said, nil
	}
	i, err := probe(ctx, filepath.Join(dir, "bin", "python"))
	if err != nil || state == "" || i.Problem != "" {
		return i, err
	}
	if text, err := json.Marshal(answer{state, i}); err == nil {
		_ = writeWhole(name, text) // if this fails, the next command asks again
	}
	return i, nil
}

// stateOf digests what an answer depends on: the interpreter, the files of its packages, its
// settings, the processor, and the last boot, because the C library is assumed to change only with
// a reboot. The result is "" if the system has no boot ID.
func stateOf(dir string) string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%v %v\n%q %q\n", dir, probeSource, boot, cpu.X86, cpu.ARM64,
		Arithmetic, os.Getenv("LD_LIBRARY_PATH"))
	add := func(path string) {
		var s unix.Stat_t
		if unix.Stat(path, &s) == nil {
			// Programs can set back the time of modification, but not the time of change.
			fmt.Fprintf(h, "%s %d %d %d\n", path, s.Ino, s.Size, s.Ctim.Nano())
		}
	}
	add(filepath.Join(dir, "bin", "python"))
	add(filepath.Join(dir, "pyvenv.cfg"))
	lib := filepath.Join(dir, "lib")
	_ = filepath.WalkDir(lib, func(path string, _ fs.DirEntry, _ error) error {
		add(path)
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil))
}
