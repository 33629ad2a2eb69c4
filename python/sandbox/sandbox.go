// Package sandbox runs generated Python so that it can do no harm: every candidate has its own
// process, which gets arguments and returns values, and reaches no network, no other process, no
// score, and no files except Python's own. Start at Open, which returns Workers (a bench.Loader),
// and at OpenAnalyzer, which returns a program.Analyzer. The package knows no task and computes no
// score.
//
// A program that uses the package must call Reexec first in main and in TestMain: the program
// starts itself again as the launcher, which confines itself and then becomes Python.
//
//	Go ── launcher = zygote (Python with NumPy imported) ── one forked child per candidate
//
// docs/sandbox.md explains what is protected and how, and what is not protected.
package sandbox

import (
	"fmt"
	"io"
	"strings"
)

// Config configures a sandbox.
type Config struct {
	Python  string    // interpreter with NumPy; required
	Workers int       // largest number of candidates at a time; 0 means 1
	Unsafe  bool      // open also without Landlock or seccomp
	Log     io.Writer // receives lines about what this machine lacks; nil: no log

	without missing // for tests
}

// A Check is one attack on the sandbox and its outcome.
type Check struct {
	Name   string
	OK     bool   // the attack was stopped
	Detail string // what stopped it, or what it got
	Err    error  // why the attack could not be tried; otherwise nil
}

// missing pretends that the machine lacks something.
type missing struct{ landlock, seccomp, namespaces, user bool }

// A Report describes the confinement of candidates on this machine. It is not part of a run's
// header, because it affects no score. It shows how well the machine was protected from the run's
// programs.
type Report struct {
	Python     string      `json:"python"` // version of the interpreter that candidates run in
	NumPy      string      `json:"numpy"`
	Mechanisms []Mechanism `json:"mechanisms"`
	// Unsafe means that Landlock or seccomp is missing, and that the user allowed it.
	Unsafe bool     `json:"unsafe,omitempty"`
	Notes  []string `json:"notes,omitempty"` // what else differs here: limits, random addresses
}

// A Mechanism is one of the means that confine candidates.
type Mechanism struct {
	Name    string `json:"name"`
	InForce bool   `json:"in_force"`
	Note    string `json:"note,omitempty"` // which version, or what its absence means
}

// Missing lists the mechanisms that are not in force.
func (r Report) Missing() []string { return r.names(false) }

// names lists the mechanisms that are in force, or the missing ones.
func (r Report) names(inForce bool) (names []string) {
	for _, m := range r.Mechanisms {
		if m.InForce == inForce {
			names = append(names, m.Name)
		}
	}
	return names
}

// String returns the report in one line.
func (r Report) String() string {
	line := strings.Join(r.names(true), ", ")
	if missing := r.Missing(); len(missing) > 0 {
		line += "; missing: " + strings.Join(missing, ", ")
	}
	if len(r.Notes) > 0 {
		line += "; " + strings.Join(r.Notes, "; ")
	}
	if r.Unsafe {
		line += " (UNSAFE)"
	}
	return line
}

// warning has a line for missing mechanisms and one for each note.
func (r Report) warning() (text string) {
	if missing := r.Missing(); len(missing) > 0 {
		meaning := "the other mechanisms still confine generated code; see pacebench docs sandbox"
		if r.Unsafe {
			meaning = "generated code is NOT confined (--unsafe-sandbox)"
		}
		text = fmt.Sprintf("sandbox: missing here: %s; %s\n", strings.Join(missing, ", "), meaning)
	}
	for _, note := range r.Notes {
		text += "sandbox: " + note + "\n"
	}
	return text
}
