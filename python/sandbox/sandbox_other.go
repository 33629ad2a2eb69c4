//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
)

// errSystem: Landlock, seccomp and pidfds exist on Linux only, and no code runs here without them.
var errSystem = hint.Add(
	errors.New("sandbox: generated code can be confined on Linux only"),
	"use a Linux machine, a virtual one or WSL 2")

// Reexec reports false: no launcher is ever started here.
func Reexec() bool { return false }

// A Pool lends nothing here.
type Pool struct{ bench.Loader }

// Open fails.
func Open(context.Context, Config) (*Pool, error) { return nil, errSystem }

// Report is empty.
func (*Pool) Report() Report { return Report{} }

// Watched returns the pool.
func (p *Pool) Watched(func(bench.Target) (ended func())) *Pool { return p }

// Close does nothing.
func (*Pool) Close() error { return nil }

// An Analyzer analyses nothing here.
type Analyzer struct{ program.Analyzer }

// OpenAnalyzer fails.
func OpenAnalyzer(context.Context, Config) (*Analyzer, error) { return nil, errSystem }

// Close does nothing.
func (*Analyzer) Close() error { return nil }

// SelfTest reports that there is no sandbox.
func SelfTest(context.Context, Config) []Check {
	return []Check{{"open the sandbox", false, errSystem.Error()}}
}
