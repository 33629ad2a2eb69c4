package program_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
)

// Some EAPs are the same in another form; others differ.
func TestFingerprint(t *testing.T) {
	an := programtest.Analyzer(t)
	const eap = "def gap(node, dist):\n    \"\"\"Doc.\"\"\"\n    near = np.sort(dist[node])\n" +
		"    return near[2] ** 2 - 0.5 * near[1]\n"
	for _, c := range []struct {
		name, source string
		same         bool
	}{
		{"itself", eap, true},
		{"another function name", "def other(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", true},
		{"renamed parameters and locals",
			"def gap(i, d):\n    s = np.sort(d[i])\n    return s[2] ** 2 - 0.5 * s[1]\n", true},
		{"another constant", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[3] ** 2 - 7 * near[1]\n", true},
		{"another exponent", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 3 - 0.5 * near[1]\n", true},
		{"a negative exponent", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** -1 - 0.5 * near[1]\n", true},
		{"a complex constant", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 2j - 0.5 * near[1]\n", true},
		{"annotations", "def gap(node: int, dist: np.ndarray) -> float:\n" +
			"    near: np.ndarray = np.sort(dist[node])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", true},
		{"another docstring, comments, layout", "def gap(node,\n        dist):\n" +
			"    '''Other.'''\n    # sort\n    near = (np.sort(dist[node]))\n\n" +
			"    return (near[2]**2 - 0.5*near[1])\n", true},
		{"another module function", "def gap(node, dist):\n    near = np.argsort(dist[node])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", false},
		{"another operator", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 2 + 0.5 * near[1]\n", false},
		{"exchanged parameters", "def gap(dist, node):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", false},
		{"one parameter more", "def gap(node, dist, k):\n    near = np.sort(dist[node])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", false},
		{"a constant instead of a name", "def gap(node, dist):\n    near = np.sort(dist[0])\n" +
			"    return near[2] ** 2 - 0.5 * near[1]\n", false},
		{"a string instead of a number", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    return near['2'] ** 2 - 0.5 * near[1]\n", false},
		{"two locals made one", "def gap(node, dist):\n    node = np.sort(dist[node])\n" +
			"    return node[2] ** 2 - 0.5 * node[1]\n", false},
		{"one statement more", "def gap(node, dist):\n    near = np.sort(dist[node])\n" +
			"    near = near\n    return near[2] ** 2 - 0.5 * near[1]\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := analyze(t, an, eap).Functions[0]
			got := analyze(t, an, c.source).Functions[0]
			if same := want.Fingerprint == got.Fingerprint; same != c.same {
				t.Errorf("Fingerprint(%q) is the same: %v, want %v", c.source, same, c.same)
			}
		})
	}
}

func TestBodyDigest(t *testing.T) {
	an := programtest.Analyzer(t)
	const source = "def f(a, b):\n    'Doc.'\n    s = a + 2\n    return [s * x for x in b]\n"
	for _, c := range []struct {
		name, source string
		same         bool
	}{
		{"renamed locals", "def f(a, b):\n    t = a + 2\n    return [t * y for y in b]\n", true},
		{"renamed parameters",
			"def f(p, q):\n    s = p + 2\n    return [s * x for x in q]\n", true},
		{"another function name",
			"def g(a, b):\n    s = a + 2\n    return [s * x for x in b]\n", true},
		{"another default", "def f(a, b=1):\n    s = a + 2\n    return [s * x for x in b]\n", true},
		{"another constant", "def f(a, b):\n    s = a + 3\n    return [s * x for x in b]\n", false},
		{"another sign", "def f(a, b):\n    s = a + -2\n    return [s * x for x in b]\n", false},
		{"float for int", "def f(a, b):\n    s = a + 2.0\n    return [s * x for x in b]\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := analyze(t, an, source).Functions[0]
			got := analyze(t, an, c.source).Functions[0]
			if same := want.BodyDigest == got.BodyDigest; same != c.same {
				t.Errorf("BodyDigest(%q) is the same: %v, want %v", c.source, same, c.same)
			}
		})
	}
}

// The analysis of a module that uses most of the language, field by field. The file was written
// with CPython 3.11; other versions must agree, digests included.
func TestAnalysisGolden(t *testing.T) {
	an := programtest.Analyzer(t)
	source, err := os.ReadFile(filepath.Join("testdata", "module.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(analyze(t, an, string(source)), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Text(t, "testdata/module.json", string(got)+"\n")
}
