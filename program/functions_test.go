package program_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

func TestExtractFunctions(t *testing.T) {
	an := programtest.Analyzer(t)
	const (
		a = "def a(x):\n    \"\"\"A.\"\"\"\n    return x\n"
		b = "def b(x, y):\n    return np.sqrt(x)\n"
	)
	for _, c := range []struct {
		name, reply, want string
		refusal           error
	}{
		{"one fenced", "Here:\n```python\n" + a + "```", a, nil},
		{"two in a block", "```python\n" + a + "\n\n" + b + "```", a + b, nil},
		{"two in two blocks", "First:\n```python\n" + a + "```\nSecond:\n```python\n" + b + "```",
			a + b, nil},
		{"repeated", "```python\n" + a + "```\nagain\n```python\n" + a + "```", a, nil},
		{"broken and whole", "```python\ndef c(x:\n```\n```python\n" + a + "```", a, nil},
		{"unfenced with prose around", "I propose:\n\n" + a + "\nIt is narrow.\n", a, nil},
		{"unfenced, prose between", a + "\nand then this one:\n\n" + b, a + b, nil},
		{"unfenced, imports first", "import numpy as np\nimport math\n" + b, b, nil},
		{"decorated, comments not kept", "```python\n# why\n@deco\n" + a + "# after\nK = 1\n```",
			"@deco\n" + a, nil},
		{"docstring with a fence", "```python\ndef a(x):\n    \"\"\"A.\n```\n```\n    \"\"\"\n" +
			"    return x\n```", "", program.ErrSyntax},
		{"draft between think tags",
			"<think>\n```python\n" + b + "```\n</think>\n```python\n" + a + "```", a, nil},
		{"prose in the fence", "```python\nHere it is.\n\n" + a + "\nIt's narrow.\n```", a, nil},
		{"example of use", "```python\n" + a + "\nprint(a(1))\n```", a, nil},
		{"none", "I have no idea.", "", program.ErrNoCode},
		{"broken", "```python\ndef a(x:\n```", "", program.ErrSyntax},
		{"constants only", "```python\nK = 1\n```", "", program.ErrNoCode},
	} {
		defs, err := program.ExtractFunctions(t.Context(), an, c.reply)
		if !errors.Is(err, c.refusal) {
			t.Fatalf("ExtractFunctions(%q) = %v, want refusal %v", c.reply, err, c.refusal)
		}
		var got strings.Builder
		for _, d := range defs {
			got.WriteString(d.Source)
			alone := analyze(t, an, d.Source).Functions[0]
			alone.Missing, d.Func.Missing = nil, nil // Missing depends on the rest of the reply
			if diff := cmp.Diff(alone, d.Func, placeless); diff != "" {
				t.Errorf("Func of %q differs from the definition's alone (-alone +got):\n%s",
					d.Source, diff)
			}
		}
		golden.Same(t, fmt.Sprintf("ExtractFunctions(%q)", c.reply), c.want, got.String())
	}
}

// TestDefinitionImports checks that a function gets the imports that it needs, also from another
// block.
func TestDefinitionImports(t *testing.T) {
	an := programtest.Analyzer(t)
	reply := "```python\nimport random\nimport os\n```\n```python\nimport numpy as np\n" +
		"import math, cmath\nfrom os import (\n    path as p,\n)\n\ndef a(x: np.ndarray):\n" +
		"    return cmath.sqrt(p(random.random()))\n\ndef b(x):\n    return x\n```"
	defs, err := program.ExtractFunctions(t.Context(), an, reply)
	if err != nil || len(defs) != 2 {
		t.Fatal(defs, err)
	}
	want := []string{
		"import numpy as np", "import math, cmath", "from os import (\n    path as p,\n)",
		"import random",
	}
	var lines []string
	for _, i := range defs[0].Imports {
		lines = append(lines, i.Source)
	}
	golden.Same(t, "imports of a", want, lines)
	if defs[1].Imports != nil {
		t.Errorf("imports of b: %v, want none", defs[1].Imports)
	}
	got, err := program.Imported(t.Context(), an, want)
	must.Do(t, err)
	golden.Same(t, "Imported", []string{"cmath", "math", "np", "p", "random"}, got)
}

