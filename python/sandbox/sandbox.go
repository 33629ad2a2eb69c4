package sandbox

import "io"

// Config configures a sandbox.
type Config struct {
	Python  string    // interpreter with NumPy; required
	Workers int       // most candidates alive; 0: 1
	Unsafe  bool      // open also without Landlock or seccomp
	Log     io.Writer // receives one line about what this machine lacks; nil: no log

	without missing // for tests
}

// A Check is one attack on the sandbox and its outcome.
type Check struct {
	Name   string
	OK     bool   // stopped
	Detail string // what stopped it, or what it got
}

// missing pretends that the machine lacks something.
type missing struct{ landlock, seccomp, namespaces, user bool }
