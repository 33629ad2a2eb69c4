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
	in  io.Writer
	out *bufio.Reader
}

// NewEvaluator starts the Python that pacebench sets up. Without this Python, the test is skipped.
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
	return &evaluator{t, in, bufio.NewReader(out)}
}

// Score returns the score of a program, or its fault if it has no score.
func (e *evaluator) Score(source string) (score float64, fault string) {
	e.t.Helper()
	line, err := json.Marshal(map[string]string{"source": source})
	must.Do(e.t, err)
	_, err = e.in.Write(append(line, '\n'))
	must.Do(e.t, err)
	text, err := e.out.ReadString('\n')
	must.Do(e.t, err)
	var verdict struct {
		Score float64
		Fault string
	}
	must.Do(e.t, json.Unmarshal([]byte(text), &verdict))
	return verdict.Score, verdict.Fault
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
