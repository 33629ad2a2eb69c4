package offline

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// An evaluator scores programs with testdata/evaluate.py.
type evaluator struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

type verdict struct {
	Score   *float64
	Fault   string
	Seconds float64
}

// NewEvaluator starts the Python that pacebench sets up. Without it, the test is skipped.
func NewEvaluator(t *testing.T) *evaluator {
	t.Helper()
	env := pyenv.ForTestWith(t, "control")
	cmd := exec.Command(env.Python, filepath.Join("testdata", "evaluate.py"))
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &evaluator{t: t, in: in, out: bufio.NewReader(out), cmd: cmd}
}

// Score is the score of a program and the fault of one without a score.
func (e *evaluator) Score(source string) (float64, string) {
	v := e.score(source)
	if v.Score == nil {
		return 0, v.Fault
	}
	return *v.Score, ""
}

func (e *evaluator) score(source string) verdict {
	e.t.Helper()
	line, err := json.Marshal(map[string]string{"source": source})
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		e.t.Fatal(err)
	}
	text, err := e.out.ReadString('\n')
	if err != nil {
		e.t.Fatal(err)
	}
	var v verdict
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		e.t.Fatal(err)
	}
	return v
}

// codeOf extracts the code of a reply: the first fenced block, or everything from the first line
// that looks like code.
func codeOf(reply string) string {
	if _, rest, ok := strings.Cut(reply, "```python\n"); ok {
		code, _, _ := strings.Cut(rest, "```")
		return code
	}
	for _, start := range []string{"import ", "def "} {
		if i := strings.Index("\n"+reply, "\n"+start); i >= 0 {
			return reply[i:]
		}
	}
	return ""
}
