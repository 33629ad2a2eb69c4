// Package ppo embeds the Python that trains policies and plays them; tasks/baselines/ppo runs it.
package ppo

import "embed"

// Files has train.py, seedcycle.py and policy_adapter.py.
//
//go:embed train.py seedcycle.py policy_adapter.py
var Files embed.FS
