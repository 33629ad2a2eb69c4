//go:build linux

package pymethod_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	pymethod "github.com/pacebench/pacebench/python/method"
	"github.com/pacebench/pacebench/suite/kit"
)

// A method in docs/your-method.md passes the checks for all methods. In the long tier, so do ReEvo,
// written from that page, and a method whose jobs change shared state.
func TestConformance(t *testing.T) {
	files := map[string]string{"randsample.py": examples(t, "randsample.py")}
	if benchtest.Long() { // after the quick tier
		reevo := string(must.Read(t, filepath.Join("testdata", "reevo.py")))
		if n := strings.Count(reevo, "\n"); n > 120 {
			t.Errorf("reevo.py has %d lines", n)
		}
		files = map[string]string{"reevo.py": reevo, "racy.py": racy}
	}
	for name, source := range files {
		m := load(t, name, source)
		t.Run(name, func(t *testing.T) {
			benchtest.Method(t, func() bench.Method { return m.New() })
		})
	}
}

// racy is a method whose jobs share a list, on which its prompts depend.
const racy = `
from pacebench.method import Population

def run(search, *, window=4):
    shared, alive = [], Population(search, 5)
    async def job(step):
        text = search.problem.prompt + f"\n\nSeen: {shared[-3:]}"
        reply = await step.ask(text, "algorithm/i1")
        shared.append(len(reply.text) + step.number)
        program = await step.extract(reply)
        shared.append(search.evaluations)
        if program:
            return program, await step.evaluate(program)
    for result in search.stream(lambda: job, window):
        if result:
            alive.enter(*result)
`

// TestPlantedFaults: the kit finds that two runs of a method differ, for each of three reasons.
func TestPlantedFaults(t *testing.T) {
	const set = "the order of a set"
	for name, body := range map[string]string{
		set: `
word = next(iter({"one", "two", "three", "four", "five", "six", "seven"}))
search.note("word", word=word)
all(one)`,
		"a seed of the clock": `
rand = random.Random(time.perf_counter_ns())
def propose():
    n = rand.random()
    async def job(step):
        return await step.sample(f"{search.problem.prompt}\n\n{n}", "algorithm/i1")
    return job
for _ in search.stream(propose, 2):
    pass`,
		"the order in which steps end": `
took = [0, 0]
async def job(step):
    begun = time.perf_counter()
    result = await one(step)
    took[:] = [took[1], time.perf_counter() - begun]
    return result
for _ in search.stream(lambda: job, 2):
    search.note("faster", first=took[0] < took[1])`,
	} {
		if (name == set) == benchtest.Long() { // the long tier follows the quick one
			continue
		}
		source := method(body)
		m := load(t, "fault.py", source)
		k := &kit.Kit{Analyzer: programtest.Analyzer(t)}
		k.New = func() bench.Method { return m.New() }
		told := kit.Try(t.Context(), t.TempDir(), func(t kit.T) {
			checks := k.Checks(t)
			if name != set {
				checks[1].Run(t) // the journal does not depend on --jobs
			}
		})
		if name == set {
			o := options(t)
			o.Environment = []string{"PYTHONHASHSEED=1"}
			other, err := pymethod.Load(t.Context(), write(t, "fault.py", source), o)
			must.Do(t, err)
			told = append(told, kit.Try(t.Context(), t.TempDir(), func(t kit.T) {
				if !k.Same(t, other) {
					t.Error("the journal with other hashes differs")
				}
			})...)
		}
		if len(told) == 0 || !strings.Contains(strings.Join(told, "\n"), "differs") {
			t.Errorf("%s: %q", name, told)
		}
	}
}
