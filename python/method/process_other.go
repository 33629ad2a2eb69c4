//go:build !linux

package pymethod

import (
	"context"
	"errors"

	"github.com/pacebench/pacebench/internal/hint"
)

var errDied = errors.New("its process ended")

// Processes exist on Linux only.
type process struct{}

func start(context.Context, *file, string) (*process, error) {
	return nil, hint.Add(errors.New("methods in Python run on Linux only"),
		"use a Linux machine, a virtual one or WSL 2")
}

func (*process) close()                             {}
func (*process) exchange([]byte) ([]command, error) { return nil, errDied }
