package program

import _ "embed"

// AnalyzerSource is the Python module that an Analyzer runs: analyze(source) returns the
// JSON form of Analysis. It needs the standard library only and executes nothing of what
// it is given. Its digest belongs into whatever caches analyses.
//
//go:embed analyze.py
var AnalyzerSource string
