// Package programtest gives tests an Analyzer without the sandbox: a plain python3 process that
// runs program.AnalyzerSource. Start at Analyzer. Use it only for sources that the tests wrote
// themselves; foreign sources belong in the confined worker.
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
	"sync"
	"testing"

	"github.com/pacebench/pacebench/program"
)

// loop reads the analyser's source from the first line, and then answers each line, a JSON string,
// with a line of JSON. "ready" means that the interpreter is recent enough.
const loop = `
import json, sys
if sys.version_info < (3, 11):
    sys.exit(3)
analyzer = {}
exec(json.loads(sys.stdin.readline()), analyzer)
print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps(analyzer["analyze"](json.loads(line))), flush=True)
`

// Analyzer returns the analyser that all tests of a binary share. The first call starts its python3
// process, which ends with the binary. Answers are remembered. Without Python 3.11 or later,
// Analyzer skips the test.
func Analyzer(tb testing.TB) program.Analyzer {
	tb.Helper()
	p, err := shared()
	if err != nil {
		tb.Skipf("no python3 of version 3.11 or later: %v", err)
	}
	return p
}

var shared = sync.OnceValues(start)

// maxKnown bounds the answers that a fuzzing process remembers.
const maxKnown = 4096

type process struct {
	in  io.WriteCloser
	out *bufio.Reader

	mu    sync.Mutex // guards the pipes and known
	known map[string]program.Analysis
}

func start() (*process, error) {
	cmd := exec.Command("python3", "-c", loop)
	cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8")
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
	p := &process{in: in, out: bufio.NewReader(out), known: map[string]program.Analysis{}}
	source, err := json.Marshal(program.AnalyzerSource())
	if err != nil {
		return nil, err
	}
	_, err = in.Write(append(source, '\n'))
	if line, failed := p.out.ReadString('\n'); failed != nil || line != "ready\n" {
		return nil, errors.Join(errors.New("the analyser did not start"), err, in.Close(),
			cmd.Wait())
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
	var a program.Analysis
	if err := p.ask(source, &a); err != nil {
		return program.Analysis{}, err
	}
	if len(p.known) == maxKnown {
		clear(p.known)
	}
	p.known[source] = a
	return a, nil
}

// ask sends a request and decodes the answer. The caller holds mu.
func (p *process) ask(request string, into any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("asking the analyser: %w", err)
	}
	answer, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the analyser's answer: %w", err)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("decoding the analyser's answer: %w", err)
	}
	return nil
}

// Parts implements program.Parter.
func (p *process) Parts(_ context.Context, source, target string, most int) (
	parts program.Parts, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return parts, p.ask(program.PartsRequest(source, target, most), &parts)
}
