package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestCycles runs the server's test for repeated text, without the server's packages.
func TestCycles(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	server := string(must.Read(t, "scripts/small_model_server.py"))
	_, function, _ := strings.Cut(server, "\ndef cycles(")
	function, _, _ = strings.Cut(function, "\n\n\n")
	for tokens, want := range map[string]string{
		"list(range(30)) * 4":              "True",
		"list(range(500, 900)) + [7] * 96": "True",
		"list(range(128)) * 4":             "True",
		"list(range(30)) * 4 + [1]":        "False",
		"list(range(30)) * 3":              "False",
		"list(range(10)) * 4":              "False", // a short table of numbers
		"list(range(129)) * 4":             "False",
		"[]":                               "False",
	} {
		program := "LONGEST_CYCLE = 128\ndef cycles(" + function + "\nprint(cycles(" + tokens + "))"
		out, err := exec.Command(python, "-c", program).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("cycles(%s) = %s, %v; want %s", tokens, got, err, want)
		}
	}
}
