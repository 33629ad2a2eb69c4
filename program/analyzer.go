package program

import (
	"embed"
	"encoding/json"
	"strings"
)

//go:embed analysis/*.py
var analysisFiles embed.FS

// analysisModules are the modules of package analysis, each after those it imports.
var analysisModules = []string{
	"tree", "positions", "knobs", "literals", "digests", "scopes", "calls",
	"expressions", "statements", "definitions", "stripping", "module",
}

// AnalyzerSource is the Python that an Analyzer runs: analyze(source) returns the JSON form of
// Analysis. It is one text that makes the modules of the folder analysis and asks nothing of
// the file system; it needs the standard library only and executes nothing of what it is
// given. Its digest belongs into whatever caches analyses.
var AnalyzerSource = analyzerSource()

func analyzerSource() string {
	var b strings.Builder
	b.WriteString("import sys, types\n\n\ndef load(name, source):\n" +
		"    module = sys.modules[name] = types.ModuleType(name)\n" +
		"    exec(compile(source, f\"<{name}>\", \"exec\"), vars(module))\n\n\n")
	for _, name := range analysisModules {
		source, err := analysisFiles.ReadFile("analysis/" + name + ".py")
		if err != nil {
			panic(err) // it is embedded
		}
		quoted, err := json.Marshal(string(source)) // a literal of Python, too
		if err != nil {
			panic(err)
		}
		b.WriteString("load(\"analysis." + name + "\", " + string(quoted) + ")\n")
	}
	b.WriteString("from analysis.module import analyze\n")
	return b.String()
}
