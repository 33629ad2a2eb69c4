package sandbox

import (
	"bytes"
	"context"
	"debug/elf"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
)

//go:embed probe.py
var probeSource string

// An interpreter is a Python interpreter with all paths that it reads. probe.py reports all fields
// except the last two.
type interpreter struct {
	Version    [2]int
	Executable string // as called; in an environment, the link to Program
	Program    string
	Dirs       []string // readable, with what is below
	Files      []string // readable
	Programs   []string // executable: Program and its ELF interpreter
	Env        []string // the complete environment
}

func environment() []string {
	return append(slices.Clone(python.Environment), "HOME=/", "PATH=", "MALLOC_ARENA_MAX=1")
}

func findInterpreter(ctx context.Context, python string) (*interpreter, error) {
	env := environment()
	in, err := probe(ctx, python, env)
	if libs := os.Getenv("LD_LIBRARY_PATH"); err != nil && libs != "" {
		// Where environment modules select the compiler, an interpreter may find its own library
		// only through this variable.
		env = append(env, "LD_LIBRARY_PATH="+libs)
		if again, err2 := probe(ctx, python, env); err2 == nil {
			in, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	in.Env, in.Programs = env, []string{in.Program}
	if loader, err := elfInterpreter(in.Program); err != nil {
		return nil, fmt.Errorf("python %s: %w", python, err)
	} else if loader != "" {
		in.Programs = append(in.Programs, loader)
	}
	if _, err := os.Stat("/etc/ld.so.cache"); err == nil {
		in.Files = append(in.Files, "/etc/ld.so.cache")
	}
	if _, err := os.Stat("/etc/alternatives"); err == nil {
		// Debian's own NumPy finds its BLAS through a link there.
		in.Dirs = append(in.Dirs, "/etc/alternatives")
	}
	in.Dirs = outermost(in.Dirs)
	return in, nil
}

func probe(ctx context.Context, exe string, env []string) (*interpreter, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, append(slices.Clone(python.Flags), "-c", probeSource)...)
	cmd.Env = env
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("python %s: %w", exe, context.Cause(ctx))
		}
		if line := python.LastLine(stderr.String()); line != "" {
			err = errors.New(line)
		}
		err = fmt.Errorf("python %s: %w", exe, err)
		if errors.Is(err, unix.EMFILE) {
			return nil, inheritedLimits().hint(err)
		}
		return nil, hint.Add(err,
			"Python 3.11 or later with NumPy is needed; name one with --python")
	}
	in := new(interpreter)
	if err := json.Unmarshal(stdout.Bytes(), in); err != nil {
		return nil, fmt.Errorf(
			"python %s: unexpected answer %q: %w", exe, python.LastLine(stdout.String()),
			hint.JSON(err))
	}
	return in, nil
}

// elfInterpreter returns the loader that a program names, which the kernel also executes.
func elfInterpreter(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			b, err := io.ReadAll(p.Open())
			return strings.TrimRight(string(b), "\x00"), err
		}
	}
	return "", nil
}

// outermost sorts paths and drops paths that are below another path.
func outermost(paths []string) []string {
	slices.Sort(paths)
	var out []string
	for _, p := range paths {
		if !slices.ContainsFunc(out, func(q string) bool { return below(p, q) }) {
			out = append(out, p)
		}
	}
	return out
}

func below(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
