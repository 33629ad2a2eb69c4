// Package programtest lends tests an Analyzer without the sandbox: a plain python3
// process that runs program.AnalyzerSource. Start at Analyzer. It is for sources that the
// tests wrote themselves; foreign source belongs into the confined worker.
package programtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench/program"
)

// loop answers one JSON string per line with one Analysis per line. The module's name is
// given by its folder on the path; "ready" tells that the interpreter is recent enough.
const loop = `
import json, sys
if sys.version_info < (3, 11):
    sys.exit(3)
import analyze
print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps(analyze.analyze(json.loads(line))), flush=True)
`

// Analyzer starts a python3 process for the time of the test and returns its analyser,
// which remembers what it was asked. It skips the test, with one line, where there is
// no python3 of version 3.11 or later.
func Analyzer(tb testing.TB) program.Analyzer {
	tb.Helper()
	folder := tb.TempDir()
	file := filepath.Join(folder, "analyze.py")
	if err := os.WriteFile(file, []byte(program.AnalyzerSource), 0o600); err != nil {
		tb.Fatal(err)
	}
	p, err := start(folder)
	if err != nil {
		tb.Skipf("no python3 of version 3.11 or later: %v", err)
	}
	tb.Cleanup(p.close)
	return p
}

// maxKnown bounds what a fuzzing process remembers.
const maxKnown = 4096

type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	mu    sync.Mutex // guards the pipes and known
	known map[string]program.Analysis
}

func start(folder string) (*process, error) {
	cmd := exec.Command("python3", "-B", "-c", loop)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder, "PYTHONIOENCODING=utf-8")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReader(out), known: map[string]program.Analysis{}}
	if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
		return nil, errors.Join(errors.New("the analyser did not start"), p.end())
	}
	return p, nil
}

// Analyze implements program.Analyzer.
func (p *process) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	if err := ctx.Err(); err != nil {
		return program.Analysis{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a, ok := p.known[source]; ok {
		return a, nil
	}
	line, err := json.Marshal(source)
	if err != nil {
		return program.Analysis{}, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return program.Analysis{}, fmt.Errorf("asking the analyser: %w", err)
	}
	answer, err := p.out.ReadBytes('\n')
	if err != nil {
		return program.Analysis{}, fmt.Errorf("reading the analyser's answer: %w", err)
	}
	var a program.Analysis
	if err := json.Unmarshal(answer, &a); err != nil {
		return program.Analysis{}, fmt.Errorf("decoding the analyser's answer: %w", err)
	}
	if len(p.known) == maxKnown {
		clear(p.known)
	}
	p.known[source] = a
	return a, nil
}

func (p *process) end() error {
	return errors.Join(p.in.Close(), p.cmd.Wait())
}

// close is for the end of the test; how the process ended says nothing about it.
func (p *process) close() { _ = p.end() }
