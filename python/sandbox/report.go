package sandbox

import (
	"fmt"
	"strings"
)

// A Report describes the confinement of candidates on this machine. It is not in the header,
// because it changes no score; it shows how far to trust a run of other people's code.
type Report struct {
	Python     string      `json:"python"` // version of the interpreter that candidates run in
	NumPy      string      `json:"numpy"`
	Mechanisms []Mechanism `json:"mechanisms"`
	// Unsafe: Landlock or seccomp is missing, and the user allowed it.
	Unsafe bool     `json:"unsafe,omitempty"`
	Notes  []string `json:"notes,omitempty"` // what else differs on this machine: its limits
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

// warning returns the message for a missing mechanism; empty if all are in force.
func (r Report) warning() string {
	var notes strings.Builder
	for _, note := range r.Notes {
		fmt.Fprintf(&notes, "sandbox: %s\n", note)
	}
	missing := r.Missing()
	if len(missing) == 0 {
		return notes.String()
	}
	meaning := "what remains still stops generated code, see pacebench docs sandbox"
	if r.Unsafe {
		meaning = "generated code is NOT confined (--unsafe-sandbox)"
	}
	return fmt.Sprintf("sandbox: missing here: %s; %s\n%s",
		strings.Join(missing, ", "), meaning, notes.String())
}
