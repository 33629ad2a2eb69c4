package program_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// compareScopes reads [source, functions] pairs and prints the differences between the global and
// bound names in our analysis of a function and in CPython's symbol tables. The tables assign the
// names in defaults, decorators and annotations to the module.
const compareScopes = `
import json, symtable, sys
def inner(table):
    yield table
    for child in table.get_children():
        yield from inner(child)
for source, functions in json.load(sys.stdin):
    module = symtable.symtable(source, "candidate", "exec")
    outside = {s.get_name() for s in module.get_symbols() if s.is_referenced()}
    for f in functions:
        tables = [t for t in module.get_children() if t.get_name() == f["name"]]
        symbols = [s for t in inner(tables[-1]) for s in t.get_symbols() if s.get_name()[0] != "."]
        reads = {s.get_name() for s in symbols if s.is_global() and s.is_referenced()}
        binds = {s.get_name() for s in symbols if s.is_parameter() or s.is_assigned() ` +
	`or s.is_imported()
                 or s.is_nonlocal() or s.is_declared_global() or s.is_namespace()}
        loads = set(f.get("loads", ()))
        for what, names in (("reads", reads - loads), ("does not read", loads - reads - outside),
                            ("binds or not", binds ^ set(f.get("binds", ())))):
            if names:
                print(f["name"], what, sorted(names), "in", repr(source))
`

// TestScopesAgainstSymtable checks that our scopes agree with CPython's.
func TestScopesAgainstSymtable(t *testing.T) {
	an := programtest.Analyzer(t)
	module := must.Read(t, filepath.Join("testdata", "module.txt"))
	sources := []string{string(module)}
	for _, s := range readShapes(t) {
		if x, err := program.Extract(t.Context(), an, s.reply, target, shapeOptions); err == nil {
			sources = append(sources, x.Program.Source)
		}
	}
	for _, body := range []string{
		"global y; y = x; del y", "def g():\n  nonlocal x\n  x = y\n g()",
		"return [x for x in y if x], [y for _ in x for y in _]",
		"class A:\n  e = 1\n  def go(self): return e, A, __name__\n return A",
		"return (lambda x, *k, z=y, **q: x + z)(1)", "[w := v for v in y]; return w, v",
		"try: x()\n except (E, F) as e: raise e from None", "import a.b as c, d.e\n return c, d, a",
		"match x:\n  case [p, *q] | {'k': p, **q} if p: return q\n  case A(b=r): return r",
		"for i, (j, *k) in x: pass\n with x as y[z], w as (u, v): pass",
		"def g():\n  global x\n  def h(): return x\n  return h\n return x",
		"yield from (x async for x in y)\n async def k(): await x",
		"def g(y=y): return y\n @deco\n class B(y, z=w): pass",
		"from m import y as e; e = 1; e += x",
	} {
		sources = append(sources, "def f(x):\n "+body+"\n")
	}
	var pairs [][]any
	for _, s := range sources {
		a, err := an.Analyze(t.Context(), s)
		must.Do(t, err)
		if a.Syntax == nil {
			pairs = append(pairs, []any{s, a.Functions})
		}
	}
	if len(pairs) < 70 {
		t.Errorf("%d sources compared, want at least 70", len(pairs))
	}
	in, err := json.Marshal(pairs)
	must.Do(t, err)
	cmd := exec.Command("python3", "-c", compareScopes)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("%v\n%s", err, out)
	}
}
