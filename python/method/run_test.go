//go:build linux

package pymethod_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/eoh"
	pyenv "github.com/pacebench/pacebench/python/env"
	pymethod "github.com/pacebench/pacebench/python/method"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	goleak.VerifyTestMain(m)
}

// options returns options with the Python of tests.
func options(tb testing.TB) pymethod.Options {
	return pymethod.Options{
		Python: func(context.Context) (*pyenv.Env, error) { return pyenv.ForTest(tb), nil },
	}
}

// write makes a method file.
func write(tb testing.TB, name, source string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	must.Write(tb, path, source)
	return path
}

// load makes a method of a source.
func load(tb testing.TB, name, source string) *pymethod.Method {
	tb.Helper()
	m, err := pymethod.Load(tb.Context(), write(tb, name, source), options(tb))
	must.Do(tb, err)
	return m
}

// examples returns a file that docs/your-method.md shows.
func examples(tb testing.TB, name string) string {
	tb.Helper()
	source := golden.Shown(tb, "../../docs/your-method.md")[name]
	if n := strings.Count(source, "\n"); n == 0 || n > 60 {
		tb.Fatalf("the page's %s has %d lines", name, n)
	}
	return source
}

// scripted answers every request with a different program, sometimes a failing one, and sometimes
// with no program. The request's draw decides, so that the order of calls does not matter.
func scripted() *llm.Scripted {
	return llm.NewScripted(func(r llm.Request) string {
		i := int(r.Draw % 9973)
		switch {
		case i%11 == 3:
			return "no code this time"
		case i%13 == 5:
			return methodtest.Answer("a crash", fmt.Sprintf("raise ValueError(%d)  # raises", i))
		}
		return methodtest.Scored(i, i*7919%101)
	})
}

// lines are the lines of a run's journal.
func lines(tb testing.TB, l *record.Loaded) (all []string) {
	tb.Helper()
	for _, r := range l.Records {
		text, err := json.Marshal(r)
		must.Do(tb, err)
		all = append(all, string(text))
	}
	return all
}

// The EoH in docs/your-method.md has the same journal as EoH in Go, given the same replies and the
// same parents.
func TestEqualToGo(t *testing.T) {
	m := eoh.New()
	m.Population, m.Window = 5, 1
	c := benchtest.Config{Model: scripted(), Budget: 200, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: methodtest.Score}}
	l := benchtest.Run(t, m, c)
	var parents [][]int
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if o.Parents != nil {
			parents = append(parents, o.Parents)
		}
	}
	text, err := json.Marshal(parents)
	must.Do(t, err)
	source := examples(t, "eoh.py") + fmt.Sprintf(`

PARENTS = %s
Population.select = lambda self, *_: [
    next(m for m in self.members if m.id == i) for i in PARENTS.pop(0)
]
`, text)
	p := load(t, "eoh.py", source)
	must.Do(t, json.Unmarshal([]byte(`{"population":5,"window":1}`), p))
	c.Model = scripted()
	now := benchtest.Run(t, p, c)
	was, is := lines(t, l), lines(t, now)
	if len(is) < 200 {
		t.Errorf("%d lines", len(is))
	}
	golden.Same(t, "journal", was, is)
}

// A method that says EVIDENCE = True gets pictures of how programs behaved, and can show them in
// requests.
func TestPictures(t *testing.T) {
	m := load(t, "seeing.py", "EVIDENCE = True\n"+method(`
seen = []
async def job(step):
    shown = seen[-1:]
    reply = await step.ask("Look.", "algorithm/look", images=shown)
    program = await step.extract(reply)
    if program:
        outcome = await step.evaluate(program)
        seen.extend(outcome.evidence)
        step.note("seen", kinds=[e.media_type for e in outcome.evidence])
for result in search.stream(lambda: job, 1):
    pass`))
	var shown, seen []string
	l := benchtest.Run(t, m, benchtest.Config{
		Model: scripted(), Budget: 8, Analyzer: programtest.Analyzer(t),
	})
	for s := range l.Steps() {
		for _, q := range s.Requests {
			for _, part := range q.Request.User {
				if part.Image != nil {
					shown = append(shown, part.Image.Digest)
				}
			}
		}
		for _, e := range s.Evaluations {
			for _, b := range e.Outcome.Evidence {
				seen = append(seen, b.Digest)
			}
		}
	}
	if len(seen) < 4 || len(shown) < 4 || !slices.Contains(shown, seen[len(seen)-2]) {
		t.Errorf("seen %q, shown %q", seen, shown)
	}
	if m.Waited() <= 0 || m.Waited() >= 1 {
		t.Errorf("%v of the time was waiting", m.Waited())
	}
}

// run executes a method on a scripted model, and returns the run's directory and the error.
func run(t *testing.T, m bench.Method, c benchtest.Config) (string, error) {
	t.Helper()
	if c.Model == nil {
		c.Model = scripted()
	}
	c.Analyzer = programtest.Analyzer(t)
	dir := t.TempDir()
	_, err := benchtest.Prepare(t, m, c).Execute(t.Context(), dir)
	return dir, err
}

func journal(tb testing.TB, dir string) []byte {
	tb.Helper()
	return must.Read(tb, filepath.Join(dir, record.JournalFile))
}

// A reply without a program has no score, and its outcome is not ok.
func TestOutcomeOK(t *testing.T) {
	m := load(t, "asks.py", method(`
async def job(step):
    _, program, outcome = await step.sample(search.problem.prompt, "algorithm/i1")
    scored = outcome.score is not None
    step.note("seen", program=bool(program), scored=scored, ok=outcome.ok)
for _ in search.stream(lambda: job, 1):
    pass`))
	model := methodtest.Model(func(i int, _ llm.Request) string {
		return []string{
			"no code this time", methodtest.Answer("a crash", "raise ValueError  # raises"),
			methodtest.Scored(i, i),
		}[i%3]
	})
	l := methodtest.Run(t, m, model, 6)
	got := ""
	for _, r := range methodtest.Notes[note.Remark](t, l, "remark") {
		got += string(r.Value)
	}
	const want = `{"ok":false,"program":false,"scored":false}` +
		`{"ok":false,"program":true,"scored":false}{"ok":true,"program":true,"scored":true}`
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