// placeless ignores the positions in a function's analysis.
var placeless = cmpopts.IgnoreFields(program.Func{},
	"Start", "End", "DocStart", "DocEnd", "BodyStart", "Defaults", "Refs")

func TestRenamed(t *testing.T) {
	an := programtest.Analyzer(t)
	defs, err := program.ExtractFunctions(t.Context(), an, "K = 1\n@deco\n"+
		"def gap(x, y=1, *, z='gap'):\n    \"\"\"gap.\"\"\"\n    return gap(x - 1) if x else gap\n"+
		"wide = gap(K)\n")
	must.Do(t, err)
	want := "@deco\ndef gap_2(x, y=1, *, z='gap'):\n    \"\"\"gap.\"\"\"\n" +
		"    return gap_2(x - 1) if x else gap_2\n"
	if got := defs[0].Renamed("gap_2"); got != want {
		t.Errorf("Renamed = %q, want %q", got, want)
	}
}

func TestCheckSelfContained(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct{ name, reply, want string }{
		{"parameters, locals, builtins", "def a(x):\n    y = len(x)\n    return max(y, 1)\n", ""},
		{"the preface", "def a(x):\n    return np.sum(x)\n", ""},
		{"its own import", "import math\ndef a(x):\n    return math.sqrt(x)\n", ""},
		{"an import inside", "def a(x):\n    import math\n    return math.sqrt(x)\n", ""},
		{"itself", "def a(x):\n    return a(x - 1) if x else 0\n", ""},
		{"another function", "def a(x):\n    return b(x)\n",
			"`a` uses `b`, which is neither one of its parameters nor defined inside it"},
		{"a constant of the module", "K = 1\ndef a(x):\n    return x + K\n",
			"`a` uses `K`, which is neither one of its parameters nor defined inside it"},
		{"an annotation without import", "def a(x: List[int]):\n    return x\n",
			"`a` uses `List`, which is neither one of its parameters nor defined inside it"},
		{"an annotation of a local is never read",
			"def a(x):\n    y: List[int] = x\n    return y\n", ""},
		{"a module that is not allowed", "import os\ndef a(x):\n    return os.getpid()\n",
			"the code imports `os`; only `math`, `numpy` may be imported"},
		{"one that is not allowed inside", "def a(x):\n    from os.path import join\n" +
			"    return join(x)\n", "the code imports `os`; only `math`, `numpy` may be imported"},
	} {
		defs, err := program.ExtractFunctions(t.Context(), an, c.reply)
		must.Do(t, err)
		err = program.CheckSelfContained(defs[0], []string{"np"}, []string{"math", "numpy"})
		if got := message(err); got != c.want {
			t.Errorf("CheckSelfContained(%q) = %q, want %q", c.reply, got, c.want)
		}
	}
}

func TestAssemble(t *testing.T) {
	imports := []string{"import numpy as np", "import numpy as np"}
	helpers := []string{"def e(x):\n    return x\n", "def d(x):\n    return np.sum(x)\n"}
	code := "from __future__ import annotations\nimport math\n\n" +
		"def f(a, b):\n    return e(d(a)) + math.pi\n"
	p := program.Assemble(imports, helpers, code)
	want := "from __future__ import annotations\nimport numpy as np\n\n\n" +
		"def e(x):\n    return x\n\n\ndef d(x):\n    return np.sum(x)\n\n\n" +
		"import math\n\ndef f(a, b):\n    return e(d(a)) + math.pi\n"
	if diff := cmp.Diff(want, p.Source); diff != "" {
		t.Fatalf("Assemble mismatch (-want +got):\n%s", diff)
	}
	if got := program.Assemble(nil, nil, "def f():\n  pass"); got.Source != "def f():\n  pass\n" {
		t.Errorf("Assemble without imports = %q", got.Source)
	}
}
