//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/program"
)

// errSystem: Landlock, seccomp and pidfds are Linux's, and nothing here runs code without them.
var errSystem = hint.Add(
	errors.New("sandbox: generated code can be confined on Linux only"),
	"use a Linux machine, a virtual one or WSL 2")

// Reexec reports false: no launcher is ever started here.
func Reexec() bool { return false }

// A Pool is not to be had on this system.
type Pool struct{}

// Open fails.
func Open(context.Context, Config) (*Pool, error) { return nil, errSystem }

// Report is empty.
func (*Pool) Report() Report { return Report{} }

// Load fails.
func (*Pool) Load(context.Context, string, string, string, bench.Limits) (bench.Target, error) {
	return nil, errSystem
}

// Close does nothing.
func (*Pool) Close() error { return nil }

// An Analyzer is not to be had on this system.
type Analyzer struct{}

// OpenAnalyzer fails.
func OpenAnalyzer(context.Context, Config) (*Analyzer, error) { return nil, errSystem }

// Analyze fails.
func (*Analyzer) Analyze(context.Context, string) (program.Analysis, error) {
	return program.Analysis{}, errSystem
}

// Close does nothing.
func (*Analyzer) Close() error { return nil }

// A Check is one attack on the sandbox and what came of it.
type Check struct {
	Name   string
	OK     bool
	Detail string
}

// SelfTest says that there is no sandbox.
func SelfTest(context.Context, Config) []Check {
	return []Check{{"open the sandbox", false, errSystem.Error()}}
}
