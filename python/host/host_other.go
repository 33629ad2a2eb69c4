//go:build !linux

package host

import (
	"context"
	"errors"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
)

// errSystem: candidates run on Linux only, and so do their scorers.
var errSystem = hint.Add(errors.New("trusted Python runs on Linux only"),
	"use a Linux machine, a virtual one or WSL 2")

// A Pool lends nothing here.
type Pool struct{}

var _ bench.Hosts = (*Pool)(nil)

// Open makes a pool that lends nothing.
func Open(context.Context, Config) *Pool { return &Pool{} }

// Serve fails.
func Serve(int, int, func([]bench.Value) ([]bench.Value, error)) error { return errSystem }

// Lend fails.
func (*Pool) Lend(context.Context, *bench.Scorer, func(bench.Host) error) error { return errSystem }

// Close does nothing.
func (*Pool) Close() error { return nil }
