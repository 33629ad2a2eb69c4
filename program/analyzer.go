package program

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed analysis/*.py
var analysisFiles embed.FS

// analysisModules are the modules of package analysis; each comes after the modules it imports.
var analysisModules = []string{
	"tree", "positions", "knobs", "literals", "digests", "scopes", "calls",
	"expressions", "statements", "definitions", "stripping", "module", "parts",
}

// AnalyzerSource is the Python that an Analyzer runs: analyze(source) returns the JSON form of
// Analysis, or of Parts for a PartsRequest. The text contains all modules of the folder analysis.
// It reads no files, needs only the standard library, and does not execute the source. Caches of
// analyses must include its digest in their keys.
var AnalyzerSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("import sys, types\n\n\ndef load(name, source):\n" +
		"    module = sys.modules[name] = types.ModuleType(name)\n" +
		"    exec(compile(source, f\"<{name}>\", \"exec\"), vars(module))\n\n\n")
	for _, name := range analysisModules {
		source, err := analysisFiles.ReadFile("analysis/" + name + ".py")
		if err != nil {
			panic(err) // the modules are embedded
		}
		quoted, err := json.Marshal(string(source)) // JSON strings are also Python literals
		if err != nil {
			panic(err)
		}
		b.WriteString("load(\"analysis." + name + "\", " + string(quoted) + ")\n")
	}
	b.WriteString("from analysis.parts import answer as analyze\n")
	return b.String()
})
